"""The HTTP interface of notices: the same for a seat's link and for a person."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import RedirectResponse

from ..address_limits import AddressLimiter, address_of
from ..api import PROBLEMS, Named, Token
from ..club.club import Club
from ..club.cookies import Session
from ..lobby import Lobby
from ..protocol.notices import (
    ChannelAdded,
    ChannelId,
    ConfirmMail,
    NewChannel,
    NightHours,
    NoticeWays,
    OwnNotices,
    TestSent,
)
from ..service import Service
from ..store.notices import seat_owner
from .notices import Notices
from .subscribing import Subscribing

Proof = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
ChannelName = Annotated[ChannelId, Path(alias="channel")]


def notice_router(
    service: Service, notices: Notices, limiter: AddressLimiter, lobby: Lobby, club: Club
) -> APIRouter:
    """Builds all routes about notices."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    subscribing = Subscribing(service, notices, limiter)

    async def of_seat(table: Named, token: Token) -> str:
        _, place = await lobby.entered(table, token)
        return seat_owner(table, place)

    async def of_person(session: Session) -> str:
        return (await club.expect_signed_in(session)).id

    @router.get("/notices")
    async def ways() -> NoticeWays:
        """How this server can tell somebody that it is their turn."""
        sender = notices.sender
        return NoticeWays(key=sender.keys.public, mail=sender.ways.mail.is_on)

    _add_unsubscribing(router, subscribing)
    _add_owner(router, "/tables/{table}/notices", of_seat, subscribing)
    _add_owner(router, "/me/notices", of_person, subscribing)
    return router


def _add_unsubscribing(router: APIRouter, subscribing: Subscribing) -> None:
    """Adds the addresses that mails name: mail programs send a POST request there (RFC 8058)."""
    path = "/notices/unsubscribe/{channel}/{proof}"

    @router.post(path, status_code=204)
    async def unsubscribe(channel: ChannelName, proof: Proof, request: Request) -> None:
        """End all mails to the address that got a mail with this link."""
        await subscribing.unsubscribe(channel, proof, address_of(request))

    @router.get(path, status_code=303, response_class=RedirectResponse)
    async def ask(channel: ChannelName, proof: Proof) -> str:
        """Lead to a page that asks first: programs that check mails open every link."""
        return f"/unsubscribe/{channel}#{proof}"


def _add_owner(router: APIRouter, path: str, owner_of: object, subscribing: Subscribing) -> None:
    """Adds the routes of one kind of owner."""
    owner_type = Annotated[str, Depends(owner_of)]

    @router.get(path)
    async def show(owner: owner_type) -> OwnNotices:
        """List where you are told that it is your turn."""
        return await subscribing.shown(owner)

    @router.post(path, status_code=201)
    async def add(wish: NewChannel, request: Request, owner: owner_type) -> ChannelAdded:
        """Add a device, a mail address or a webhook."""
        return await subscribing.add(owner, wish, address_of(request))

    @router.post(path + "/night")
    async def night(wish: NightHours, owner: owner_type) -> OwnNotices:
        """Set the hours without notices."""
        return await subscribing.set_night(owner, wish)

    @router.delete(path + "/{channel}")
    async def remove(channel: ChannelName, owner: owner_type) -> OwnNotices:
        """Remove a channel."""
        return await subscribing.remove(owner, channel)

    @router.post(path + "/{channel}/test")
    async def test(channel: ChannelName, request: Request, owner: owner_type) -> TestSent:
        """Send a test message."""
        return await subscribing.test(owner, channel, address_of(request))

    @router.post(path + "/{channel}/code")
    async def confirm(
        channel: ChannelName,
        wish: ConfirmMail,
        owner: owner_type,
    ) -> OwnNotices:
        """Confirm a mail address by the code that was sent there."""
        return await subscribing.confirm(owner, channel, wish.code)
