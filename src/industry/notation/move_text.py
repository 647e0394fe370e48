"""One move, one line: `2 bid 3`, `1 develop 2H stone=own glass=joker`, `draw 1A 1F 1K`."""

import re
from collections.abc import Callable

from industry.boards.spec import FIELD_INDEX, BoardSpec
from industry.engine import (
    MAX_SEATS,
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Draw,
    Move,
    Offer,
    Pass,
    PlayerMove,
    Sell,
    Source,
    Subsidy,
    field_id,
)
from industry.texts import say
from industry.texts.sanitize import quoted

MAX_LINE = 200
"""No move has a longer line."""

_SOURCE_WORDS = {
    "own": Source.OWN,
    "bank": Source.BANK,
    "joker": Source.JOKER,
    "any": Source.ANY,
}
_WORD_OF_SOURCE = {int(source): word for word, source in _SOURCE_WORDS.items()}
_LONE_WORDS: dict[str, Callable[[int], PlayerMove]] = {
    "pass": Pass,
    "sell": Sell,
    "claim": Claim,
    "done": Done,
    "subsidy": Subsidy,
}
_WORD_OF_MOVE = {make: word for word, make in _LONE_WORDS.items()}
_SEAT = re.compile(rf"[1-{MAX_SEATS}]")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


class NotationError(ValueError):
    """The text is not a move of this board; `code` and `values` name the catalogue's sentence."""

    def __init__(self, code: str, **values: str) -> None:
        self.code = code
        self.values = values
        super().__init__(self.sentence())

    def sentence(self, language: str = "en") -> str:
        return say(f"notation.{self.code}", language, **self.values)


def read_move(line: str, board: BoardSpec) -> Move:
    """Parses a line as a move; raises `NotationError`. Does not check that the move is legal."""
    words = line.split(" ")
    if len(line) > MAX_LINE or "" in words:
        raise NotationError("spaces", line=quoted(line))
    if words[0] == "draw":
        if len(words) == 1:
            raise NotationError("draw_empty")
        return Draw(tuple(_field(word) for word in words[1:]))
    if not _SEAT.fullmatch(words[0]):
        raise NotationError("seat", line=quoted(line))
    if len(words) == 1:
        raise NotationError("verb_missing", line=quoted(line))
    return _player_move(int(words[0]) - 1, words[1], words[2:], board, line)


def _player_move(seat: int, verb: str, rest: list[str], board: BoardSpec, line: str) -> PlayerMove:
    if verb in _LONE_WORDS:
        _expect(len(rest) == 0, line)
        return _LONE_WORDS[verb](seat)
    if verb == "bid":
        _expect(len(rest) == 1 and _NUMBER.fullmatch(rest[0]) is not None, line)
        return Bid(seat, int(rest[0]))
    if verb in ("offer", "cash"):
        _expect(len(rest) == 1, line)
        field = _field(rest[0])
        return Offer(seat, field) if verb == "offer" else Cash(seat, field)
    if verb == "develop":
        _expect(len(rest) >= 1, line)
        field = _field(rest[0])
        return Develop(seat, field, _sources(rest[1:], field, board, line))
    raise NotationError("verb", verb=quoted(verb))


def _expect(holds: bool, line: str) -> None:
    if not holds:
        raise NotationError("shape", line=quoted(line))


def _field(word: str) -> int:
    if word not in FIELD_INDEX:
        raise NotationError("field", word=quoted(word))
    return FIELD_INDEX[word]


def _sources(words: list[str], field: int, board: BoardSpec, line: str) -> tuple[int, ...]:
    pairs = [word.split("=") for word in words]
    _expect(all(len(pair) == 2 for pair in pairs), line)
    needs = board.field(field).needs
    if tuple(pair[0] for pair in pairs) != needs:
        if not needs:
            raise NotationError("no_needs", field=field_id(field))
        order = " ".join(f"{need}=…" for need in needs)
        raise NotationError("needs", field=field_id(field), needs=order)
    return tuple(_source(pair[1]) for pair in pairs)


def _source(word: str) -> int:
    if word in _SOURCE_WORDS:
        return _SOURCE_WORDS[word]
    if _SEAT.fullmatch(word):
        return Source.SEAT + int(word) - 1
    raise NotationError("source", word=quoted(word))


def write_move(move: Move, board: BoardSpec) -> str:
    """Returns the line of a move."""
    match move:
        case Draw(fields):
            return " ".join(["draw", *(field_id(field) for field in fields)])
        case Offer(seat, field):
            return f"{seat + 1} offer {field_id(field)}"
        case Bid(seat, talers):
            return f"{seat + 1} bid {talers}"
        case Cash(seat, field):
            return f"{seat + 1} cash {field_id(field)}"
        case Develop(seat, field, sources):
            needs = zip(board.field(field).needs, sources, strict=True)
            paid = [f"{need}={source_word(source)}" for need, source in needs]
            return " ".join([f"{seat + 1} develop {field_id(field)}", *paid])
        case _:
            return f"{move.seat + 1} {_WORD_OF_MOVE[type(move)]}"


def source_word(source: int) -> str:
    """Returns `own`, `bank`, `joker`, `any` or the seat's number."""
    if source >= Source.SEAT:
        return str(source - Source.SEAT + 1)
    return _WORD_OF_SOURCE[source]
