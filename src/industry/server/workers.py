"""Bots think in processes of their own: the event loop never waits, and a lost one is replaced.

A process is asked one thing at a time, through a pipe, by a thread that waits for it. Machine code
comes into being once, in the background; until then bots of levels 1 to 3 decide interpreted, and
for those of levels 4 and 5 the engineer decides.
"""

import asyncio
import logging
import multiprocessing
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar, TypeVarTuple

from industry.boards import BoardSpec
from industry.bots.processes import interrupts_blocked
from industry.notation import Record, replay, write_move

from .forced import passive_move
from .logs import note
from .metrics import Metrics
from .thinking import BotEntry, Errand, Failed, Listed, Moved, Question, Warmed, serve

ATTEMPTS = 2
"""How often a bot is asked for one decision before a passive move is made for it."""
START_SECONDS = 120.0
"""How long a process may take until it listens; importing Numba takes seconds on a busy machine."""
WARM_SECONDS = 1200.0
"""How long the compiler may take."""
QUEUE_SECONDS = 300.0
"""How long a question waits for a free process."""
RESTART_SECONDS = 2.0
"""Pause before a process is tried again that the machine did not let start."""
BUSY_FACTOR = 3.0
"""Bots count processor time and may use so much more of the clock's on a busy machine."""
LEAST_SECONDS = 0.05

Result = TypeVar("Result")
Reply = TypeVar("Reply", Moved, Warmed, Listed)
Arguments = TypeVarTuple("Arguments")


