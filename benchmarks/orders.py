"""How much standing orders save in a game over days: `python -m benchmarks.orders`.

Each player looks at the table at two fixed times a day. Without orders they make the waiting
decision, and those that follow while they look. With orders they also leave a few for the rest of
the round: what they would pay for each available field, from which bid on they would sell, what
they would offer and develop; and they want to be asked again in the next round. Both decide by the
same rule of thumb, so that only the way of playing differs.
"""

import argparse
from dataclasses import dataclass, field
from random import Random

from industry.boards import BoardSpec, load_board
from industry.engine import (
    COLUMNS,
    Develop,
    Draw,
    Offer,
    Options,
    Phase,
    PlayerMove,
    Position,
    Token,
    advance,
    field_id,
    start,
)
from industry.notation.consequences import worth_to
from industry.notation.orders import (
    BidOrder,
    DevelopOrder,
    OfferOrder,
    OrderList,
    SettleOrder,
    WakeOrder,
    applied,
)

VISITS = 2
DAY = 24 * 60


@dataclass
class GameOutcome:
    """The outcome of a simulated game."""

    by_hand: int = 0
    by_order: int = 0
    minutes: int = 0


@dataclass
class Person:
    """A player who looks at the table at the same times every day."""

    times: tuple[int, ...]
    orders: OrderList = field(default=())

    def next_visit(self, now: int) -> int:
        """Returns the next minute at which this player looks."""
        day = now // DAY * DAY
        return min(day + add + at for add in (0, DAY) for at in self.times if day + add + at >= now)


def value(position: Position, seat: int, number: int) -> int:
    """Returns what a field is worth in Talers, by a rule of thumb."""
    worth = worth_to(position, seat, number)
    price = worth.price or 0
    points = worth.points + worth.links + worth.bonuses
    return max(0, (points + 2 - price) // 2 + (1 if worth.customers else 0))


def orders_for_round(position: Position, seat: int) -> OrderList:
    """Returns the orders that a player leaves after looking at this round."""
    state = position.state
    up = [
        state.era * COLUMNS + column
        for column in range(COLUMNS)
        if state.tokens[column] == Token.FACE_UP
    ]
    best = sorted(up, key=lambda number: -value(position, seat, number))
    bids = tuple(BidOrder(field_id(number), min(9, value(position, seat, number))) for number in up)
    sales = tuple(
        SettleOrder(field_id(number), max(1, value(position, seat, number))) for number in up
    )
    always_sell = SettleOrder("any", 0)
    offers = OfferOrder(tuple(field_id(number) for number in best) or ("any",))
    own = sorted(
        (number for number, owner in enumerate(state.owner) if owner == seat),
        key=lambda number: -value(position, seat, number),
    )
    wanted = tuple(field_id(number) for number in (*own, *best))[:12]
    return (
        WakeOrder(after_round=state.round_number),
        *bids[:6],
        *sales[:6],
        always_sell,
        offers,
        DevelopOrder(wanted),
    )


def played(rng: Random, board: BoardSpec, players: int, *, with_orders: bool) -> GameOutcome:
    """Plays one game over days; returns its outcome."""
    times = [tuple(sorted(rng.sample(range(DAY), VISITS))) for _ in range(players)]
    people = [Person(times[seat]) for seat in range(players)]
    state = start(board.rules, players, rng.randrange(players), Options()).state
    outcome, now = GameOutcome(), 0
    while True:
        position = Position(board.rules, state)
        if position.is_over:
            outcome.minutes = now
            return outcome
        if position.draw_due:
            drawn = rng.sample(position.bag, position.draw_count)
            advance(board.rules, state, Draw(tuple(sorted(drawn))))
            continue
        seat = position.actor
        found = applied(position, people[seat].orders)
        if found is not None and found.move is not None:
            outcome.by_order += 1
            advance(board.rules, state, found.move)
            continue
        if len(position.legal_moves) == 1:  # the server makes forced moves
            advance(board.rules, state, position.legal_moves[0])
            continue
        now = people[seat].next_visit(now)
        outcome.by_hand += 1
        if with_orders:
            people[seat].orders = orders_for_round(position, seat)
        advance(board.rules, state, decide(position, seat, rng))


def decide(position: Position, seat: int, rng: Random) -> PlayerMove:
    """Returns the move by the same rule of thumb as the orders."""
    found = applied(position, orders_for_round(position, seat))
    if found is not None and found.move is not None:
        return found.move
    moves = position.legal_moves
    if position.phase == Phase.OFFER:
        offers = [move for move in moves if isinstance(move, Offer)]
        return max(offers, key=lambda move: value(position, seat, move.field))
    return rng.choice([move for move in moves if not isinstance(move, Develop)])


def main() -> None:
    """Prints how many decisions are made by hand, and how many days a game takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    for edition, players in (("industry", 4), ("industry", 3), ("industria", 4)):
        board = load_board(edition)
        outcomes = {
            on: [played(Random(seed), board, players, with_orders=on) for seed in range(games)]
            for on in (False, True)
        }
        days = {on: sum(c.minutes for c in outcomes[on]) / games / DAY for on in outcomes}
        by_hand = sum(c.by_hand for c in outcomes[True])
        all_of_them = by_hand + sum(c.by_order for c in outcomes[True])
        print(
            f"{edition}, {players} players: {by_hand / all_of_them:.1%} of the decisions by hand; "
            f"{days[False]:.1f} days without orders, {days[True]:.1f} with them"
        )


if __name__ == "__main__":
    main()
