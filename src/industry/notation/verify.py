"""Check a record: replay every move and compare all that the record claims."""

from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import IllegalMove, seat_of
from industry.texts import say

from .game import Game
from .lines import NotationError, read_move
from .record import Record


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing in a record that is not so; `move` counts from 1, None is the whole."""

    move: int | None
    line: str
    reason: str


def verify(record: Record, board: BoardSpec) -> Mismatch | None:
    """None where the record is right in everything it claims."""
    if record.edition != board.edition:
        return _whole("verify.edition", edition=record.edition, board=board.id, other=board.edition)
    if record.board_hash != board.hash:
        return _whole("verify.board_hash", board=board.id, hash=board.hash)
    game = Game(board, record.players, record.starting_player, record.options)
    counts: list[int] = []
    for number, line in enumerate(record.moves, start=1):
        mismatch = _play(game, number, line, counts)
        if mismatch is not None:
            return mismatch
    if record.legal_counts is not None and list(record.legal_counts) != counts:
        return _count_mismatch(record, counts)
    return _result_mismatch(record, game)


def _play(game: Game, number: int, line: str, counts: list[int]) -> Mismatch | None:
    try:
        move = read_move(line, game.board)
        seat = seat_of(move)
        if 0 <= seat < len(game.players):
            counts.append(len(game.position.legal_moves_of(seat)))
        game.play(move)
    except (NotationError, IllegalMove) as error:
        return Mismatch(number, line, str(error))
    return None


def _count_mismatch(record: Record, counts: list[int]) -> Mismatch:
    """Where the first wrong count stands; the list skips draws."""
    stated = list(record.legal_counts or ())
    places = [n for n, line in enumerate(record.moves, start=1) if not line.startswith("draw")]
    for number, claimed, counted in zip(places, stated, counts, strict=False):
        if claimed != counted:
            reason = say("verify.legal_count", claimed=claimed, counted=counted)
            return Mismatch(number, record.moves[number - 1], reason)
    return _whole("verify.legal_counts", claimed=len(stated), counted=len(counts))


def _result_mismatch(record: Record, game: Game) -> Mismatch | None:
    if not game.is_over:
        return _whole("verify.result_early") if record.result is not None else None
    if record.result is None:
        return _whole("verify.result_missing")
    result = game.result()
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


def _whole(key: str, **values: object) -> Mismatch:
    return Mismatch(None, "", say(key, **values))
