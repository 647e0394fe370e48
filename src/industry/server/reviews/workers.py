"""Runs the processes in which reviews are computed: starts them on demand, replaces lost ones."""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from industry.boards import BoardSpec
from industry.notation import Record

from ..child_process import ChildProcess, ProcessLost
from ..logs import log_event
from .process import Answer, Question, Trouble, serve

PROCESSES = min(2, os.cpu_count() or 1)
SECONDS = 300.0
"""How long one question may take on a very busy machine."""


class NoAnswer(Exception):
    """A question has no answer: the process was lost, or has said why."""


def review_process(niceness: int) -> ChildProcess:
    """Starts a process that answers questions about games."""
    return ChildProcess(partial(serve, niceness=niceness))


class ReviewWorkers:
    """Answers questions about games; those that a person waits for come before parts of jobs."""

    def __init__(self, start: Callable[[], ChildProcess], size: int = PROCESSES) -> None:
        self.size = size
        self._start = start
        self._started: set[ChildProcess] = set()
        self._idle: list[ChildProcess] = []
        self._open = size
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="reviews")

    async def stop(self) -> None:
        """Ends all processes; what is asked gets no answer."""
        for process in list(self._started):
            process.process.kill()  # wakes up its thread
        await asyncio.to_thread(self._threads.shutdown)
        for process in list(self._started):
            process.end()

    async def ask(
        self,
        what: str,
        board: BoardSpec,
        record: Record | None,
        *values: object,
        urgent: bool = False,
    ) -> bytes:
        """Returns an answer of `process.ANSWERS`; raises `NoAnswer`."""
        await self._turn(self._urgent if urgent else self._patient)
        try:
            question = Question(what, record, board.hash, board, values)
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._threads, self._ask, question)
        finally:
            self._open += 1
            self._hand_out()
        if isinstance(answer, Trouble):
            log_event("review_trouble", what=what, text=answer.text)
            raise NoAnswer(answer.text)
        return answer.body

    async def _turn(self, queue: deque[asyncio.Future[None]]) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(place)
        self._hand_out()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._open += 1
                self._hand_out()
            raise

    def _hand_out(self) -> None:
        for queue in (self._urgent, self._patient):
            while queue and self._open:
                place = queue.popleft()
                if not place.done():
                    self._open -= 1
                    place.set_result(None)

    def _ask(self, question: Question) -> Answer | Trouble:
        """Asks a process, in a thread; a lost one is replaced by the next question."""
        process: ChildProcess | None = None
        try:
            process = self._idle.pop() if self._idle else self._start()
            self._started.add(process)
            if question.board in process.boards:
                question = replace(question, spec=None)
            process.boards.add(question.board)
            answer = process.request(question, SECONDS)
            if not isinstance(answer, Answer | Trouble):
                raise ProcessLost("nonsense")
        except (ProcessLost, OSError) as lost:
            kind = lost.kind if isinstance(lost, ProcessLost) else "start"
            if process is not None:
                self._started.discard(process)
                process.end()
            return Trouble(f"the process was lost ({kind})")
        self._idle.append(process)
        return answer
