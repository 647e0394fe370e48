"""POST /api/replay: the game of a record, position by position."""

import asyncio
import gzip
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TypeVar

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError

from .address_limits import AddressLimiter, address_of
from .api import error_response
from .child_process import ChildProcess, ProcessLost
from .errors import Refused
from .logs import log_event
from .protocol.replay import MAX_RECORD, MomentWish, MomentWorth, Replayed, ReplayWish
from .protocol.review import ReviewWish
from .replay_process import Boards, ReplayAnswer, ReplayJob, UnplayableRecord, serve

MAX_BODY = 6 * MAX_RECORD + 200
"""Maximum bytes of a request: JSON may take six per character."""
SECONDS = 5.0
"""How long the process may take for one record; whole games take a tenth of that."""
WAITING = 8
"""The most records that wait for the process."""
KEPT = 16
"""How many answers are cached: a shared link brings several people to the same game."""
BUSY = 5.0
"""Seconds after which a client may ask again."""

Wish = TypeVar("Wish", ReplayWish, MomentWish)


class Replays:
    """Replays records, one at a time, and caches the latest answers."""

    def __init__(self, boards: Boards) -> None:
        self._boards = boards
        self._turn = asyncio.Lock()
        self._peer: ChildProcess | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replays")
        self._under_way: dict[bytes, asyncio.Task[bytes]] = {}
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    async def stop(self) -> None:
        """Ends the process; requests that still wait are refused."""
        peer, self._boards = self._peer, {}
        if peer is not None:
            peer.process.kill()  # wakes up its thread
        for task in list(self._under_way.values()):
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)
        await asyncio.to_thread(self._thread.shutdown)
        if self._peer is not None:
            self._peer.end()
            self._peer = None

    async def answer(self, wish: ReplayWish | MomentWish | ReviewWish) -> bytes:
        """Returns `Replayed`, `MomentWorth` or a finished record, compressed.

        Raises `UnplayableRecord`, `Refused`.
        """
        key = sha256(wish.model_dump_json().encode()).digest()
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        task = self._under_way.get(key)
        if task is None:
            if len(self._under_way) > WAITING:  # one of them is being answered
                raise Refused("busy", retry_after=BUSY)
            task = self._under_way[key] = asyncio.create_task(self._asked(key, wish))
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        return await asyncio.shield(task)

    async def _asked(self, key: bytes, wish: ReplayWish | MomentWish | ReviewWish) -> bytes:
        async with self._turn:
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._thread, self._ask, wish)
        if isinstance(wish, ReplayWish):
            self._kept[key] = answer
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return answer

    def _ask(self, wish: ReplayWish | MomentWish | ReviewWish) -> bytes:
        """Asks the process, in a thread; ends it if it does not answer."""
        try:
            if self._peer is None:
                self._peer = ChildProcess(serve)
            peer = self._peer
            new = {name: b for name, b in self._boards.items() if name not in peer.boards}
            peer.boards |= set(new)
            answer = peer.request(ReplayJob(wish, new), SECONDS)
        except OSError:  # the machine cannot start a process
            raise Refused("busy", retry_after=BUSY) from None
        except ProcessLost as lost:
            log_event("replay_lost", kind=lost.kind)
            if self._peer is not None:
                self._peer.end()
                self._peer = None
            if lost.kind == "hang":
                raise UnplayableRecord(413, "too_large") from None
            raise Refused("busy", retry_after=BUSY) from None
        if isinstance(answer, UnplayableRecord):
            raise answer
        assert isinstance(answer, ReplayAnswer)
        return answer.body


def replay_router(replays: Replays, limiter: AddressLimiter) -> APIRouter:
    """Builds the routes that replay records."""
    router = APIRouter(prefix="/api")

    async def answered(request: Request, kind: type[Wish]) -> Response:
        try:
            wish = await _wish(request, kind)
            limiter.spend(address_of(request), "replays")
            answer = await replays.answer(wish)
        except UnplayableRecord as error:
            response = error_response(error.code, error.sentence)
            response.status_code = error.status
            return response
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
            return Response(answer, headers=headers, media_type="application/json")
        return Response(gzip.decompress(answer), media_type="application/json")

    @router.post("/replay", response_model=Replayed)
    async def replay_record(request: Request) -> Response:
        """Get all positions and events of the record in the body (`ReplayWish`)."""
        return await answered(request, ReplayWish)

    @router.post("/replay/worth", response_model=MomentWorth)
    async def replay_worth(request: Request) -> Response:
        """Get what each field is worth to each seat at a moment of a record (`MomentWish`)."""
        return await answered(request, MomentWish)

    return router


async def _wish(request: Request, kind: type[Wish]) -> Wish:
    body = await request.body()
    if len(body) > MAX_BODY:
        raise UnplayableRecord(413, "too_large")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        too_long = any(fault["type"] == "string_too_long" for fault in error.errors())
        raise (
            UnplayableRecord(413, "too_large") if too_long else UnplayableRecord(422, "bad_message")
        ) from None
