"""Gives hints to a player who must decide: what fields are worth, three candidates, the move."""

from typing import Any

from industry.boards import BoardSpec
from industry.engine import COLUMNS, Phase, Position, Status, Token, field_id
from industry.notation import Record, replay, write_move

from .auctions import worth_in_talers
from .judging import Judge, JudgeError, MoveValue
from .parts import differences, follow
from .words import REASONS, is_for_best, move_text, reason

WORTH, CANDIDATES, MOVE = 1, 2, 3
"""The steps of a hint."""
SHOWN = 3
"""How many candidates the second step names."""


def hint(
    board: BoardSpec, record: Record, step: int, language: str, lines: int, seed: int | str
) -> dict[str, Any]:
    """Returns one step of a hint for the seat that must decide at the end of a record."""
    position = replay(record, board).position
    if position.is_over or position.draw_due:
        raise JudgeError("no player has to decide here.")
    judge = Judge(board.rules, seed=seed, lines=lines)
    if step == WORTH:
        return {"worth": _worth(judge, position)}
    ranked = judge.judge(position).moves
    if step == CANDIDATES:
        order = {move: place for place, move in enumerate(position.legal_moves)}
        shown = sorted(ranked[:SHOWN], key=lambda value: order[value.move])
        return {"candidates": [_choice(value, board, language) for value in shown]}
    players = list(record.players)
    told = _reasons(judge, position, ranked, players, language)
    return {"move": _choice(ranked[0], board, language), "told": told, **_chance(position, ranked)}


def _choice(value: MoveValue, board: BoardSpec, language: str) -> dict[str, str]:
    line = write_move(value.move, board)
    return {"line": line, "text": move_text(line, board, language)}


def _chance(position: Position, ranked: tuple[MoveValue, ...]) -> dict[str, float]:
    seat = position.actor
    return {"win": ranked[0].win[seat], "win_se": ranked[0].win_se[seat]}


def _worth(judge: Judge, position: Position) -> list[dict[str, Any]]:
    return [
        {"field": field_id(field), "talers": worth_in_talers(judge, position, field)[0]}
        for field in _fields(position)
    ]


def _fields(position: Position) -> list[int]:
    """Returns the fields that a decision is about: on offer, available, or to be developed."""
    state = position.state
    if position.phase in (Phase.BID, Phase.SETTLE):
        return [int(state.offered)]
    if position.phase == Phase.OFFER:
        columns = (c for c in range(COLUMNS) if state.tokens[c] == Token.FACE_UP)
        return [int(state.era) * COLUMNS + column for column in columns]
    return [
        field
        for field, owner in enumerate(state.owner)
        if owner == position.actor and state.status[field] == Status.UNDEVELOPED
    ]


def _reasons(
    judge: Judge,
    position: Position,
    ranked: tuple[MoveValue, ...],
    players: list[str],
    language: str,
) -> list[str]:
    """Returns sentences on what the best move gains over the second best."""
    if len(ranked) < 2:
        return []
    best, next_best = (follow(judge.runner, position, value.move) for value in ranked[:2])
    parts = differences(position.actor, best, next_best)
    return [reason(part, players, language) for part in parts if is_for_best(part)][:REASONS]
