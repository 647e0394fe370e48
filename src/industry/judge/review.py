"""The review of a finished game: its account, its auctions, and every decision with its loss.

A review is made of items that do not depend on each other, so that they can be computed anywhere
and in any order: item 0 is the chances before the first move, item n the move number n. `assemble`
puts them together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from industry import __version__
from industry.boards import BoardSpec
from industry.engine import (
    Draw,
    FieldClaimed,
    FieldSold,
    FieldTaken,
    Move,
    Offer,
    PlayerMove,
    Position,
)
from industry.notation import Game, Record, read_move, replay, replay_steps, write_move
from industry.notation.record import RULES_VERSION

from .account import FORCED, Account, verdict_of
from .auctions import appraise, completed, settlement
from .ending import solve_moves
from .judging import Judge, JudgeError, Outcomes, candidates, final_values, rank, standard_error
from .opinions import policy_version
from .parts import differences, follow

FORMAT = 1
KIND = "industry review"
FINALISTS = 2
"""Candidates, beside the move that was played, that all lines are played for."""
EXPLAINED = 0.01
"""Losses from here on are taken apart."""
DRAW = "draw"
ASIDE = "subsidy"
"""The kind of a subsidy that is taken out of turn."""

Item = dict[str, Any]


def check_finished(record: Record, board: BoardSpec) -> Game:
    """Returns the replayed game; raises `JudgeError` where it is not over."""
    game = replay(record, board)
    if not game.is_over:
        raise JudgeError(
            f"the game is not over after its {len(record.moves)} moves: only a finished game "
            "can be reviewed. `industry judge` judges a running one."
        )
    return game


def review_items(
    board: BoardSpec, record: Record, first: int, last: int, lines: int, seed: int | str
) -> list[Item]:
    """Computes items `first` to `last` - 1 of a review."""
    judge = Judge(board.rules, seed=seed, lines=lines)
    items: list[Item] = []
    before: Position | None = None
    for number, game in enumerate(replay_steps(record, board)):
        if number >= last:
            break
        if number >= first:
            move = read_move(record.moves[number - 1], board) if number else None
            items.append(_item(judge, board, before, move, game))
        before = game.position
    return items


def _item(
    judge: Judge, board: BoardSpec, before: Position | None, move: Move | None, game: Game
) -> Item:
    if before is None or move is None:
        return {"after": judge.outcomes(game.position).win.tolist()}
    if isinstance(move, Draw):
        return {"kind": DRAW, **_value(judge, game.position)}
    return _decision(judge, board, before, move, game.position)


def _value(judge: Judge, position: Position) -> Item:
    """Returns everyone's chances in a position that a draw led to."""
    found = judge.outcomes(position)
    return {"after": found.win.tolist(), "after_se": standard_error(found.wins).tolist()}


def _decision(
    judge: Judge, board: BoardSpec, before: Position, move: PlayerMove, after: Position
) -> Item:
    is_aside = move.seat != before.actor
    kind = ASIDE if is_aside else before.phase.name.lower()
    item: Item = {"kind": kind, "seat": move.seat + 1}
    if isinstance(move, Offer):
        item["auction"] = appraise(judge, before, move, screening_lines(judge.lines))
    if not is_aside and len(before.legal_moves) == 1:
        return {**item, "forced": True, "after": _result(after)}
    found, exact = _question(judge, before, move, is_aside)
    ranked = rank(move.seat, list(found), list(found.values()))
    played = next(value for value in ranked if value.move == move)
    best = ranked[0] if played.loss > 0 else played
    item |= {
        "exact": exact,
        "after": list(played.win),
        "after_se": list(played.win_se),
        "best": list(best.win),
        "best_line": write_move(best.move, board) if best.move is not None else None,
        "loss": played.loss,
        "loss_se": played.loss_se,
        "parts": [],
    }
    if played.loss >= EXPLAINED and not is_aside:
        there = follow(judge.runner, before, best.move)
        item["parts"] = differences(move.seat, there, follow(judge.runner, before, move))
    return item


def _result(position: Position) -> list[float] | None:
    """Returns the shares of the victory once the game is over."""
    if not position.is_over:
        return None
    return [value.win for value in final_values(position)]


