"""The levels of the ladder, from a friendly beginner upwards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from industry.engine import Board, Edition, Phase, PlayerMove, Position, Subsidy, player_move_of

from .clock import Clock
from .features import COUNT, Feature
from .loops import TO_THE_END
from .mind import (
    FastMind,
    Outlook,
    SlowMind,
    compile_minds,
    handmade_outlook,
    learned_outlook,
    ready_mind,
)
from .race import Race
from .weights import Weights, handmade_weights

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


@dataclass(frozen=True)
class Look:
    """How far samples of auctions and of developments look, in rounds, and by how many standard
    errors a move must lead to be preferred to the first idea."""

    auctions: int
    developments: int
    caution: float


class Director:
    """Measures every sensible move against the one that values suggest, and solves the end.

    `samples` instead of time: then the same seed gives the same game on any machine.
    """

    level = 4
    description = "Tries every sensible move and looks ahead before it decides."

    LOOK = Look(auctions=2, developments=1, caution=1.0)
    FURTHER = ((0.5, TO_THE_END), (0.1, 6))
    """With so many seconds, every sample looks so many rounds far: what is nearer the end of the
    game is judged more truly, and there is time for the samples that more chance asks for."""
    SAMPLES = 2
    """Between two looks at the clock."""
    NODES = 20_000
    NODES_PER_SECOND = 100_000
    """What the solution of an ending may take, with a setting by samples and by time: there, about
    half of the budget."""

    def __init__(self, samples: int = 0) -> None:
        self.samples = samples
        self._mind: FastMind | None = None

    def warm_up(self) -> None:
        compile_minds()

    def mind(self, board: Board) -> FastMind:
        if self._mind is None or self._mind.board is not board:
            self._mind = FastMind(board)
        return self._mind

    def outlook(self, board: Board, players: int) -> Outlook:
        return handmade_outlook()

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        clock = Clock(seconds)
        code = self._solved(position, seconds)
        if code is None:
            code = self._preferred(position, self.rounds(position, seconds), clock, rng)
        return player_move_of(position.board, position.actor, code)

    def _solved(self, position: Position, seconds: float) -> int | None:
        nodes = self.NODES if self.samples else int(seconds * self.NODES_PER_SECOND)
        worths = self.mind(position.board).solve(position, nodes)
        if worths is None:
            return None
        return max(worths, key=lambda code: worths[code][position.actor])

    def look(self, board: Board, players: int) -> Look:
        return self.LOOK

    def rounds(self, position: Position, seconds: float) -> int:
        """How many rounds far a decision is thought through."""
        if not self.samples:
            for least, rounds in self.FURTHER:
                if seconds >= least:
                    return rounds
        look = self.look(position.board, int(position.state.players))
        return look.developments if position.phase == Phase.DEVELOP else look.auctions

    def _preferred(self, position: Position, rounds: int, clock: Clock, rng: Random) -> int:
        mind = self.mind(position.board)
        players = int(position.state.players)
        outlook = self.outlook(position.board, players)
        first = mind.by_value(position, outlook.weights)
        caution = self.look(position.board, players).caution
        race = Race(mind.candidates(position, first), caution)
        while not race.is_decided and not self._is_enough(race.taken, clock):
            leads = mind.think(outlook, race.codes, rounds, race.taken, self.SAMPLES, rng)
            race.add(leads, self.SAMPLES)
        return race.winner()

    def _is_enough(self, taken: int, clock: Clock) -> bool:
        return taken >= self.samples if self.samples else clock.is_over


class Magnate(Director):
    """Looks ahead like the Director, but decides, foresees and judges by learned values."""

    level = 5
    description = "Has a sense of value learned from thousands of its own games."

    LOOK = Look(auctions=2, developments=1, caution=2.0)  # its first ideas are good
    SHORT_GAME = Look(auctions=4, developments=4, caution=1.0)
    """For the table whose lines are the shortest, so that 20 ms are enough for a longer look."""

    def outlook(self, board: Board, players: int) -> Outlook:
        return learned_outlook(int(board.edition), players)

    def look(self, board: Board, players: int) -> Look:
        is_short = board.edition == Edition.INDUSTRIA and players == 3
        return self.SHORT_GAME if is_short else self.LOOK
