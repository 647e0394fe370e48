"""A bot that is a separate program, in any language: docs/engine-protocol.md."""

import atexit
import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from industry.boards import BoardSpec
from industry.engine import PlayerMove, Position
from industry.notation import NotationError, Record, read_move, write_move
from industry.texts.sanitize import quoted

from .base import BoardAndRecord, BotError, BotTooSlow
from .clock import time_limit

PROTOCOL = 1
START_SECONDS = 180.0
"""How long an engine may take to say hello; compiling for the first time takes a minute."""
MAX_LINE = 64 * 1024
MAX_OUTPUT = 1024 * 1024
"""Bytes that an engine may print per decision."""
MAX_ERRORS = 2000
"""Bytes of an engine's latest output on standard error that are kept."""
SEED_BITS = 53
"""A seed is exact in every language that reads JSON numbers as floating point."""


class EngineError(Exception):
    """An engine broke the protocol, or ended."""


def split_command(command: str) -> tuple[str, ...]:
    """Returns the words of a command as a shell would split them; raises `BotError`."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise BotError(f"exec:{quoted(command)} is not a command: {error}.") from None
    if not words:
        raise BotError("exec: needs a command, like exec:./my-engine.")
    return words


class EngineProcess:
    """A running engine. Whatever it does, every call returns or raises in time."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the program that asks
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise BotError(f"{quoted(command[0])} cannot be started: {reason}.") from None
        self._board = ""
        self._errors = b""
        self._is_late = False
        self._listener = threading.Thread(target=self._keep_errors, daemon=True)
        self._listener.start()
        with self._limit(START_SECONDS):
            self._send(f"hello {PROTOCOL}")
            version, _, self.name = self._answer("hello").partition(" ")
            if version != str(PROTOCOL):
                raise EngineError(f"speaks protocol {quoted(version)}, not {PROTOCOL}")

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def choose(
        self, board: BoardSpec, record: Record, legal: Sequence[str], seconds: float, seed: int
    ) -> str:
        """Returns the line that the engine chose; raises `EngineError` or `BotTooSlow`."""
        budget = {"milliseconds": 1000 * seconds, "seed": seed, "legal": list(legal)}
        with self._limit(time_limit(seconds)):
            if board.hash != self._board:
                self._send(f"board {board.rule_text}")
                self._board = board.hash
            self._send(f"position {record.to_json()}")
            self._send(f"go {json.dumps(budget, ensure_ascii=False)}")
            return self._answer("move")

    def close(self) -> None:
        """Asks the engine to quit, and ends it if it does not."""
        with contextlib.suppress(EngineError, subprocess.TimeoutExpired):
            self._send("quit")
            self._process.wait(1)
        self._end()

    @contextmanager
    def _limit(self, seconds: float) -> Iterator[None]:
        """Ends the engine after this time: then no reading or writing blocks any longer."""
        timers = threading.Timer(seconds, self._end_late), threading.Timer(seconds / 2, self._stop)
        for timer in timers:
            timer.daemon = True
            timer.start()
        try:
            yield
        except EngineError as error:
            self._end()
            if self._is_late:
                raise BotTooSlow(f"did not answer within {seconds:g} s") from None
            lines = self._errors.decode("utf-8", "replace").strip().splitlines()
            last = f"; its last error: {quoted(lines[-1])}" if lines else ""
            raise EngineError(f"it {error}{last}") from None
        finally:
            for timer in timers:
                timer.cancel()

    def _end_late(self) -> None:
        self._is_late = True
        self._kill()

    def _stop(self) -> None:
        with contextlib.suppress(EngineError):
            self._send("stop")

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineError("ended") from None

    def _answer(self, keyword: str) -> str:
        """Returns the text after the keyword in the engine's next answer."""
        assert self._process.stdout is not None
        read = 0
        while read < MAX_OUTPUT:
            line = self._process.stdout.readline(MAX_LINE)
            read += len(line)
            if not line:
                raise EngineError("ended")
            if not line.endswith(b"\n"):
                raise EngineError(f"printed a line of more than {MAX_LINE} bytes")
            said, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
            if said == keyword:
                return rest
            if said not in ("info", ""):
                raise EngineError(f"printed “{quoted(said + ' ' + rest)}” instead of {keyword}")
        raise EngineError(f"printed more than {MAX_OUTPUT} bytes for one answer")

    def _keep_errors(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while piece := os.read(self._process.stderr.fileno(), MAX_LINE):
                self._errors = (self._errors + piece)[-MAX_ERRORS:]

    def _kill(self) -> None:
        """Ends the engine and what it started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _end(self) -> None:
        """Ends the engine and closes its pipes; only for the thread that uses it."""
        self._kill()
        self._process.wait()
        self._listener.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


_running: dict[tuple[int, tuple[str, ...]], EngineProcess] = {}
"""The engines by process and command: a child process must not write into its parent's pipes."""


def _engine(command: tuple[str, ...]) -> EngineProcess:
    """Returns the running engine of a command, started if necessary."""
    key = os.getpid(), command
    found = _running.get(key)
    if found is None or not found.is_running:
        try:
            found = _running[key] = EngineProcess(command)
        except (EngineError, BotTooSlow) as error:
            raise BotError(f"{quoted(command[0])} cannot be used as an engine: {error}.") from None
    return found


@atexit.register
def _close_engines() -> None:
    for (process, _), engine in _running.items():
        if process == os.getpid():
            engine.close()


class EngineBot:
    """Lets an engine decide; one engine serves all seats and games of a process in turn."""

    level = 0

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self.description = f"The engine {_engine(command).name or command[0]}."

    def choose_from_record(
        self, game: BoardAndRecord, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        """Returns the engine's move, which may be illegal; the caller compares."""
        lines = [write_move(move, game.board) for move in legal]
        seed = rng.getrandbits(SEED_BITS)
        line = _engine(self._command).choose(game.board, game.record(), lines, seconds, seed)
        try:
            return read_move(line, game.board)  # type: ignore[return-value]
        except NotationError:
            raise EngineError(f"it chose “{quoted(line)}”, which is not a move") from None

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        """Always raises, because an engine needs the record of the game."""
        raise EngineError("an engine cannot be asked about a position without its record")
