"""Positions in which a good player does not hesitate, from `sanity.toml` and `positions/`.

Each entry of the table names a game record that stops where somebody must decide, and says

    must         the moves of which one has to be played, or
    must_not     the moves of which none may be played, or
    highest_bid  the bid above which nobody in their right mind goes, and
    why          in a sentence.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from industry.notation import Game, record_from_toml, replay
from tests.golden.replays import frozen_board

HERE = Path(__file__).parent
POSITIONS = HERE / "positions"
TABLE = HERE / "sanity.toml"


@dataclass(frozen=True)
class Verdict:
    """What to think of the moves in one position; moves are lines of the record."""

    name: str
    why: str
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    highest_bid: int | None = None

    def refuses(self, line: str) -> bool:
        """Whether a good player would never play this."""
        if self.must:
            return line not in self.must
        if self.highest_bid is not None:
            _, verb, *talers = line.split()
            return verb == "bid" and int(talers[0]) > self.highest_bid
        return line in self.must_not


def read_verdicts() -> list[Verdict]:
    entries = tomllib.loads(TABLE.read_text(encoding="utf-8"))["position"]
    return [
        Verdict(
            entry["name"],
            entry["why"],
            tuple(entry.get("must", ())),
            tuple(entry.get("must_not", ())),
            entry.get("highest_bid"),
        )
        for entry in entries
    ]


@cache
def game_of(name: str) -> Game:
    """The game of a position; not to be played on."""
    record = record_from_toml((POSITIONS / f"{name}.toml").read_text(encoding="utf-8"))
    board = frozen_board(record.board)
    assert record.board_hash == board.hash
    return replay(record, board)
