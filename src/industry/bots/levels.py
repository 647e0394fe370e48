"""The levels of the ladder, from a friendly beginner upwards."""

import math
import time
from collections.abc import Sequence
from random import Random

from industry.engine import Board, Phase, PlayerMove, Position, Subsidy, player_move_of
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era

from .features import COUNT, Feature
from .mind import FastMind, SlowMind, compile_minds, ready_mind
from .weights import Weights, handmade_weights, learned_weights

HANDMADE = handmade_weights()


class _Quick:
    """Decides at once: compiled where that is ready, else interpreted."""

    def __init__(self) -> None:
        self._mind: SlowMind | FastMind | None = None

    def warm_up(self) -> None:
        compile_minds()

    def mind(self, board: Board) -> SlowMind | FastMind:
        if self._mind is None or self._mind.board is not board:
            self._mind = ready_mind(board)
        return self._mind


class Apprentice(_Quick):
    """Sees points, costs and Talers, but hardly links and networks; misjudges and overlooks."""

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
        code = self.mind(position.board).simply(position, self._weights(rng))
        return player_move_of(position.board, position.actor, code)

    def _weights(self, rng: Random) -> Weights:
        """Today's opinions: everything is worth a bit more or less than it should be."""
        factors = [math.exp(rng.gauss(0.0, self.MISJUDGED)) for _ in range(COUNT)]
        for feature in self.UNSEEN:
            factors[feature] *= 0.2
        return [
            [*(w * f for w, f in zip(row, factors, strict=False)), row[COUNT]] for row in HANDMADE
        ]


class Foreman(_Quick):
    """Values every field by rule of thumb and pays a little less than it is worth."""

    level = 2
    description = "Knows what each field is worth and bids accordingly, one auction at a time."

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        code = self.mind(position.board).simply(position, HANDMADE)
        return player_move_of(position.board, position.actor, code)


class Engineer(_Quick):
    """Solves each auction backwards, for everyone's chances, and each development turn whole."""

    level = 3
    description = "Thinks each auction through to its end and spends Talers where they earn most."

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        code = self.mind(position.board).by_value(position, HANDMADE)
        return player_move_of(position.board, position.actor, code)


class Director:
    """Tries every sensible move, plays the round on by value, and then rounds with new draws."""

    level = 4
    description = "Tries every sensible move and looks ahead before it decides."

    CLEAR = 0.12
    """A move that leads by so much chance is played without further thought."""
    SAMPLES = 4
    ENOUGH = 24
    """With fewer samples beyond the round, chance would decide: then the round's end does."""

    def __init__(self) -> None:
        self._mind: FastMind | None = None

    def warm_up(self) -> None:
        compile_minds()

    def mind(self, board: Board) -> FastMind:
        if self._mind is None or self._mind.board is not board:
            self._mind = FastMind(board)
        return self._mind

    def weights(self, board: Board, players: int) -> Weights:
        return HANDMADE

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        deadline = time.perf_counter() + seconds
        codes = self.mind(position.board).candidates(position)
        best = self._best(position, codes, deadline, rng) if len(codes) > 1 else 0
        return player_move_of(position.board, position.actor, codes[best])

    def _best(self, position: Position, codes: list[int], deadline: float, rng: Random) -> int:
        mind = self.mind(position.board)
        weights = self.weights(position.board, int(position.state.players))
        places = range(len(codes))
        near = mind.think(weights, len(codes), 1, 1, rng)
        ranked = sorted(near, reverse=True)
        if ranked[0] - ranked[1] > self.CLEAR:
            return max(places, key=near.__getitem__)
        far = [0.0] * len(codes)
        samples = 0
        while time.perf_counter() < deadline:
            more = mind.think(weights, len(codes), 2, self.SAMPLES, rng)
            far = [a + b for a, b in zip(far, more, strict=True)]
            samples += self.SAMPLES
        judged = far if samples >= self.ENOUGH else near
        return max(places, key=judged.__getitem__)


class Magnate(Director):
    """Auctions by values learned in self-play; developments and the last round by search.

    In auctions looking ahead does not pay for it yet: with these values the search of the Director
    plays weaker than the values alone (docs/bots.md).
    """

    level = 5
    description = "Has a sense of value learned from thousands of its own games."

    def weights(self, board: Board, players: int) -> Weights:
        return learned_weights(board.edition, players)

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        board, state = position.board, position.state
        last_round = tokens_in_bag(state) == 0 and is_last_era(board, state)
        if last_round or state.phase == Phase.DEVELOP:
            return super().choose(position, legal, seconds, rng)
        weights = self.weights(board, int(state.players))
        code = self.mind(board).by_value(position, weights)
        return player_move_of(board, position.actor, code)
