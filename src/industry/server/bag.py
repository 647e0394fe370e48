"""The fair bag of a table: fixed by a secret before the game, proven after it.

How everything follows from the secret stands in `notation.proof`, which also checks it.
"""

import secrets
from collections.abc import Sequence

from industry.engine import Draw, Position
from industry.engine.vocabulary import COLUMNS
from industry.notation.proof import (
    SECRET_BYTES,
    commitment_of,
    era_key,
    first_player,
    root_key,
    seating_order,
    shuffled,
)


def new_secret() -> bytes:
    """256 random bits for a table that is being made."""
    return secrets.token_bytes(SECRET_BYTES)


class FairBag:
    """Draws for one game. They depend on secret, contributions and position alone.

    So taking back, loading again or another number of draws never changes an order.
    """

    def __init__(self, secret: bytes, contributions: Sequence[str]) -> None:
        """Contributions in any order, one per seat; empty where a seat added nothing."""
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes")
        self._secret = secret
        self._root = root_key(secret, contributions)

    def __repr__(self) -> str:
        return f"FairBag({self.commitment})"  # never the secret: this may reach a log

    @property
    def commitment(self) -> str:
        """The hash of the secret, to be published when the table is made."""
        return commitment_of(self._secret)

    @property
    def revealed_secret(self) -> str:
        """The secret as the proof states it, for when the game is over."""
        return self._secret.hex()

    def era_key(self, era: int) -> str:
        """The key of an era, from 1, as the proof states it once the era is over."""
        return era_key(self._root, era).hex()

    def draw(self, position: Position) -> Draw:
        """The next tokens of the current era, in the order of columns."""
        era = int(position.state.era)
        bag = set(position.bag)
        order = shuffled(era_key(self._root, era + 1), COLUMNS)
        fields = [era * COLUMNS + column for column in order]
        return Draw(tuple(sorted([f for f in fields if f in bag][: position.draw_count])))

    def starting_player(self, players: int) -> int:
        """The seat of the Starting Player, from 1 (ruling A5)."""
        return first_player(self._root, players)

    def seating(self, players: int) -> list[int]:
        """For seats 1, 2 …: the place, from 1, in which its player joined (ruling A5)."""
        return seating_order(self._root, players)
