"""Check a record: replay every move and compare all that the record claims."""

from collections.abc import Iterator
from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import (
    Position,
    State,
    apply_move,
    code_of,
    list_moves,
    new_move_list,
    seat_of,
    start,
)
from industry.texts import say

from .explain import explain
from .game import result_of
from .move_text import NotationError, read_move
from .options import rule_options
from .proof import ProofError, check
from .record import RULES_VERSION, Record


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing in a record that is not so; `move` counts from 1, None is the whole."""

    move: int | None
    line: str
    reason: str


def verify(record: Record, board: BoardSpec) -> Mismatch | None:
    """None where the record is right in everything it claims."""
    mismatch = board_mismatch(record, board)
    if mismatch is not None:
        return mismatch
    first = start(
        board.rules,
        len(record.players),
        record.starting_player - 1,
        rule_options(record.options),
    )
    state = first.state.copy()
    claimed = None if record.legal_counts is None else iter(record.legal_counts)
    for number, line in enumerate(record.moves, start=1):
        mismatch = _play(board, state, number, line, claimed)
        if mismatch is not None:
            return mismatch
    end = Position(board.rules, state)
    return _counts_mismatch(record) or _result_mismatch(record, end) or _proof_mismatch(record, end)


def board_mismatch(record: Record, board: BoardSpec) -> Mismatch | None:
    """What tells that the record was played on another board: it cannot be replayed on this one."""
    if record.edition != board.edition:
        return _whole("verify.edition", edition=record.edition, board=board.id, other=board.edition)
    if record.board_hash != board.hash:
        return _whole("verify.board_hash", board=board.id, hash=board.hash)
    return None


def _play(
    board: BoardSpec, state: State, number: int, line: str, claimed: Iterator[int] | None
) -> Mismatch | None:
    """Play a line; `claimed` holds what the record says of the legal moves from here on.

    The state is changed in place: nobody looks at the positions in between.
    """
    try:
        move = read_move(line, board)
    except NotationError as error:
        return Mismatch(number, line, str(error))
    refusal = Position(board.rules, state).refusal(move)
    if refusal is not None:
        return Mismatch(number, line, explain(refusal, board))
    seat = seat_of(move)
    if claimed is not None and seat >= 0:
        # where the list is too short, `_counts_mismatch` tells
        stated = next(claimed, None)
        counted = list_moves(board.rules, state, seat, new_move_list())
        if stated is not None and stated != counted:
            reason = say("verify.legal_count", claimed=stated, counted=counted)
            return Mismatch(number, line, reason)
    apply_move(board.rules, state, seat, code_of(move))
    state.events.clear()
    return None


def _counts_mismatch(record: Record) -> Mismatch | None:
    """The list of legal moves has one entry for every line that is not a draw."""
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
    """What in the proof of the bag, where the record has one, does not fit the game."""
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
