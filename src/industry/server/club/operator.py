"""What an operator does with persons, from the command line or through a running server."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from ..cups import operator as cup_operator
from ..errors import Refused
from ..ratings import actions as rating_actions
from ..tokens import TokenKeys
from . import own_data
from . import persons as book
from .persons import Person

Json = dict[str, Any]
Changed = tuple[Json, list[str]]
"""What to tell the operator, and the tables whose names have changed."""


def carry_out(
    connection: Connection, keys: TokenKeys, what: str, values: Json, now: int
) -> Changed:
    """Carries out an action by its name in `ACTIONS`; raises `Refused`."""
    if what not in ACTIONS:
        raise Refused("not_found")
    return ACTIONS[what](connection, keys, values, now)


def described(connection: Connection, person: Person) -> Json:
    """Returns a person as the operator sees them: no keys, no links."""
    return {
        **book.described(person),
        "passkeys": len(book.keys_of(connection, person.id)),
        "tables": len(own_data.sittings(connection, person.id)),
    }


def _found(connection: Connection, values: Json, key: str = "person") -> Person:
    person = book.named(connection, str(values[key]))
    if person is None:
        raise Refused("not_found", detail=str(values[key]))
    return person


def _again(connection: Connection, person: Person) -> Json:
    found = book.find(connection, person.id)
    return described(connection, found or person)


def _list(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    everyone = book.everyone(connection)
    return {"persons": [described(connection, person) for person in everyone]}, []


def _show(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    return described(connection, _found(connection, values)), []


def _rename(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    person = _found(connection, values)
    tables = own_data.rename(connection, person.id, str(values["name"]))
    return _again(connection, person), tables


def _merge(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    gone, kept = _found(connection, values), _found(connection, values, "into")
    if gone.id == kept.id:
        raise Refused("bad_options", detail="into")
    tables = own_data.merge(connection, keys, gone, kept)
    return _again(connection, kept), tables


def _set(name: str, value: bool) -> "Action":
    def action(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
        person = _found(connection, values)
        book.change(connection, person.id, **{name: value})
        return _again(connection, person), []

    return action


def _link(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    person = _found(connection, values)
    return {"link": book.renew_link(connection, person.id), "person": person.id}, []


def _invite(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    return {"invitation": book.invite(connection, now)}, []


def _export(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    return own_data.export(connection, _found(connection, values)), []


def _delete(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    person = _found(connection, values)
    return {"deleted": person.id}, own_data.remove(connection, keys, person)


Action = Callable[[Connection, TokenKeys, Json, int], Changed]
ACTIONS: dict[str, Action] = {
    "list": _list,
    "show": _show,
    "rename": _rename,
    "merge": _merge,
    "ban": _set("banned", True),
    "unban": _set("banned", False),
    "operator": _set("operator", True),
    "no_operator": _set("operator", False),
    "link": _link,
    "invite": _invite,
    "export": _export,
    "delete": _delete,
    **cup_operator.ACTIONS,
    **rating_actions.ACTIONS,
}
READS = frozenset({"list", "show", "export", *cup_operator.READS, *rating_actions.READS})
"""Actions that change nothing."""
