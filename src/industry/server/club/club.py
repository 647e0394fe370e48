"""Persons on a server: who is signed in, how people sign in, and what follows for tables."""

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, insert, select
from webauthn import base64url_to_bytes

from ..errors import Refused
from ..logs import log_event
from ..names import clean_name
from ..protocol.club import PersonsMode
from ..seat_links import NAMES_CHANGED
from ..service import Service
from ..store import StoreUnavailable
from ..store.club_schema import challenges
from . import operator, own_data, passkeys
from . import persons as book
from .passkeys import Site
from .persons import MINUTE, Person, digest

Result = TypeVar("Result")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody who has just signed in: the session's secret is for their cookie only."""

    person: Person
    session: str
    link: str | None = None


class Club:
    """All persons of a server. Methods raise `Refused`."""

    def __init__(self, service: Service, mode: PersonsMode) -> None:
        self._service = service
        self.mode = mode
        self.has_cups = False

    def expect_on(self) -> None:
        if self.mode == "off":
            raise Refused("persons_off")

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Runs work on the database that changes nothing."""
        try:
            return await self._service.store.read(work)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Runs work on the database in a transaction of its own."""
        try:
            return await self._service.store.write(work)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None

    @property
    def now(self) -> int:
        return self._service.now()

    # Sessions

    async def signed_in(self, session: str | None) -> Person | None:
        """Returns who is signed in by a session, and notes that they are here."""
        if self.mode == "off" or not session:
            return None
        now = self.now
        person = await self.read(lambda connection: book.by_session(connection, session, now))
        if person is None or person.banned:
            return None
        if person.seen < now - MINUTE:
            found = person.id
            await self.write(lambda connection: book.note_use(connection, session, found, now))
        return person

    async def expect_signed_in(self, session: str | None) -> Person:
        """Returns who is signed in; raises `Refused` where nobody is."""
        self.expect_on()
        person = await self.signed_in(session)
        if person is None:
            raise Refused("not_signed_in")
        return person

    async def expect_operator(self, session: str | None) -> Person:
        """Returns who is signed in, if they run the club; raises `Refused` otherwise."""
        person = await self.expect_signed_in(session)
        if not person.operator:
            raise Refused("not_operator")
        return person

    async def enter_by_link(self, secret: str) -> Entered:
        """Signs in the person whose personal link has this secret."""
        self.expect_on()
        now = self.now

        def work(connection: Connection) -> Entered:
            person = book.by_link(connection, secret)
            if person is None:
                raise Refused("bad_token")
            return Entered(person, book.sign_in(connection, person, now))

        return await self.write(work)

    # New persons

    async def join(self, name: str, invitation: str | None) -> Entered:
        """Makes a person who signs in by a secret link."""
        now = self.now
        await self._expect_welcome(name, invitation)

        def work(connection: Connection) -> Entered:
            self._use(connection, invitation)
            person = book.add(connection, name, now)
            link = book.renew_link(connection, person.id)
            return Entered(person, book.sign_in(connection, person, now), link)

        return await self.write(work)

    async def _expect_welcome(self, name: str, invitation: str | None) -> None:
        """Checks what can be checked before a ceremony: the mode, the invitation, the name."""
        self.expect_on()
        now = self.now

        def work(connection: Connection) -> None:
            if self.mode == "invitation" and not book.is_invited(connection, invitation, now):
                raise Refused("not_invited")
            if book.named(connection, clean_name(name)) is not None:
                raise Refused("name_taken")

        await self.read(work)

    def _use(self, connection: Connection, invitation: str | None) -> None:
        if self.mode == "invitation":
            book.use_invitation(connection, invitation or "", self.now)

    # Ceremonies

    async def begin_joining(
        self, site: Site, name: str, invitation: str | None
    ) -> tuple[str, Json]:
        """Begins the ceremony of a new person; returns its secret and the browser's options."""
        await self._expect_welcome(name, invitation)
        wish = {"what": "join", "person": book.new_id(), "name": name, "invitation": invitation}
        ceremony = await self._begin(site, wish)
        challenge = _challenge(ceremony)
        return ceremony, passkeys.registration(site, wish["person"] or "", name, challenge, [])

    async def finish_joining(
        self, site: Site, ceremony: str, credential: Json, label: str
    ) -> Entered:
        """Makes the person of a ceremony, with the passkey that the browser has made."""
        wish, now = await self._finish(ceremony, "join"), self.now
        key = passkeys.registered(site, credential, _challenge(ceremony), label)

        def work(connection: Connection) -> Entered:
            self._use(connection, wish["invitation"])
            person = book.add(connection, wish["name"], now, wish["person"])
            book.add_key(connection, person.id, key, now)
            return Entered(person, book.sign_in(connection, person, now))

        return await self.write(work)

    async def begin_key(self, site: Site, person: Person) -> tuple[str, Json]:
        """Begins the ceremony of a further passkey."""
        known = await self.read(lambda connection: book.keys_of(connection, person.id))
        ceremony = await self._begin(site, {"what": "key", "person": person.id})
        ids = [key["id"] for key in known]
        challenge = _challenge(ceremony)
        return ceremony, passkeys.registration(site, person.id, person.name, challenge, ids)

    async def finish_key(
        self, site: Site, person: Person, ceremony: str, credential: Json, label: str
    ) -> None:
        """Adds the passkey that the browser has made."""
        wish, now = await self._finish(ceremony, "key"), self.now
        if wish["person"] != person.id:
            raise Refused("bad_passkey")
        key = passkeys.registered(site, credential, _challenge(ceremony), label)
        await self.write(lambda connection: book.add_key(connection, person.id, key, now))

    async def begin_entering(self, site: Site) -> tuple[str, Json]:
        """Begins to sign in by a passkey."""
        self.expect_on()
        ceremony = await self._begin(site, {"what": "enter"})
        return ceremony, passkeys.authentication(site, _challenge(ceremony))

    async def finish_entering(self, site: Site, ceremony: str, credential: Json) -> Entered:
        """Signs in whose passkey has answered."""
        await self._finish(ceremony, "enter")
        now, key = self.now, str(credential.get("id", ""))
        found = await self.read(lambda connection: book.key_owner(connection, key))
        if found is None:
            raise Refused("bad_passkey")
        person, public_key, signs = found
        challenge = _challenge(ceremony)
        used = passkeys.authenticated(site, credential, challenge, public_key, signs)

        def work(connection: Connection) -> Entered:
            book.count_use(connection, key, used)
            return Entered(person, book.sign_in(connection, person, now))

        return await self.write(work)

    async def _begin(self, site: Site, wish: Json) -> str:
        """Remembers a ceremony; returns its secret, of which the database has only the hash."""
        if not site.can_have_passkeys:
            raise Refused("bad_passkey", detail="host")
        secret, now = secrets.token_urlsafe(32), self.now
        row = {"hash": digest(secret), "wish": json.dumps(wish), "until": now + passkeys.PATIENCE}

        def work(connection: Connection) -> None:
            connection.execute(delete(challenges).where(challenges.c.until < now))
            connection.execute(insert(challenges).values(row))

        await self.write(work)
        return secret

    async def _finish(self, ceremony: str, what: str) -> Json:
        """Returns the wish of a ceremony, which nobody can finish a second time."""
        self.expect_on()
        now, own = self.now, challenges.c.hash == digest(ceremony)

        def work(connection: Connection) -> Json:
            row = connection.execute(select(challenges).where(own)).first()
            used = connection.execute(delete(challenges).where(own)).rowcount
            if row is None or not used or row.until < now:
                raise Refused("bad_passkey")
            wish: Json = json.loads(row.wish)
            return wish

        wish = await self.write(work)
        if wish["what"] != what:
            raise Refused("bad_passkey")
        return wish

    # What reaches into tables

    async def rename(self, person: str, name: str) -> None:
        """Gives a person another name everywhere."""
        await self._reshow(
            await self.write(lambda connection: own_data.rename(connection, person, name))
        )

    async def remove(self, person: Person) -> None:
        """Deletes a person and everything personal."""
        keys = self._service.keys
        await self._reshow(
            await self.write(lambda connection: own_data.remove(connection, keys, person))
        )
        log_event("person_deleted")

    async def operate(self, what: str, values: Json) -> Json:
        """Carries out an operator's action on persons."""
        keys, now = self._service.keys, self.now
        told, tables = await self.write(
            lambda connection: operator.carry_out(connection, keys, what, values, now)
        )
        await self._reshow(tables)
        return told

    async def _reshow(self, tables: Sequence[str]) -> None:
        """Shows tables again, under the names that hold now, in every process."""
        service = self._service
        for table in tables:
            live = service.live_tables.get(table)
            if live is not None:
                async with live.lock:
                    service.drop(live)
            try:
                await service.store.send_chat(table, NAMES_CHANGED)
            except StoreUnavailable:
                raise Refused("store_unavailable") from None


def _challenge(ceremony: str) -> bytes:
    return base64url_to_bytes(ceremony)
