"""Standing orders: each does what it says, and a game with orders equals the same moves typed."""

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

import pytest

from industry.engine import Bid, Claim, Done, Draw, Offer, Pass, Position, Sell, Subsidy, play
from industry.notation import Game, new_game
from industry.notation.orders import (
    BidOrder,
    DevelopOrder,
    OfferOrder,
    Order,
    OrderError,
    SettleOrder,
    SubsidyOrder,
    WakeOrder,
    applied,
    last_situations,
    read_orders,
    write_orders,
)
from tests.support import proof

from .ordered_games import differences, ordered_game, random_orders

GAMES = proof.amount(150, 100_000)
PART = 50


# Whole games


def compared(seeds: range) -> tuple[int, int, list[str]]:
    """Plays some games; returns how many moves they had, how many by order, and what differs."""
    moves, by_order, wrong = 0, 0, []
    for seed in seeds:
        game = ordered_game(seed)
        moves += len(game.lines)
        by_order += len(game.by_order)
        wrong += [f"game {seed}, move {difference}" for difference in differences(game)]
    return moves, by_order, wrong


@pytest.mark.timeout(3600)
def test_a_game_with_orders_equals_the_same_moves_typed_by_hand() -> None:
    parts = [range(first, min(first + PART, GAMES)) for first in range(0, GAMES, PART)]
    if proof.is_on():
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            results = list(pool.map(compared, parts))
    else:
        results = [compared(part) for part in parts]
    moves, by_order = (sum(result[0] for result in results), sum(r[1] for r in results))
    wrong = [difference for result in results for difference in result[2]]
    print(f"{GAMES} games, {moves} moves, {by_order} by order, {len(wrong)} differences")
    assert not wrong
    assert by_order > moves // 10


def test_orders_are_read_back_as_they_were_written() -> None:
    for seed in range(300):
        orders = random_orders(Random(seed))
        assert read_orders(write_orders(orders)) == orders


# What each order does


def opened() -> tuple[Game, Position]:
    """Seat 1 has to offer 1D, 1E or 1K."""
    game = new_game(["Ana", "Bo", "Cy"], seed="steam")
    game.draw()
    return game, game.position


def after(*lines: str) -> Position:
    game, _ = opened()
    for line in lines:
        game.play(line)
    return game.position


def move_by(position: Position, *orders: Order) -> object:
    found = applied(position, orders)
    return found and found.move


def test_a_bid_goes_as_low_as_possible_up_to_the_limit_and_then_passes() -> None:
    position = after("1 offer 1E", "2 bid 2")
    assert move_by(position, BidOrder("any", 3)) == Bid(2, 3)
    assert move_by(position, BidOrder("any", 4)) == Bid(2, 3)
    assert move_by(position, BidOrder("any", 4, at_once=True)) == Bid(2, 4)
    assert move_by(position, BidOrder("any", 2)) == Pass(2)
    rich = position.state.talers[2]
    assert move_by(position, BidOrder("any", 99, at_once=True)) == Bid(2, rich)


@pytest.mark.parametrize(("what", "applies"), [("1E", True), ("factory", True), ("1D", False)])
def test_an_order_is_about_a_field_a_kind_or_anything(what: str, applies: bool) -> None:
    position = after("1 offer 1E")
    assert (applied(position, (BidOrder(what, 0),)) is not None) is applies


def test_an_order_for_an_era_does_nothing_in_another() -> None:
    position = after("1 offer 1E")
    assert move_by(position, BidOrder("any", 0, era=2)) is None
    assert move_by(position, BidOrder("any", 0, era=1)) == Pass(1)


def test_the_auctioneer_sells_from_a_price_on_and_claims_below_it() -> None:
    position = after("1 offer 1E", "2 bid 2", "3 pass")
    assert move_by(position, SettleOrder("any", 2)) == Sell(0)
    assert move_by(position, SettleOrder("any", 3)) == Claim(0)


def test_fields_are_offered_in_the_order_given() -> None:
    _, position = opened()
    assert move_by(position, OfferOrder(("2A", "1K", "1D"))) == Offer(0, 10)
    assert move_by(position, OfferOrder(("2A",))) is None
    assert move_by(position, OfferOrder(("any",))) == Offer(0, 3)


def test_the_subsidy_is_taken_below_a_number_of_talers() -> None:
    _, position = opened()
    talers = position.state.talers[0]
    assert move_by(position, SubsidyOrder(talers)) is None
    assert move_by(position, SubsidyOrder(talers + 1)) == Subsidy(0)


