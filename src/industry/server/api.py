"""The HTTP interface: lobby, seats, records, boards and bots."""

import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from pydantic import TypeAdapter
from starlette.responses import JSONResponse, Response

from industry.notation.record import Record

from .address_limits import address_of
from .board_info import board_info
from .club.club import Club
from .club.cookies import Session
from .errors import Refused
from .live_table import LiveTable
from .lobby import Lobby
from .new_table import CreatedTable, SeatGrant
from .permissions import expect_public
from .protocol.admin import Deletion
from .protocol.base import TableId
from .protocol.client import ClientMessage
from .protocol.http import (
    BoardInfo,
    BoardName,
    Boards,
    Bots,
    FreeSeat,
    HeldSeat,
    Mine,
    MyTables,
    NewLink,
    NewTable,
    Problem,
    Rematch,
    SeatStandIn,
    SeatToBot,
    TableLog,
    TableMade,
    Tables,
    TakeSeat,
    Webhook,
    WebhookSet,
)
from .protocol.server import ErrorCode, ServerMessage
from .protocol.view import Proof, TableView
from .service import Service
from .store import StoreUnavailable
from .table_view import encode
from .wire_events import Wire

STATUS: dict[ErrorCode, int] = {
    "bad_message": 422,
    "bad_options": 422,
    "bad_name": 422,
    "unknown_bot": 422,
    "unknown_board": 422,
    "too_large": 413,
    "too_many_messages": 429,
    "too_many_tables": 429,
    "too_fast": 429,
    "busy": 503,
    "wrong_host": 421,
    "bad_token": 401,
    "not_signed_in": 401,
    "bad_passkey": 401,
    "not_your_seat": 403,
    "persons_off": 403,
    "not_invited": 403,
    "banned": 403,
    "not_operator": 403,
    "cups_off": 403,
    "not_cup_owner": 403,
    "sealed": 403,
    "too_many_cups": 429,
    "not_host": 403,
    "no_table": 404,
    "no_cup": 404,
    "not_found": 404,
    "store_unavailable": 503,
    "stopping": 503,
    "newer_version": 503,
    "internal": 500,
}
"""All other codes are conflicts with the table's state: 409."""

BOARD = r"^([a-z0-9][a-z0-9_-]{0,63}|sha256:[0-9a-f]{64})$"
"""A board in a path: its name or its hash."""
SIGNED_FOR = 60_000
"""Milliseconds for which a request signed by the operator is valid."""
Bearer = Annotated[str | None, Header(alias="Authorization", max_length=200)]
Named = Annotated[TableId, Path(alias="table")]
"""A table in a path."""


def error_response(
    code: ErrorCode, detail: str = "", retry_after: int | None = None
) -> JSONResponse:
    """Builds the response for every error: code, detail and time to wait."""
    problem = Problem(code=code, detail=detail, retry_after=retry_after)
    headers = {"cache-control": "no-store"}
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    return JSONResponse(problem.model_dump(exclude_none=True), STATUS.get(code, 409), headers)


def token_of(authorization: Bearer = None) -> str | None:
    """Returns the bearer token of a request, or None."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


Token = Annotated[str | None, Depends(token_of)]
PROBLEM_SCHEMA = {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"content": {"application/json": PROBLEM_SCHEMA}}
    for status in (401, 403, 404, 409, 413, 421, 422, 429, 503)
}
"""What every route may answer. With a `model` FastAPI would build a field for each route and
status, which took half the time that a server needs to start; `make_app` describes it once."""


def api_router(
    service: Service, lobby: Lobby, bots: Callable[[], Awaitable[Bots]], club: Club
) -> APIRouter:
    """Builds all routes below /api except those for sockets and replays."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_tables(router, service, lobby, club)
    _add_seats(router, lobby, club)
    _add_game(router, lobby)
    _add_papers(router, service)
    _add_boards(router, service)
    _add_catalogues(router, bots)
    _add_administration(router, service)
    return router


