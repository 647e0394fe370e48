"""Decides which tokens give access to a seat: those of links, and of the person who sits there."""

import re
from collections.abc import Iterable

from .commands import Draft
from .live_table import HOST, LiveTable, token_hash
from .seats import Seat
from .store import Commit, LogRow, TokenRow
from .table import Table
from .tokens import TokenKeys
from .wire_events import Wire

NAMES_CHANGED: Wire = {"type": "names_changed"}
"""What processes send each other after a person at a table has been renamed."""
SEATING = re.compile('"kind":"(seat_taken|seat_reserved)"')
"""In the text of an entry after which other persons may sit at the table."""


def seats_somebody(rows: Iterable[LogRow]) -> bool:
    """Checks whether other persons may sit at the table after these entries."""
    return any(SEATING.search(row.entry) for row in rows)


def seat_persons(keys: TokenKeys, commit: Commit, draft: Draft) -> None:
    """Lets persons who sit down in a draft play there from any device."""
    for seat in draft.seated:
        commit.seated.append(seat)
        commit.tokens.append(person_row(keys, seat.table, seat.place, seat.person.id))


def person_row(keys: TokenKeys, table: str, place: int, person: str) -> TokenRow:
    """Returns the stored row of the token with which a person plays at a place."""
    return TokenRow(token_hash(keys.person_token(table, place, person)), table, place)


def may_renew(table: Table, seat: Seat, asking: int) -> bool:
    """Checks whether the holder of a place may replace a seat's link; bots have none."""
    if seat.kind not in ("human", "reserved") or seat.resigned:
        return False
    if asking == HOST:
        return table.status == "open" or (seat.absent is not None and not table.is_rated)
    return asking == seat.place


def pass_on(keys: TokenKeys, live: LiveTable, place: int, asking: int, commit: Commit) -> None:
    """Leaves a seat with a new link to its person, unless the host gives it to another."""
    if asking == HOST:
        commit.unseated.append((live.id, place))
        return
    held = next((seat for seat in live.table.seats if seat.place == place), None)
    person = live.table.person_at(held) if held else None
    if person is not None:
        commit.tokens.append(person_row(keys, live.id, place, person.id))
