"""A pool of processes in which bots think, so that the event loop never waits.

A thread sends a process one request at a time through a pipe; a process that does not answer is
replaced. Machine code is compiled once, in the background. Until then bots of levels 1 to 3 run
interpreted, and the engineer stands in for those of levels 4 and 5.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, TypeVarTuple

from industry.boards import BoardSpec
from industry.notation import Record, replay, write_move

from .automatic_moves import passive_move
from .bot_process import (
    UNCOMPILED_STAND_IN,
    BotFailure,
    BotList,
    BotListing,
    ChosenMove,
    CompilationDone,
    CompilationProgress,
    JudgedMove,
    JudgeRequest,
    MoveRequest,
    PoolRequest,
    Question,
    serve,
)
from .child_process import START_SECONDS, ChildProcess, ProcessLost
from .logs import log_event
from .metrics import Metrics
from .wire_events import Wire

ATTEMPTS = 2
"""How often a bot is asked for one decision before the server makes a passive move."""
WARM_SECONDS = 1200.0
"""How long the compiler may take."""
QUEUE_SECONDS = 300.0
"""How long a request waits for a free process."""
RESTART_SECONDS = 2.0
"""Pause before the next attempt where the machine could not start a process."""
BUSY_FACTOR = 3.0
"""Bots count processor time; on a busy machine they may take this much more wall-clock time."""
LEAST_SECONDS = 0.05
LOAD_SECONDS = 10.0
"""How long a bot that needs machine code waits to learn whether it must be compiled."""

Result = TypeVar("Result")
Reply = TypeVar("Reply", ChosenMove, JudgedMove, CompilationDone, BotList)
Arguments = TypeVarTuple("Arguments")


class BotProcess(ChildProcess):
    """One process in which bots think."""

    def __init__(self, engines: Sequence[str] = ()) -> None:
        super().__init__(partial(serve, engines=engines))
        self.is_warm = False

    def ask(
        self,
        what: Question,
        seconds: float,
        kind: type[Reply],
        tell: Callable[[CompilationProgress], None] | None = None,
    ) -> Reply | BotFailure:
        """Sends a request and returns the answer; raises `ProcessLost` on failure or timeout.

        Progress of the compiler goes to `tell`.
        """
        answer = self.request(what, seconds)
        while isinstance(answer, CompilationProgress):
            if tell is not None:
                tell(answer)
            answer = self.next_reply(seconds)
        if not isinstance(answer, kind | BotFailure):
            raise ProcessLost("nonsense")
        return answer


class BotPool:
    """Processes in which bots think; every request is answered eventually."""

    def __init__(
        self,
        workers: int = 1,
        seconds: float = 1.0,
        patience: float = 10.0,
        metrics: Metrics | None = None,
        engines: Sequence[str] = (),
    ) -> None:
        """`seconds` per decision; `patience` is what a bot may take beyond that.

        `engines` are commands that play as bots, as in the setting of that name.
        """
        self._engines = engines
        self.is_warm = False
        self.tell_warming: Callable[[Wire | None], None] = lambda warming: None
        """Called with the compiler's progress as `protocol.server.Warming`; None when it is done.
        """
        self._is_known = asyncio.Event()
        """Set once it is known whether machine code must be compiled or only loaded."""
        self._is_known.set()
        self._warming: CompilationProgress | None = None
        self._size = workers
        self._seconds = seconds
        self._patience = patience
        self._metrics = metrics or Metrics()
        self._workers: set[BotProcess] = set()
        self._free: asyncio.Queue[BotProcess] = asyncio.Queue()
        self._waiting = 0
        self._stopped = False
        self._tasks: set[asyncio.Task[Any]] = set()
        # one thread per process, one for the compiler, one to start and end others
        self._threads = ThreadPoolExecutor(workers + 2, thread_name_prefix="bots")

    async def start(self, *, warm: bool = True) -> None:
        """Starts the processes; machine code is prepared in the background."""
        for _ in range(self._size):
            self._free.put_nowait(await self._in_thread(self._new_worker))
        if warm:
            self._is_known.clear()
            self._spawn(self._warm_up())

    async def stop(self) -> None:
        """Ends all processes; requests that still wait are cancelled."""
        self._stopped = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in list(self._workers):
            worker.process.kill()  # its thread wakes up
        self._threads.shutdown()
        for worker in list(self._workers):
            worker.end()

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        """Returns the bot's move for the deciding seat; the same seed gives the same choice.

        `share` is the fraction of the usual time it may take. If the bot fails, returns the move of
        an absent player (J2); raises only `CancelledError`.
        """
        begin = time.perf_counter()
        for _ in range(ATTEMPTS):
            answer = await self._decided(bot, record, board, seed, share)
            if isinstance(answer, ChosenMove):
                self._metrics.bot_seconds.labels(bot).observe(time.perf_counter() - begin)
                return answer
            self._metrics.bot_failures.labels(bot, answer.kind).inc()
            log_event("bot_failed", logging.WARNING, bot=bot, kind=answer.kind, text=answer.text)
        return ChosenMove(write_move(passive_move(replay(record, board).position), board))

    async def _decided(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float
    ) -> ChosenMove | BotFailure:
        """Returns the bot's answer; shortly after the start it waits for machine code that only has
        to be loaded, so that no stand-in is needed.
        """
        answer = await self._answer_of(bot, record, board, seed, share)
        if isinstance(answer, BotFailure) or answer.stand_in is None or self._is_known.is_set():
            return answer
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._is_known.wait(), LOAD_SECONDS)
        if not self.is_warm:
            return answer
        return await self._answer_of(bot, record, board, seed, share)

    async def _answer_of(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float
    ) -> ChosenMove | BotFailure:
        seconds = max(LEAST_SECONDS, share * self._budget())
        question = MoveRequest(bot, record, board.hash, board, seconds, seed, self.is_warm)
        return await self._asked(question, question.seconds, ChosenMove)

    async def judge(self, record: Record, board: BoardSpec, line: str) -> JudgedMove | None:
        """Compares a legal move of the deciding seat with the best one; None if no process
        answers.
        """
        question = JudgeRequest(record, board.hash, board, line)
        judged = await self._asked(question, self._seconds, JudgedMove)
        if isinstance(judged, JudgedMove):
            return judged
        log_event("coach_failed", logging.WARNING, kind=judged.kind, text=judged.text)
        return None

    async def bots(self) -> list[BotListing]:
        """Returns the bots that can be loaded, weakest first; empty if no process answers."""
        found = await self._asked(PoolRequest.LIST, START_SECONDS, BotList)
        return list(found.bots) if isinstance(found, BotList) else []

    def _budget(self) -> float:
        """Returns the seconds per decision: fewer while many requests wait."""
        return max(LEAST_SECONDS, self._seconds / (1 + self._waiting / self._size))

    # Asking

    async def _asked(self, what: Question, seconds: float, kind: type[Reply]) -> Reply | BotFailure:
        """Asks the first free process. It finishes even if the caller is cancelled."""
        if self._stopped:
            raise asyncio.CancelledError
        return await asyncio.shield(self._spawn(self._converse(what, seconds, kind)))

    async def _converse(
        self, what: Question, seconds: float, kind: type[Reply]
    ) -> Reply | BotFailure:
        self._waiting += 1
        try:
            async with asyncio.timeout(QUEUE_SECONDS):
                worker = await self._free.get()
        except TimeoutError:
            return BotFailure("busy", "no process was free")
        finally:
            self._waiting -= 1
        if not isinstance(what, PoolRequest):
            known = what.board in worker.boards
            worker.boards.add(what.board)
            what = replace(what, spec=None if known else what.spec)
        if isinstance(what, MoveRequest):
            what = replace(what, warm=worker.is_warm)
        return await self._answered(worker, what, BUSY_FACTOR * seconds + self._patience, kind)

    async def _answered(
        self, worker: BotProcess, what: Question, limit: float, kind: type[Reply]
    ) -> Reply | BotFailure:
        """Asks a free process, then frees or replaces it."""
        try:
            answer = await self._in_thread(worker.ask, what, limit, kind)
        except ProcessLost as lost:
            self._spawn(self._replace(worker))
            return BotFailure(lost.kind, "the process was replaced")
        self._free.put_nowait(worker)
        return answer

    async def _replace(self, worker: BotProcess) -> None:
        await self._in_thread(self._end, worker)
        while True:
            try:
                fresh = await self._in_thread(self._new_worker)
            except OSError as error:
                log_event("bot_process_refused", logging.ERROR, text=error.strerror)
                await asyncio.sleep(RESTART_SECONDS)
            else:
                if self.is_warm:
                    await self._load(fresh)
                self._free.put_nowait(fresh)
                return

    # Machine code

    async def _warm_up(self) -> None:
        """Compiles once in a separate process, then has every other process load the code."""
        begin = time.perf_counter()
        if not await self._compiled():
            self._is_known.set()
            self._show(failed=True)
            return
        await self._warm_workers()
        self.is_warm = True
        self._is_known.set()
        self.tell_warming(None)
        self._metrics.bots_warm.set(1)
        log_event("bots_warm", seconds=round(time.perf_counter() - begin, 1))

    async def _compiled(self) -> bool:
        """Compiles; returns whether every process can load the machine code.

        A process that has compiled ends then, because it keeps what the compiler needed. One that
        has found everything compiled goes on as a bot process.
        """
        loop = asyncio.get_running_loop()
        compiler = await self._in_thread(self._new_worker)
        warmed: CompilationDone | BotFailure

        def tell(warming: CompilationProgress) -> None:
            loop.call_soon_threadsafe(self._compiling, warming)

        try:
            warmed = await self._in_thread(
                compiler.ask, PoolRequest.WARM, WARM_SECONDS, CompilationDone, tell
            )
        except ProcessLost as lost:
            warmed = BotFailure(lost.kind, "")
        if isinstance(warmed, CompilationDone) and warmed.kept and self._warming is None:
            await self._take_in(compiler)  # nothing had to be compiled
        else:
            await self._in_thread(self._end, compiler)
        if isinstance(warmed, BotFailure):
            log_event("bots_stay_cold", logging.ERROR, kind=warmed.kind, text=warmed.text)
            return False
        for trouble in warmed.troubles:
            log_event("bot_cannot_warm_up", logging.WARNING, text=trouble)
        if not warmed.kept:
            text = "machine code cannot be kept: set INDUSTRY_CACHE_DIR to a writable folder"
            log_event("bots_stay_cold", logging.ERROR, text=text)
        return warmed.kept

    def _compiling(self, warming: CompilationProgress) -> None:
        """Handles progress of the compiler."""
        if self._warming is None:
            log_event("bots_warming_up", bots=",".join(warming.bots), stand_in=UNCOMPILED_STAND_IN)
        self._is_known.set()
        self._warming = warming
        self._show()

    def _show(self, *, failed: bool = False) -> None:
        if self._warming is not None:
            now = self._warming
            parts = {"ready": now.ready, "total": now.total, "bots": list(now.bots)}
            self.tell_warming({**parts, "stand_in": UNCOMPILED_STAND_IN, "failed": failed})

    async def _warm_workers(self) -> None:
        """Replaces each process by one that has loaded the machine code, so that the number of
        processes that answer never drops.
        """
        while any(not worker.is_warm for worker in self._workers):
            fresh = await self._in_thread(self._new_worker)
            await self._load(fresh)
            await self._take_in(fresh)

    async def _take_in(self, fresh: BotProcess) -> None:
        """Puts a process that has loaded the machine code in the place of one that has not."""
        fresh.is_warm = True
        self._free.put_nowait(fresh)
        await self._in_thread(self._end, await self._cold_worker())

    async def _load(self, worker: BotProcess) -> None:
        """Has a process that is not in use yet load machine code."""
        worker.is_warm = True
        with contextlib.suppress(ProcessLost):  # the first request notices and replaces it
            await self._in_thread(worker.ask, PoolRequest.WARM, WARM_SECONDS, CompilationDone)

    async def _cold_worker(self) -> BotProcess:
        """Returns the next free process without machine code, or any if all have it."""
        while True:
            worker = await self._free.get()
            if not (worker.is_warm and any(not other.is_warm for other in self._workers)):
                return worker
            self._free.put_nowait(worker)
            await asyncio.sleep(0.05)

    # Processes and threads

    def _new_worker(self) -> BotProcess:
        worker = BotProcess(self._engines)
        self._workers.add(worker)
        return worker

    def _end(self, worker: BotProcess) -> None:
        worker.end()
        self._workers.discard(worker)

    def _in_thread(
        self, do: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(self._threads, do, *args)

    def _spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
