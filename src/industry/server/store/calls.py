"""Stores the last call of each webhook, so that a restart neither loses nor repeats one."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection, Update, select, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .rows import Hook
from .store import Store

HOST = 0
"""The place of the host's webhook, which is called for every seat."""


@dataclass(frozen=True, slots=True)
class Call:
    """One turn of a seat (from 1), to be reported to the webhook of a place."""

    table: str
    place: int
    turn: int
    """The log entry that brought the turn."""
    seat: int
    created: int


@dataclass(frozen=True, slots=True)
class DueCall:
    """A call that must be made now, and whether the seat still has that turn."""

    call: Call
    tries: int
    hook: Hook
    still_due: bool


class Calls:
    """Implements `server.hooks.CallBook`. All methods raise `StoreUnavailable`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def hooked_tables(self) -> list[str]:
        """Returns running tables with a webhook."""
        hooks, tables = schema.hooks.c, schema.tables.c
        query = (
            select(hooks.table_id)
            .distinct()
            .join_from(schema.hooks, schema.tables, hooks.table_id == tables.id)
            .where(tables.status == "running")
        )
        return await self._store.read(lambda connection: list(connection.scalars(query)))

    async def hooked_places(self, table: str, places: tuple[int, ...]) -> list[int]:
        """Returns those of the places that have a webhook."""
        return [hook.place for hook in await self._store.hooks_of(table, places)]

    async def add(self, call: Call) -> None:
        """Records a call to be made, unless it is recorded; drops an older one of its webhook."""
        values = {
            "table_id": call.table,
            "place": call.place,
            "turn": call.turn,
            "seat": call.seat,
            "created": call.created,
            "next_at": call.created,
            "tries": 0,
        }

        def work(connection: Connection) -> None:
            dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
            new = dialect.insert(schema.hook_calls).values(values)
            connection.execute(
                new.on_conflict_do_update(
                    index_elements=["table_id", "place"],
                    set_={name: new.excluded[name] for name in values},
                    where=schema.hook_calls.c.turn < new.excluded.turn,
                )
            )

        await self._store.write(work)

    async def take(self, now: int, until: int, most: int) -> list[DueCall]:
        """Returns due calls; other processes leave them alone until the given time."""
        calls, hooks, tables = schema.hook_calls.c, schema.hooks.c, schema.tables.c
        query = (
            select(schema.hook_calls, hooks.url, hooks.secret, tables.summary)
            .join_from(
                schema.hook_calls,
                schema.hooks,
                (calls.table_id == hooks.table_id) & (calls.place == hooks.place),
            )
            .join(schema.tables, tables.id == calls.table_id)
            .where(calls.next_at <= now)
            .order_by(calls.next_at)
            .limit(most)
            .with_for_update(skip_locked=True, of=schema.hook_calls)
        )

        def work(connection: Connection) -> list[DueCall]:
            due = []
            for row in connection.execute(query).all():
                call = Call(row.table_id, row.place, row.turn, row.seat, row.created)
                connection.execute(_of(call).values(next_at=until))
                hook = Hook(row.table_id, row.place, row.url, row.secret)
                still_due = json.loads(row.summary)["actor"] == row.seat
                due.append(DueCall(call, row.tries, hook, still_due))
            return due

        return await self._store.write(work)

    async def settle(self, call: Call, tries: int, next_at: int | None) -> None:
        """Records how often a call was tried and when to try again; None means never."""
        change = _of(call).values(tries=tries, next_at=next_at)
        await self._store.write(lambda connection: connection.execute(change))


def _of(call: Call) -> Update:
    calls = schema.hook_calls.c
    return update(schema.hook_calls).where(
        calls.table_id == call.table, calls.place == call.place, calls.turn == call.turn
    )