class Lost(Exception):
    """The process did not answer; `kind` says why."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)


class Worker:
    """One process, seen from the outside. Everything here blocks: it belongs into a thread."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.boards: set[str] = set()
        """Hashes of the boards that this process has been sent."""
        self.is_warm = False
        self._listens = False
        with interrupts_blocked():
            self.process.start()
        theirs.close()

    def ask(self, what: Question | Errand, seconds: float, kind: type[Reply]) -> Reply | Failed:
        """The answer to a question; raises `Lost` where none comes in time."""
        try:
            if not self._listens:
                self._answer(START_SECONDS)
                self._listens = True
            self.connection.send(what)
            answer = self._answer(seconds)
        except (OSError, EOFError):
            raise Lost("crash") from None
        if not isinstance(answer, kind | Failed):
            raise Lost("nonsense")
        return answer

    def _answer(self, seconds: float) -> object:
        if not self.connection.poll(seconds):
            raise Lost("hang")
        return self.connection.recv()

    def end(self) -> None:
        """Leave nothing behind."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class BotPool:
    """Some processes in which bots think; every question is answered sooner or later."""

    def __init__(
        self,
        workers: int = 1,
        seconds: float = 1.0,
        patience: float = 10.0,
        metrics: Metrics | None = None,
    ) -> None:
        """`seconds` per decision; `patience` is what a bot may take beyond its time."""
        self.is_warm = False
        self._size = workers
        self._seconds = seconds
        self._patience = patience
        self._metrics = metrics or Metrics()
        self._workers: set[Worker] = set()
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._waiting = 0
        self._stopped = False
        self._tasks: set[asyncio.Task[Any]] = set()
        # one thread per process, one for the compiler, one to start and end others
        self._threads = ThreadPoolExecutor(workers + 2, thread_name_prefix="bots")

    async def start(self, *, warm: bool = True) -> None:
        """Have processes; they get ready in the background, and so does machine code."""
        for _ in range(self._size):
            self._free.put_nowait(await self._in_thread(self._new_worker))
        if warm:
            self._spawn(self._warm_up())

    async def stop(self) -> None:
        """End everything; whoever still waits for an answer is cancelled."""
        self._stopped = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in list(self._workers):
            worker.process.kill()  # its thread wakes up
        self._threads.shutdown()
        for worker in list(self._workers):
            worker.end()

    async def choose(self, bot: str, record: Record, board: BoardSpec, seed: str) -> str:
        """The bot's line for the seat that must decide; the same seed gives it the same chance.

        At worst the move of an absent player (J2); raises nothing but `CancelledError`.
        """
        begin = time.perf_counter()
        for _ in range(ATTEMPTS):
            question = Question(bot, record, board.hash, board, self._budget(), seed, self.is_warm)
            answer = await self._asked(question, question.seconds, Moved)
            if isinstance(answer, Moved):
                self._metrics.bot_seconds.labels(bot).observe(time.perf_counter() - begin)
                return answer.line
            self._metrics.bot_failures.labels(bot, answer.kind).inc()
            note("bot_failed", logging.WARNING, bot=bot, kind=answer.kind, text=answer.text)
        return write_move(passive_move(replay(record, board).position), board)

    async def bots(self) -> list[BotEntry]:
        """The bots that can be loaded, weakest first; empty where no process answers."""
        found = await self._asked(Errand.LIST, START_SECONDS, Listed)
        return list(found.bots) if isinstance(found, Listed) else []

    def _budget(self) -> float:
        """Where many wait, everyone thinks shorter."""
        return max(LEAST_SECONDS, self._seconds / (1 + self._waiting / self._size))

    # Asking

    async def _asked(
        self, what: Question | Errand, seconds: float, kind: type[Reply]
    ) -> Reply | Failed:
        """The first free process is asked. Whoever asked may leave: it finishes all the same."""
        if self._stopped:
            raise asyncio.CancelledError
        return await asyncio.shield(self._spawn(self._converse(what, seconds, kind)))

    async def _converse(
        self, what: Question | Errand, seconds: float, kind: type[Reply]
    ) -> Reply | Failed:
        self._waiting += 1
        try:
            async with asyncio.timeout(QUEUE_SECONDS):
                worker = await self._free.get()
        except TimeoutError:
            return Failed("busy", "no process was free")
        finally:
            self._waiting -= 1
        if isinstance(what, Question):
            known = what.board in worker.boards
            worker.boards.add(what.board)
            what = replace(what, spec=None) if known else what
        return await self._answered(worker, what, BUSY_FACTOR * seconds + self._patience, kind)

    async def _answered(
        self, worker: Worker, what: Question | Errand, limit: float, kind: type[Reply]
    ) -> Reply | Failed:
        """Ask a process that is free, which then is free again or replaced."""
        try:
            answer = await self._in_thread(worker.ask, what, limit, kind)
        except Lost as lost:
            self._spawn(self._replace(worker))
            return Failed(lost.kind, "the process was replaced")
        self._free.put_nowait(worker)
        return answer

    async def _replace(self, worker: Worker) -> None:
        await self._in_thread(self._end, worker)
        while True:
            try:
                fresh = await self._in_thread(self._new_worker)
            except OSError as error:
                note("bot_process_refused", logging.ERROR, text=error.strerror)
                await asyncio.sleep(RESTART_SECONDS)
            else:
                self._free.put_nowait(fresh)
                return

    # Getting warm

    async def _warm_up(self) -> None:
        """Compile once, in a process of its own, and then let each of the others load it."""
        begin = time.perf_counter()
        compiler = await self._in_thread(self._new_worker)
        warmed: Warmed | Failed
        try:
            warmed = await self._in_thread(compiler.ask, Errand.WARM, WARM_SECONDS, Warmed)
        except Lost as lost:
            warmed = Failed(lost.kind, "")
        await self._in_thread(self._end, compiler)
        if isinstance(warmed, Failed):
            note("bots_stay_cold", logging.ERROR, kind=warmed.kind, text=warmed.text)
            return
        for trouble in warmed.troubles:
            note("bot_cannot_warm_up", logging.WARNING, text=trouble)
        if not warmed.kept:
            text = "machine code cannot be kept: set INDUSTRY_CACHE_DIR to a writable folder"
            note("bots_stay_cold", logging.ERROR, text=text)
            return
        self.is_warm = True
        self._metrics.bots_warm.set(1)
        note("bots_warm", seconds=round(time.perf_counter() - begin, 1))
        await self._warm_workers()

    async def _warm_workers(self) -> None:
        """One after the other, so that some are always free; later ones load when first asked."""
        while not all(worker.is_warm for worker in self._workers):
            worker = await self._free.get()
            if worker.is_warm:
                self._free.put_nowait(worker)
                await asyncio.sleep(0.1)
                continue
            worker.is_warm = True
            await self._answered(worker, Errand.WARM, WARM_SECONDS, Warmed)

    # Processes and threads

    def _new_worker(self) -> Worker:
        worker = Worker()
        self._workers.add(worker)
        return worker

    def _end(self, worker: Worker) -> None:
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
