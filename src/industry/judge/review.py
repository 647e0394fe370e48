"""Reviews a finished game: its account, its auctions, and every decision with its loss.

A review is made of items that do not depend on each other, so that they can be computed anywhere
and in any order: item 0 is the chances before the first move, item n the move number n. `assemble`
puts them together.
"""

from collections.abc import Sequence
from typing import Any

from industry import __version__
from industry.boards import BoardSpec
from industry.bots.opinions import policy_version
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
from industry.notation import Game, Record, replay, replay_steps, write_move
from industry.notation.record import RULES_VERSION

from .account import CLOSE, FORCED, Account, verdict_of
from .auctions import appraise, completed, settlement
from .comparison import Comparison, all_lines, compare, screening_lines
from .judging import Judge, JudgeError, Outcomes, final_values, standard_error
from .parts import differences, follow

FORMAT = 1
KIND = "industry review"
EXPLAINED = 0.01
"""Losses of at least this much are explained by their parts."""
DRAW = "draw"
OUT_OF_TURN = "subsidy"
"""The kind of a subsidy that is taken out of turn."""

Item = dict[str, Any]


def check_finished(record: Record, board: BoardSpec) -> Game:
    """Returns the replayed game; raises `JudgeError` if it is not over."""
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
    maker = _ItemMaker(board, Judge(board.rules, seed=seed, lines=lines))
    items: list[Item] = []
    before: Position | None = None
    for number, game in enumerate(replay_steps(record, board)):
        if number >= last:
            break
        if number >= first:
            items.append(maker.item(before, game.moves[-1] if number else None, game.position))
        before = game.position
    return items


def _value(found: Outcomes) -> Item:
    """Returns everyone's chances after a move, with their standard errors."""
    errors = standard_error(found.wins).tolist() if len(found.wins) > 1 else [0.0] * len(found.win)
    return {"after": found.win.tolist(), "after_se": errors}


class _ItemMaker:
    """Computes items in the order of play; lines of one are used for the next in the round."""

    def __init__(self, board: BoardSpec, judge: Judge) -> None:
        self.board = board
        self.judge = judge
        self._known: Outcomes | None = None
        """How the lines of the current position end, if they have been played."""

    def item(self, before: Position | None, move: Move | None, after: Position) -> Item:
        if before is None or move is None:
            return {"after": self.judge.outcomes(after).win.tolist()}
        if isinstance(move, Draw):
            self._known = self.judge.outcomes(after, None, 0, all_lines(self.judge.lines))
            return {"kind": DRAW, **_value(self._known.part(0, self.judge.lines))}
        return self._decision(before, move, after)

    def _decision(self, before: Position, move: PlayerMove, after: Position) -> Item:
        is_out_of_turn = move.seat != before.actor
        kind = OUT_OF_TURN if is_out_of_turn else before.phase.name.lower()
        item: Item = {"kind": kind, "seat": move.seat + 1}
        if isinstance(move, Offer):
            lines = screening_lines(self.judge.lines)
            item["auction"] = appraise(self.judge, before, move, lines)
        if not is_out_of_turn and len(before.legal_moves) == 1:
            return {**item, "forced": True, "after": _result(after)}
        found = compare(self.judge, before, move, is_out_of_turn, self._known)
        self._known = found.known
        return {**item, **self._compared(before, move, found)}

    def _compared(self, before: Position, move: PlayerMove, found: Comparison) -> Item:
        best = found.best_move
        parts = []
        if found.loss >= EXPLAINED and best is not None:
            runner = self.judge.runner
            there = follow(runner, before, best)
            parts = differences(move.seat, there, follow(runner, before, move))
        return {
            "exact": found.exact,
            "close": found.is_close,
            **_value(found.after),
            "best": found.best.win.tolist(),
            "best_line": None if best is None else write_move(best, self.board),
            "loss": found.loss,
            "loss_se": found.loss_se,
            "parts": parts,
        }


def _result(position: Position) -> list[float] | None:
    """Returns the shares of the victory once the game is over."""
    if not position.is_over:
        return None
    return [value.win for value in final_values(position)]


def assemble(
    board: BoardSpec, record: Record, items: Sequence[Item], lines: int, seed: int | str
) -> dict[str, Any]:
    """Returns the review as plain data; `docs/review.md` has its schema.

    With only the first items it is the review so far: the account ends with the chances after the
    last reviewed move.
    """
    game = check_finished(record, board)
    account = Account(items[0]["after"])
    events, decisions = _book_moves(record, items, account)
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


def _book_moves(
    record: Record, items: Sequence[Item], account: Account
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Enters every move in the account; returns all moves, and the decisions among them."""
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
    return events, decisions


def _row(
    number: int, line: str, item: Item, before: Sequence[float], after: Sequence[float]
) -> dict[str, Any]:
    """Returns the entry of one decision."""
    best = item.get("best") or after
    loss, error = item.get("loss", 0.0), item.get("loss_se", 0.0)
    return {
        "move": number,
        "seat": item["seat"],
        "kind": item["kind"],
        "line": line,
        "best": item.get("best_line", line),
        "loss": loss,
        "loss_se": error,
        "verdict": _verdict(item),
        "exact": item.get("exact", False),
        "win": list(before),
        "win_played": list(after),
        "win_best": list(best),
        "parts": item.get("parts", []),
    }


def _verdict(item: Item) -> str:
    if item.get("forced"):
        return FORCED
    return CLOSE if item.get("close") else verdict_of(item["loss"], item["loss_se"])


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
        if number >= len(items):
            break
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
