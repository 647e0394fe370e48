"""What an operator does with ratings, from the command line or through a running server."""

from typing import Any

from sqlalchemy import Connection, func, select

from ..club import persons as book
from ..errors import Refused
from ..store.rating_schema import rating_games
from ..tokens import TokenKeys
from . import counting, shown

Json = dict[str, Any]
Changed = tuple[Json, list[str]]


def list_ratings(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    games = connection.scalar(select(func.count()).select_from(rating_games)) or 0
    return {"games": games, **shown.ladder(connection, now)}, []


def show_ratings(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    person = book.named(connection, str(values["person"]))
    if person is None:
        raise Refused("not_found", detail=str(values["person"]))
    found = shown.curves(connection, person.id, now)
    return {"id": person.id, "name": person.name, **found}, []


def recompute_ratings(connection: Connection, keys: TokenKeys, values: Json, now: int) -> Changed:
    found = counting.recompute(connection)
    told = {"games": found.games, "ratings": found.ratings}
    return {**told, "changed": found.changed, "most": found.most}, []


ACTIONS = {
    "rating_list": list_ratings,
    "rating_show": show_ratings,
    "rating_recompute": recompute_ratings,
}
READS = frozenset({"rating_list", "rating_show"})
