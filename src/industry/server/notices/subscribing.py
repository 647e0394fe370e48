"""Adds, shows and removes the channels of an owner."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy import Connection

from ..address_limits import AddressLimiter
from ..errors import Refused
from ..names import BadName, clean
from ..outgoing import BadHook, SparedHosts, check_hook
from ..protocol.notices import (
    Channel,
    ChannelAdded,
    NewCall,
    NewChannel,
    NewDevice,
    NewMail,
    NightHours,
    OwnNotices,
    TestSent,
)
from ..service import Service
from ..store import StoreUnavailable
from ..store import notices as book
from ..store.notices import Channel as Row
from ..store.notices import Night, Notice
from ..tokens import LETTERS
from .mail import Mail, MailFailed, MailGone, is_mail_address
from .nights import is_zone
from .notices import Notices
from .push import BadSubscription, check_keys
from .sending import Message
from .words import code_mail, trial_words

MOST = 12
"""Channels of one owner."""
MAX_LABEL = 40
GUESSES = 5
"""Attempts at a code before its address is removed."""
CODES_PER_HOUR = 4
"""How many mails with codes one address gets, from all requests together."""
HOUR_IN_MINUTES = 60

Result = TypeVar("Result")


class Subscribing:
    """What owners can do about their notices. Methods raise `Refused`."""

    def __init__(self, service: Service, notices: Notices, limiter: AddressLimiter) -> None:
        self._service = service
        self._notices = notices
        self._limiter = limiter
        self._codes = SparedHosts(CODES_PER_HOUR)

    async def shown(self, owner: str) -> OwnNotices:
        """Returns all that an owner has subscribed."""
        rows = await self._run(lambda c: book.channels_of(c, [owner]))
        nights = await self._run(lambda c: book.nights_of(c, [owner]))
        night = nights.get(owner)
        hours = NightHours(begin=night.begin, end=night.end, zone=night.zone) if night else None
        return OwnNotices(channels=[_shown(row) for row in rows], night=hours)

    async def add(self, owner: str, wish: NewChannel, address: str) -> ChannelAdded:
        """Adds a channel; a mail address must be confirmed before it is used."""
        self._limiter.spend(address, "notices")
        row = self._row(owner, wish)
        code = ""
        if isinstance(wish, NewMail):
            code = f"{secrets.randbelow(1_000_000):06}"
            row = replace(row, code=_digest(code))
        known = await self._run(lambda c: book.channels_of(c, [owner]))
        same = next((one for one in known if one.digest == row.digest), None)
        if same is None and len(known) >= MOST:
            raise Refused("too_fast", detail="channels")
        if code and same is not None and same.code is None:
            row, code = replace(row, code=None), ""  # it was confirmed before
        if code:
            await self._send_code(row, code)
        row = await self._run(lambda c: book.put_channel(c, row))
        return ChannelAdded(
            channel=_shown(row), secret=row.secret if row.kind == "webhook" else None
        )

    async def confirm(self, owner: str, name: str, code: str) -> OwnNotices:
        """Takes a mail address into use whose reader knows the code."""

        def work(connection: Connection) -> bool:
            row = _found(book.channel(connection, owner, name))
            if row.code == _digest(code):
                book.change_channel(connection, name, code=None)
            elif row.code is not None and row.guesses + 1 >= GUESSES:
                book.drop_channel(connection, name)
            elif row.code is not None:
                book.change_channel(connection, name, guesses=row.guesses + 1)
            return row.code in (None, _digest(code))

        if not await self._run(work):
            raise Refused("bad_token", detail="code")
        return await self.shown(owner)

    async def remove(self, owner: str, name: str) -> OwnNotices:
        """Removes a channel."""

        def work(connection: Connection) -> None:
            _found(book.channel(connection, owner, name))
            book.drop_channel(connection, name)

        await self._run(work)
        return await self.shown(owner)

    async def unsubscribe(self, name: str, proof: str, address: str) -> None:
        """Ends all mails to the address of a channel, for anyone who received one of them.

        Repeating the request changes nothing.
        """
        if not hmac.compare_digest(self._service.keys.unsubscribing(name), proof):
            self._limiter.spend(address, "notices")
            raise Refused("bad_token")

        def work(connection: Connection) -> None:
            digest = book.address_of(connection, name)
            if digest is not None:
                book.drop_address(connection, digest)

        await self._run(work)

    async def test(self, owner: str, name: str, address: str) -> TestSent:
        """Sends a test message."""
        self._limiter.spend(address, "notices")
        row = _found(await self._run(lambda c: book.channel(c, owner, name)))
        if row.code is not None:
            raise Refused("not_found")
        now, sender = self._service.now(), self._notices.sender
        words = trial_words(row.language, sender.ways.public_url)
        nothing = Notice("", 0, "test", 0, 0, now)
        outcome = await sender.send(row, Message(nothing, words), now)
        if outcome == "gone":
            await self._run(lambda c: book.drop_address(c, row.digest))
        return TestSent(outcome=outcome)

    async def set_night(self, owner: str, wish: NightHours) -> OwnNotices:
        """Sets the hours without notices; none where they begin when they end."""
        if not is_zone(wish.zone):
            raise Refused("bad_message", detail="zone")
        night = Night(owner, wish.begin, wish.end, wish.zone)
        kept = None if wish.begin == wish.end else night
        await self._run(lambda c: book.put_night(c, owner, kept))
        return await self.shown(owner)

    def _row(self, owner: str, wish: NewChannel) -> Row:
        """Checks a wish; returns the channel as it is stored."""
        made = Row(
            id="".join(secrets.choice(LETTERS) for _ in range(16)),
            owner=owner,
            kind=wish.kind,
            digest="",
            address="",
            secret="",
            label="",
            language=wish.language,
            spare=wish.spare,
            code=None,
            guesses=0,
            created=self._service.now(),
        )
        if isinstance(wish, NewMail):
            return self._mail(made, wish)
        return self._device(made, wish) if isinstance(wish, NewDevice) else _call(made, wish)

    def _mail(self, made: Row, wish: NewMail) -> Row:
        if not self._notices.sender.ways.mail.is_on or not is_mail_address(wish.address):
            raise Refused("bad_message", detail="address")
        return replace(made, address=wish.address, digest=_digest(wish.address.lower()))

    def _device(self, made: Row, wish: NewDevice) -> Row:
        secure = wish.endpoint.startswith("https:") or self._notices.sender.ways.private
        try:
            check_hook(wish.endpoint)
            check_keys(wish.p256dh, wish.auth)
            label = clean(wish.label, MAX_LABEL)
        except (BadHook, BadSubscription, BadName):
            raise Refused("bad_message", detail="endpoint") from None
        if not secure:
            raise Refused("bad_message", detail="endpoint")
        keys = json.dumps({"p256dh": wish.p256dh, "auth": wish.auth})
        digest = _digest(wish.endpoint)
        return replace(made, address=wish.endpoint, digest=digest, secret=keys, label=label)

    async def _send_code(self, row: Row, code: str) -> None:
        if self._codes.is_spared(row.digest, self._service.now() // HOUR_IN_MINUTES):
            raise Refused("too_fast", detail="mail")
        subject, text = code_mail(code, row.language)
        try:
            mail = Mail(row.address, subject, text)
            await self._notices.sender.ways.mail.send(mail, self._service.now() / 1000)
        except (MailGone, MailFailed):
            raise Refused("bad_message", detail="mail") from None

    async def _run(self, work: Callable[[Connection], Result]) -> Result:
        try:
            return await self._service.store.write(work)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None


def _call(made: Row, wish: NewCall) -> Row:
    try:
        check_hook(wish.url)
    except BadHook:
        raise Refused("bad_message", detail="url") from None
    return replace(made, address=wish.url, digest=_digest(wish.url), secret=secrets.token_hex(32))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _found(row: Row | None) -> Row:
    if row is None:
        raise Refused("not_found")
    return row


def _shown(row: Row) -> Channel:
    label = row.label or row.address
    if row.kind in ("webhook", "discord", "slack"):
        label = urlsplit(row.address).hostname or ""
    return Channel.model_validate(
        {
            "id": row.id,
            "kind": row.kind,
            "label": label,
            "digest": row.digest,
            "spare": row.spare,
            "confirmed": row.code is None,
            "created": row.created,
        }
    )
