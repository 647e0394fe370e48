"""The HTTP interface: lobby, seats, records, boards and bots."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query
from pydantic import TypeAdapter
from starlette.responses import JSONResponse, Response

from industry.notation.record import Record

from .boardinfo import board_info
from .commands import Refused
from .happened import Wire
from .live import Live
from .lobby import Lobby, Made
from .protocol.base import TableId
from .protocol.client import ClientMessage
from .protocol.http import (
    BoardInfo,
    Boards,
    Bots,
    HeldSeat,
    Mine,
    MyTables,
    NewTable,
    Problem,
    Rematch,
    SeatToBot,
    Start,
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
from .tableview import encode

STATUS: dict[ErrorCode, int] = {
    "bad_message": 422,
    "bad_options": 422,
    "bad_name": 422,
    "unknown_bot": 422,
    "unknown_board": 422,
    "too_large": 413,
    "too_many_messages": 429,
    "too_many_tables": 429,
    "bad_token": 401,
    "not_your_seat": 403,
    "not_host": 403,
    "no_table": 404,
    "not_found": 404,
    "store_unavailable": 503,
    "stopping": 503,
    "internal": 500,
}
"""All others are conflicts with the state of the table: 409."""

BOARD = r"^([a-z0-9][a-z0-9_-]{0,63}|sha256:[0-9a-f]{64})$"
"""A board in a path: its name or its hash."""
Bearer = Annotated[str | None, Header(alias="Authorization", max_length=200)]
Named = Annotated[TableId, Path(alias="table")]
"""A table in a path."""


def coded(code: ErrorCode, detail: str = "") -> JSONResponse:
    """Every answer that is not a success."""
    content = Problem(code=code, detail=detail).model_dump()
    return JSONResponse(content, STATUS.get(code, 409), {"cache-control": "no-store"})


def token_of(authorization: Bearer = None) -> str | None:
    """The token that a request bears; None where it bears none that could be one."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


Token = Annotated[str | None, Depends(token_of)]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (401, 403, 404, 409, 413, 422, 429, 503)
}


def api_router(service: Service, lobby: Lobby, bots: Callable[[], Awaitable[Bots]]) -> APIRouter:
    """All routes below /api except those of sockets and replays."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_tables(router, service, lobby)
    _add_seats(router, lobby)
    _add_papers(router, service)
    _add_catalogues(router, service, bots)
    return router


def _add_tables(router: APIRouter, service: Service, lobby: Lobby) -> None:
    @router.get("/tables", response_model=Tables)
    async def list_tables() -> Response:
        """Open and running tables that their makers have listed, the latest change first."""
        return _json({"tables": await lobby.listed()})

    @router.post("/tables", status_code=201)
    async def make_table(wish: NewTable) -> TableMade:
        """Make a table. Tokens are told only here; a repeated request is told them again."""
        return _made(await lobby.create(wish))

    @router.get("/tables/{table}", response_model=TableView)
    async def show_table(table: Named) -> Response:
        """A table as everyone sees it."""
        return _json((await service.open(table)).whole_view())

    @router.post("/mine", response_model=MyTables)
    async def my_tables(question: Mine) -> Response:
        """The tables that the holder of these tokens sits at, the latest change first."""
        return _json({"tables": await lobby.mine(question.tokens)})


def _add_seats(router: APIRouter, lobby: Lobby) -> None:
    @router.post("/tables/{table}/seats", status_code=201)
    async def take_seat(table: Named, wish: TakeSeat) -> HeldSeat:
        """Sit down at an open seat."""
        place, token = await lobby.take_seat(table, wish)
        return HeldSeat(seat=place, token=token)

    @router.post("/tables/{table}/bots", response_model=TableView)
    async def seat_bot(table: Named, wish: SeatToBot, token: Token) -> Response:
        """Host only: put a bot on an open seat."""
        return _json((await lobby.seat_bot(table, token, wish)).whole_view())

    @router.post("/tables/{table}/start", response_model=TableView)
    async def start(table: Named, wish: Start, token: Token) -> Response:
        """Host only: begin. A table without open seats has already begun by itself."""
        return _json((await lobby.start(table, token)).whole_view())

    @router.post("/tables/{table}/rematch", status_code=201)
    async def rematch(table: Named, wish: Rematch, token: Token) -> TableMade:
        """Ask for another game. The tokens of all who stayed hold at the new table too."""
        return _made(await lobby.rematch(table, token, wish.id))

    @router.post("/tables/{table}/webhook")
    async def webhook(table: Named, wish: Webhook, token: Token) -> WebhookSet:
        """Have an address called when a seat must decide: one's own, for the host every one."""
        return WebhookSet(secret=await lobby.set_hook(table, token, wish.id, wish.url))


