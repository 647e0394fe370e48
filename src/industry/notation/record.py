"""The game record: one game as a value, from and to TOML and JSON."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import tomli_w

from industry.boards.spec import EDITIONS, BoardSpec
from industry.engine import Breakdown
from industry.texts import say
from industry.texts.sanitize import UNPRINTABLE, quoted

from .options import OptionError, complete_options
from .proof import Proof, ProofError, proof_from_data
from .shape import is_too_deep

FORMAT = 1
RULES_VERSION = 1
"""Raised only when the outcome of some recorded game would change."""

SCORE_PARTS = ("development", "money", "links", "bonuses", "jokers", "subsidy")
MAX_MOVES = 10_000
MAX_NAME = 100
MAX_NUMBER = 1_000_000
"""The limit of the absolute value of every number in a record."""


class RecordError(ValueError):
    """The text is not a game record; `code` and `values` name the catalogue's sentence."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(say(f"record.{code}", **values))


@dataclass(frozen=True, slots=True)
class Result:
    """Points and breakdown by seat; winners are seat numbers from 1, ascending."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    breakdown: tuple[Breakdown, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One game, running or finished. Seats count from 1 here, as in the file."""

    edition: str
    board: str
    board_hash: str
    players: tuple[str, ...]
    starting_player: int
    moves: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    result: Result | None = None
    legal_counts: tuple[int, ...] | None = None
    proof: Proof | None = None
    """Of a game on a server: what is known about its bag."""
    bots: tuple[str, ...] = ()
    """By seat, the name under which a bot is found, or "" for a person; empty where unknown."""

    def data(self) -> dict[str, Any]:
        """Returns the record as plain data, with keys in the order of the format."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "edition": self.edition,
            "board": self.board,
            "board_hash": self.board_hash,
            "rules_version": RULES_VERSION,
            "players": list(self.players),
            **({"bots": list(self.bots)} if self.bots else {}),
            "starting_player": self.starting_player,
            "moves": list(self.moves),
        }
        if self.legal_counts is not None:
            data["legal_counts"] = list(self.legal_counts)
        data["options"] = dict(self.options)
        if self.result is not None:
            data["result"] = {
                "points": list(self.result.points),
                "winners": list(self.result.winners),
                "breakdown": [
                    {part: getattr(entry, part) for part in SCORE_PARTS}
                    for entry in self.result.breakdown
                ],
            }
        if self.proof is not None:
            data["proof"] = self.proof.data()
        return data

    def to_toml(self) -> str:
        return tomli_w.dumps(self.data())

    def to_json(self) -> str:
        """Returns one line, without the line end."""
        return json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))


def new_record(
    board: BoardSpec,
    players: Sequence[str],
    starting_player: int,
    options: Mapping[str, str],
    moves: Iterable[str],
    *,
    result: Result | None = None,
    legal_counts: tuple[int, ...] | None = None,
    proof: Proof | None = None,
    bots: tuple[str, ...] = (),
) -> Record:
    """Builds the record of a game on this board; the Starting Player counts from 1."""
    return Record(
        edition=board.edition,
        board=board.id,
        board_hash=board.hash,
        players=tuple(players),
        starting_player=starting_player,
        moves=tuple(moves),
        options=options,
        result=result,
        legal_counts=legal_counts,
        proof=proof,
        bots=bots,
    )


def new_result(parts: tuple[Breakdown, ...], winners: Iterable[int]) -> Result:
    """Builds the result from the parts of every seat's points; winners are seats from 0."""
    points = tuple(part.points for part in parts)
    return Result(points, tuple(seat + 1 for seat in winners), parts)


def record_from_toml(text: str) -> Record:
    return record_from_data(_parse(_load_toml, text, "toml"))


def record_from_json(text: str) -> Record:
    return record_from_data(_parse(_load_json, text, "json"))


def _parse(load: Callable[[str], Any], text: str, language: str) -> Any:
    try:
        return load(text)
    except RecordError:
        raise
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise RecordError(language, detail=str(error)) from None
    except RecursionError:
        raise RecordError(language, detail=say("record.too_deep")) from None
    except ValueError:  # Python reads no number of more than 4300 digits
        raise RecordError(language, detail=say("record.too_long")) from None


def _load_toml(text: str) -> Any:
    if is_too_deep(text):
        raise RecordError("toml", detail=say("record.too_deep"))
    return tomllib.loads(text)


