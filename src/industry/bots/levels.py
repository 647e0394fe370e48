"""The five levels of bots, from beginner to expert."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from industry.engine import Board, Edition, Phase, PlayerMove, Position, Subsidy, player_move_of

from .clock import Clock
from .features import COUNT, Feature
from .loops import TO_THE_END
from .race import Race
from .runner import (
    Appraisal,
    CompiledRunner,
    InterpretedRunner,
    WeightSet,
    compile_runners,
    handmade_weight_set,
    learned_weight_set,
    ready_runner,
)
from .weights import Weights, handmade_weights

HANDMADE = handmade_weights()


class _WithoutSearch:
    """A bot that decides instantly: compiled if the machine code exists, else interpreted."""

    def __init__(self) -> None:
        self._runner: InterpretedRunner | CompiledRunner | None = None

    def warm_up(self) -> None:
        compile_runners()

    def runner(self, board: Board) -> InterpretedRunner | CompiledRunner:
        if self._runner is None or self._runner.board is not board:
            self._runner = ready_runner(board)
        return self._runner

    def appraise(self, position: Position) -> Appraisal:
        """Values the field on offer for every seat."""
        return self.runner(position.board).appraise(position, HANDMADE)


class Apprentice(_WithoutSearch):
    """Sees points, costs and Talers, but hardly links and networks; makes mistakes."""

    level = 1
    description = "A beginner: means well, misjudges prices and overlooks links and networks."

    MISJUDGED = 0.6
    OVERLOOKED = 0.08
    UNSEEN = (
        Feature.LINKS_OWNED,
        Feature.LINKS_OPEN,
        Feature.BONUS_OWNED,
        Feature.BONUS_OPEN_FACTORIES,
        Feature.BONUS_OPEN_STATIONS,
        Feature.CUSTOMERS_LATER,
        Feature.CUSTOMERS_OF_WAITING,
    )

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        if rng.random() < self.OVERLOOKED:
            return rng.choice([move for move in legal if not isinstance(move, Subsidy)])
        code = self.runner(position.board).heuristic_move(position, self._weights(rng))
        return player_move_of(position.board, position.actor, code)

    def _weights(self, rng: Random) -> Weights:
        """Returns inaccurate weights: everything is worth a bit more or less than it should be."""
        factors = [math.exp(rng.gauss(0.0, self.MISJUDGED)) for _ in range(COUNT)]
        for feature in self.UNSEEN:
            factors[feature] *= 0.2
        return [
            [*(w * f for w, f in zip(row, factors, strict=False)), row[COUNT]] for row in HANDMADE
        ]


class Foreman(_WithoutSearch):
    """Values every field by rule of thumb and pays a little less than it is worth."""

    level = 2
    description = "Knows what each field is worth and bids accordingly, one auction at a time."

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        code = self.runner(position.board).heuristic_move(position, HANDMADE)
        return player_move_of(position.board, position.actor, code)


class Engineer(_WithoutSearch):
    """Solves each auction backwards, and searches each development turn exhaustively."""

    level = 3
    description = "Thinks each auction through to its end and spends Talers where they earn most."

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        code = self.runner(position.board).greedy_move(position, HANDMADE)
        return player_move_of(position.board, position.actor, code)


@dataclass(frozen=True)
class SearchDepth:
    """How far samples of auctions and of developments look, in rounds, and by how many standard
    errors a move must lead to replace the greedy move.
    """

    auctions: int
    developments: int
    caution: float


class Director:
    """Compares every sensible move with the greedy one, and solves the end of the game.

    `samples` instead of time: then the same seed gives the same game on any machine.
    """

    level = 4
    description = "Tries every sensible move and looks ahead before it decides."

    DEPTH = SearchDepth(auctions=2, developments=1, caution=1.0)
    ROUNDS_BY_SECONDS = ((0.5, TO_THE_END), (0.1, 6))
    """Search depth in rounds by least time budget. Nearer the end of the game values are more
    reliable, but more randomness lies between, which needs more samples and so more time."""
    SAMPLES = 2
    """Samples between two checks of the clock."""
    NODES = 20_000
    NODES_PER_SECOND = 100_000
    """Limits for solving an ending, by samples and by time (about half of the budget)."""

    def __init__(self, samples: int = 0) -> None:
        self.samples = samples
        self._runner: CompiledRunner | None = None

    def warm_up(self) -> None:
        compile_runners()

    def runner(self, board: Board) -> CompiledRunner:
        if self._runner is None or self._runner.board is not board:
            self._runner = CompiledRunner(board)
        return self._runner

    def weight_set(self, board: Board, players: int) -> WeightSet:
        return handmade_weight_set()

    def appraise(self, position: Position) -> Appraisal:
        """Values the field on offer for every seat."""
        weights = self.weight_set(position.board, int(position.state.players)).weights
        return self.runner(position.board).appraise(position, weights)

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        clock = Clock(seconds)
        code = self._solved(position, seconds)
        if code is None:
            code = self._preferred(position, clock, rng)
        return player_move_of(position.board, position.actor, code)

    def _solved(self, position: Position, seconds: float) -> int | None:
        nodes = self.NODES if self.samples else int(seconds * self.NODES_PER_SECOND)
        worths = self.runner(position.board).solve(position, nodes)
        if worths is None:
            return None
        return max(worths, key=lambda code: worths[code][position.actor])

    def depth(self, board: Board, players: int) -> SearchDepth:
        return self.DEPTH

    def rounds(self, position: Position, seconds: float) -> int:
        """Returns how many rounds ahead this decision is searched."""
        if not self.samples:
            for least, rounds in self.ROUNDS_BY_SECONDS:
                if seconds >= least:
                    return rounds
        depth = self.depth(position.board, int(position.state.players))
        return depth.developments if position.phase == Phase.DEVELOP else depth.auctions

    def _preferred(self, position: Position, clock: Clock, rng: Random) -> int:
        runner = self.runner(position.board)
        rounds = self.rounds(position, clock.seconds)
        players = int(position.state.players)
        weight_set = self.weight_set(position.board, players)
        first = runner.greedy_move(position, weight_set.weights)
        caution = self.depth(position.board, players).caution
        race = Race(runner.candidates(position, first), caution)
        while not race.is_decided and not self._is_enough(race.taken, clock):
            leads = runner.think(weight_set, race.codes, rounds, race.taken, self.SAMPLES, rng)
            race.add(leads, self.SAMPLES)
        return race.winner()

    def _is_enough(self, taken: int, clock: Clock) -> bool:
        return taken >= self.samples if self.samples else clock.is_over


class Magnate01(Director):
    """The magnate of version 0.1.0: searches like the Director, but with learned weights.

    Kept for comparison. Its weights and its search do not change.
    """

    level = 5
    description = "The Magnate of version 0.1.0, kept for comparison."

    DEPTH = SearchDepth(auctions=2, developments=1, caution=2.0)  # its greedy moves are good
    SHORT_GAME_DEPTH = SearchDepth(auctions=4, developments=4, caution=1.0)
    """For the table with the shortest lines, where 20 ms are enough to look further."""

    def weight_set(self, board: Board, players: int) -> WeightSet:
        return learned_weight_set(int(board.edition), players)

    def depth(self, board: Board, players: int) -> SearchDepth:
        is_short = board.edition == Edition.INDUSTRIA and players == 3
        return self.SHORT_GAME_DEPTH if is_short else self.DEPTH


class Magnate(Magnate01):
    """Has not changed since version 0.1.0."""

    description = "Has a sense of value learned from thousands of its own games."
