"""Makes the sheet of a game's auctions: what each field was worth to whom, and its price."""

from collections.abc import Sequence
from typing import Any

from industry.bots.opinions import reference_weights
from industry.engine import (
    FieldClaimed,
    FieldSold,
    FieldTaken,
    Offer,
    Phase,
    Position,
    award_field,
    field_id,
    play,
    player_move_of,
)

from .judging import Judge, Outcomes

SOLD, CLAIMED, TAKEN = "sold", "claimed", "taken"


def appraise(judge: Judge, position: Position, offer: Offer, lines: int) -> dict[str, Any]:
    """Returns what the offered field is worth to each seat, and what perfect play would pay.

    `talers`: the price at which a seat would be indifferent; `taler`: what a Taler is worth in
    points; `win`: the chance of winning that owning the field adds against others owning it;
    `denial`: what it costs a seat if its most dangerous rival gets it rather than the least
    dangerous one.
    """
    offered, _ = play(position, offer)
    players = range(offered.state.players)
    worth, prices = worth_in_talers(judge, offered, offer.field)
    owned = [_owned(judge, offered, seat, lines) for seat in players]
    chances = [outcomes.win.tolist() for outcomes in owned]
    others = [[chances[owner][seat] for owner in players if owner != seat] for seat in players]
    return {
        "field": field_id(offer.field),
        "auctioneer": offer.seat + 1,
        "talers": worth,
        "taler": [round(price, 3) for price in prices],
        "win": [chances[s][s] - sum(others[s]) / len(others[s]) for s in players],
        "denial": [_denial(owned, s) for s in players],
        "perfect": _perfect(judge, offered),
    }


def worth_in_talers(
    judge: Judge, position: Position, field: int
) -> tuple[list[float], list[float]]:
    """Returns each seat's price for a field, and what its last Taler is worth in points.

    At that price the seat would be indifferent about having the field.
    """
    state = position.state.copy()
    state.offered = field
    players = int(state.players)
    weights = reference_weights(int(judge.board.edition), players)
    found = judge.runner.appraise(Position(position.board, state), weights)
    held = [max(1, int(count)) for count in state.talers[:players]]
    prices = [max(found.purse[count] - found.purse[count - 1], 0.05) for count in held]
    gains = zip(found.gains, prices, strict=True)
    return [round(max(0.0, gain) / price, 2) for gain, price in gains], prices


def _denial(owned: Sequence[Outcomes], seat: int) -> float:
    """Returns by how much the seat's chance depends on which rival gets the field.

    The most and the least dangerous rival are chosen on one half of the lines and compared on the
    other, then the other way round: the extremes of noisy numbers lie too far apart.
    """
    rivals = [outcomes for owner, outcomes in enumerate(owned) if owner != seat]
    middle, last = len(rivals[0].wins) // 2, len(rivals[0].wins)
    halves = [
        [float(rival.part(*half).win[seat]) for rival in rivals]
        for half in ((0, middle), (middle, last))
    ]
    found = 0.0
    for choosing, measuring in (halves, halves[::-1]):
        least, most = (choosing.index(extreme(choosing)) for extreme in (max, min))
        found += (measuring[least] - measuring[most]) / 2
    return max(0.0, found)


def _owned(judge: Judge, offered: Position, seat: int, lines: int) -> Outcomes:
    """Plays lines in which the seat got the field for nothing."""
    return judge.outcomes(award_field(offered, seat), None, 0, lines)


def _perfect(judge: Judge, position: Position) -> dict[str, Any]:
    """Returns how the auction goes if everyone decides by the reference values."""
    weights = reference_weights(int(judge.board.edition), int(position.state.players))
    while True:
        assert position.phase in (Phase.BID, Phase.SETTLE)
        code = judge.runner.greedy_move(position, weights)
        move = player_move_of(position.board, position.actor, code)
        position, events = play(position, move)
        for event in events:
            if isinstance(event, FieldSold | FieldClaimed | FieldTaken):
                return settlement(event)


def settlement(event: FieldSold | FieldClaimed | FieldTaken) -> dict[str, Any]:
    """Returns who got a field, for how much, and how."""
    match event:
        case FieldSold(_, buyer, _, price):
            return {"outcome": SOLD, "owner": buyer + 1, "price": price}
        case FieldClaimed(seat, _, price):
            return {"outcome": CLAIMED, "owner": seat + 1, "price": price}
        case FieldTaken(seat, _):
            return {"outcome": TAKEN, "owner": seat + 1, "price": 0}


def completed(appraisal: dict[str, Any], ended: dict[str, Any], losses: dict[int, float]) -> Any:
    """Returns the row of an auction: appraisal, how it ended, surplus and everyone's regret.

    `surplus` is what the field is worth to its owner in Talers less the price; below 0 it was
    overpaid. `regret` is what each seat's decisions in this auction lost.
    """
    owner = ended["owner"] - 1
    paid = ended["price"]
    return {
        **appraisal,
        **ended,
        "surplus": round(appraisal["talers"][owner] - paid, 2),
        "regret": [losses.get(seat, 0.0) for seat in range(len(appraisal["talers"]))],
    }