def _load_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a table and refuses repeated keys, because it would be unclear which value counts."""
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise RecordError("key_twice", key=quoted(key))
        table[key] = value
    return table


def record_from_data(data: Any) -> Record:
    """Parses a record from plain data; ignores unknown keys."""
    if not isinstance(data, dict):
        raise RecordError("not_a_table")
    _version(data, "format", FORMAT)
    _version(data, "rules_version", RULES_VERSION)
    edition = _text(data, "edition")
    if edition not in EDITIONS:
        raise RecordError("edition", value=quoted(edition), known=", ".join(EDITIONS))
    players = checked_names(_texts(data, "players"))
    starting_player = _number(data, "starting_player")
    if not 1 <= starting_player <= len(players):
        raise RecordError("starting_player", value=starting_player, count=len(players))
    return Record(
        edition=edition,
        board=_text(data, "board"),
        board_hash=_text(data, "board_hash"),
        players=players,
        starting_player=starting_player,
        moves=_texts(data, "moves"),
        options=_options(data, edition),
        result=_result(data.get("result"), len(players)) if "result" in data else None,
        legal_counts=_numbers(data, "legal_counts") if "legal_counts" in data else None,
        proof=_proof(data["proof"]) if "proof" in data else None,
        bots=_bots(data.get("bots"), len(players)),
    )


def _version(data: dict[str, Any], key: str, known: int) -> None:
    version = _number(data, key)
    if version != known:
        raise RecordError("version", key=key, value=version, known=known)


def _present(data: dict[str, Any], key: str) -> Any:
    if key not in data:
        raise RecordError("missing", key=key)
    return data[key]


def _text(data: dict[str, Any], key: str) -> str:
    value = _present(data, key)
    if not isinstance(value, str):
        raise RecordError("type_text", key=key)
    return value


def _number(data: dict[str, Any], key: str) -> int:
    value = _present(data, key)
    if type(value) is not int:
        raise RecordError("type_number", key=key)
    _check_size(value, key)
    return value


def _check_size(number: int, key: str) -> None:
    if abs(number) > MAX_NUMBER:
        raise RecordError("too_large", key=key, most=MAX_NUMBER)


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = _present(data, key)
    if not isinstance(value, list):
        raise RecordError("type_list", key=key)
    if len(value) > MAX_MOVES:
        raise RecordError("too_many", key=key, count=len(value), most=MAX_MOVES)
    return value


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Returns three or four valid player names; raises `RecordError`."""
    if len(names) not in (3, 4):
        raise RecordError("players", count=len(names))
    for name in names:
        if not 0 < len(name) <= MAX_NAME:
            raise RecordError("name", most=MAX_NAME)
        if UNPRINTABLE.search(name):
            raise RecordError("name_print")
    return tuple(names)


def _texts(data: dict[str, Any], key: str) -> tuple[str, ...]:
    values = _list(data, key)
    if not all(isinstance(value, str) for value in values):
        raise RecordError("type_texts", key=key)
    return tuple(values)


def _bots(value: Any, players: int) -> tuple[str, ...]:
    """Returns one name per seat, or nothing: format 1 ignores a key of another meaning."""
    if not isinstance(value, list) or len(value) != players:
        return ()
    if not all(isinstance(name, str) and len(name) <= MAX_NAME for name in value):
        return ()
    return tuple(value)


def _numbers(data: dict[str, Any], key: str) -> tuple[int, ...]:
    values = _list(data, key)
    if not all(type(value) is int for value in values):
        raise RecordError("type_numbers", key=key)
    for value in values:
        _check_size(value, key)
    return tuple(values)


def _options(data: dict[str, Any], edition: str) -> dict[str, str]:
    options = _present(data, "options")
    if not isinstance(options, dict):
        raise RecordError("type_table", key="options")
    try:
        complete = complete_options(edition, options)
    except OptionError as error:
        raise RecordError("option", detail=str(error)) from None
    for name in complete:
        if name not in options:
            raise RecordError("option_missing", option=name)
    return complete


def _result(data: Any, players: int) -> Result:
    if not isinstance(data, dict):
        raise RecordError("type_table", key="result")
    points = _numbers(data, "points")
    winners = _numbers(data, "winners")
    entries = _list(data, "breakdown")
    if len(points) != players or len(entries) != players:
        raise RecordError("result_seats", count=players)
    return Result(points, winners, tuple(_breakdown(entry) for entry in entries))


def _breakdown(entry: Any) -> Breakdown:
    if not isinstance(entry, dict):
        raise RecordError("type_table", key="result.breakdown")
    return Breakdown(*(_number(entry, part) for part in SCORE_PARTS))


def _proof(data: Any) -> Proof:
    try:
        return proof_from_data(data)
    except ProofError as error:
        raise RecordError(
            "proof_scheme" if error.code == "scheme" else "proof_shape", **error.values
        ) from None
