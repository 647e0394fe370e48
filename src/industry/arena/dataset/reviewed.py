"""Turns the review of a game into rows: accounts, luck, losses and the auction sheet."""

from typing import Any

import polars as pl

from industry.boards import BoardSpec
from industry.engine import COLUMNS
from industry.judge.review import review
from industry.notation import Record

REVIEW_SEED = 1
TERMS = ("start", "luck", "own", "gifts", "unexplained", "result")

_SMALL = pl.Int16()
_TEXT = pl.String()
_REAL = pl.Float64()

REVIEW_SCHEMA: dict[str, dict[str, Any]] = {
    "accounts": {
        "game": pl.Int64(),
        "seat": _SMALL,
        **dict.fromkeys(TERMS, _REAL),
    },
    "draws": {
        "game": pl.Int64(),
        "move": _SMALL,
        "round": _SMALL,
        "era": _SMALL,
        "seat": _SMALL,
        "luck": _REAL,
    },
    "decisions": {
        "game": pl.Int64(),
        "move": _SMALL,
        "round": _SMALL,
        "era": _SMALL,
        "seat": _SMALL,
        "kind": _TEXT,
        "line": _TEXT,
        "best": _TEXT,
        "verdict": _TEXT,
        "loss": _REAL,
        "loss_se": _REAL,
    },
    "sheet": {
        "game": pl.Int64(),
        "auction": _SMALL,
        "field": _TEXT,
        "worth": _REAL,
        "surplus": _REAL,
        "perfect_owner": _SMALL,
        "perfect_outcome": _TEXT,
        "perfect_price": _SMALL,
    },
    "stakes": {
        "game": pl.Int64(),
        "auction": _SMALL,
        "seat": _SMALL,
        "worth": _REAL,
        "taler": _REAL,
        "win": _REAL,
        "denial": _REAL,
        "regret": _REAL,
    },
}
"""The columns of the additional tables of reviewed games; see docs/data.md."""

Rows = dict[str, list[tuple[Any, ...]]]
When = tuple[int, int]
"""Round and era, from 1."""


def review_rows(game: int, record: Record, board: BoardSpec, lines: int) -> Rows:
    """Reviews a finished game with this many lines per move; returns its rows by table."""
    found = review(board, record, lines=lines, seed=REVIEW_SEED)
    when = _when(record)
    return {
        "accounts": [
            (game, seat["seat"], *(seat[term] for term in TERMS)) for seat in found["seats"]
        ],
        "draws": _draws(game, found, when),
        "decisions": [
            (
                game,
                made["move"] + 1,
                *when[made["move"]],
                made["seat"],
                *(made[key] for key in ("kind", "line", "best", "verdict", "loss", "loss_se")),
            )
            for made in found["decisions"]
        ],
        **_auctions(game, found),
    }


def _when(record: Record) -> list[When]:
    """Returns round and era of every move: a draw opens a round, and an era has twelve tokens."""
    found, rounds, drawn = [], 0, 0
    for line in record.moves:
        what, *tokens = line.split()
        if what == "draw":
            rounds += 1
            drawn += len(tokens)
        found.append((rounds, (drawn - 1) // COLUMNS + 1))
    return found


def _draws(game: int, found: dict[str, Any], when: list[When]) -> list[tuple[Any, ...]]:
    """Returns how each draw changed each seat's chance."""
    events = found["events"]
    after = [event["win"] for event in events[1:]] + [[s["result"] for s in found["seats"]]]
    return [
        (game, event["move"] + 1, *when[event["move"]], seat, then - before)
        for event, chances in zip(events, after, strict=True)
        if event["kind"] == "draw"
        for seat, (before, then) in enumerate(zip(event["win"], chances, strict=True), start=1)
    ]


def _auctions(game: int, found: dict[str, Any]) -> Rows:
    """Returns the auction sheet: a row per auction, and one per auction and seat."""
    sheet, stakes = [], []
    for number, row in enumerate(found["auctions"], start=1):
        perfect = row["perfect"]
        worth = row["talers"][row["owner"] - 1]
        ideal = perfect["owner"], perfect["outcome"], perfect["price"]
        sheet.append((game, number, row["field"], worth, row["surplus"], *ideal))
        columns = (row[key] for key in ("talers", "taler", "win", "denial", "regret"))
        stakes += [
            (game, number, seat, *values)
            for seat, values in enumerate(zip(*columns, strict=True), start=1)
        ]
    return {"sheet": sheet, "stakes": stakes}
