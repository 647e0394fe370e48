"""The fair bag of a table: fixed by a secret before the game, proven after it.

`notation.proof` derives everything from the secret, and checks it.
"""

import secrets
from collections.abc import Sequence

from industry.engine import COLUMNS, Draw, Position
from industry.notation.proof import (
    SECRET_BYTES,
    Game,
    commitment_of,
    era_key,
    first_player,
    root_key,
    seating_order,
    shuffled,
)


def new_secret() -> bytes:
    """Returns 256 random bits for a new table."""
    return secrets.token_bytes(SECRET_BYTES)


class FairBag:
    """Draws for one game; the order depends only on secret, contributions and position.

    Undoing, reloading or drawing a different number of tokens never changes the order.
    """

    def __init__(
        self, secret: bytes, contributions: Sequence[str], game: Game | None = None
    ) -> None:
        """`contributions` are in joining order, empty for players who added nothing.

        Without a `game` this is a bag of version 0.1.0, which running games may still have.
        """
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes")
        self._secret = secret
        self._root = root_key(secret, contributions, game)

    def __repr__(self) -> str:
        return f"FairBag({self.commitment})"  # never the secret: this may reach a log

    @property
    def commitment(self) -> str:
        """The hash of the secret, published when the table is created."""
        return commitment_of(self._secret)

    @property
    def revealed_secret(self) -> str:
        """The secret as the proof states it once the game is over."""
        return self._secret.hex()

    def era_key(self, era: int) -> str:
        """Returns the key of an era (from 1) as the proof states it once the era is over."""
        return era_key(self._root, era).hex()

    def draw(self, position: Position) -> Draw:
        """Returns the next tokens of the current era, in column order."""
        era = int(position.state.era)
        bag = set(position.bag)
        order = shuffled(era_key(self._root, era + 1), COLUMNS)
        fields = [era * COLUMNS + column for column in order]
        return Draw(tuple(sorted([f for f in fields if f in bag][: position.draw_count])))

    def starting_player(self, players: int) -> int:
        """Returns the Starting Player's seat, from 1 (ruling A5)."""
        return first_player(self._root, players)

    def seating(self, players: int) -> list[int]:
        """Returns for each seat the place, from 1, at which its player joined (ruling A5)."""
        return seating_order(self._root, players)
