"""Values compared with solved endings: `python -m benchmarks.endings [--games N] [--json]`. Endings
of games by value (from the auction of the last field on) are solved exactly. How often is the move
by value, with handmade and with learned weights, one of the best, and what does it cost in chances
of winning if it is not? The games are the same on every machine.
"""

import argparse
import json
import time
from collections.abc import Iterator

from industry.boards import load_board
from industry.bots.endgame import is_ending
from industry.bots.runner import CompiledRunner, Floats, handmade_weight_set, learned_weight_set
from industry.engine import Options, Position, play, player_move_of, start
from industry.notation import SeededBag
from industry.notation.options import OF_EDITION

NODES = 200_000
SAME = 1e-6
"""What counts as equally good: victory and points together, as the solver weighs them."""


def endings(
    runner: CompiledRunner, players: int, weights: Floats, games: int
) -> Iterator[Position]:
    """Decisions with a choice in the endings of games by value."""
    for game in range(games):
        bag = SeededBag(f"endings {game}")
        position = start(runner.board, players, game % players, Options())
        while not position.is_over:
            if position.draw_due:
                position, _ = play(position, bag.draw(position))
                continue
            if is_ending(runner.board, position.state) and len(position.legal_moves) > 1:
                yield position
            code = runner.greedy_move(position, weights)
            position, _ = play(position, player_move_of(runner.board, position.actor, code))


def measure(edition: str, players: int, games: int) -> dict[str, float]:
    board = load_board(edition).rules
    runner = CompiledRunner(board)
    tables = {
        "handmade": handmade_weight_set().weights,
        "learned": learned_weight_set(int(board.edition), players).weights,
    }
    found = solved = 0
    seconds = 0.0
    best = dict.fromkeys(tables, 0)
    lost = dict.fromkeys(tables, 0.0)
    for position in endings(runner, players, tables["handmade"], games):
        found += 1
        began = time.thread_time()
        worths = runner.solve(position, NODES)
        seconds += time.thread_time() - began
        if worths is None:
            continue
        solved += 1
        top = max(worth[position.actor] for worth in worths.values())
        for name, weights in tables.items():
            missed = top - worths[runner.greedy_move(position, weights)][position.actor]
            best[name] += missed < SAME
            lost[name] += missed
    return {
        "decisions in endings": found,
        "of them solved": solved,
        "ms to solve, mean": 1000 * seconds / max(found, 1),
        **{f"best by {name} values, %": 100 * best[name] / max(solved, 1) for name in tables},
        **{f"lost by {name} values, %": 100 * lost[name] / max(solved, 1) for name in tables},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="per edition and number of players")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = {
        f"{edition} {players}": measure(edition, players, arguments.games)
        for edition in OF_EDITION
        for players in (3, 4)
    }
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    print(f"{'':28}" + "".join(f"{table:>14}" for table in results))
    for name in next(iter(results.values())):
        print(f"{name:28}" + "".join(f"{rates[name]:14,.1f}" for rates in results.values()))


if __name__ == "__main__":
    main()
