"""Cups on a server, as people and operators ask for them. Methods raise `Refused`."""

import contextlib
from collections.abc import Callable, Mapping

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from ..club.club import Club
from ..club.persons import Person
from ..errors import Refused
from ..lobby import Lobby
from ..protocol.cups import CupsMode, NewCup
from ..service import Service
from ..store.rows import Conflict, SeatPerson
from ..wire_events import Wire
from . import book, changes, views
from .document import StoredCup
from .driver import CupDriver
from .seasons import season_ranks

MOST_OWN = 10
"""Unfinished cups that one person may have created."""
TRIES = 20
"""How often a change is tried again because another one was faster."""

Change = Callable[[Connection, StoredCup], StoredCup]


class Cups:
    """All cups of a server."""

    def __init__(self, service: Service, lobby: Lobby, club: Club, mode: CupsMode) -> None:
        self._service = service
        self._club = club
        self.mode: CupsMode = mode
        self.driver = CupDriver(service, lobby)
        club.has_cups = self.is_on

    @property
    def is_on(self) -> bool:
        return self.mode != "off" and self._club.mode != "off"

    def expect_on(self) -> None:
        if not self.is_on:
            raise Refused("cups_off")

    def may_create(self, person: Person | None) -> bool:
        """Checks whether somebody may create cups here."""
        if not self.is_on or person is None:
            return False
        return self.mode == "persons" or person.operator

    # What people see

    async def listed(self, person: Person | None) -> Wire:
        """Returns `protocol.cups.CupList`."""
        self.expect_on()

        def work(connection: Connection) -> list[Wire]:
            own = book.cups_of(connection, person.id) if person else {}
            return [views.row(one, own.get(one.id)) for one in book.listed(connection)]

        return {"cups": await self._club.read(work), "may_create": self.may_create(person)}

    async def view(self, cup: str, person: Person | None) -> Wire:
        """Returns `protocol.cups.CupView`."""
        self.expect_on()

        def work(connection: Connection) -> Wire:
            stored, people = book.find(connection, cup), book.people_of(connection, cup)
            found = views.view(stored, people)
            found["me"] = _number(people, person)
            found["may_manage"] = person is not None and _may_manage(stored, person)
            return found

        return await self._club.read(work)

    async def export(self, cup: str) -> Wire:
        """Returns everything about a cup that everybody may see."""
        found = await self.view(cup, None)
        return {name: value for name, value in found.items() if name not in ("me", "may_manage")}

    # What people do

    async def create(self, wish: NewCup, person: Person) -> str:
        """Creates a cup; returns its id. A repeated request creates no second one."""
        self.expect_on()
        if not self.may_create(person):
            raise Refused("not_operator")
        name = self._service.keys.table("new cup", person.id, wish.id)
        now = self._service.now()

        def work(connection: Connection) -> None:
            if book.exists(connection, name):
                return
            if book.count_of(connection, person.id) >= MOST_OWN:
                raise Refused("too_many_cups")
            stored = changes.new_cup(name, wish, person.id, now)
            if wish.after is not None:
                _expect_season(book.find(connection, wish.after))
            if wish.take_part:
                stored, number = changes.joined(stored, wish.randomness or "")
                book.seat_person(connection, name, number, person.id)
            book.add(connection, stored, now)

        with contextlib.suppress(IntegrityError):  # the same request, sent twice at once
            await self._club.write(work)
        self.driver.wake()
        return name

    async def join(self, cup: str, person: Person, addition: str = "") -> None:
        """Takes part in a cup, or again in one that the person has left."""

        def change(connection: Connection, stored: StoredCup) -> StoredCup:
            number = _number(book.people_of(connection, cup), person)
            if number is not None:
                return changes.returned(stored, number)
            joined, number = changes.joined(stored, addition)
            book.seat_person(connection, cup, number, person.id)
            return joined

        await self._change(cup, change)

    async def leave(self, cup: str, person: Person) -> None:
        """Takes part no longer; in a running cup from the next round on."""

        def change(connection: Connection, stored: StoredCup) -> StoredCup:
            number = _number(book.people_of(connection, cup), person)
            if number is None or stored.cup.entrants[number - 1].withdrawn:
                raise Refused("not_in_cup")
            return changes.left(stored, number)

        await self._change(cup, change)

    async def start(self, cup: str, person: Person | None) -> None:
        """Starts a cup before all its places are taken; without a person for the operator."""

        def change(connection: Connection, stored: StoredCup) -> StoredCup:
            _expect_manager(stored, person)
            return changes.started(stored, season_ranks(connection, stored))

        await self._change(cup, change)

    async def cancel(self, cup: str, person: Person | None) -> None:
        """Cancels a cup, or ends a running one after the games that have begun."""

        def change(connection: Connection, stored: StoredCup) -> StoredCup:
            _expect_manager(stored, person)
            return changes.cancelled(stored)

        await self._change(cup, change)

    async def _change(self, cup: str, change: Change) -> None:
        """Replaces a cup by its next state, also if others change it at the same time."""
        self.expect_on()
        now = self._service.now()

        def work(connection: Connection) -> None:
            stored = book.find(connection, cup)
            book.save(connection, change(connection, stored), now)

        for _ in range(TRIES):
            try:
                await self._club.write(work)
            except Conflict:
                continue
            self.driver.wake()
            return
        raise Refused("busy", retry_after=1.0)


def _number(people: Mapping[int, SeatPerson], person: Person | None) -> int | None:
    if person is None:
        return None
    return next((n for n, one in people.items() if one.id == person.id), None)


def _may_manage(stored: StoredCup, person: Person) -> bool:
    return person.operator or stored.owner == person.id


def _expect_manager(stored: StoredCup, person: Person | None) -> None:
    if person is not None and not _may_manage(stored, person):
        raise Refused("not_cup_owner")


def _expect_season(stored: StoredCup) -> None:
    if stored.cup.rules.format != "league" or stored.status != "over":
        raise Refused("bad_options", detail="after")
