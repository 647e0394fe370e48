"""Computes reviews piece by piece; if a process ends, another one continues from there."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from industry.boards import BoardSpec
from industry.notation import Record

from ..background import RepeatedTask
from ..errors import Refused
from ..logs import log_event
from ..store import StoreUnavailable
from .jobs import WAITING, Jobs, StoredReview, review_id
from .process import unpacked
from .workers import NoAnswer, ReviewWorkers, review_process

if TYPE_CHECKING:
    from ..service import Service
    from .levels import SeatLosses

PIECE = 12
"""Items that are computed together: within a round each uses lines of the last one."""
LEASE = 60_000
"""Milliseconds without news of a job's process after which another one may continue."""
SWEEP = 3600.0
SHOWN = 1.0
"""Seconds between two pictures of a review that grows."""
BUSY = 60.0
"""Seconds after which a client may ask again."""

Result = TypeVar("Result")


class Reviews:
    """All reviews of a server."""

    def __init__(self, service: "Service") -> None:
        self._service = service
        self.jobs = Jobs(service.store)
        self.workers = ReviewWorkers(partial(review_process, service.tuning.review_niceness))
        scan = service.tuning.scan
        self._task = RepeatedTask(self._compute_all, scan, failure="reviews_failed")
        self._sketches: dict[str, asyncio.Task[None]] = {}
        self._swept = -SWEEP

    def start(self) -> None:
        self._task.start()

    async def stop(self) -> None:
        """Leaves unfinished jobs to others."""
        for task in list(self._sketches.values()):
            task.cancel()
        await asyncio.gather(*self._sketches.values(), return_exceptions=True)
        await self._task.stop()
        await self.workers.stop()

    # Asking

    async def find(self, review: str) -> StoredReview:
        """Returns a review as far as it is; raises `Refused`."""
        stored = await _or_refused(self.jobs.find(review, self._service.now()))
        if stored is None:
            raise Refused("not_found")
        return stored

    async def known(self, record: Record, board: BoardSpec) -> StoredReview | None:
        """Returns the review of a game if there is one that has not failed."""
        name = self._name(record, board)
        stored = await _or_refused(self.jobs.find(name, self._service.now()))
        return None if stored is None or stored.status == "failed" else stored

    def _name(self, record: Record, board: BoardSpec) -> str:
        return review_id(record, board, self._service.tuning.review_lines)

    async def begin(self, record: Record, board: BoardSpec, table: str | None) -> StoredReview:
        """Makes a job for the review of a finished game; raises `Refused`."""
        name, now = self._name(record, board), self._service.now()
        if await _or_refused(self.jobs.count_waiting()) >= WAITING:
            raise Refused("busy", retry_after=BUSY)
        if await _or_refused(self.jobs.find(name, now)) is None:
            await _or_refused(
                self.jobs.add(name, record, self._service.tuning.review_lines, table, now)
            )
        else:
            await _or_refused(self.jobs.again(name, now))
        self._task.wake()
        self._spawn_sketch(name, record, board)
        return await self.find(name)

    async def ask(self, what: str, stored: StoredReview, *values: object) -> bytes:
        """Asks the processes about a review; raises `Refused`."""
        board = await self._service.board(stored.record.board_hash)
        return await self.ask_about(what, board, stored.record, *values)

    async def ask_about(
        self, what: str, board: BoardSpec, record: Record | None, *values: object
    ) -> bytes:
        """Asks the processes about a game, before the parts of reviews; raises `Refused`."""
        try:
            return await self.workers.ask(what, board, record, *values, urgent=True)
        except NoAnswer:
            raise Refused("busy", retry_after=BUSY) from None

    async def level_of(self, losses: Sequence["SeatLosses"]) -> bytes:
        """Asks the judge for the level of somebody who lost this much; raises `Refused`."""
        board = next(iter(self._service.catalogue.by_name.values()))  # any: it plays no part
        games = [
            {name: value for name, value in asdict(one).items() if name != "seat"} for one in losses
        ]
        return await self.ask_about("level_of_losses", board, None, games)

    def _spawn_sketch(self, name: str, record: Record, board: BoardSpec) -> None:
        if name not in self._sketches:
            task = asyncio.create_task(self._sketch(name, record, board))
            self._sketches[name] = task
            task.add_done_callback(lambda _: self._sketches.pop(name, None))

    async def _sketch(self, name: str, record: Record, board: BoardSpec) -> None:
        try:
            found = await self.workers.ask("sketch", board, record, urgent=True)
            await self.jobs.keep_sketch(name, found)
        except (NoAnswer, StoreUnavailable) as error:  # the review itself comes all the same
            log_event("review_without_sketch", logging.WARNING, review=name, text=str(error))

    # Computing

    async def _compute_all(self) -> None:
        await self._sweep()
        while (job := await self.jobs.take(*self._lease())) is not None:
            if job.is_due:
                await self._work(job)

    def _lease(self) -> tuple[int, int]:
        now = self._service.now()
        return now, now + LEASE

    async def _sweep(self) -> None:
        if time.monotonic() >= self._swept + SWEEP:
            await self.jobs.sweep(self._service.now())
            self._swept = time.monotonic()

    async def _work(self, job: StoredReview) -> None:
        """Computes what is missing of a review."""
        begin = time.monotonic()
        try:
            board = await self._service.board(job.record.board_hash)
            if job.sketch is None:
                self._spawn_sketch(job.id, job.record, board)
            await self._compute(job, board)
            seconds = round(time.monotonic() - begin, 1)
            log_event("review_done", review=job.id, moves=job.total - 1, seconds=seconds)
        except (NoAnswer, Refused) as error:
            log_event("review_postponed", logging.WARNING, review=job.id, text=str(error))
            await self.jobs.release(job.id, self._service.now())
        except asyncio.CancelledError:
            await self._given_up(job)
            raise

    async def _given_up(self, job: StoredReview) -> None:
        """Lets another process continue at once where this one stops."""
        try:
            await self.jobs.release(job.id, self._service.now())
        except StoreUnavailable:
            return  # others wait until the lease is over

    async def _compute(self, job: StoredReview, board: BoardSpec) -> None:
        pieces = await self.jobs.pieces(job.id)
        shown = 0.0
        firsts = [first for first in range(0, job.total, PIECE) if first not in pieces]
        for place in range(0, len(firsts), self.workers.size):
            these = firsts[place : place + self.workers.size]
            found = await _all(self._piece(job, board, first) for first in these)
            pieces |= dict(zip(these, found, strict=True))
            await self.jobs.keep(job.id, dict(zip(these, found, strict=True)), self._lease()[1])
            if time.monotonic() >= shown + SHOWN:
                await self._show(job, board, pieces, is_whole=False)
                shown = time.monotonic()
        await self._show(job, board, pieces, is_whole=True)

    async def _piece(self, job: StoredReview, board: BoardSpec, first: int) -> bytes:
        last = min(first + PIECE, job.total)
        return await self.workers.ask("piece", board, job.record, first, last, job.lines)

    async def _show(
        self, job: StoredReview, board: BoardSpec, pieces: dict[int, bytes], *, is_whole: bool
    ) -> None:
        """Puts together what there is from the first move on."""
        line = []
        for first in range(0, job.total, PIECE):
            if first not in pieces:
                break
            line.append(pieces[first])
        if line:
            found = await self.workers.ask("assemble", board, job.record, line, job.lines)
            done = min(len(line) * PIECE, job.total)
            if is_whole:
                losses = await self.workers.ask("losses", board, job.record, found)
                await self.jobs.finish(job.id, found, unpacked(losses))
            else:
                await self.jobs.show(job.id, done, found)


async def _all(work: Any) -> list[bytes]:
    """Returns all answers; where one fails the others are waited for."""
    found = await asyncio.gather(*work, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return [one for one in found if isinstance(one, bytes)]


async def _or_refused(work: Coroutine[Any, Any, Result]) -> Result:
    try:
        return await work
    except StoreUnavailable:
        raise Refused("store_unavailable") from None
