"""The HTTP interface of persons: joining, signing in, the own data, profiles."""

import hmac
import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from ..address_limits import AddressLimiter, address_of
from ..api import PROBLEMS, SIGNED_FOR, json_answer
from ..errors import Refused
from ..protocol.admin import OperatorAction
from ..protocol.base import PersonId
from ..protocol.club import (
    Ceremony,
    ClubState,
    KeyId,
    LinkAnswer,
    Me,
    NewPerson,
    OperatorAnswer,
    OperatorWish,
    OwnTables,
    PasskeyAnswer,
    PersonRows,
    Profile,
    Rename,
    SignedIn,
)
from ..service import Service
from . import own_data
from . import persons as book
from .club import Club, Entered
from .cookies import Session, drop_cookie, set_cookie, site_of
from .persons import Person

Named = Annotated[PersonId, Path(alias="person")]


class Doors:
    """What all these routes need: the club, the limits, and the origins of the pages."""

    def __init__(self, club: Club, limiter: AddressLimiter, origins: tuple[str, ...]) -> None:
        self.club = club
        self.limiter = limiter
        self.origins = origins

    async def me(self, person: Person) -> Me:
        """Returns the person who is signed in, as shown to themselves."""
        keys = await self.club.read(lambda connection: book.keys_of(connection, person.id))
        return Me.model_validate(
            {
                "id": person.id,
                "name": person.name,
                "created": person.created,
                "operator": person.operator,
                "has_link": person.link is not None,
                "passkeys": keys,
            }
        )

    async def welcome(self, entered: Entered, request: Request, response: Response) -> SignedIn:
        """Gives a browser its session."""
        set_cookie(response, request, entered.session)
        response.headers["cache-control"] = "no-store"
        found = await self.club.read(lambda connection: book.find(connection, entered.person.id))
        return SignedIn(me=await self.me(found or entered.person), link=entered.link)

    def knock(self, request: Request) -> None:
        """Counts an attempt to sign in; raises `Refused`."""
        self.limiter.spend(address_of(request), "sign_ins")