def _add_tables(router: APIRouter, service: Service, lobby: Lobby, club: Club) -> None:
    @router.get("/tables", response_model=Tables)
    async def list_tables(request: Request) -> Response:
        """List open and running tables that are public, most recently changed first."""
        return (await lobby.lists.listed()).response(request)

    @router.post("/tables", status_code=201)
    async def make_table(wish: NewTable, request: Request, session: Session) -> TableMade:
        """Create a table. Only this answer has the tokens; a repeated request gets them again."""
        as_person = any(seat.as_person for seat in wish.seats)
        person = (await club.expect_signed_in(session)).seated if as_person else None
        return table_made(await lobby.create(wish, address_of(request), person=person))

    @router.get("/tables/{table}", response_model=TableView)
    async def show_table(table: Named) -> Response:
        """Show a table as everyone sees it."""
        return json_answer((await _watched(service, table)).view)

    @router.post("/mine", response_model=MyTables)
    async def my_tables(question: Mine) -> Response:
        """List the tables that these tokens belong to, most recently changed first."""
        return json_answer({"tables": await lobby.lists.mine(question.tokens)})


def _add_seats(router: APIRouter, lobby: Lobby, club: Club) -> None:
    @router.post("/tables/{table}/seats", status_code=201)
    async def take_seat(
        table: Named, wish: TakeSeat, token: Token, request: Request, session: Session
    ) -> HeldSeat:
        """Take an open seat, or the reserved seat whose token the request carries."""
        person = (await club.expect_signed_in(session)).seated if wish.as_person else None
        return _held(await lobby.take_seat(table, wish, address_of(request), token, person))

    @router.post("/tables/{table}/free", response_model=TableView)
    async def free_seat(table: Named, wish: FreeSeat, token: Token, request: Request) -> Response:
        """Host only: free a seat before the game starts."""
        live = await lobby.free_seat(table, token, wish, address_of(request))
        return json_answer(live.view)

    @router.post("/tables/{table}/stand_in", response_model=TableView)
    async def seat_stand_in(table: Named, wish: SeatStandIn, token: Token) -> Response:
        """Host only: let a stand-in decide for a seat that takes too long."""
        return json_answer((await lobby.seat_stand_in(table, token, wish)).view)

    @router.post("/tables/{table}/link", status_code=201)
    async def new_link(table: Named, wish: NewLink, token: Token, request: Request) -> HeldSeat:
        """Replace a seat's link, for its holder or the host. The old link stops working."""
        return _held(await lobby.new_link(table, token, wish, address_of(request)))

    @router.post("/tables/{table}/bots", response_model=TableView)
    async def seat_bot(table: Named, wish: SeatToBot, token: Token, request: Request) -> Response:
        """Host only: put a bot on an open seat."""
        live = await lobby.seat_bot(table, token, wish, address_of(request))
        return json_answer(live.view)


def _add_game(router: APIRouter, lobby: Lobby) -> None:
    @router.post("/tables/{table}/rematch", status_code=201)
    async def rematch(table: Named, wish: Rematch, token: Token, request: Request) -> TableMade:
        """Ask for another game. Players who stayed keep their tokens at the new table."""
        return table_made(await lobby.rematch(table, token, wish, address_of(request)))

    @router.post("/tables/{table}/webhook")
    async def webhook(table: Named, wish: Webhook, token: Token, request: Request) -> WebhookSet:
        """Register a URL to be called when your seat must decide; the host's is called for every
        seat.
        """
        return WebhookSet(secret=await lobby.set_hook(table, token, wish, address_of(request)))


