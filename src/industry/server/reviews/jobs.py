"""Stores reviews and the jobs that compute them; any process may take a job that is due."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from industry import __version__
from industry.boards import BoardSpec
from industry.bots.weights import learned_weights
from industry.notation import Record, record_from_data
from industry.notation.record import RULES_VERSION

from ..store import Store, schema
from .process import SEED

FORMAT = 1
"""Of what is stored; raise it when that changes."""
WAITING = 200
"""The most unfinished reviews."""
KEPT = 2000
"""The most finished reviews; those used least recently are deleted."""
DAY = 24 * 60 * 60 * 1000
UNUSED = 30 * DAY
"""Milliseconds after which a review that nobody opens is deleted."""
TRIES = 3
"""How often a review is begun before it counts as failed."""

REVIEWS, PIECES, LOSSES = schema.reviews, schema.review_pieces, schema.game_losses


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review as far as it is computed."""

    id: str
    record: Record
    lines: int
    total: int
    done: int
    tries: int
    is_due: bool
    """There is still something to compute."""
    sketch: bytes | None
    found: bytes | None

    @property
    def status(self) -> str:
        if self.is_due:
            return "running" if self.done else "waiting"
        return "done" if self.done == self.total else "failed"


VERSION = f"{FORMAT} {__version__} {RULES_VERSION} {SEED}"
"""Of program and rules. Processes take only jobs of their own version."""


def review_id(record: Record, board: BoardSpec, lines: int) -> str:
    """Returns the name of the one review of a game by this version and these values."""
    data = record.data()
    game = [data[key] for key in ("edition", "board_hash", "players", "starting_player", "moves")]
    weights = learned_weights(int(board.rules.edition), len(record.players))
    text = json.dumps([*game, data["options"], lines, VERSION, weights], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Jobs:
    """All reviews of a database. Methods raise `StoreUnavailable`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, review: str, now: int) -> StoredReview | None:
        """Returns a review and notes that it was used."""
        query = select(REVIEWS).where(REVIEWS.c.id == review)
        row = await self._store.read(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        if row.used < now - DAY:
            await self._change(review, used=now)
        return _stored({**row._mapping})

    async def count_waiting(self) -> int:
        query = select(func.count()).where(REVIEWS.c.due.is_not(None))
        return await self._store.read(lambda connection: connection.scalar(query) or 0)

    async def add(
        self, review: str, record: Record, lines: int, table: str | None, now: int
    ) -> None:
        """Adds a job, unless it exists."""
        row = {
            "id": review,
            "version": VERSION,
            "table_id": table,
            "record": json.dumps(record.data()),
            "created": now,
            "used": now,
            "due": now,
            "tries": 0,
            "lines": lines,
            "total": len(record.moves) + 1,
            "done": 0,
        }
        try:
            await self._store.write(lambda connection: connection.execute(_INSERT, row))
        except IntegrityError:
            return  # another request came at the same moment

    async def again(self, review: str, now: int) -> None:
        """Makes a failed review due once more."""
        await self._change(review, due=now, tries=0)

    async def take(self, now: int, until: int) -> StoredReview | None:
        """Returns the job that has waited longest; others leave it alone until the given time."""
        query = (
            select(REVIEWS)
            .where(REVIEWS.c.due <= now, REVIEWS.c.version == VERSION)
            .order_by(REVIEWS.c.created)
            .limit(1)
            .with_for_update(skip_locked=True)
        )

        def work(connection: Connection) -> StoredReview | None:
            row = connection.execute(query).first()
            if row is None:
                return None
            tries = row.tries + 1
            due = until if tries <= TRIES else None
            connection.execute(_of(row.id).values(due=due, tries=tries))
            return _stored({**row._mapping, "due": due, "tries": tries})

        return await self._store.write(work)

    async def pieces(self, review: str) -> dict[int, bytes]:
        """Returns what is computed of a review, by its first item."""
        query = select(PIECES.c.first, PIECES.c["items"]).where(PIECES.c.review == review)
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return {row[0]: row[1] for row in rows}

    async def keep_sketch(self, review: str, sketch: bytes) -> None:
        await self._change(review, sketch=sketch)

    async def keep(self, review: str, pieces: Mapping[int, bytes], until: int) -> None:
        """Keeps computed pieces, and the job for its holder for some more time."""

        def work(connection: Connection) -> None:
            firsts = list(pieces)
            old = delete(PIECES).where(PIECES.c.review == review, PIECES.c.first.in_(firsts))
            connection.execute(old)
            rows = [{"review": review, "first": at, "items": body} for at, body in pieces.items()]
            connection.execute(insert(PIECES), rows)
            connection.execute(_of(review).values(due=until, tries=0))

        await self._store.write(work)

    async def show(self, review: str, done: int, found: bytes) -> None:
        """Replaces what people see of a review that grows."""
        await self._change(review, done=done, found=found)

    async def finish(self, review: str, found: bytes, losses: Sequence[Mapping[str, Any]]) -> None:
        """Stores a complete review, which stops being a job, and what each seat has lost."""

        def work(connection: Connection) -> None:
            connection.execute(delete(PIECES).where(PIECES.c.review == review))
            whole = {"found": found, "due": None, "done": REVIEWS.c.total}
            connection.execute(_of(review).values(whole))
            table = connection.scalar(select(REVIEWS.c.table_id).where(REVIEWS.c.id == review))
            if table is None:
                return  # it is that of a record
            connection.execute(delete(LOSSES).where(LOSSES.c.table_id == table))
            rows = [_row(table, seat, one) for seat, one in enumerate(losses, start=1)]
            connection.execute(insert(LOSSES), rows)

        await self._store.write(work)

    async def release(self, review: str, due: int) -> None:
        """Gives a job back: any process may take it from this time on."""
        await self._change(review, due=due)

    async def sweep(self, now: int) -> None:
        """Deletes reviews that nobody has opened for long, and all beyond the most."""
        kept = select(REVIEWS.c.id).order_by(REVIEWS.c.used.desc()).limit(KEPT)

        def work(connection: Connection) -> None:
            names = list(connection.scalars(kept))
            old = (REVIEWS.c.used < now - UNUSED) | REVIEWS.c.id.not_in(names)
            connection.execute(delete(REVIEWS).where(old))
            known = select(REVIEWS.c.id)
            connection.execute(delete(PIECES).where(PIECES.c.review.not_in(known)))

        await self._store.write(work)

    async def _change(self, review: str, **values: object) -> None:
        await self._store.write(lambda connection: connection.execute(_of(review).values(values)))


_INSERT = insert(REVIEWS)


def _row(table: str, seat: int, losses: Mapping[str, Any]) -> dict[str, Any]:
    """Returns `judge.level.GameLosses` of a seat as a row."""
    values = {name: losses[name] for name in ("lines", "values", "loss", "decisions")}
    return {"table_id": table, "seat": seat, "kind": losses["table"], **values}


def _of(review: str) -> Any:
    return update(REVIEWS).where(REVIEWS.c.id == review)


def _stored(row: Mapping[str, Any]) -> StoredReview:
    return StoredReview(
        id=row["id"],
        record=record_from_data(json.loads(row["record"])),
        lines=row["lines"],
        total=row["total"],
        done=row["done"],
        tries=row["tries"],
        is_due=row["due"] is not None,
        sketch=row["sketch"],
        found=row["found"],
    )
