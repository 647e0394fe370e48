"""The routes of reviews: begin one, look at it while it grows, try again, take it along."""

import gzip
import json
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from industry.boards import BoardSpec
from industry.notation import Record, record_from_data

from ..address_limits import AddressLimiter, address_of
from ..api import PROBLEMS, error_response
from ..errors import Refused
from ..permissions import expect_public
from ..protocol.base import Language
from ..protocol.review import (
    LevelFound,
    LevelWish,
    ReviewBegun,
    ReviewState,
    ReviewWish,
    TryAnswer,
    TryMove,
    TryMoves,
    TryWish,
)
from ..replay_process import UnplayableRecord
from ..service import Service
from .jobs import StoredReview
from .process import unpacked
from .reviews import Reviews

CheckRecord = Callable[[ReviewWish], Awaitable[bytes]]
"""Replays a foreign record elsewhere and returns it as compressed JSON."""
Name = Annotated[str, Path(alias="review", pattern="^[0-9a-f]{32}$")]
NamedMove = Annotated[int, Query(ge=0, le=100_000)]


def review_router(
    service: Service, reviews: Reviews, limiter: AddressLimiter, check: CheckRecord
) -> APIRouter:
    """Builds the routes; anyone who may see the record of a game may see its review."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)

    @router.post("/reviews", response_model=ReviewBegun)
    async def begin(request: Request, wish: ReviewWish) -> ReviewBegun | Response:
        """Begins the review of a finished game, unless there is one."""
        limiter.spend(address_of(request), "replays")
        try:
            record, board = await game_of(service, wish, check)
        except UnplayableRecord as error:
            return unplayable(error)
        stored = await reviews.known(record, board)
        if stored is None:
            limiter.spend(address_of(request), "reviews")
            stored = await reviews.begin(record, board, wish.table)
        return ReviewBegun(id=stored.id)

    @router.get("/reviews/{review}", response_model=ReviewState)
    async def look(review: Name) -> Response:
        """How far a review is, with everything that is known so far."""
        return _state(await reviews.find(review))

    _add_level(router, reviews, limiter)
    _add_questions(router, reviews, limiter)
    return router


def _add_level(router: APIRouter, reviews: Reviews, limiter: AddressLimiter) -> None:
    @router.post("/reviews/level")
    async def level(request: Request, wish: LevelWish) -> LevelFound:
        """How strong somebody plays, by the whole ones among some reviews."""
        limiter.spend(address_of(request), "replays")
        whole: list[StoredReview] = []
        seats: list[tuple[bytes, int]] = []
        for game in wish.games:
            stored = await reviews.find(game.review)
            if game.seat > len(stored.record.players):
                raise Refused("not_found")
            if stored.status == "done" and stored.found is not None:
                whole.append(stored)
                seats.append((stored.found, game.seat))
        if not whole:
            return LevelFound(whole=0, level=None, told={})
        found = unpacked(await reviews.ask("level", whole[0], seats))
        return LevelFound(whole=len(whole), **found)


def _add_questions(router: APIRouter, reviews: Reviews, limiter: AddressLimiter) -> None:
    @router.get("/reviews/{review}/page", include_in_schema=False)
    async def page(request: Request, review: Name, language: Language = "en") -> Response:
        """The whole review as one HTML file."""
        limiter.spend(address_of(request), "replays")
        stored = await _whole(reviews, review)
        body = await reviews.ask("page", stored, stored.found, language)
        name = f'attachment; filename="industry-review-{review[:8]}.html"'
        return Response(gzip.decompress(body), headers=_headers(name), media_type="text/html")

    @router.get("/reviews/{review}/moves")
    async def moves(
        request: Request, review: Name, move: NamedMove, language: Language = "en"
    ) -> TryMoves:
        """The moves that can be tried before a move of the game."""
        limiter.spend(address_of(request), "replays")
        stored = await _decided(reviews, review, move)
        body = await reviews.ask("choices", stored, move, language)
        return TryMoves(moves=[TryMove.model_validate(one) for one in unpacked(body)])

    @router.post("/reviews/{review}/try")
    async def attempt(request: Request, review: Name, wish: TryWish) -> TryAnswer:
        """What a move would have lost there."""
        limiter.spend(address_of(request), "replays")
        stored = await _decided(reviews, review, wish.move)
        listed = unpacked(await reviews.ask("choices", stored, wish.move, "en"))
        if wish.line not in [one["line"] for one in listed]:
            raise Refused("bad_line")
        body = await reviews.ask("attempt", stored, wish.move, wish.line, stored.lines)
        return TryAnswer.model_validate(unpacked(body))


def unplayable(error: UnplayableRecord) -> Response:
    """Returns the answer for a record that cannot be replayed: what is wrong with it."""
    response = error_response(error.code, error.sentence)
    response.status_code = error.status
    return response


async def game_of(
    service: Service, wish: ReviewWish, check: CheckRecord
) -> tuple[Record, BoardSpec]:
    """Returns the game that is to be reviewed; raises `Refused` and `UnplayableRecord`."""
    if wish.table is not None:
        table = (await service.open(wish.table)).table
        if table.status != "over":
            raise Refused("not_over")
        expect_public(table)
        return table.record(), table.board
    if wish.record is None:
        raise Refused("bad_message")
    record = record_from_data(unpacked(await check(wish)))
    return record, await service.board(record.board_hash)


async def _whole(reviews: Reviews, review: str) -> StoredReview:
    stored = await reviews.find(review)
    if stored.status != "done":
        raise Refused("not_over")
    return stored


async def _decided(reviews: Reviews, review: str, move: int) -> StoredReview:
    """Returns a review whose game has a decision after `move` moves; raises `Refused`."""
    stored = await reviews.find(review)
    lines = stored.record.moves
    if move >= len(lines) or lines[move].startswith("draw"):
        raise Refused("not_found")
    return stored


def _state(stored: StoredReview) -> Response:
    """Returns `ReviewState`; the large parts are texts already."""
    head = {
        "id": stored.id,
        "status": stored.status,
        "done": stored.done,
        "total": stored.total,
    }
    parts = [f'"{key}":{json.dumps(value)}' for key, value in head.items()]
    for key, body in (("sketch", stored.sketch), ("found", stored.found)):
        parts.append(f'"{key}":{"null" if body is None else gzip.decompress(body).decode()}')
    body = gzip.compress(f"{{{','.join(parts)}}}".encode(), 1)
    return Response(
        body, headers=_headers() | {"content-encoding": "gzip"}, media_type="application/json"
    )


def _headers(disposition: str = "") -> dict[str, str]:
    headers = {"cache-control": "no-store"}
    return headers | ({"content-disposition": disposition} if disposition else {})
