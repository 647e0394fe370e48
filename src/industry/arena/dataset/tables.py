"""Games as tidy tables: their columns, and how records become tables."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from industry.boards import BoardSpec
from industry.bots.runner import compile_appraisal
from industry.judge import compile_judge
from industry.notation import Record
from industry.notation.record import SCORE_PARTS

from ..executor import Executor
from ..games import Batch, Plan
from .reviewed import REVIEW_SCHEMA, review_rows
from .rows import GameRows, Unfinished
from .values import Appraiser

FORMAT = 1
PIECE = 20
"""Games per piece of work."""

Tables = dict[str, pl.DataFrame]

_SMALL = pl.Int16()
_TEXT = pl.String()

SCHEMA: dict[str, dict[str, Any]] = {
    "games": {
        "game": pl.Int64(),
        "edition": _TEXT,
        "board": _TEXT,
        "board_hash": _TEXT,
        "players": _SMALL,
        "late_draws": _TEXT,
        "claim_afford": _TEXT,
        "subsidy_timing": _TEXT,
        "industria_hands": _TEXT,
        "industria_resource_cash": _TEXT,
        "starting_seat": _SMALL,
        "rounds": _SMALL,
        "decisions": _SMALL,
        "winners": _SMALL,
        "winning_points": _SMALL,
        "margin": _SMALL,
    },
    "seats": {
        "game": pl.Int64(),
        "seat": _SMALL,
        "player": _TEXT,
        "turn": _SMALL,
        "won": pl.Float64(),
        "rank": _SMALL,
        "points": _SMALL,
        "development": _SMALL,
        "money": _SMALL,
        "links": _SMALL,
        "bonuses": _SMALL,
        "jokers": _SMALL,
        "subsidy": _SMALL,
        "developed": _SMALL,
        "talers": _SMALL,
    },
    "auctions": {
        "game": pl.Int64(),
        "auction": _SMALL,
        "round": _SMALL,
        "era": _SMALL,
        "column": _TEXT,
        "field": _TEXT,
        "kind": _TEXT,
        "auctioneer": _SMALL,
        "bidders": _SMALL,
        "price": _SMALL,
        "outcome": _TEXT,
        "owner": _SMALL,
        "paid": _SMALL,
        "owner_value": pl.Float64(),
        "others_value": pl.Float64(),
        "end": _TEXT,
    },
    "bids": {
        "game": pl.Int64(),
        "auction": _SMALL,
        "seat": _SMALL,
        "talers": _SMALL,
        "bid": _SMALL,
    },
    "developments": {
        "game": pl.Int64(),
        "round": _SMALL,
        "era": _SMALL,
        "seat": _SMALL,
        "field": _TEXT,
        "kind": _TEXT,
        "points": _SMALL,
        "cost": _SMALL,
        "own": _SMALL,
        "from_players": _SMALL,
        "from_bank": _SMALL,
        "jokers": _SMALL,
    },
    "rounds": {
        "game": pl.Int64(),
        "round": _SMALL,
        "era": _SMALL,
        "seat": _SMALL,
        "talers": _SMALL,
        "points": _SMALL,
    },
    "links": {
        "game": pl.Int64(),
        "seat": _SMALL,
        "first": _TEXT,
        "second": _TEXT,
        "kind": _TEXT,
    },
    "networks": {
        "game": pl.Int64(),
        "seat": _SMALL,
        "network": _TEXT,
        "bonus_fields": _SMALL,
        "factories": _SMALL,
    },
}
"""The columns of every table in the order of the rows of `GameRows`; see docs/data.md."""


@dataclass(frozen=True)
class NumberedRecord:
    """A record and the number of its game, from 1."""

    game: int
    record: Record


@dataclass(frozen=True)
class Dataset:
    """The tables of some games on one board, and how they were played, as far as known."""

    board: BoardSpec
    tables: Tables
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.tables["games"].height


def schema_of(*, is_reviewed: bool) -> dict[str, dict[str, Any]]:
    """Returns the columns of every table of games; reviewed games have additional tables."""
    return SCHEMA | REVIEW_SCHEMA if is_reviewed else SCHEMA


@dataclass(frozen=True)
class ReplayedTables:
    """The tables of some records, and how many games of them had not come to an end."""

    tables: Tables
    unfinished: int


def replay_records(
    records: Sequence[NumberedRecord],
    board: BoardSpec,
    *,
    fast: bool,
    trusted: bool = False,
    review_lines: int | None = None,
) -> ReplayedTables:
    """Replays games into tables; raises `BrokenGame`.

    `fast` values fields with machine code, compiled if necessary. Moves of `trusted` records are
    not checked for legality again. With `review_lines` every game is reviewed, too.
    """
    schema = schema_of(is_reviewed=review_lines is not None)
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in schema}
    appraiser: Appraiser | None = None
    unfinished = 0
    for entry in records:
        if appraiser is None or appraiser.players != len(entry.record.players):
            appraiser = Appraiser(board, len(entry.record.players), fast=fast)
        game = GameRows(entry.game, entry.record, board, appraiser)
        try:
            game.play(trusted=trusted)
        except Unfinished:
            unfinished += 1
            continue
        more = (
            {}
            if review_lines is None
            else review_rows(entry.game, entry.record, board, review_lines)
        )
        for name, found in {**game.rows, **more}.items():
            rows[name] += found
    tables = {
        name: pl.DataFrame(rows[name], schema=columns, orient="row")
        for name, columns in schema.items()
    }
    return ReplayedTables(tables, unfinished)


def replay_all(
    entries: Iterable[tuple[BoardSpec, NumberedRecord]],
    executor: Executor,
    *,
    fast: bool,
    review_lines: int | None = None,
) -> Generator[tuple[BoardSpec, ReplayedTables], None, None]:
    """Replays records on their boards, piece by piece and in order; raises `BrokenGame`."""
    if review_lines is not None:
        executor.prepare(compile_judge)
    if fast:
        executor.prepare(compile_appraisal)
    pieces = _pieces(entries, PIECE if review_lines is None else 1)
    return executor.map(_replay_piece, ((*piece, fast, review_lines) for piece in pieces))


def _pieces(
    entries: Iterable[tuple[BoardSpec, NumberedRecord]], size: int
) -> Iterator[tuple[BoardSpec, list[NumberedRecord]]]:
    """Splits records into jobs of up to `size` neighbours on the same board."""
    for board, same in groupby(entries, key=itemgetter(0)):
        records = map(itemgetter(1), same)
        while piece := list(islice(records, size)):
            yield board, piece


def _replay_piece(
    board: BoardSpec, records: Sequence[NumberedRecord], fast: bool, review_lines: int | None
) -> tuple[BoardSpec, ReplayedTables]:
    return board, replay_records(records, board, fast=fast, review_lines=review_lines)


def batch_tables(plan: Plan, batch: Batch, *, fast: bool) -> Tables:
    """Returns the tables of games just played, without those forfeited by a fault."""
    lost = {outcome.seating.deal for outcome in batch.faults}
    games = range(plan.first, plan.first + plan.games)
    numbers = [game + 1 for game in games if game not in lost]
    pairs = zip(numbers, batch.records, strict=True)
    records = [NumberedRecord(number, record) for number, record in pairs]
    found = replay_records(
        records, plan.board, fast=fast, trusted=True, review_lines=plan.review_lines
    )
    return found.tables


def tables_batch(tables: Tables, players: int) -> Batch:
    """Returns the outcomes of the games in some tables, as if they had just been played."""
    games = tables["games"].sort("game")
    seats = tables["seats"].sort("game", "seat")
    shape = (games.height, players)
    return Batch(
        seats.select(SCORE_PARTS).to_numpy().astype(np.int64).reshape(*shape, len(SCORE_PARTS)),
        (seats["won"].to_numpy() > 0).reshape(shape),
        games["decisions"].to_numpy().astype(np.int64),
        games["starting_seat"].to_numpy().astype(np.int64) - 1,
    )


def joined_tables(parts: Iterable[Tables]) -> Tables:
    """Joins the rows of all parts, which have the same tables; at least one part is required."""
    pieces = list(parts)
    return {name: pl.concat([piece[name] for piece in pieces]) for name in pieces[0]}
