"""Plays games in child processes, so that a bot that hangs or crashes loses only its game."""

import contextlib
import ctypes
import multiprocessing
import os
import time
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from industry.bots import BotError, bot_maker
from industry.bots.clock import time_limit

from .executor import interrupts_blocked, keep_interrupts_blocked, serve_parent
from .match import Forfeit, Match, describe_error
from .outcome import CRASH, HANG, Outcome
from .schedule import ArenaError, Seating, Tournament
from .trace import CELLS, Trace

CHECK = 0.25
"""Seconds between checks of the bots that are thinking."""
AHEAD = 100
"""How many games may be started while an earlier one still runs."""

Task = tuple[int, Seating]


def warm_up(tournament: Tournament) -> None:
    """Lets bots prepare (compile, load weights) before any clock runs; raises `BotError`.

    A bot prepares in a method `warm_up()`, if it has one.
    """
    for name in dict.fromkeys(entrant.bot for entrant in tournament.entrants):
        make = bot_maker(name, commands=True)
        try:
            if callable(prepare := getattr(make(), "warm_up", None)):
                prepare()
        except BotError:
            raise
        except Exception as error:
            raise BotError(f"{name} cannot warm up: {describe_error(error)}.") from error
    if tournament.adjusted:
        from industry.bots.valued_lines import compile_lines  # it loads numpy and Numba

        compile_lines()


def play_in_processes(
    tournament: Tournament, seatings: Iterable[Seating], processes: int
) -> Generator[Outcome, None, None]:
    """Yields the outcomes in the order of the seatings, with any number of processes."""
    pool = GamePool(tournament, processes)
    try:
        yield from pool.play(seatings)
    finally:
        with interrupts_blocked():
            pool.close()


class GamePool:
    """Processes that each play one game at a time."""

    def __init__(self, tournament: Tournament, processes: int) -> None:
        self.tournament = tournament
        self.workers: list[GameProcess] = []
        keep_interrupts_blocked()
        with interrupts_blocked():
            self.workers.extend(GameProcess(tournament) for _ in range(processes))

    def play(self, seatings: Iterable[Seating]) -> Iterator[Outcome]:
        tasks = enumerate(seatings)
        finished: dict[int, Outcome] = {}
        given = due = 0
        task = next(tasks, None)
        while task is not None or due < given:
            for worker in self.workers:
                if task is not None and worker.is_free and given - due < AHEAD:
                    worker.give(task)
                    given += 1
                    task = next(tasks, None)
            finished.update(self._finished_games())
            while due in finished:
                yield finished.pop(due)
                due += 1

    def _finished_games(self) -> Iterator[tuple[int, Outcome]]:
        """Waits briefly for games to end, by themselves or because a bot must be stopped."""
        signs: list[Any] = []
        for worker in self.workers:
            signs += [worker.connection, worker.process.sentinel]
        wait(signs, timeout=CHECK)
        for place, worker in enumerate(self.workers):
            number = worker.task[0] if worker.task else None
            outcome = worker.look()
            if worker.is_gone:
                with interrupts_blocked():
                    worker.end()
                    self.workers[place] = GameProcess(self.tournament)
            if outcome is not None and number is not None:
                yield number, outcome

    def close(self) -> None:
        for worker in self.workers:
            worker.end()


class GameProcess:
    """A child process and the game that it plays."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.task: Task | None = None
        self.is_ready = False
        self.is_gone = False
        context = multiprocessing.get_context("spawn")
        cells = context.RawArray(ctypes.c_int32, CELLS)
        since = context.RawValue(ctypes.c_double)
        self.trace = Trace(cells, since)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(tournament, theirs, cells, since), daemon=True
        )
        self.process.start()
        theirs.close()

    @property
    def is_free(self) -> bool:
        return self.is_ready and self.task is None

    def give(self, task: Task) -> None:
        self.task = task
        with contextlib.suppress(OSError):  # a process that died meanwhile is seen by `look`
            self.connection.send(task[1])

    def look(self) -> Outcome | None:
        """Returns the outcome of the game, if it has ended."""
        try:
            if self.connection.poll():
                return self._received(self.connection.recv())
        except (EOFError, OSError):
            self.is_gone = True
        if self.is_gone or not self.process.is_alive():
            self.is_gone = True
            self.process.join()
            return self._forfeited(CRASH, f"ended its process (exit code {self.process.exitcode})")
        if self._is_overdue():
            self.is_gone = True
            return self._forfeited(HANG, "did not answer and was stopped")
        return None

    def _received(self, message: object) -> Outcome | None:
        if isinstance(message, Outcome):
            self.task = None
            return message
        if isinstance(message, str):
            raise ArenaError(message)
        self.is_ready = True
        return None

    def _is_overdue(self) -> bool:
        seat, since = self.trace.thinking, self.trace.since
        if self.task is None or seat < 0 or not since:
            return False
        entrant = self.tournament.entrants[self.task[1].seats[seat]]
        limit = time_limit(entrant.seconds) + self.tournament.patience
        return time.monotonic() - since > limit

    def _forfeited(self, kind: str, detail: str) -> Outcome:
        seat = self.trace.thinking
        if self.task is None or seat < 0:
            raise ArenaError(f"a process in which bots play {detail}, and no bot was thinking.")
        match = Match(self.tournament, self.task[1], self.trace)
        return match.forfeited(Forfeit(seat, kind, detail))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(tournament: Tournament, connection: Connection, cells: Any, since: Any) -> None:
    """Plays one game after another until no more are requested."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # a bot that prints must not spoil the table or the JSON of the parent
    serve_parent()  # a bot that hangs must not outlive a parent that was killed
    try:
        warm_up(tournament)
    except BotError as error:
        connection.send(str(error))
        return
    connection.send(None)
    with contextlib.suppress(EOFError):
        while True:
            seating = connection.recv()
            connection.send(Match(tournament, seating, Trace(cells, since)).play())
