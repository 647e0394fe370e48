"""Positions with the judge's verdict on every candidate: a quick measure for bots.

Each table has a file of 25 games between bots of all levels, with one offer, bid, settlement and
development from each. `make.py` makes the files, `python -m benchmarks.positions BOT…` uses them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from industry.boards import BoardSpec, load_board
from industry.engine import PlayerMove, Position
from industry.notation import read_move, record_from_data, replay_steps

HERE = Path(__file__).parent
TABLES = (("industry", 3), ("industry", 4), ("industria", 3), ("industria", 4))
KINDS = ("offer", "bid", "settle", "develop")


@dataclass(frozen=True, slots=True)
class Question:
    """A decision with the loss, in shares of a victory, of each candidate."""

    table: str
    kind: str
    era: int
    board: BoardSpec
    position: Position
    losses: dict[PlayerMove, float]
    errors: dict[PlayerMove, float]

    def loss(self, move: PlayerMove) -> float:
        """Returns what a move loses; one that is not a candidate counts as the worst."""
        return self.losses.get(move, max(self.losses.values()))


def file_of(edition: str, players: int, folder: Path = HERE) -> Path:
    """Returns the file of a table."""
    return folder / f"{edition}-{players}.jsonl"


def questions(edition: str, players: int, folder: Path = HERE) -> Iterator[Question]:
    """Yields the positions of a table, in the order of the file."""
    board = load_board(edition)
    for line in file_of(edition, players, folder).read_text(encoding="utf-8").splitlines():
        for entry, position in replayed(json.loads(line), board):
            truth = {read_move(name, board): row for name, row in entry["candidates"].items()}
            yield Question(
                f"{edition} {players}",
                entry["kind"],
                entry["era"],
                board,
                position,
                {cast(PlayerMove, move): row[1] for move, row in truth.items()},
                {cast(PlayerMove, move): row[2] for move, row in truth.items()},
            )


def replayed(data: dict[str, Any], board: BoardSpec) -> Iterator[tuple[dict[str, Any], Position]]:
    """Yields the chosen decisions of a game with their positions."""
    record = record_from_data(data["record"])
    wanted = {entry["move"]: entry for entry in data["positions"]}
    for number, step in enumerate(replay_steps(record, board)):
        if (entry := wanted.get(number)) is not None:
            yield entry, step.position