def developing() -> Position:
    """Seat 1 owns the sawmill 1E and may develop it."""
    game, _ = opened()
    for line in ("1 offer 1E", "2 pass", "3 pass"):
        game.play(line)
    while game.position.phase.name != "DEVELOP" or game.position.actor != 0:
        legal = game.legal_moves()
        game.play(next((line for line in legal if line.endswith((" pass", " done"))), legal[0]))
    return game.position


def test_development_takes_what_can_be_paid_and_then_ends_the_turn() -> None:
    position = developing()
    built = move_by(position, DevelopOrder(("2A", "1E")))
    assert built is not None
    assert type(built).__name__ == "Develop"
    assert move_by(position, DevelopOrder(("2A",))) == Done(0)
    assert move_by(position, DevelopOrder(())) == Done(0)
    assert move_by(position, DevelopOrder(("1E",), keep=99)) == Done(0)
    next_position, _ = play(position, built)  # type: ignore[arg-type]
    if next_position.actor == 0:
        assert move_by(next_position, DevelopOrder(("1E",))) == Done(0)


@pytest.mark.parametrize(
    ("wake", "woken"),
    [
        (WakeOrder(what="factory"), True),
        (WakeOrder(what="joker"), False),
        (WakeOrder(price_above=1), True),
        (WakeOrder(price_above=2), False),
        (WakeOrder(auctioneer=1), True),
        (WakeOrder(bidder=2), True),
        (WakeOrder(bidder=3), False),
        (WakeOrder(talers_below=99), True),
        (WakeOrder(talers_below=1), False),
        (WakeOrder(after_round=0), True),
        (WakeOrder(after_round=1), False),
        (WakeOrder(price_above=1, bidder=3), False),
    ],
    ids=str,
)
def test_a_player_is_woken_where_all_conditions_hold(wake: WakeOrder, woken: bool) -> None:
    position = after("1 offer 1E", "2 bid 2")
    found = applied(position, (wake, BidOrder("any", 0)))
    assert found is not None
    assert (found.number, found.move) == ((0, None) if woken else (1, Pass(2)))


def test_the_first_order_that_applies_decides() -> None:
    position = after("1 offer 1E", "2 bid 2")
    orders = (SettleOrder("any", 0), BidOrder("joker", 9), BidOrder("1E", 3), BidOrder("any", 0))
    found = applied(position, orders)
    assert found is not None
    assert (found.number, found.move) == (2, Bid(2, 3))


def test_nothing_applies_where_chance_decides() -> None:
    game = new_game(["Ana", "Bo", "Cy"], seed="steam")
    assert game.position.draw_due
    assert applied(game.position, (BidOrder("any", 0), WakeOrder(talers_below=99))) is None
    assert not isinstance(game.position.legal_moves, Draw)


# Earlier situations


def test_orders_are_tried_at_the_last_decisions_the_latest_first() -> None:
    game, _ = opened()
    for line in ("1 offer 1E", "2 bid 2", "3 pass", "1 sell", "1 offer 1D", "2 pass"):
        game.play(line)
    found = last_situations(game.record(), game.board, 1, (BidOrder("any", 1),), 10)
    assert [(one.made, one.line, one.price) for one in found] == [
        ("2 pass", "2 bid 1", 0),
        ("2 bid 2", "2 bid 1", 0),
    ]
    assert [one.moves for one in found] == [6, 2]
    assert len(last_situations(game.record(), game.board, 1, (), 1)) == 1


# What is not an order


@pytest.mark.parametrize(
    "line",
    [
        {"do": "resign"},
        {"do": "bid", "what": "any"},
        {"do": "bid", "what": "6A", "up_to": 1},
        {"do": "bid", "what": "any", "up_to": -1},
        {"do": "bid", "what": "any", "up_to": True},
        {"do": "bid", "what": "any", "up_to": 1, "era": 6},
        {"do": "bid", "what": "any", "up_to": 1, "then": []},
        {"do": "offer", "fields": ["1A"] * 13},
        {"do": "offer", "fields": "1A"},
        {"do": "wake"},
        {"do": "wake", "era": 2},
        {"do": "wake", "bidder": 5},
        "bid",
    ],
    ids=str,
)
def test_what_is_not_an_order_is_refused(line: object) -> None:
    with pytest.raises(OrderError):
        read_orders(json.dumps([line]))
    with pytest.raises(OrderError):
        read_orders(json.dumps(line))
    with pytest.raises(OrderError):
        read_orders("[" * 100_000)