def person_router(
    service: Service, club: Club, limiter: AddressLimiter, origins: tuple[str, ...]
) -> APIRouter:
    """Builds all routes about persons."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    doors = Doors(club, limiter, origins)
    _add_joining(router, doors)
    _add_entering(router, doors)
    _add_keys(router, doors)
    _add_own_data(router, service, doors)
    _add_profiles(router, doors)
    _add_operator(router, service, doors)
    return router


def _add_joining(router: APIRouter, doors: Doors) -> None:
    club = doors.club

    @router.get("/club")
    async def state(request: Request, session: Session) -> ClubState:
        """Whether people can have a name here, and who is signed in."""
        person = await club.signed_in(session)
        site = site_of(request, doors.origins)
        me = await doors.me(person) if person else None
        passkeys, cups = site.can_have_passkeys, club.has_cups
        return ClubState(persons=club.mode, cups=cups, passkeys=passkeys, me=me)

    @router.post("/persons", status_code=201)
    async def join(wish: NewPerson, request: Request, response: Response) -> SignedIn:
        """Become a person with a secret link; only this answer has its secret."""
        club.expect_on()
        doors.limiter.spend(address_of(request), "persons")
        entered = await club.join(wish.name, wish.invitation)
        return await doors.welcome(entered, request, response)

    @router.post("/persons/passkey", status_code=201)
    async def begin_joining(wish: NewPerson, request: Request) -> Ceremony:
        """Begin to become a person with a passkey."""
        club.expect_on()
        doors.limiter.spend(address_of(request), "persons")
        site = site_of(request, doors.origins)
        ceremony, options = await club.begin_joining(site, wish.name, wish.invitation)
        return Ceremony(ceremony=ceremony, options=options)

    @router.post("/persons/passkey/finish", status_code=201)
    async def finish_joining(wish: PasskeyAnswer, request: Request, response: Response) -> SignedIn:
        """Become a person with the passkey that the browser has made."""
        doors.knock(request)
        site = site_of(request, doors.origins)
        entered = await club.finish_joining(site, wish.ceremony, wish.credential, wish.label)
        return await doors.welcome(entered, request, response)


def _add_entering(router: APIRouter, doors: Doors) -> None:
    club = doors.club

    @router.post("/session/link")
    async def enter_by_link(wish: LinkAnswer, request: Request, response: Response) -> SignedIn:
        """Sign in by the secret of a personal link."""
        doors.knock(request)
        return await doors.welcome(await club.enter_by_link(wish.secret), request, response)

    @router.post("/session/passkey")
    async def begin_entering(request: Request) -> Ceremony:
        """Begin to sign in by a passkey."""
        doors.knock(request)
        ceremony, options = await club.begin_entering(site_of(request, doors.origins))
        return Ceremony(ceremony=ceremony, options=options)

    @router.post("/session/passkey/finish")
    async def finish_entering(
        wish: PasskeyAnswer, request: Request, response: Response
    ) -> SignedIn:
        """Sign in by the passkey that has answered."""
        doors.knock(request)
        site = site_of(request, doors.origins)
        entered = await club.finish_entering(site, wish.ceremony, wish.credential)
        return await doors.welcome(entered, request, response)

    @router.delete("/session", status_code=204)
    async def sign_out(response: Response, session: Session) -> None:
        """Sign out on this device."""
        drop_cookie(response)
        if session and club.mode != "off":
            await club.write(lambda connection: book.sign_out(connection, session))

    @router.delete("/me/sessions", status_code=204)
    async def sign_out_everywhere(response: Response, session: Session) -> None:
        """Sign out on all devices."""
        person = await club.expect_signed_in(session)
        drop_cookie(response)
        await club.write(lambda connection: book.sign_out_everywhere(connection, person.id))


def _add_keys(router: APIRouter, doors: Doors) -> None:
    club = doors.club

    @router.post("/me/passkeys", status_code=201)
    async def begin_key(request: Request, session: Session) -> Ceremony:
        """Begin to add a passkey, such as that of a new phone."""
        person = await club.expect_signed_in(session)
        doors.knock(request)
        ceremony, options = await club.begin_key(site_of(request, doors.origins), person)
        return Ceremony(ceremony=ceremony, options=options)

    @router.post("/me/passkeys/finish", status_code=201)
    async def finish_key(wish: PasskeyAnswer, request: Request, session: Session) -> Me:
        """Add the passkey that the browser has made."""
        person = await club.expect_signed_in(session)
        doors.knock(request)
        site = site_of(request, doors.origins)
        await club.finish_key(site, person, wish.ceremony, wish.credential, wish.label)
        return await doors.me(person)

    @router.delete("/me/passkeys/{key}")
    async def drop_key(key: KeyId, session: Session) -> Me:
        """Remove a passkey; the last way to sign in stays."""
        person = await club.expect_signed_in(session)
        await club.write(lambda connection: book.drop_key(connection, person.id, key))
        return await doors.me(person)

    @router.post("/me/link", status_code=201)
    async def renew_link(session: Session) -> SignedIn:
        """Get a new secret link; the old one stops working."""
        person = await club.expect_signed_in(session)
        link = await club.write(lambda connection: book.renew_link(connection, person.id))
        me = await doors.me(person)
        return SignedIn(me=me.model_copy(update={"has_link": True}), link=link)

    @router.delete("/me/link", status_code=204)
    async def drop_link(session: Session) -> None:
        """Do without a secret link, where there is a passkey."""
        person = await club.expect_signed_in(session)
        await club.write(lambda connection: book.drop_link(connection, person.id))


def _add_own_data(router: APIRouter, service: Service, doors: Doors) -> None:
    club = doors.club

    @router.get("/me/tables", response_model=OwnTables)
    async def own_tables(session: Session) -> Response:
        """List the own tables, with the tokens to play at them from this device."""
        person = await club.expect_signed_in(session)
        tables = await club.read(
            lambda connection: own_data.own_tables(connection, service.keys, person.id)
        )
        return json_answer({"tables": tables})

    @router.get("/me/export", response_class=Response)
    async def export(session: Session) -> Response:
        """Everything that is stored about the person who is signed in."""
        person = await club.expect_signed_in(session)
        found = await club.read(lambda connection: own_data.export(connection, person))
        answer = json_answer(found)
        answer.headers["content-disposition"] = 'attachment; filename="industry-person.json"'
        return answer

    @router.post("/me/name")
    async def rename(wish: Rename, session: Session) -> Me:
        """Take another name, which past games then show too."""
        person = await club.expect_signed_in(session)
        await club.rename(person.id, wish.name)
        found = await club.read(lambda connection: book.find(connection, person.id))
        return await doors.me(found or person)

    @router.delete("/me", status_code=204)
    async def remove(response: Response, session: Session) -> None:
        """Delete the own person; games stay readable and name nobody."""
        person = await club.expect_signed_in(session)
        await club.remove(person)
        drop_cookie(response)


def _add_profiles(router: APIRouter, doors: Doors) -> None:
    club = doors.club

    @router.get("/persons/{person}", response_model=Profile)
    async def profile(name: Named, session: Session) -> Response:
        """What everybody may know about a person."""
        club.expect_on()
        asking = await club.signed_in(session)
        is_own = asking is not None and asking.id == name

        def work(connection: Any) -> dict[str, Any]:
            person = book.find(connection, name)
            if person is None:
                raise Refused("not_found")
            return own_data.profile(connection, person, own=is_own)

        return json_answer(await club.read(work))


def _add_operator(router: APIRouter, service: Service, doors: Doors) -> None:
    club = doors.club

    @router.get("/operator/persons")
    async def list_persons(session: Session) -> PersonRows:
        """Operators: all persons of the club."""
        await club.expect_operator(session)
        return PersonRows.model_validate(await club.operate("list", {}))

    @router.post("/operator")
    async def act(wish: OperatorWish, session: Session) -> OperatorAnswer:
        """Operators: rename, merge, ban, delete or invite somebody, or make a new link for them."""
        await club.expect_operator(session)
        told = await club.operate(wish.what, wish.model_dump(exclude={"what"}))
        return OperatorAnswer(link=told.get("link"), invitation=told.get("invitation"))

    @router.post("/admin/club", include_in_schema=False)
    async def operate(wish: OperatorAction) -> Response:
        """Serves `industry admin person` while the server runs."""
        is_new = abs(service.now() - wish.at) < SIGNED_FOR
        signature = service.keys.action(wish.what, wish.values, wish.at)
        if not is_new or not hmac.compare_digest(signature, wish.signature):
            raise Refused("bad_token")
        return json_answer(await club.operate(wish.what, json.loads(wish.values)))
