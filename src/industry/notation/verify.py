"""Checks a record: replays every move and compares everything that the record claims."""

from collections.abc import Iterator
from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import (
    Position,
    State,
    list_moves,
    new_move_list,
    seat_of,
)
from industry.texts import say

from .game import result_of
from .in_place import BrokenLine, InPlaceReplay
from .proof import ProofError, check
from .record import RULES_VERSION, Record


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first wrong statement of a record; `move` counts from 1, None is the whole record."""

    move: int | None
    line: str
    reason: str


def verify(record: Record, board: BoardSpec) -> Mismatch | None:
    """Returns the first mismatch; None if everything that the record claims is right."""
    mismatch = board_mismatch(record, board)
    if mismatch is not None:
        return mismatch
    game = InPlaceReplay(record, board)
    claimed = None if record.legal_counts is None else iter(record.legal_counts)
    try:
        for number, line, move in game.moves():
            reason = _count_mismatch(board, game.state, seat_of(move), claimed)
            if reason:
                return Mismatch(number, line, reason)
    except BrokenLine as broken:
        return Mismatch(broken.number, broken.line, broken.reason)
    end = game.position
    return _counts_mismatch(record) or _result_mismatch(record, end) or _proof_mismatch(record, end)


def board_mismatch(record: Record, board: BoardSpec) -> Mismatch | None:
    """Returns a mismatch if the record was played on another board than this one."""
    if record.edition != board.edition:
        return _whole("verify.edition", edition=record.edition, board=board.id, other=board.edition)
    if record.board_hash != board.hash:
        return _whole("verify.board_hash", board=board.id, hash=board.hash)
    return None


def _count_mismatch(
    board: BoardSpec, state: State, seat: int, claimed: Iterator[int] | None
) -> str | None:
    """Checks the number of legal moves that the record claims next."""
    if claimed is None or seat < 0:
        return None
    stated = next(claimed, None)  # `_counts_mismatch` reports a list that is too short
    counted = list_moves(board.rules, state, seat, new_move_list())
    if stated in (None, counted):
        return None
    return say("verify.legal_count", claimed=stated, counted=counted)


def _counts_mismatch(record: Record) -> Mismatch | None:
    """Checks that the list of legal counts has one entry for every line that is not a draw."""
    if record.legal_counts is None:
        return None
    counted = sum(1 for line in record.moves if not line.startswith("draw"))
    if len(record.legal_counts) == counted:
        return None
    return _whole("verify.legal_counts", claimed=len(record.legal_counts), counted=counted)


def _result_mismatch(record: Record, end: Position) -> Mismatch | None:
    if not end.is_over:
        return _whole("verify.result_early") if record.result is not None else None
    if record.result is None:
        return _whole("verify.result_missing")
    result = result_of(end)
    if record.result.points != result.points:
        return _whole(
            "verify.points", claimed=list(record.result.points), counted=list(result.points)
        )
    if record.result.winners != result.winners:
        return _whole(
            "verify.winners", claimed=list(record.result.winners), counted=list(result.winners)
        )
    for seat, (claimed, counted) in enumerate(
        zip(record.result.breakdown, result.breakdown, strict=True), start=1
    ):
        if claimed != counted:
            return _whole("verify.breakdown", seat=seat)
    return None


def _proof_mismatch(record: Record, end: Position) -> Mismatch | None:
    """Checks the proof of the bag, if the record has one, against the game."""
    if record.proof is None:
        return None
    try:
        check(
            record.proof,
            record.moves,
            record.players,
            record.starting_player,
            over=end.is_over,
            rules_version=RULES_VERSION,
        )
    except ProofError as error:
        reason = say(f"verify.proof.{error.code}", **error.values)
        move = error.values.get("move")
        if isinstance(move, int):
            return Mismatch(move, record.moves[move - 1], reason)
        return Mismatch(None, "", reason)
    return None


def _whole(key: str, **values: object) -> Mismatch:
    return Mismatch(None, "", say(key, **values))
