"""The subsidy of Industry."""

import pytest

from industry.engine import Fault, Phase, Reason, Status

from .positions import Scene, scene

DECISIONS = {
    "offer": "era 1, offer, seat 1; talers 5 3 4; available 1E 1F",
    "the last field": "era 1, offer, seat 1; talers 5 3 4; available 1E",
    "bid": "era 1, bid on 1E, seat 1; talers 5 3 4; auctioneer 2; seat 3: bid 1",
    "only a pass": "era 1, bid on 1E, seat 1; talers 5 3 9; auctioneer 2; seat 3: bid 8",
    "a pass without Talers": "era 1, bid on 1E, seat 1; talers 0 3 9; auctioneer 2",
    "settle": "era 1, settle 1E, seat 1; talers 5 3 4; seat 3: bid 1",
    "only a sale": "era 1, settle 1E, seat 1; talers 0 3 4; seat 3: bid 4",
    "develop": "era 1, develop, seat 1; talers 5 3 4; seat 1: 1E undeveloped",
    "nothing to develop": "era 1, develop, seat 1; talers 5 3 4",
}


@pytest.mark.parametrize("name", DECISIONS)
def test_it_may_be_taken_at_every_decision_of_your_own(name: str) -> None:
    """F2: also where the decision itself is forced."""
    at = scene(DECISIONS[name])
    assert "1 subsidy" in at.legal
    after = at.play("1 subsidy")
    assert after.paid(Reason.SUBSIDY) == [(0, 1, 3)]
    assert after.talers[0] == at.talers[0] + 3


@pytest.mark.parametrize("name", DECISIONS)
def test_taking_it_does_not_end_the_decision(name: str) -> None:
    """F2: what was legal before still is, and the same seat decides."""
    at = scene(DECISIONS[name])
    after = at.play("1 subsidy")
    assert (after.phase, after.to_decide) == (at.phase, 1)
    assert set(at.legal) - {"1 subsidy"} <= set(after.legal)


@pytest.mark.parametrize("name", DECISIONS)
def test_it_is_taken_once_in_a_game(name: str) -> None:
    """F1."""
    after = scene(DECISIONS[name]).play("1 subsidy")
    assert "1 subsidy" not in after.legal
    assert after.fault("1 subsidy") == Fault.SUBSIDY_TAKEN


@pytest.mark.parametrize("name", DECISIONS)
def test_it_is_not_taken_at_the_decision_of_another(name: str) -> None:
    """F2."""
    at = scene(DECISIONS[name])
    assert at.fault("2 subsidy") == at.fault("3 subsidy") == Fault.SUBSIDY_NOT_NOW
    assert at.legal_of(2) == at.legal_of(3) == []


def test_it_is_not_taken_before_a_draw() -> None:
    """F2."""
    at = scene("era 1, draw; talers 5 3 4")
    assert at.fault("1 subsidy") == Fault.SUBSIDY_NOT_NOW


def test_every_player_can_take_one() -> None:
    """F1: four tokens for at most four players."""
    at = scene("era 1, develop, seat 1; talers 5 3 4 2")
    for seat in (1, 2, 3, 4):
        at = at.play(f"{seat} subsidy", f"{seat} done")
    assert at.position.state.subsidies == [1, 1, 1, 1]


def test_a_bidder_without_talers_is_asked_and_can_bid_after_the_subsidy() -> None:
    """F2, trap: no automatic pass while the subsidy would open another choice."""
    at = scene("era 1, bid on 1E, seat 2; talers 5 0 4")
    assert (at.to_decide, at.legal) == (2, ["2 pass", "2 subsidy"])
    assert at.play("2 subsidy").legal == ["2 bid 1", "2 bid 2", "2 bid 3", "2 pass"]


def test_the_first_bid_of_another_does_not_skip_a_poor_bidder() -> None:
    """F2, trap."""
    at = scene("era 1, bid on 1E, seat 2; talers 5 2 0").play("2 bid 2")
    assert (at.to_decide, at.legal) == (3, ["3 pass", "3 subsidy"])


def test_no_sale_is_forced_while_the_subsidy_would_make_a_claim_possible() -> None:
    """F2, trap; C3."""
    at = scene("era 1, settle 1E, seat 1; talers 0 3 4; seat 3: bid 4")
    assert (at.phase, at.legal) == (Phase.SETTLE, ["1 sell", "1 subsidy"])
    after = at.play("1 subsidy", "1 claim")
    assert (after.owner("1E"), after.talers) == (1, [0, 5, 5])


def test_a_development_can_be_paid_with_the_subsidy() -> None:
    """F2, trap: also between two developments."""
    at = scene("era 1, develop, seat 1; talers 2 3 4; seat 1: 1E undeveloped, 1F undeveloped")
    after = at.play("1 develop 1E", "1 subsidy", "1 develop 1F")
    assert (after.status("1F"), after.talers[0]) == (Status.DEVELOPED, 1)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("era 1, bid on 1E, seat 2; talers 5 1 4", "2 bid 2"),
        ("era 1, bid on 1E, seat 2; talers 5 1 4", "2 bid 4"),
        ("era 1, settle 1E, seat 1; talers 0 3 4; seat 3: bid 4", "1 claim"),
        ("era 1, develop, seat 1; talers 0 3 4; seat 1: 1I undeveloped", "1 develop 1I"),
    ],
)
def test_a_refusal_says_when_the_subsidy_would_help(text: str, move: str) -> None:
    """F2: and is silent where it is taken or would not be enough."""
    seat = move[0]
    assert "take_subsidy" in scene(text).refusal(move).remedies
    taken = scene(f"{text}; seat {seat}: subsidy")
    assert "take_subsidy" not in taken.refusal(move).remedies


def test_a_refusal_does_not_promise_what_the_subsidy_cannot_do() -> None:
    """F2."""
    at = scene("era 1, bid on 1E, seat 2; talers 5 1 4")
    assert "take_subsidy" not in at.refusal("2 bid 5").remedies


def test_it_is_closed_once_the_last_development_is_over() -> None:
    """F3."""
    last = scene("era 5, develop, seat 3; talers 5 3 4; gone the rest")
    assert "3 subsidy" in last.legal
    over: Scene = last.play("3 done")
    assert over.phase == Phase.OVER
    assert [over.fault(f"{seat} subsidy") for seat in (1, 2, 3)] == [Fault.GAME_OVER] * 3


def test_it_costs_5_points_at_the_end_and_none_before() -> None:
    """F4: once, as nobody has two."""
    after = scene("era 1, develop, seat 1; talers 0 3 4; seat 1: points 9").play("1 subsidy")
    assert after.track[0] == 9
    assert after.position.breakdown(0).subsidy == -5
    assert after.totals[0] == 9 + 1 - 5


def test_at_the_very_end_it_is_a_loss_of_4_points() -> None:
    """F3: 3 Talers are 1 point."""
    last = scene("era 5, develop, seat 3; talers 5 3 4; gone the rest")
    with_it = last.play("3 subsidy", "3 done")
    assert with_it.totals[2] == last.play("3 done").totals[2] - 4