def _add_papers(router: APIRouter, service: Service) -> None:
    @router.get(
        "/tables/{table}/record",
        response_class=Response,
        responses={200: {"content": {"application/toml": {}}}},
    )
    async def record(table: Named) -> Response:
        """The game record so far (TOML), with the proof of the bag."""
        found = _record(await service.open(table))
        name = f'attachment; filename="industry-{table}.toml"'
        headers = {"content-disposition": name, "cache-control": "no-store"}
        return Response(found.to_toml(), headers=headers, media_type="application/toml")

    @router.get("/tables/{table}/proof", response_model=Proof)
    async def proof(table: Named) -> Response:
        """What has been published about the table's bag."""
        return _json((await service.open(table)).view["proof"])

    @router.get("/tables/{table}/log", response_model=TableLog)
    async def log(table: Named) -> Response:
        """Every entry of the log as it is stored, with its hash."""
        await service.open(table)
        try:
            rows = await service.store.rows_after(table, 0)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return _json({"entries": [{"entry": r.entry, "hash": r.hash} for r in rows]})


def _add_catalogues(
    router: APIRouter, service: Service, bots: Callable[[], Awaitable[Bots]]
) -> None:
    boards = {name: board_info(board) for name, board in service.shelf.by_name.items()}
    names = Boards.model_validate(
        {
            "boards": [
                board.model_dump(include={"id", "edition", "status", "hash"})
                for board in boards.values()
            ]
        }
    )

    @router.get("/boards")
    async def list_boards() -> Boards:
        """The boards that tables can be made with."""
        return names

    @router.get("/boards/{board}")
    async def show_board(
        board: Annotated[str, Path(pattern=BOARD)],
        of_table: Annotated[str | None, Query(alias="hash", pattern=BOARD)] = None,
    ) -> BoardInfo:
        """Everything about a board, with the layout of its picture; by its name or its hash.

        Where both are told, the hash decides: a file of that name may hold other values by now.
        """
        named = boards.get(board)
        if of_table is not None and (named is None or named.hash != of_table):
            board = of_table
        if board not in boards:
            boards[board] = board_info(await service.board(board))
        return boards[board]

    @router.get("/bots")
    async def list_bots() -> Bots:
        """The bots that can be played against, weakest first."""
        return await bots()

    @router.get("/schema", response_class=JSONResponse)
    async def schema() -> JSONResponse:
        """JSON schema of the messages through a table's socket, in both directions."""
        return JSONResponse(message_schema())


def message_schema() -> dict[str, Any]:
    """What clients may send, and what they must understand."""
    return {
        "client": TypeAdapter[Any](ClientMessage).json_schema(),
        "server": TypeAdapter[Any](ServerMessage).json_schema(mode="serialization"),
    }


def _json(content: Wire) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(encode(content), headers=headers, media_type="application/json")


def _made(made: Made) -> TableMade:
    seats = [HeldSeat(seat=place, token=token) for place, token in made.seats.items()]
    return TableMade(table=made.table, host=made.host, seats=seats)


def _record(live: Live) -> Record:
    if live.table.position is None:
        raise Refused("not_started")
    return live.table.record()
