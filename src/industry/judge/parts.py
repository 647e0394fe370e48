"""Explains why one move is better than another, by parts of the position's value.

Both moves are followed to the end of their auction or development turn, with everyone deciding by
the reference values. The difference of the resulting values is split into parts that players know.
"""

from typing import Any

from industry.bots.features import Feature, Tally, count_features, stage_of
from industry.bots.opinions import reference_weights
from industry.bots.runner import CompiledRunner
from industry.bots.values import row_of
from industry.engine import Phase, PlayerMove, Position, Token, play, player_move_of

FEATURE_GROUPS: dict[str, tuple[Feature, ...]] = {
    "points": (
        Feature.POINTS,
        Feature.WAITING_POINTS,
        Feature.WAITING_TECHNOLOGY_POINTS,
        Feature.WAITING_BLOCKED_POINTS,
        Feature.WAITING_BLOCKED,
        Feature.WAITING_FACTORIES,
        Feature.WAITING_BONUSES,
        Feature.WAITING_CROWD,
    ),
    "links": (Feature.LINKS_DONE, Feature.LINKS_OWNED, Feature.LINKS_OPEN),
    "network": (
        Feature.BONUS_DONE,
        Feature.BONUS_OWNED,
        Feature.BONUS_OPEN_FACTORIES,
        Feature.BONUS_OPEN_STATIONS,
    ),
    "income": (
        Feature.CUSTOMERS_NOW,
        Feature.CUSTOMERS_LATER,
        Feature.CUSTOMERS_OF_WAITING,
    ),
    "discount": (Feature.DISCOUNT, Feature.DISCOUNT_WAITING),
    "talers": (Feature.TALERS, Feature.TALERS_OVER_4, Feature.TALERS_OVER_8),
    "costs": (Feature.WAITING_COST, Feature.WAITING_BOUGHT, Feature.SHORT),
    "jokers": (Feature.JOKERS, Feature.TILES),
    "subsidy": (Feature.SUBSIDY,),
}
"""The parts of a seat's value, each with the features that belong to it."""
DENIAL = "denial"
"""The part of the other seats: what a decision leaves them with."""
LEAST = 0.05
"""Smaller differences, in points, are not worth mentioning."""
AUCTION = (Phase.OFFER, Phase.BID, Phase.SETTLE)


def parts_of_value(position: Position, seat: int) -> dict[str, float]:
    """Returns the parts of the points that a seat can expect by the reference values."""
    board, state = position.board, position.state
    stage = stage_of(state, seat)
    tally = Tally()
    count_features(board, state, seat, stage, tally)
    row = reference_weights(int(board.edition), int(state.players))[row_of(state, stage)]
    return {
        part: sum(float(row[feature]) * tally.features[feature] for feature in features)
        for part, features in FEATURE_GROUPS.items()
    }


def differences(mover: int, best: Position, played: Position) -> list[dict[str, Any]]:
    """Returns what the played move gains (or loses) compared with the best one, in points.

    The mover's gains are listed by part, those of each other seat as `denial`; the largest come
    first.
    """
    found = []
    for seat in range(played.state.players):
        after, instead = parts_of_value(played, seat), parts_of_value(best, seat)
        parts = {part: after[part] - instead[part] for part in FEATURE_GROUPS}
        if seat != mover:
            parts = {DENIAL: sum(parts.values())}
        found += [
            {"part": part, "seat": seat + 1, "points": round(points, 2)}
            for part, points in parts.items()
            if abs(points) >= LEAST
        ]
    return sorted(found, key=lambda entry: -abs(entry["points"]))


def follow(runner: CompiledRunner, position: Position, move: PlayerMove) -> Position:
    """Returns the position at the end of the auction or development turn that a move belongs to."""
    players = int(position.state.players)
    weights = reference_weights(int(position.board.edition), players)
    seat, phase = move.seat, position.phase
    fields = open_fields(position)
    position, _ = play(position, move)
    while (
        position.phase == Phase.DEVELOP and position.actor == seat
        if phase == Phase.DEVELOP
        else position.phase in AUCTION and open_fields(position) == fields
    ):
        code = runner.greedy_move(position, weights)
        position, _ = play(position, player_move_of(position.board, position.actor, code))
    return position


def open_fields(position: Position) -> int:
    """Returns how many fields of the round are still to be auctioned."""
    return sum(token == Token.FACE_UP for token in position.state.tokens)
