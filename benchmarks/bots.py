"""Speed of the bots' thinking, per second and core: `python -m benchmarks.bots [--json]`.

Evaluations of a seat, auctions solved, whole games by value and lines of looking ahead, compiled,
for both editions and numbers of players; the last line of a table is the interpreted way, for
comparison. One process, one core. The first run compiles for a minute or two.
"""

import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from industry.boards import load_board
from industry.bots.auction import offer_chance
from industry.bots.features import Stage
from industry.bots.greedy import DEEPEST
from industry.bots.runner import CompiledRunner, InterpretedRunner, handmade_weight_set
from industry.bots.scratch import PLACES, SIMULATED, Scratch
from industry.bots.tally import count_table
from industry.bots.values import counted_value
from industry.bots.weights import handmade_weights
from industry.engine import Options, Phase, Position, State, code_of, play, player_move_of, start
from industry.engine.compiled import compiled_rules, dtype_of, generators, record_of
from industry.engine.constants import MAX_SEATS, NOBODY
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import ACTIONS, OFFER
from industry.engine.playout import random_draw
from industry.engine.rule import entry_point
from industry.notation.options import OF_EDITION

from .speed_command import print_results, speed_parser

Rates = dict[str, float]


@entry_point
def evaluate_often(boards: Any, states: Any, weights: Any, scratches: Any, times: int) -> float:
    """Evaluates every seat in every state, `times` times; the table is counted once per state."""
    total = 0.0
    stage = Stage.BEFORE_DEVELOPMENT
    for _ in range(times):
        for place in range(states.shape[0]):
            state, scratch = states[place], scratches[0]
            count_table(boards[0], state, scratch)
            for seat in range(state.players):
                total += counted_value(boards[0], state, seat, stage, weights, scratch)
    return total


@entry_point
def solve_often(
    boards: Any, states: Any, weights: Any, scratches: Any, fields: Any, times: int
) -> float:
    """Solves the auction of one field in every state, `times` times."""
    total = 0.0
    for _ in range(times):
        for place in range(states.shape[0]):
            total += offer_chance(boards[0], states[place], fields[place], weights, scratches[0])
    return total


def rate(work: Callable[[], int], seconds: float) -> float:
    """Returns the median rate per second, over at least three rounds."""
    rates: list[float] = []
    deadline = time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < deadline:
        began = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - began))
    return statistics.median(rates)


class Bench:
    """A game by value between equal bots, and its positions, to measure on."""

    def __init__(self, edition: str, players: int) -> None:
        self.players = players
        self.board = load_board(edition).rules
        self.weights = handmade_weights()
        self.table = np.array(self.weights)
        self.rules: Any = compiled_rules()
        self.boards = record_of(self.board)
        self.scratches = np.zeros(1, dtype=dtype_of(Scratch))
        self.opening = start(self.board, players, 0, Options())
        self.decisions = self._decisions()
        self.offers = [p for p in self.decisions if p.phase == Phase.OFFER]

    def _decisions(self) -> list[Position]:
        runner = CompiledRunner(self.board)
        words = generators("benchmark", 1)[0].tolist()
        position = self.opening
        found = []
        while not position.is_over:
            if position.draw_due:
                state = position.state.copy()
                apply_move(self.board, state, NOBODY, random_draw(self.board, state, words))
                position = Position(self.board, state)
                continue
            found.append(position)
            code = runner.greedy_move(position, self.weights)
            position, _ = play(position, player_move_of(self.board, position.actor, code))
        return found

    def records(self, positions: list[Position]) -> Any:
        return np.concatenate([record_of(position.state) for position in positions])

    def evaluations(self) -> Callable[[], int]:
        states = self.records(self.decisions)

        def work() -> int:
            self.rules.evaluate_often(self.boards, states, self.table, self.scratches, 50)
            return 50 * len(states) * self.players

        return work

    def auctions(self) -> Callable[[], int]:
        states = self.records(self.offers)
        fields = np.array([code_of(p.legal_moves[0]) - OFFER for p in self.offers])

        def work() -> int:
            self.rules.solve_often(self.boards, states, self.table, self.scratches, fields, 20)
            return 20 * len(states)

        return work

    def games(self) -> Callable[[], int]:
        states = np.zeros(PLACES, dtype=dtype_of(State))
        moves = np.zeros((DEEPEST + 1, ACTIONS), dtype=np.int16)
        opening = record_of(self.opening.state)[0]
        by_seat = np.stack([self.table] * MAX_SEATS)
        games = iter(range(1_000_000))

        def work() -> int:
            for words in generators("games", 5, 5 * next(games)):
                states[SIMULATED] = opening
                self.rules.play_greedy(self.boards, states, by_seat, self.scratches, moves, words)
            return 5

        return work

    def lookahead(self, rounds: int) -> Callable[[], int]:
        """Lines played to the end of a round (and of more), one per candidate and sample."""
        runner = CompiledRunner(self.board)
        rng = Random("benchmark")
        weight_set = handmade_weight_set()

        def work() -> int:
            lines = 0
            for position in self.decisions[::12]:
                first = runner.greedy_move(position, weight_set.weights)
                codes = runner.candidates(position, first)
                runner.think(weight_set, codes, rounds, 0, 4, rng)
                lines += 4 * len(codes)
            return lines

        return work

    def interpreted(self) -> Callable[[], int]:
        runner = InterpretedRunner(self.board)
        positions = self.decisions[::6]

        def work() -> int:
            for position in positions:
                runner.greedy_move(position, self.weights)
            return len(positions)

        return work

    def one_by_one(self) -> Callable[[], int]:
        runner = CompiledRunner(self.board)

        def work() -> int:
            for position in self.decisions:
                runner.greedy_move(position, self.weights)
            return len(self.decisions)

        return work


def run(seconds: float) -> dict[str, Rates]:
    results: dict[str, Rates] = {}
    for edition in OF_EDITION:
        for players in (3, 4):
            bench = Bench(edition, players)
            tasks = {
                "evaluations of a seat": bench.evaluations(),
                "auctions solved": bench.auctions(),
                "games by value": bench.games(),
                "lines to the end of the round": bench.lookahead(1),
                "lines to the end of the next round": bench.lookahead(2),
                "decisions by value": bench.one_by_one(),
                "decisions by value, interpreted": bench.interpreted(),
            }
            for work in tasks.values():
                work()
            results[f"{edition} {players}"] = {
                name: rate(work, seconds) for name, work in tasks.items()
            }
    return results


def show(results: dict[str, Rates]) -> None:
    print(f"{'per second and core':36}" + "".join(f"{table:>14}" for table in results))
    for name in next(iter(results.values())):
        print(f"{name:36}" + "".join(f"{rates[name]:14,.0f}" for rates in results.values()))


def main() -> None:
    arguments = speed_parser(__doc__, seconds=2.0).parse_args()
    print_results(run(arguments.seconds), show, as_json=arguments.json)


if __name__ == "__main__":
    main()
