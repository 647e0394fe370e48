"""Tells people that a round of their cup has begun, where they want to be told."""

from sqlalchemy import Connection

from industry.cups import Round

from ..store import notices
from ..store.notices import Notice
from . import book
from .document import StoredCup

TIME_TO_COME = 10_000
"""Milliseconds in which people come to their table by themselves: they may have the page of the cup
open. Bots that decide first have moved by then, too.
"""


def announce(connection: Connection, stored: StoredCup, held: Round, now: int) -> None:
    """Records for each person in a round that their table is ready.

    It belongs to the transaction that begins the round: so each of them is told once, whichever
    process makes the tables, and whichever dies before it has.
    """
    people = book.people_of(connection, stored.id)
    for game in held.games:
        for seat, entrant in enumerate(game.seats, start=1):
            if entrant in people:
                notices.add_notice(connection, ready(game.table, seat, now), now + TIME_TO_COME)


def ready(table: str, place: int, now: int) -> Notice:
    """Returns the notice that a table of a cup is ready; there is one for each place."""
    return Notice(table, place, "cup", 1, place, now)
