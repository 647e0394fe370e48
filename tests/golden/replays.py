"""The golden games, replayed once: every line with the position before it and after it."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from industry.boards import BoardSpec, load_board
from industry.engine import Event, Move, Position
from industry.notation import Game, Record, record_from_toml

HERE = Path(__file__).parent
GAMES = HERE / "games"
BOARDS = HERE / "boards"


@dataclass(frozen=True)
class ReplayedMove:
    """One line of a game; `number` counts from 1, `previous` is the line before it."""

    number: int
    line: str
    before: Position
    move: Move
    events: tuple[Event, ...]
    after: Position
    previous: "ReplayedMove | None"


@dataclass(frozen=True)
class Replay:
    """A golden game with all that happened in it; `opening` came before the first line."""

    name: str
    record: Record
    board: BoardSpec
    opening: tuple[Event, ...]
    start: Position
    steps: tuple[ReplayedMove, ...]

    @property
    def end(self) -> Position:
        return self.steps[-1].after

    @property
    def events(self) -> list[Event]:
        return [*self.opening, *(event for step in self.steps for event in step.events)]

    def digest(self) -> str:
        """One hash over the digests of all positions, the first included."""
        total = hashlib.sha256(self.start.digest().encode())
        for step in self.steps:
            total.update(step.after.digest().encode())
        return total.hexdigest()


def golden_names() -> list[str]:
    """Every record in the folder is a golden game."""
    return sorted(path.stem for path in GAMES.glob("*.toml"))


def golden_text(name: str) -> str:
    return (GAMES / f"{name}.toml").read_text(encoding="utf-8")


def board_path(record_board: str) -> Path:
    """Golden games are played on boards of their own, never on those of the program."""
    return BOARDS / f"{record_board}.toml"


@cache
def frozen_board(name: str) -> BoardSpec:
    return load_board(board_path(name))


@cache
def golden_replay(name: str) -> Replay:
    """Replay a golden game; raises where a line is illegal."""
    return replay_of(name, record_from_toml(golden_text(name)))


def replay_of(name: str, record: Record) -> Replay:
    board = frozen_board(record.board)
    game = Game(board, record.players, record.starting_player, record.options)
    start, opening = game.position, game.events[0]
    steps: list[ReplayedMove] = []
    for number, line in enumerate(record.moves, start=1):
        before = game.position
        events = game.play(line)
        previous = steps[-1] if steps else None
        steps.append(
            ReplayedMove(number, line, before, game.moves[-1], events, game.position, previous)
        )
    return Replay(name, record, board, opening, start, tuple(steps))
