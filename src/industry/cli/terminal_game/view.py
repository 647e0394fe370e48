"""What the screen needs: the game, the language and the viewer."""

from dataclasses import dataclass

from industry.engine import COLUMNS, NOBODY, Position, Status, is_last_era
from industry.notation import Game

from .speech import Speech


@dataclass(frozen=True)
class View:
    """`people` are the seats of persons; `viewer` is the one in front of the screen."""

    game: Game
    speech: Speech
    people: frozenset[int]
    viewer: int

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def eras(self) -> range:
        """The eras that are played, from 0."""
        state = self.position.state.copy()
        state.era = 0
        while not is_last_era(self.position.board, state):
            state.era += 1
        return range(state.era + 1)

    @property
    def era(self) -> int:
        return int(self.position.state.era)

    @property
    def row(self) -> range:
        """The fields of the current era."""
        return range(self.era * COLUMNS, (self.era + 1) * COLUMNS)

    def owner(self, field: int) -> tuple[int, Status] | None:
        """Returns the field's owner and status; NOBODY for a tile in a closed hand (I4)."""
        state = self.position.state
        seat, status = int(state.owner[field]), Status(state.status[field])
        if seat == NOBODY:
            return None
        in_hand = status in (Status.UNDEVELOPED, Status.HELD)
        closed = self.game.options.get("industria_hands") == "closed"
        if closed and in_hand and seat != self.viewer and not self.game.is_over:
            return NOBODY, status
        return seat, status
