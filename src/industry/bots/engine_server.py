"""Speaks the engine protocol for a bot of this program: docs/engine-protocol.md."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from industry.boards import BoardError, BoardSpec, load_board
from industry.boards.rule_text import board_from_rule_text
from industry.boards.store import BOARDS
from industry.notation import Game, RecordError, record_from_json, replay, write_move

from .base import BoardAndRecord, Bot, ask
from .external_engine import PROTOCOL


class ProtocolError(ValueError):
    """A message that the protocol does not allow at this point; the text is a sentence."""


@dataclass
class EngineServer:
    """Answers the lines of a host."""

    name: str
    make: Callable[[], Bot]
    say: Callable[[str], None]
    board: BoardSpec | None = None
    game: Game | None = None

    def serve(self, lines: Iterable[str]) -> None:
        """Answers until `quit` or the end of the input; a wrong message gets an `error` line."""
        for line in lines:
            keyword, _, rest = line.strip().partition(" ")
            if keyword == "quit":
                return
            try:
                self._answer(keyword, rest)
            except (ProtocolError, RecordError, BoardError) as error:
                self.say(f"error {' '.join(str(error).split())}")

    def _answer(self, keyword: str, rest: str) -> None:
        match keyword:
            case "hello":
                self._hello(rest)
            case "board":
                self.board = board_from_rule_text(rest, "host")
            case "position":
                self.game = self._replayed(rest)
            case "go":
                self.say(f"move {self._choice(rest)}")
            case "stop" | "":
                pass  # a bot keeps to its budget, so there is nothing to stop
            case _:
                raise ProtocolError(f"there is no message “{keyword[:20]}”.")

    def _hello(self, version: str) -> None:
        if version != str(PROTOCOL):
            raise ProtocolError(f"this engine speaks protocol {PROTOCOL}.")
        if callable(prepare := getattr(self.make(), "warm_up", None)):
            prepare()
        self.say(f"hello {PROTOCOL} {self.name}")

    def _replayed(self, text: str) -> Game:
        record = record_from_json(text)
        board = self.board
        if board is None or board.hash != record.board_hash:
            own = (load_board(name) for name in BOARDS)
            board = next((one for one in own if one.hash == record.board_hash), None)
        if board is None:
            raise ProtocolError("the board of this record is not known: send it with `board`.")
        try:
            return replay(record, board)
        except ValueError as error:
            raise ProtocolError(f"the record cannot be replayed: {error}") from None

    def _choice(self, text: str) -> str:
        if self.game is None:
            raise ProtocolError("`go` needs a `position` before it.")
        position = self.game.position
        legal = position.legal_moves
        if position.is_over or not legal:
            raise ProtocolError("nobody has to decide in this position.")
        seconds, seed = _budget(text)
        game = BoardAndRecord(self.game.board, self.game.record)
        move = ask(self.make(), position, legal, seconds, Random(seed), game)
        return write_move(move, self.game.board)


def _budget(text: str) -> tuple[float, int]:
    try:
        data: Any = json.loads(text)
        return float(data["milliseconds"]) / 1000, int(data.get("seed", 0))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ProtocolError('write a budget like {"milliseconds": 20, "seed": 1}.') from None
