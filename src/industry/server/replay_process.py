"""Replays records from strangers in a separate process with limits.

Whatever a text does to the parser or the rules happens to a process with bounded memory and time,
which is replaced when it exceeds them.
"""

import contextlib
import gzip
import os
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from industry.boards import BoardSpec
from industry.bots.processes import serve_parent
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
from industry.texts.sanitize import quoted

from .board_info import board_info
from .game_view import ViewCache, game_changes, game_view
from .previews import field_report
from .protocol.replay import MomentWish, ReplayWish
from .protocol.review import ReviewWish
from .protocol.server import ErrorCode
from .table_view import encode
from .wire_events import Wire, wire_event

MEMORY = 192 << 20
"""Bytes that a record may use beyond what the process itself needs."""
POLITE = 5
"""The niceness of the process: games at tables come first."""

Boards = Mapping[str, BoardSpec]
"""Boards by hash."""


class UnplayableRecord(Exception):
    """The record cannot be replayed; carries the answer that says why."""

    def __init__(self, status: int, code: ErrorCode, sentence: str = "") -> None:
        super().__init__(status, code, sentence)
        self.status, self.code, self.sentence = status, code, sentence


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """A request, with the boards that the process has not been sent yet."""

    wish: ReplayWish | MomentWish | ReviewWish
    boards: dict[str, BoardSpec]


@dataclass(frozen=True, slots=True)
class ReplayAnswer:
    """Compressed JSON."""

    body: bytes


def serve(connection: Connection) -> None:
    """Answers requests until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server ends this process when it is ready
    serve_parent()
    with contextlib.suppress(OSError, AttributeError):  # not every system has priorities
        os.nice(POLITE)
    limit_memory(MEMORY)
    boards: dict[str, BoardSpec] = {}
    connection.send(None)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(_answered(connection.recv(), boards))


def limit_memory(more: int) -> bool:
    """Limits this process to this many more bytes; returns False where that is not supported."""
    try:
        import resource
    except ImportError:  # without it only the time is limited
        return False
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + more
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (OSError, ValueError):
        return False
    return True


def _answered(job: ReplayJob, boards: dict[str, BoardSpec]) -> ReplayAnswer | UnplayableRecord:
    boards |= job.boards
    try:
        return ReplayAnswer(_compressed(job.wish, boards))
    except UnplayableRecord as error:
        return error.with_traceback(None)
    except (MemoryError, RecursionError):
        return UnplayableRecord(413, "too_large")
    except Exception:  # the client learns nothing of it, and the process answers the next one
        return UnplayableRecord(500, "internal")


def _compressed(wish: ReplayWish | MomentWish | ReviewWish, boards: Boards) -> bytes:
    if isinstance(wish, MomentWish):
        data: Wire = _worth_at(wish, boards)
    elif isinstance(wish, ReviewWish):
        data = _finished_record(wish.record or "", wish.language, boards)
    else:
        data = replay_answer(wish.record, wish.language, boards)
    return gzip.compress(encode(data).encode(), 5)


def replay_answer(text: str, language: str, boards: Boards) -> Wire:
    """Returns the answer to a record, in the form of `Replayed`; raises `UnplayableRecord`."""
    record = _read(text, language)
    board = _board_of(record, boards)
    game = Game(board, record.players, record.starting_player, record.options)
    seen = game_view(game.position, 0, board, closed=False)
    steps: list[Wire] = [{"entry": opening_entry(game.events[0], board), "changed": {}}]
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
            "line": quoted(record.moves[number - 1]),
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
        raise UnplayableRecord(422, "bad_record", _why(error, board, wish.language)) from None
    reports = {field.id: field_report(position, board, field.id) for field in board.fields}
    return {
        key: {field: report[key] for field, report in reports.items()}
        for key in ("worth", "prospects")
    }


def _finished_record(text: str, language: str, boards: Boards) -> Wire:
    """Returns a record whose game is over, as data; raises `UnplayableRecord`."""
    record = _read(text, language)
    board = _board_of(record, boards)
    try:
        game = replay(record, board)
    except (NotationError, IllegalMove) as error:
        raise UnplayableRecord(422, "bad_record", _why(error, board, language)) from None
    if not game.is_over:
        sentence = say("review.unfinished", language, count=len(record.moves))
        raise UnplayableRecord(422, "bad_record", sentence)
    return record.data()


def _board_of(record: Record, boards: Boards) -> BoardSpec:
    board = boards.get(record.board_hash)
    if board is None or record.edition != board.edition:
        raise UnplayableRecord(422, "unknown_board")
    return board


def _read(text: str, language: str) -> Record:
    """Parses JSON where the text begins with a brace, which TOML never does; otherwise TOML."""
    read = record_from_json if text.lstrip().startswith("{") else record_from_toml
    try:
        return read(text)
    except RecordError as error:
        sentence = say(f"record.{error.code}", language, **error.values)
        raise UnplayableRecord(422, "bad_record", sentence) from None


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


def _steps(game: Game, record: Record, seen: ViewCache) -> Iterator[Wire]:
    for line in record.moves:
        step, seen = played_step(game, line, seen)
        yield step


def played_step(game: Game, line: str, seen: ViewCache) -> tuple[Wire, ViewCache]:
    """Plays a line; returns its step, in the form of `protocol.events.Step`, and the view after."""
    events = game.play(line)
    number = len(game.moves)
    after = game_view(game.position, number, game.board, closed=False, before=seen)
    changed = {"game": game_changes(seen.view, after.view)}
    return {"entry": _move_entry(number, line, events, game.board), "changed": changed}, after


def opening_entry(events: tuple[Event, ...], board: BoardSpec) -> Wire:
    """Returns the log entry before the first move of a game."""
    return _entry(0, "started", [wire_event(event, board.resources) for event in events])


def _move_entry(number: int, line: str, events: tuple[Event, ...], board: BoardSpec) -> Wire:
    """Returns the log entry of a move by a seat's holder, or of a draw."""
    drawn = line.startswith("draw")
    return _entry(
        number,
        "move",
        [wire_event(event, board.resources) for event in events],
        seat=None if drawn else int(line[0]),
        how="chance" if drawn else "player",
        line=line,
    )


def _entry(version: int, kind: str, events: list[Wire], **rest: object) -> Wire:
    """Returns a log entry in the form of `Entry`; records have no times."""
    entry = dict.fromkeys(("seat", "how", "line", "moves", "reason", "name"))
    return {**entry, **rest, "version": version, "at": 0, "kind": kind, "events": events}


def _why(error: NotationError | IllegalMove, board: BoardSpec, language: str) -> str:
    if isinstance(error, NotationError):
        return error.sentence(language)
    return explain(error.refusal, board, language)
