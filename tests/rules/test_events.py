"""Events: everything that people at the table would see, in the order in which they see it."""

import pytest

from industry import BoardSpec
from industry.engine import Reason, Source
from industry.engine import events as ev
from industry.engine.constants import BANK
from industry.engine.events import Event

from .positions import HARBOUR, WORKSHOP, end_of, new_scene, random_game, scene

COIN = [ev.TalersMoved(BANK, seat, 1, Reason.COIN) for seat in range(3)]
INCOME = [ev.TalersMoved(BANK, seat, 1, Reason.INCOME) for seat in (1, 2, 0)]

A_ROUND: list[tuple[str, list[Event]]] = [
    ("draw 1C 1E 1H", [ev.TokensDrawn((2, 4, 7)), *COIN]),
    ("1 offer 1E", [ev.FieldOffered(0, 4)]),
    ("2 bid 4", [ev.BidMade(1, 4)]),
    ("3 pass", [ev.BidPassed(2)]),
    (
        "1 claim",
        [
            ev.FieldClaimed(0, 4, 4),
            ev.TalersMoved(0, 1, 2, Reason.CLAIM),
            ev.TalersMoved(0, 2, 1, Reason.CLAIM),
            ev.AuctioneerChanged(1),
        ],
    ),
    ("2 offer 1C", [ev.FieldOffered(1, 2)]),
    ("3 subsidy", [ev.SubsidyTaken(2), ev.TalersMoved(BANK, 2, 3, Reason.SUBSIDY)]),
    ("3 pass", [ev.BidPassed(2)]),
    ("1 pass", [ev.BidPassed(0), ev.FieldTaken(1, 2), ev.AuctioneerChanged(2)]),
    ("3 offer 1H", [ev.FieldOffered(2, 7)]),
    ("1 pass", [ev.BidPassed(0)]),
    ("2 bid 1", [ev.BidMade(1, 1)]),
    ("3 sell", [ev.FieldSold(2, 1, 7, 1), ev.TalersMoved(1, 2, 1, Reason.SALE)]),
    (
        "1 develop 1E",
        [ev.TalersMoved(0, BANK, 2, Reason.COST), ev.FieldDeveloped(0, 4, 0)],
    ),
    ("1 done", [ev.TurnEnded(0)]),
    (
        "2 develop 1H wood=1",
        [
            ev.TalersMoved(1, BANK, 1, Reason.COST),
            ev.ResourceProvided(1, 2, Source.SEAT),
            ev.TalersMoved(1, 0, 1, Reason.RESOURCE),
            ev.FieldDeveloped(1, 7, 2),
        ],
    ),
    ("2 done", [ev.TurnEnded(1)]),
    (
        "3 done",
        [
            ev.TurnEnded(2),
            ev.StartingPlayerChanged(1),
            ev.RoundStarted(2, 0, 1),
            *INCOME,
        ],
    ),
]


def test_a_round_is_shown_move_by_move() -> None:
    at = new_scene(WORKSHOP, 3)
    for move, events in A_ROUND:
        at = at.play(move)
        assert list(at.events) == events, move


def test_the_last_field_of_a_round_names_no_new_auctioneer() -> None:
    """C6: there is nothing left to auction."""
    after = scene("era 1, bid on 1F, seat 3; talers 5 3 4").play("3 pass")
    assert after.events == (ev.BidPassed(2), ev.FieldTaken(0, 5))


def test_before_the_first_move_money_and_income_are_paid() -> None:
    start = new_scene(WORKSHOP, 3, starting_player=3)
    assert start.events[:3] == tuple(
        ev.TalersMoved(BANK, seat, 4, Reason.START) for seat in (2, 0, 1)
    )
    assert start.events[3] == ev.RoundStarted(1, 0, 2)


def test_a_cashed_tile_is_reported() -> None:
    """I5."""
    at = scene(
        "era 1, develop, seat 1; talers 5 3 4; seat 1: joker 1A; option resource_cash", HARBOUR
    )
    assert at.play("1 cash 1A").events == (
        ev.TileCashed(0, 0),
        ev.TalersMoved(BANK, 0, 1, Reason.CASH),
    )


@pytest.mark.parametrize("board", [WORKSHOP, HARBOUR], ids=lambda board: str(board.id))
def test_the_events_of_a_game_account_for_every_purse_and_every_point(board: BoardSpec) -> None:
    """Log and statistics live on events alone."""
    end = end_of(random_game(new_scene(board, 4), 11))
    purses = [0, 0, 0, 0]
    for paid in end.happened(ev.TalersMoved):
        if paid.source != BANK:
            purses[paid.source] -= paid.amount
        if paid.target != BANK:
            purses[paid.target] += paid.amount
    track = [0, 0, 0, 0]
    for built in end.happened(ev.FieldDeveloped):
        track[built.seat] += built.points
    assert (purses, track) == (end.talers, end.track)
