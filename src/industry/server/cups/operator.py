"""What an operator does with cups, from the command line or through a running server."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from ..errors import Refused
from ..store.rows import Conflict
from ..tokens import TokenKeys
from . import book, changes, views
from .document import StoredCup
from .seasons import season_ranks

Json = dict[str, Any]
Changed = tuple[Json, list[str]]
Next = Callable[[Connection, StoredCup], StoredCup]
EVERY = 1_000_000
"""More cups than there are."""


def described(connection: Connection, stored: StoredCup) -> Json:
    """Returns a cup with its creator, as the operator sees it."""
    return views.row(stored, None) | {"owner": stored.owner}


def _list(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    found = book.listed(connection, EVERY)
    return {"cups": [described(connection, stored) for stored in found]}, []


def _show(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    stored = book.find(connection, str(values["cup"]))
    return described(connection, stored), []


def _export(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    stored = book.find(connection, str(values["cup"]))
    return views.view(stored, book.people_of(connection, stored.id)), []


def _change(change: Next) -> Callable[[Connection, TokenKeys, Json, int], Changed]:
    def action(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
        stored = change(connection, book.find(connection, str(values["cup"])))
        try:
            book.save(connection, stored, now)
        except Conflict:
            raise Refused("busy") from None
        return described(connection, stored), []

    return action


def _started(connection: Connection, stored: StoredCup) -> StoredCup:
    return changes.started(stored, season_ranks(connection, stored))


def _cancelled(connection: Connection, stored: StoredCup) -> StoredCup:
    return changes.cancelled(stored)


ACTIONS = {
    "cup_list": _list,
    "cup_show": _show,
    "cup_start": _change(_started),
    "cup_cancel": _change(_cancelled),
    "cup_export": _export,
}
READS = frozenset({"cup_list", "cup_show", "cup_export"})
