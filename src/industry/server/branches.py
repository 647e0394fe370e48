"""Creates “what if” tables, which continue from a moment of another game without changing it."""

from industry.boards import BoardSpec
from industry.notation import Record

from .commands import Draft
from .entries import Branched, Started
from .errors import Refused
from .new_table import new_table
from .protocol.review import BranchWish
from .protocol.view import TableOptions


def branch_table(
    table: str,
    wish: BranchWish,
    record: Record,
    board: BoardSpec,
    secret: bytes,
    now: int,
    bots: frozenset[str],
) -> Draft:
    """Returns a draft of a table that continues after some moves of another game."""
    players = len(record.players)
    if wish.seat > players or wish.move > len(record.moves):
        raise Refused("not_found", detail="move")
    options = TableOptions.model_validate(
        {
            "edition": record.edition,
            "players": players,
            "board": board.id,
            "rules": dict(record.options),
            "seating": "as_joined",
            "what_if": True,
        }
    )
    draft = new_table(table, options, {board.id: board}, secret, now)
    draft.sit(wish.seat - 1, wish.name, "")
    for seat in range(players):
        if seat != wish.seat - 1:
            draft.place_bot(seat, wish.bot, bots)
    moves = list(record.moves)
    line = moves[wish.move] if wish.move < len(moves) else ""
    origin = None if wish.review else wish.table
    given = Branched(moves[: wish.move], line, list(record.players), origin)
    draft.add(Started(list(range(1, players + 1)), record.starting_player))
    draft.add(given)
    draft.settle()
    if draft.table.status != "running":
        raise Refused("game_over")
    return draft