def screening_lines(lines: int) -> int:
    """Returns how many lines all candidates get before the finalists are chosen."""
    return max(2, lines // 4 // 2 * 2)


def _question(
    judge: Judge, position: Position, played: PlayerMove, is_aside: bool
) -> tuple[dict[Any, Outcomes], bool]:
    """Returns the outcomes of the played move and of the best other ones, and whether exact.

    All candidates are screened by the first quarter of the lines; the best two and the played move
    get all of them. A subsidy out of turn is compared with taking none.
    """
    if is_aside:
        return {m: judge.outcomes(position, m) for m in (played, None)}, False
    solved = solve_moves(judge.runner, position)
    if solved is not None:
        return dict(solved), True
    screened = screening_lines(judge.lines)
    moves = candidates(position)
    if played not in moves:
        moves.append(played)
    found = {move: judge.outcomes(position, move, 0, screened) for move in moves}
    ranked = rank(played.seat, list(found), list(found.values()))
    finalists = [value.move for value in ranked if value.move != played][:FINALISTS]
    return {
        move: _joined(found[move], judge.outcomes(position, move, screened))
        for move in [played, *finalists]
    }, False


def _joined(one: Outcomes, two: Outcomes) -> Outcomes:
    return Outcomes(np.concatenate([one.wins, two.wins]), np.concatenate([one.points, two.points]))


def assemble(
    board: BoardSpec, record: Record, items: Sequence[Item], lines: int, seed: int | str
) -> dict[str, Any]:
    """Returns the whole review as plain data; `docs/review.md` has its schema."""
    game = check_finished(record, board)
    account = Account(items[0]["after"])
    events: list[dict[str, Any]] = []
    decisions: list[dict[str, Any]] = []
    for number, item in enumerate(items[1:]):
        line = record.moves[number]
        seat = item.get("seat")
        events.append(
            {"move": number, "line": line, "kind": item["kind"], "seat": seat, "win": account.now}
        )
        if item["kind"] == DRAW:
            account.draw(item["after"])
            continue
        before = account.now
        after = item["after"] or before
        account.decision(item["seat"] - 1, item.get("best") or after, after)
        decisions.append(_row(number, line, item, before, after))
    players = len(record.players)
    return {
        "format": FORMAT,
        "kind": KIND,
        "edition": record.edition,
        "board": record.board,
        "board_hash": record.board_hash,
        "players": list(record.players),
        "points": [part.points for part in game.score()],
        "lines": lines,
        "seed": seed,
        "versions": {
            "program": __version__,
            "rules": RULES_VERSION,
            "values": policy_version(int(board.rules.edition), players),
        },
        "seats": account.seats(),
        "gifts": account.given(),
        "events": events,
        "auctions": _auctions(board, record, items, decisions),
        "decisions": decisions,
    }


def _row(
    number: int, line: str, item: Item, before: Sequence[float], after: Sequence[float]
) -> dict[str, Any]:
    """Returns the entry of one decision."""
    best = item.get("best") or after
    loss, error = item.get("loss", 0.0), item.get("loss_se", 0.0)
    is_forced = item.get("forced", False)
    return {
        "move": number,
        "seat": item["seat"],
        "kind": item["kind"],
        "line": line,
        "best": item.get("best_line", line),
        "loss": loss,
        "loss_se": error,
        "verdict": FORCED if is_forced else verdict_of(loss, error),
        "exact": item.get("exact", False),
        "win": list(before),
        "win_played": list(after),
        "win_best": list(best),
        "parts": item.get("parts", []),
    }


def _auctions(
    board: BoardSpec,
    record: Record,
    items: Sequence[Item],
    decisions: Sequence[dict[str, Any]],
) -> list[dict[str, Any]]:
    """Returns one row per auction, in the order of play."""
    losses_at = {decision["move"]: decision for decision in decisions}
    rows = []
    open_item: Item | None = None
    losses: dict[int, float] = {}
    begun = 0
    for number, game in enumerate(replay_steps(record, board)):
        if number == 0:
            continue
        if "auction" in items[number]:
            open_item, losses, begun = items[number]["auction"], {}, number - 1
        if open_item is not None and (made := losses_at.get(number - 1)) is not None:
            seat = made["seat"] - 1
            losses[seat] = losses.get(seat, 0.0) + made["loss"]
        for event in game.events[number]:
            if open_item is not None and isinstance(event, FieldSold | FieldClaimed | FieldTaken):
                row = completed(open_item, settlement(event), losses)
                rows.append({"move": begun, "era": event.field // 12 + 1, **row})
                open_item = None
    return rows


def review(board: BoardSpec, record: Record, *, lines: int, seed: int | str = 1) -> dict[str, Any]:
    """Reviews a whole game in this process."""
    check_finished(record, board)
    items = review_items(board, record, 0, len(record.moves) + 1, lines, seed)
    return assemble(board, record, items, lines, seed)
