"""The deciding seat's moves as the numbered list on the screen."""

from dataclasses import dataclass

from industry.engine import (
    CASH_TALERS,
    SUBSIDY_POINTS,
    SUBSIDY_TALERS,
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Edition,
    Offer,
    Pass,
    PlayerMove,
    Position,
    Sell,
    Subsidy,
    Token,
    claim_share,
    construction_cost,
    development_points,
    left_of,
    resource_price,
)
from industry.notation import write_move

from .fields import nature, summary
from .speech import Speech

NOTHING_KEY = "0"
SUBSIDY_KEY = "s"


@dataclass(frozen=True, slots=True)
class NumberedChoice:
    """One line of the list: what to type, what it means, and the move in notation.

    A bid line stands for all bids and therefore for no single move.
    """

    key: str
    words: str
    notation: str
    move: PlayerMove | None


def choices(position: Position, speech: Speech) -> list[NumberedChoice]:
    """Returns the legal moves of the deciding seat, numbered; while bidding a number is the bid.

    What does not end the decision (subsidy, cash) has a word, so that a mistyped number costs no
    points.
    """
    moves = sorted(position.legal_moves, key=_order)
    bids = [move.talers for move in moves if isinstance(move, Bid)]
    found = []
    number = 0
    for move in moves:
        if isinstance(move, Bid):
            if move.talers == bids[0]:
                found.append(_bids(bids[0], bids[-1], speech))
            continue
        if isinstance(move, Pass | Done):
            key = NOTHING_KEY
        elif isinstance(move, Subsidy):
            key = SUBSIDY_KEY
        elif isinstance(move, Cash):
            key = typed(move, speech)
        else:
            number += 1
            key = str(number)
        found.append(
            NumberedChoice(key, meaning(position, move, speech), typed(move, speech), move)
        )
    return found


def main_moves(position: Position) -> list[PlayerMove]:
    """Returns the moves that are the decision: not passing, not ending the turn, no extras."""
    idle = Pass | Done | Cash | Subsidy
    return [move for move in position.legal_moves if not isinstance(move, idle)]


def _order(move: PlayerMove) -> tuple[int, object]:
    """Sorts main moves as the rules list them, then ending the turn, then the extras."""
    extras = {Done: 1, Cash: 2, Subsidy: 3}
    if isinstance(move, Develop):
        return 0, (move.field, move.sources)
    if isinstance(move, Offer | Cash):
        return extras.get(type(move), 0), (move.field, ())
    if isinstance(move, Bid):
        return 0, (move.talers, ())
    return extras.get(type(move), 0), (isinstance(move, Claim), ())


def _bids(lowest: int, highest: int, speech: Speech) -> NumberedChoice:
    if lowest == highest:
        words = speech.say("terminal.choice.bid_one", talers=speech.talers(lowest))
        return NumberedChoice(str(lowest), words, f"bid {lowest}", None)
    return NumberedChoice(
        f"{lowest}–{highest}", speech.say("terminal.choice.bid"), f"bid {lowest} …", None
    )


def typed(move: PlayerMove, speech: Speech) -> str:
    """Returns the move in notation, without the seat."""
    return write_move(move, speech.board).split(" ", 1)[1]


def meaning(position: Position, move: PlayerMove, speech: Speech) -> str:
    """Says what the move does, for someone who has not read the rules."""
    match move:
        case Offer(_, field):
            return f"{speech.field(field)} – {summary(field, speech)}"
        case Bid(_, talers):
            return speech.say("terminal.choice.bid_one", talers=speech.talers(talers))
        case Pass():
            return speech.say("terminal.choice.pass")
        case Sell():
            return _selling(position, speech)
        case Claim(seat):
            return _claiming(position, seat, speech)
        case Develop():
            return _developing(position, move, speech)
        case Done():
            return speech.say("terminal.choice.done")
        case Subsidy():
            return speech.say(
                "terminal.choice.subsidy",
                talers=speech.talers(SUBSIDY_TALERS),
                count=-SUBSIDY_POINTS,
            )
        case Cash(_, field):
            return speech.say(
                "terminal.choice.cash",
                field=speech.field(field),
                talers=speech.talers(CASH_TALERS),
            )


def _selling(position: Position, speech: Speech) -> str:
    state = position.state
    words = speech.say(
        "terminal.choice.sell",
        seat=speech.seat(int(state.high_bidder)),
        talers=speech.talers(int(state.high_bid)),
    )
    return f"{words} {speech.say('terminal.choice.office_stays')}" if _more(position) else words


def _claiming(position: Position, seat: int, speech: Speech) -> str:
    board, state = position.board, position.state
    price, players = int(state.high_bid), int(state.players)
    if board.edition == Edition.INDUSTRIA:
        words = speech.say("terminal.choice.claim_free")
    else:
        coins = {step: claim_share(price, players, step) for step in range(1, players)}
        shares = [
            speech.say(
                "terminal.story.share",
                seat=speech.seat((seat + step) % players),
                talers=speech.talers(share),
            )
            for step, share in coins.items()
            if share
        ]
        words = speech.say(
            "terminal.choice.claim",
            talers=speech.talers(sum(coins.values())),
            shares=speech.join_words(shares),
        )
    if not _more(position):
        return words
    heir = speech.seat(left_of(state, seat))
    return f"{words} {speech.say('terminal.choice.office_moves', seat=heir)}"


def _more(position: Position) -> bool:
    """Checks whether another field will be auctioned after this one."""
    return position.state.tokens.count(Token.FACE_UP) > 1


def _developing(position: Position, move: Develop, speech: Speech) -> str:
    board, state = position.board, position.state
    cost = construction_cost(board, state, move.seat, move.field)
    price = cost
    parts = [speech.say("terminal.choice.build", count=cost)] if cost else []
    for resource, source in zip(board.needs(move.field), move.sources, strict=True):
        price += resource_price(source)
        parts.append(
            speech.say(
                "terminal.choice.bought" if resource_price(source) else "terminal.choice.given",
                resource=speech.resource(resource),
                source=speech.source(source),
                count=resource_price(source),
            )
        )
    return speech.say(
        "terminal.choice.develop" if parts else "terminal.choice.develop_free",
        field=speech.field(move.field),
        talers=speech.talers(price),
        parts=", ".join(parts),
        gain=_gain(position, move.field, speech),
    )


def _gain(position: Position, field: int, speech: Speech) -> str:
    spec = speech.board.field(field)
    points = development_points(position.board, position.state, field)
    gains = [speech.points(points)] if points else []
    if spec.makes:
        made = speech.say(f"resource.{spec.makes}")
        gains.append(speech.say("terminal.field.makes", resource=made))
    return ", ".join([*gains, *nature(spec, speech)]) or speech.points(0)