def _add_papers(router: APIRouter, service: Service) -> None:
    @router.get(
        "/tables/{table}/record",
        response_class=Response,
        responses={200: {"content": {"application/toml": {}}}},
    )
    async def record(table: Named) -> Response:
        """Get the game record so far (TOML), with the proof of the bag."""
        found = _record(await _watched(service, table))
        name = f'attachment; filename="industry-{table}.toml"'
        headers = {"content-disposition": name, "cache-control": "no-store"}
        return Response(found.to_toml(), headers=headers, media_type="application/toml")

    @router.get("/tables/{table}/proof", response_model=Proof)
    async def proof(table: Named) -> Response:
        """Get what has been published about the table's bag."""
        return json_answer((await service.open(table)).view["proof"])

    @router.get("/tables/{table}/log", response_model=TableLog)
    async def log(table: Named) -> Response:
        """Get every log entry as it is stored, with its hash."""
        await _watched(service, table)
        try:
            rows = await service.store.rows_after(table, 0)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return json_answer({"entries": [{"entry": r.entry, "hash": r.hash} for r in rows]})


def _add_boards(router: APIRouter, service: Service) -> None:
    names = Boards(
        boards=[
            BoardName(id=board.id, edition=board.edition, status=board.status, hash=board.hash)
            for board in service.catalogue.by_name.values()
        ]
    )
    infos: dict[str, BoardInfo] = {}

    @router.get("/boards")
    async def list_boards() -> Boards:
        """List the boards that tables can be created with."""
        return names

    @router.get("/boards/{board}")
    async def show_board(
        board: Annotated[str, Path(pattern=BOARD)],
        of_table: Annotated[str | None, Query(alias="hash", pattern=BOARD)] = None,
    ) -> BoardInfo:
        """Show everything about a board and the layout of its picture, by name or hash.

        If both are given the hash decides, because the file of that name may have changed.
        """
        named = service.catalogue.by_name.get(board)
        if of_table is not None and (named is None or named.hash != of_table):
            board = of_table
        if board not in infos:
            infos[board] = board_info(await service.board(board))
        return infos[board]


def _add_catalogues(router: APIRouter, bots: Callable[[], Awaitable[Bots]]) -> None:
    @router.get("/bots")
    async def list_bots() -> Bots:
        """List the bots that can be played against, weakest first."""
        return await bots()

    @router.get("/schema", response_class=JSONResponse)
    async def schema() -> JSONResponse:
        """Get the JSON schema of a table socket's messages, in both directions."""
        return JSONResponse(message_schema())


def _add_administration(router: APIRouter, service: Service) -> None:
    @router.post("/admin/delete", status_code=204, include_in_schema=False)
    async def delete_tables(wish: Deletion) -> None:
        """Serves `industry admin delete` while the server runs."""
        is_new = abs(service.now() - wish.at) < SIGNED_FOR
        signature = service.keys.deletion(wish.tables, wish.at)
        if not is_new or not hmac.compare_digest(signature, wish.signature):
            raise Refused("bad_token")
        try:
            for table in wish.tables:
                await service.remove(table)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None


def message_schema() -> dict[str, Any]:
    """Returns the schemas of what clients may send and what they must understand."""
    return {
        "client": TypeAdapter[Any](ClientMessage).json_schema(),
        "server": TypeAdapter[Any](ServerMessage).json_schema(mode="serialization"),
    }


def json_answer(content: Wire) -> Response:
    """Returns an answer that no cache may keep."""
    headers = {"cache-control": "no-store"}
    return Response(encode(content), headers=headers, media_type="application/json")


def table_made(made: CreatedTable) -> TableMade:
    """Returns a new table as its maker sees it, with the tokens."""

    def held(tokens: dict[int, str]) -> list[HeldSeat]:
        return [_held(SeatGrant(place, token, made.commitment)) for place, token in tokens.items()]

    return TableMade(
        table=made.table, host=made.host, seats=held(made.seats), reserved=held(made.reserved)
    )


def _held(held: SeatGrant) -> HeldSeat:
    return HeldSeat(seat=held.place, token=held.token, commitment=held.commitment)


async def _watched(service: Service, table: str) -> LiveTable:
    """Returns a table that anyone may look at; raises `Refused`."""
    live = await service.open(table)
    expect_public(live.table)
    return live


def _record(live: LiveTable) -> Record:
    if live.table.position is None:
        raise Refused("not_started")
    return live.table.record()
