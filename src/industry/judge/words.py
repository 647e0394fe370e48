"""Puts a review into words: moves, losses and their reasons, in three languages."""

from typing import Any

from industry.boards import BoardSpec
from industry.engine import Bid, Cash, Develop, Move, Offer
from industry.notation import read_move
from industry.notation.explain import field_name
from industry.texts import say

from .level import LEAST_GAMES, Level
from .parts import DENIAL

REASONS = 3
"""How many parts of a difference are mentioned."""
LEAST_POINTS = 0.5
LEAST_GIFT = 0.01


def percent(share: float, language: str) -> str:
    """Returns a share with one decimal, as the language writes it."""
    return _localized(f"{100 * share:.1f}", language)


def signed(share: float, language: str) -> str:
    """Returns a change of a share with its sign."""
    return _localized(f"{100 * share:+.1f}".replace("-", "−"), language)


def _localized(number: str, language: str) -> str:
    return f"{number}%" if language == "en" else f"{_decimal(number, language)}\u00a0%"


def _decimal(number: str, language: str) -> str:
    return number if language == "en" else number.replace(".", ",")


def move_text(line: str | None, board: BoardSpec, language: str) -> str:
    """Returns a move in words; None stands for making none."""
    if line is None:
        return say("review.move.none", language)
    move: Move = read_move(line, board)
    match move:
        case Offer(_, field) | Develop(_, field) | Cash(_, field):
            values: dict[str, object] = {"field": field_name(board, field, language)}
        case Bid(_, talers):
            values = {"talers": say("talers", language, count=talers)}
        case _:
            values = {}
    return say(f"review.move.{line.split()[1]}", language, **values)


def points_text(points: float, language: str) -> str:
    """Returns an amount of points in words: whole points, at least 1."""
    amount = max(1, round(abs(points)))
    return say("points", language, count=amount)


def sentences(
    decision: dict[str, Any], players: list[str], board: BoardSpec, language: str
) -> list[str]:
    """Returns sentences on a decision: the loss, its reasons, who gained by it."""
    player = players[decision["seat"] - 1]
    played = move_text(decision["line"], board, language)
    if decision["loss"] <= 0:
        return [say("review.why.fine", language, player=player, played=played)]
    found = [
        say(
            "review.why.loss",
            language,
            player=player,
            best=move_text(decision["best"], board, language),
            played=played,
            loss=percent(decision["loss"], language),
            error=percent(decision["loss_se"], language),
        )
    ]
    parts = [part for part in decision["parts"] if abs(part["points"]) >= LEAST_POINTS]
    found += [reason(part, players, language) for part in parts[:REASONS]]
    return found + gifts(decision, players, language)


def reason(part: dict[str, Any], players: list[str], language: str) -> str:
    """Returns the sentence for one part of the difference between two moves."""
    name, points = part["part"], part["points"]
    side = "best" if is_for_best(part) else "played"
    return say(
        f"review.why.{name}.{side}",
        language,
        points=points_text(points, language),
        rival=players[part["seat"] - 1],
    )


def level_text(player: str, level: Level, language: str) -> str:
    """Returns a sentence on a player's level: between which bots, or why that is not known."""
    mean = _decimal(f"{level.mean:.1f}", language)
    if level.half is not None:
        mean += f" ± {_decimal(f'{level.half:.1f}', language)}"
    names = {
        side: say(f"pages.bot.{bot}.name", language)
        for side, bot in (("better", level.better), ("worse", level.worse))
        if bot is not None
    }
    if level.bots:
        key = "between" if len(names) == 2 else "below" if level.better else "above"
    else:
        key = "few" if level.games < LEAST_GAMES else "unmeasured"
    games = say("review.level.games", language, count=level.games)
    values = {"player": player, "mean": mean, "games": games, "least": LEAST_GAMES, **names}
    return say(f"review.level.{key}", language, **values)


def is_for_best(part: dict[str, Any]) -> bool:
    """Checks whether a part of the difference is a reason for the better move."""
    return bool((part["points"] < 0) != (part["part"] == DENIAL))


def gifts(decision: dict[str, Any], players: list[str], language: str) -> list[str]:
    """Returns a sentence on who, besides the mover, gained or lost most by a decision."""
    changes = [
        (after - instead, seat)
        for seat, (after, instead) in enumerate(
            zip(decision["win_played"], decision["win_best"], strict=True)
        )
        if seat != decision["seat"] - 1
    ]
    amount, seat = max(changes, key=lambda change: abs(change[0]))
    if abs(amount) < LEAST_GIFT:
        return []
    key = "review.why.gift" if amount > 0 else "review.why.harm"
    return [say(key, language, receiver=players[seat], amount=percent(abs(amount), language))]
