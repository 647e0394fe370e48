"""Speed of the rules, as ratios within one run: `python -m benchmarks.engine [--peers]`.

Interpreted and compiled random games, the batch step from Python, `simulate` against the bare
compiled playout, and (where they are installed) the random players of OpenSpiel's hearts and of
Catanatron. `--c PROGRAM` compares with the same games in C: a program that plays as many random
games as its argument says and prints lines with `games/s NUMBER`. One process, one core; compared
runs alternate, measured by processor time.
"""

import random
import re
import statistics
import subprocess
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from industry.arena.games import Plan
from industry.arena.simulate import simulate
from industry.boards import load_board
from industry.engine import Options, State, start
from industry.engine.compiled import compiled_rules, generators, new_moves, record_of
from industry.engine.constants import NOBODY
from industry.engine.dispatch import apply_move, new_move_list
from industry.engine.move_codes import DRAW
from industry.engine.playout import playout
from industry.notation import complete_options

from .speed_command import print_results, speed_parser

Rate = dict[str, float]


def measure(
    play: Callable[[int], tuple[int, int]],
    seconds: float,
    games: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Rate:
    """Returns median rates over rounds of `games` games until the time is up (at least three)."""
    rates: list[tuple[float, float]] = []
    deadline = clock() + seconds
    number = 0
    while len(rates) < 3 or clock() < deadline:
        began = clock()
        played, decisions = play(number)
        passed = clock() - began
        rates.append((played / passed, decisions / passed))
        number += played or games
    return {
        "games_per_s": statistics.median(rate[0] for rate in rates),
        "decisions_per_s": statistics.median(rate[1] for rate in rates),
        "rounds": len(rates),
    }


class BenchmarkTable:
    """A board and a number of players, interpreted and compiled."""

    def __init__(self, edition: str, players: int) -> None:
        self.board = load_board(edition).rules
        self.boards = record_of(self.board)
        self.opening = start(self.board, players, 0, Options()).state
        self.rules = compiled_rules()

    def interpreted(self, games: int) -> Callable[[int], tuple[int, int]]:
        moves = new_move_list()

        def play(first: int) -> tuple[int, int]:
            words = generators("benchmark", games, first)
            return games, sum(
                playout(self.board, self.opening.copy(), row.tolist(), moves) for row in words
            )

        return play

    def whole_playouts(self, games: int) -> Callable[[int], tuple[int, int]]:
        moves = new_moves()[0]
        decisions = np.zeros(games, dtype=np.int64)
        openings = record_of(self.opening, games)
        words = [generators("benchmark", games, games * turn) for turn in range(4)]

        def play(first: int) -> tuple[int, int]:
            states = openings.copy()
            self.rules.play_games(
                self.boards, states, words[first // games % 4].copy(), moves, decisions
            )
            return games, int(decisions.sum())

        return play

    def batch_steps(self, games: int, steps: int) -> Callable[[int], tuple[int, int]]:
        """Plays random moves chosen by numpy, with one call of the compiled step for all games."""
        moves, counts = new_moves(games), np.zeros(games, dtype=np.int64)
        faults = np.zeros(games, dtype=np.int64)
        picker = np.random.default_rng(1)
        rows = np.arange(games)
        draw = self._first_draw()

        def play(first: int) -> tuple[int, int]:
            words = generators("batch", games, first)
            states = record_of(draw, games)
            self.rules.batch_legal(self.boards, states, moves, counts)
            made = 0
            for _ in range(steps):
                alive = counts > 0
                if not alive.any():
                    break
                made += int(alive.sum())
                chosen = (picker.random(games) * counts).astype(np.int64)
                codes = moves[rows, chosen].astype(np.int64)
                self.rules.batch_step(self.boards, states, codes, words, faults, moves, counts)
            return games, made

        return play

    def _first_draw(self) -> State:
        state = self.opening.copy()
        columns = (1 << state.players) - 1
        apply_move(self.board, state, NOBODY, DRAW + columns)
        return state


C_RATE = re.compile(r"games/s ([0-9.]+)")


def c_games_per_second(program: str, games: int) -> float:
    """Returns the median rate that a program in C prints."""
    done = subprocess.run([program, str(games)], capture_output=True, text=True, check=True)
    return statistics.median(float(rate) for rate in C_RATE.findall(done.stdout))


def simulated(games: int) -> Callable[[int], tuple[int, int]]:
    """Measures `industry simulate` without its output: four random players of Industry."""
    board = load_board("industry")
    options = complete_options(board.edition, {})

    def play(first: int) -> tuple[int, int]:
        plan = Plan(board, 4, options, "benchmark", games, first)
        decisions = sum(int(batch.decisions.sum()) for batch in simulate(plan, processes=1))
        return games, decisions

    return play


def ratios(rounds: int, games: int, program: str | None) -> dict[str, float]:
    """Medians of ratios, each of two measurements that follow each other."""
    bare, whole = BenchmarkTable("industry", 4).whole_playouts(2000), simulated(games)
    bare(0), whole(0)
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        playout = _rate(bare, games // 2000)
        pairs = {"simulate / bare compiled playout": _rate(whole, 1) / playout}
        if program is not None:
            pairs["compiled playout / C"] = playout / c_games_per_second(program, 5000)
        for name, ratio in pairs.items():
            found.setdefault(name, []).append(ratio)
    return {name: statistics.median(values) for name, values in found.items()}


def _rate(play: Callable[[int], tuple[int, int]], times: int) -> float:
    """Games per second of processor time."""
    began = time.process_time()
    games = sum(play(0)[0] for _ in range(times))
    return games / (time.process_time() - began)


def open_spiel(name: str, games: int) -> Callable[[int], tuple[int, int]]:
    """Measures a game of OpenSpiel, such as hearts in C++, stepped from Python at random."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(1)

    def play(first: int) -> tuple[int, int]:
        decisions = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, chances)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    decisions += 1
        return games, decisions

    return play


def catanatron(games: int) -> Callable[[int], tuple[int, int]]:
    """Measures Catanatron, a fast Python engine of Catan, with its random players."""
    from catanatron import Color, Game, RandomPlayer

    def play(first: int) -> tuple[int, int]:
        decisions = 0
        for _ in range(games):
            players = [RandomPlayer(c) for c in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]
            game = Game(players)
            game.play()
            decisions += _catanatron_actions(game)
        return games, decisions

    return play


def _catanatron_actions(game: Any) -> int:
    state = game.state
    return len(getattr(state, "action_records", None) or state.actions)


def installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def run(seconds: float, peers: bool, program: str | None, games: int) -> dict[str, Any]:
    results: dict[str, Any] = {"ratios": ratios(5, games, program)}
    for edition in ("industry", "industria"):
        for players in (3, 4):
            table = BenchmarkTable(edition, players)
            table.whole_playouts(10)(0)
            table.batch_steps(64, 10)(0)
            plain = measure(table.interpreted(5), seconds, 5)
            fast = measure(table.whole_playouts(500), seconds, 500)
            batch = measure(table.batch_steps(64, 1000), seconds, 64)
            results[f"{edition} {players}"] = {
                "interpreted": plain,
                "compiled playout": fast,
                "batch step of 64": batch,
                "ratio playout": fast["decisions_per_s"] / plain["decisions_per_s"],
                "ratio batch": batch["decisions_per_s"] / plain["decisions_per_s"],
            }
    if peers:
        if installed("open_spiel"):
            results["OpenSpiel hearts"] = measure(open_spiel("hearts", 20), seconds, 20)
        if installed("catanatron"):
            results["Catanatron random players"] = measure(catanatron(2), seconds, 2)
    return results


def show(results: dict[str, Any]) -> None:
    print(f"{'':34}{'games/s':>12}{'decisions/s':>15}{'ratio':>9}")
    for name, result in results.items():
        if name == "ratios":
            for pair, ratio in result.items():
                print(f"{pair:61}{ratio:8.2f}x")
            continue
        if "games_per_s" in result:
            print(f"{name:34}{result['games_per_s']:12,.0f}{result['decisions_per_s']:15,.0f}")
            continue
        for way in ("interpreted", "compiled playout", "batch step of 64"):
            rate = result[way]
            ratio = rate["decisions_per_s"] / result["interpreted"]["decisions_per_s"]
            print(
                f"{name + ', ' + way:34}{rate['games_per_s']:12,.0f}"
                f"{rate['decisions_per_s']:15,.0f}{ratio:8.1f}x"
            )


def main() -> None:
    parser = speed_parser(__doc__, seconds=3.0)
    parser.add_argument("--peers", action="store_true", help="OpenSpiel and Catanatron beside it")
    parser.add_argument("--c", metavar="PROGRAM", help="random games in C to compare with")
    parser.add_argument("--games", type=int, default=50_000, help="games per run of simulate")
    arguments = parser.parse_args()
    results = run(arguments.seconds, arguments.peers, arguments.c, arguments.games)
    print_results(results, show, as_json=arguments.json)


if __name__ == "__main__":
    main()
