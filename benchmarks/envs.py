"""Speed of the environments, as ratios within one run: `python -m benchmarks.envs`.

Decisions per second of random players: the batch environment with its observations, masks and
rewards, the adapters, and (where they are installed) games of PettingZoo and OpenSpiel, stepped
from Python as their own documentation shows. One process, one core, measured in processor time, so
that other work on the machine matters little. The games of PettingZoo give observations and masks,
OpenSpiel's hearts only lists of legal moves.
"""

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from industry.envs.batch import BatchEnv

from .engine import Rate, installed, measure, open_spiel
from .speed_command import print_results, speed_parser

Play = Callable[[int], tuple[int, int]]
OURS = "batch of 1024"
PEERS = {
    "PettingZoo texas_holdem, 4 players": ("pettingzoo", "rlcard"),
    "PettingZoo hanabi, 4 players": ("pettingzoo", "shimmy", "open_spiel"),
    "OpenSpiel hearts": ("open_spiel",),
}
"""Games of others, and the packages that each needs."""


def rate(play: Play, seconds: float) -> Rate:
    """Decisions per second of the core."""
    return measure(play, seconds, 1, time.process_time)


def batch(games: int, steps: int = 50) -> Play:
    """Plays random legal moves, chosen by the environment, in all games at once."""
    env = BatchEnv(games)
    env.reset(seed=1)

    def play(number: int) -> tuple[int, int]:
        ended = 0
        for _ in range(steps):
            ended += int(env.step(env.sample()).ended.sum())
        return ended, games * steps

    return play


def agents_in_turn(env: Any, games: int) -> Play:
    """Plays random legal moves in an environment of PettingZoo, observed at every turn."""
    rng = random.Random(1)

    def play(number: int) -> tuple[int, int]:
        decisions = 0
        for game in range(games):
            env.reset(seed=number + game)
            for _ in env.agent_iter():
                seen, _, ended, cut, info = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
                env.step(rng.choice(np.flatnonzero(mask).tolist()))
                decisions += 1
        return games, decisions

    return play


def one_agent(env: Any, games: int) -> Play:
    """Plays random legal moves of the agent of a Gymnasium environment; its bots move too."""
    rng = random.Random(1)

    def play(number: int) -> tuple[int, int]:
        decisions = 0
        for game in range(games):
            seen, _ = env.reset(seed=number + game)
            ended = False
            while not ended:
                action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
                seen, _, ended, _, _ = env.step(action)
                decisions += 1
        return games, decisions

    return play


def adapters(seconds: float) -> dict[str, Rate]:
    """Measures our adapters, each with its library."""
    results: dict[str, Rate] = {}
    if installed("pettingzoo"):
        from industry.envs import pettingzoo

        results["through PettingZoo"] = rate(agents_in_turn(pettingzoo.env(), 2), seconds)
    if installed("gymnasium"):
        import gymnasium

        from industry.envs.gymnasium import ID

        results["through Gymnasium"] = rate(one_agent(gymnasium.make(ID), 2), seconds)
    if installed("open_spiel"):
        from industry.envs import openspiel

        results["through OpenSpiel"] = rate(open_spiel(openspiel.NAME, 2), seconds)
    return results


def peers(seconds: float) -> dict[str, Rate]:
    """Measures games of other libraries, if they are installed."""
    plays: dict[str, Callable[[], Play]] = {
        "PettingZoo texas_holdem, 4 players": lambda: agents_in_turn(texas_holdem(), 50),
        "PettingZoo hanabi, 4 players": lambda: agents_in_turn(hanabi(), 5),
        "OpenSpiel hearts": lambda: open_spiel("hearts", 20),
    }
    found = [name for name in plays if all(installed(package) for package in PEERS[name])]
    return {name: rate(plays[name](), seconds) for name in found}


def texas_holdem() -> Any:
    from pettingzoo.classic import texas_holdem_v4

    return texas_holdem_v4.env(num_players=4)


def hanabi() -> Any:
    from pettingzoo.classic import hanabi_v5

    return hanabi_v5.env(players=4)


def run(seconds: float) -> dict[str, Rate]:
    results = {f"batch of {games}": rate(batch(games), seconds) for games in (64, 1024, 4096)}
    return results | adapters(seconds) | peers(seconds)


def show(results: dict[str, Rate]) -> None:
    print(f"{'':36}{'decisions/s':>13}   {OURS} is faster by")
    for name, result in results.items():
        ratio = results[OURS]["decisions_per_s"] / result["decisions_per_s"]
        print(f"{name:36}{result['decisions_per_s']:13,.0f}   {ratio:.1f}x")
    for name, packages in PEERS.items():
        if name not in results:
            print(f"{name:36} not installed: needs {', '.join(packages)}")


def main() -> None:
    arguments = speed_parser(__doc__, seconds=3.0).parse_args()
    print_results(run(arguments.seconds), show, as_json=arguments.json)


if __name__ == "__main__":
    main()
