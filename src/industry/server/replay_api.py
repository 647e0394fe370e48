"""POST /api/replay: the game of a record, position by position, for people who watch it."""

import asyncio
import gzip
import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from industry.boards import BoardSpec
from industry.engine import Event, IllegalMove
from industry.notation import (
    Game,
    NotationError,
    Record,
    RecordError,
    record_from_json,
    record_from_toml,
    replay,
)
from industry.notation.explain import explain
from industry.texts import say
from industry.texts.shown import shown

from .answers import worth_of
from .boardinfo import board_info
from .happened import Wire, wire_event
from .protocol.http import Problem
from .protocol.replay import MAX_RECORD, MomentWish, MomentWorth, Replayed, ReplayWish
from .protocol.server import ErrorCode
from .view import Seen, changes, see

MAX_BODY = 6 * MAX_RECORD + 200
"""Bytes of a request: JSON may write a character with six."""
AT_ONCE = 2
"""Replays that are computed at the same time; others wait, so that games at tables do not."""
Boards = Mapping[str, BoardSpec]
"""By hash."""
Wish = TypeVar("Wish", ReplayWish, MomentWish)
KEPT = 16
"""Answers that are kept: whoever shares a link sends several people to the same game."""


class Unplayable(Exception):
    """Nothing of the record can be replayed; carries the answer that says why."""

    def __init__(self, status: int, code: ErrorCode, sentence: str = "") -> None:
        self.status = status
        self.problem = Problem(code=code, detail=sentence)

    def response(self) -> Response:
        return JSONResponse(self.problem.model_dump(), self.status)


class Replays:
    """Answers to records, a few at a time and the last ones kept."""

    def __init__(self, boards: Boards) -> None:
        self._boards = boards
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    async def answer(self, wish: ReplayWish) -> bytes:
        """`Replayed` as compressed JSON; raises `Unplayable`."""
        key = sha256(f"{wish.language} {wish.record}".encode()).digest()
        if key not in self._kept:
            async with self._turns:
                self._kept[key] = await asyncio.to_thread(_compressed, wish, self._boards)
        self._kept.move_to_end(key)
        answer = self._kept[key]
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return answer

    async def worth(self, wish: MomentWish) -> Wire:
        """By field what it would bring each seat; raises `Unplayable`."""
        async with self._turns:
            return await asyncio.to_thread(_worth_at, wish, self._boards)


def replay_router(boards: Boards) -> APIRouter:
    """The route that replays records of games on these boards."""
    router = APIRouter(prefix="/api")
    replays = Replays(boards)

    @router.post("/replay", response_model=Replayed)
    async def replay_record(request: Request) -> Response:
        """All positions and events of the record in the body (`ReplayWish`)."""
        try:
            answer = await replays.answer(await _wish(request, ReplayWish))
        except Unplayable as error:
            return error.response()
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
            return Response(answer, headers=headers, media_type="application/json")
        return Response(gzip.decompress(answer), media_type="application/json")

    @router.post("/replay/worth", response_model=MomentWorth)
    async def replay_worth(request: Request) -> Response:
        """What each field is worth to each seat at a moment of a record (`MomentWish`)."""
        try:
            worth = await replays.worth(await _wish(request, MomentWish))
        except Unplayable as error:
            return error.response()
        return JSONResponse({"worth": worth})

    return router


async def _wish(request: Request, kind: type[Wish]) -> Wish:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Unplayable(413, "too_large")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        too_long = any(fault["type"] == "string_too_long" for fault in error.errors())
        raise Unplayable(413, "too_large") if too_long else Unplayable(422, "bad_message") from None


def _compressed(wish: ReplayWish, boards: Boards) -> bytes:
    data = replayed(wish.record, wish.language, boards)
    return gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 5)


def replayed(text: str, language: str, boards: Boards) -> Wire:
    """The answer to a record, in the form of `Replayed`; raises `Unplayable`."""
    record = _read(text, language)
    board = _board_of(record, boards)
    game = Game(board, record.players, record.starting_player, record.options)
    seen = see(game.position, 0, board, closed=False)
    opening = [wire_event(event, board) for event in game.events[0]]
    steps: list[Wire] = [{"entry": _entry(0, "started", opening), "changed": {}}]
    answer: Wire = {
        "board": board_info(board).model_dump(mode="json"),
        "options": _options(record),
        "players": list(record.players),
        "first": seen.view,
        "steps": steps,
        "fault": None,
    }
    try:
        steps.extend(_steps(game, record, seen))
    except (NotationError, IllegalMove) as error:
        number = len(game.moves) + 1
        answer["fault"] = {
            "move": number,
            "line": shown(record.moves[number - 1]),
            "sentence": _why(error, board, language),
        }
    answer["result_differs"] = game.is_over and record.result != game.result()
    return answer


def _worth_at(wish: MomentWish, boards: Boards) -> Wire:
    record = _read(wish.record, wish.language)
    board = _board_of(record, boards)
    try:
        position = replay(record, board, wish.at).position
    except (NotationError, IllegalMove) as error:
        raise Unplayable(422, "bad_record", _why(error, board, wish.language)) from None
    return {field.id: worth_of(position, field.id) for field in board.fields}


def _board_of(record: Record, boards: Boards) -> BoardSpec:
    board = boards.get(record.board_hash)
    if board is None or record.edition != board.edition:
        raise Unplayable(422, "unknown_board")
    return board


def _read(text: str, language: str) -> Record:
    """A text that begins with a brace is JSON; TOML never does."""
    read = record_from_json if text.lstrip().startswith("{") else record_from_toml
    try:
        return read(text)
    except RecordError as error:
        sentence = say(f"record.{error.code}", language, **error.values)
        raise Unplayable(422, "bad_record", sentence) from None


def _options(record: Record) -> Wire:
    return {
        "edition": record.edition,
        "players": len(record.players),
        "board": record.board,
        "rules": dict(record.options),
        "seating": "as_joined",
        "undo": "off",
        "auto_forced": False,
        "clock": "none",
        "zombie": "passive",
        "listed": False,
    }


def _steps(game: Game, record: Record, seen: Seen) -> Iterator[Wire]:
    for number, line in enumerate(record.moves, start=1):
        events = game.play(line)
        after = see(game.position, number, game.board, closed=False, before=seen)
        yield {
            "entry": _move_entry(number, line, events, game.board),
            "changed": changes(seen.view, after.view),
        }
        seen = after


def _move_entry(number: int, line: str, events: tuple[Event, ...], board: BoardSpec) -> Wire:
    drawn = line.startswith("draw")
    return _entry(
        number,
        "move",
        [wire_event(event, board) for event in events],
        seat=None if drawn else int(line[0]),
        how="chance" if drawn else "player",
        line=line,
    )


def _entry(version: int, kind: str, events: list[Wire], **rest: object) -> Wire:
    """In the form of `Entry`; a record knows no time."""
    entry = dict.fromkeys(("seat", "how", "line", "moves", "reason", "name"))
    return {**entry, **rest, "version": version, "at": 0, "kind": kind, "events": events}


def _why(error: NotationError | IllegalMove, board: BoardSpec, language: str) -> str:
    if isinstance(error, NotationError):
        return error.sentence(language)
    return explain(error.refusal, board, language)
