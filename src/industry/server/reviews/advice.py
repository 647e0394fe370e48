"""The judge's advice at running tables: hints, and “what if” branches."""

from collections.abc import Sequence
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from industry.boards import BoardSpec
from industry.notation import Record

from ..address_limits import AddressLimiter, address_of
from ..api import PROBLEMS, Named, Token, table_made
from ..bag import new_secret
from ..branches import branch_table
from ..commands import Draft
from ..errors import Refused
from ..lobby import Lobby
from ..permissions import allows_hints
from ..protocol.http import TableMade
from ..protocol.review import (
    BranchOutlook,
    BranchWish,
    Hint,
    HintWish,
    Outlook,
    ReviewWish,
)
from ..replay_process import UnplayableRecord
from ..seat_names import seat_names
from ..service import Service
from ..table import Table
from ..tokens import command_key
from .process import unpacked
from .reviews import Reviews
from .routes import CheckRecord, game_of, unplayable


def advice_router(
    service: Service,
    lobby: Lobby,
    reviews: Reviews,
    limiter: AddressLimiter,
    check: CheckRecord,
) -> APIRouter:
    """Builds the routes; everything is computed where reviews are, so that no bot waits for it."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)

    @router.post("/tables/{table}/hints")
    async def hint(request: Request, table: Named, wish: HintWish, token: Token) -> Hint:
        """A step of a hint for the seat that must decide; everyone sees that it was asked for."""
        live, place = await lobby.entered(table, token)
        if not allows_hints(live.table):
            raise Refused("hints_off")
        limiter.spend(address_of(request), "hints")
        asked: list[Table] = []

        def note(draft: Draft) -> int:
            seat = draft.table.seat_of_place(place)
            if seat is None or seat != wish.seat - 1:
                raise Refused("not_your_seat")
            version = draft.hint(seat, wish.step)
            asked[:] = [draft.table]
            return version

        await service.change(live, command_key(str(place), wish.id), note, seen=wish.version)
        game = asked[0] if asked else live.table
        record = replace(game.record(), players=tuple(seat_names(game, wish.language)))
        values = wish.step, wish.language, service.tuning.review_lines
        found = await reviews.ask_about("hint", game.board, record, *values)
        return Hint(step=wish.step, version=game.version, **unpacked(found))

    _add_branches(router, service, lobby, reviews, limiter, check)
    return router


def _add_branches(
    router: APIRouter,
    service: Service,
    lobby: Lobby,
    reviews: Reviews,
    limiter: AddressLimiter,
    check: CheckRecord,
) -> None:
    @router.post("/what-if", status_code=201, response_model=TableMade)
    async def branch(request: Request, wish: BranchWish) -> TableMade | Response:
        """A table of its own that goes on from a moment of a game; the game stays as it is."""
        limiter.spend(address_of(request), "replays")
        try:
            record, board = await _branched_game(service, reviews, wish, check)
        except UnplayableRecord as error:
            return unplayable(error)
        secret = new_secret()

        def draft(table: str, level: int) -> Draft:
            if level < 2:
                raise Refused("newer_version")
            return branch_table(table, wish, record, board, secret, service.now(), lobby.bots)

        return table_made(await lobby.add(wish.id, address_of(request), secret, draft))

    @router.get("/tables/{table}/what-if")
    async def compare(request: Request, table: Named) -> BranchOutlook:
        """How the game that a branch comes from might have ended, and how the branch may."""
        branch = (await service.open(table)).table
        if branch.branch is None:
            raise Refused("not_found")
        limiter.spend(address_of(request), "hints")
        line = branch.branch.line
        played = [*branch.branch.lines, *([line] if line else [])]
        original = await _outlook(service, reviews, branch, played)
        now = await _outlook(service, reviews, branch, branch.lines)
        return BranchOutlook(original=original, branch=now, version=branch.version)


async def _outlook(
    service: Service, reviews: Reviews, table: Table, lines: Sequence[str]
) -> Outlook:
    record = replace(table.record(), moves=tuple(lines), result=None)
    values = None, service.tuning.review_lines
    found = await reviews.ask_about("outlook", table.board, record, *values)
    return Outlook.model_validate(unpacked(found))


async def _branched_game(
    service: Service, reviews: Reviews, wish: BranchWish, check: CheckRecord
) -> tuple[Record, BoardSpec]:
    """Returns the game that a branch goes on from; raises `Refused`, `UnplayableRecord`."""
    if wish.review is not None:
        record = (await reviews.find(wish.review)).record
        return record, await service.board(record.board_hash)
    game = ReviewWish(table=wish.table, record=wish.record, language=wish.language)
    return await game_of(service, game, check)
