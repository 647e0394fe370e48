"""The options that change the rules (rulings, table L)."""

import pytest

from industry import OptionError, RecordError, new_game
from industry.engine import Fault, Reason, Status
from industry.notation import complete_options, record_from_data

from .positions import HARBOUR, Scene, scene

NAMES = ["Ana", "Bo", "Cy"]


def test_every_option_has_its_default_and_stands_in_the_record() -> None:
    """L: also where it is the default."""
    assert new_game(NAMES).record().options == {
        "late_draws": "recommended",
        "claim_afford": "net",
        "subsidy_timing": "own_decision",
    }
    assert new_game(NAMES, edition="industria").record().options == {
        "industria_hands": "open",
        "industria_resource_cash": "off",
    }


@pytest.mark.parametrize(
    ("edition", "given"),
    [
        ("industry", {"industria_hands": "open"}),
        ("industry", {"industria_resource_cash": "off"}),
        ("industria", {"late_draws": "plain"}),
        ("industria", {"claim_afford": "net"}),
        ("industria", {"subsidy_timing": "any_time"}),
        ("industry", {"late_draws": "many"}),
        ("industry", {"free_claim": "on"}),
    ],
)
def test_unknown_options_and_those_of_the_other_edition_are_refused(
    edition: str, given: dict[str, str]
) -> None:
    """L."""
    with pytest.raises(OptionError):
        complete_options(edition, given)


def test_a_record_must_state_every_option() -> None:
    """L: also where it has its default."""
    data = new_game(NAMES).record().data()
    assert record_from_data(data).options == data["options"]
    del data["options"]["claim_afford"]
    with pytest.raises(RecordError, match="claim_afford"):
        record_from_data(data)


# late_draws


@pytest.mark.parametrize(("players", "era"), [(3, 4), (3, 5), (4, 5)])
def test_plain_draws_are_one_token_per_player_in_every_era(players: int, era: int) -> None:
    """B2: late_draws."""
    purses = " 5" * players
    plain = scene(f"era {era}, draw; talers{purses}; option plain_draws")
    recommended = scene(f"era {era}, draw; talers{purses}")
    assert plain.position.draw_count == players
    assert recommended.position.draw_count == {3: 4, 4: 3}[players]


# claim_afford


@pytest.mark.parametrize(("players", "price"), [(3, 3), (3, 7), (4, 4), (4, 8)])
def test_full_price_demands_the_whole_bid_in_hand(players: int, price: int) -> None:
    """C3: claim_afford."""
    rest = " 20" * (players - 2)
    text = "era 1, settle 1F, seat 2; talers 20 {}{}; seat 1: bid {}; option full_price"
    able = scene(text.format(price, rest, price))
    poor = scene(text.format(price - 1, rest, price))
    assert able.play("2 claim").talers[1] == price // players
    assert poor.fault("2 claim") == Fault.CLAIM_TOO_DEAR


def test_full_price_changes_who_may_claim_and_not_what_is_paid() -> None:
    """C3, C4."""
    text = "era 1, settle 1F, seat 2; talers 20 20 20; seat 1: bid 7"
    assert (
        scene(text).play("2 claim").talers
        == scene(f"{text}; option full_price").play("2 claim").talers
        == [22, 15, 23]
    )


# subsidy_timing

ANY_TIME = {
    "draw": "era 1, draw; talers 5 3 4",
    "offer": "era 1, offer, seat 1; talers 5 3 4; available 1E 1F",
    "bid": "era 1, bid on 1E, seat 3; talers 5 3 4; seat 2: bid 1",
    "settle": "era 1, settle 1E, seat 1; talers 5 3 4; seat 3: bid 1",
    "develop": "era 1, develop, seat 2; talers 5 3 4",
}


@pytest.mark.parametrize("phase", ANY_TIME)
def test_at_any_time_every_seat_may_take_the_subsidy_between_two_moves(phase: str) -> None:
    """F2: subsidy_timing; the decision stays where it was."""
    at = scene(f"{ANY_TIME[phase]}; option any_time")
    for seat in (1, 2, 3):
        after = at.play(f"{seat} subsidy")
        assert after.talers[seat - 1] == at.talers[seat - 1] + 3
        assert (after.phase, after.to_decide) == (at.phase, at.to_decide)
        assert after.fault(f"{seat} subsidy") == Fault.SUBSIDY_TAKEN


def test_at_any_time_a_seat_that_need_not_decide_may_do_nothing_else() -> None:
    """F2."""
    at = scene(f"{ANY_TIME['bid']}; option any_time")
    assert at.legal_of(1) == ["1 subsidy"]
    assert at.legal_of(2) == ["2 subsidy"]


def test_at_any_time_ends_with_the_game() -> None:
    """F3."""
    at = scene("era 5, over; talers 5 3 4; option any_time")
    assert at.fault("1 subsidy") == Fault.GAME_OVER


def test_at_any_time_a_bidder_may_grow_richer_during_the_bidding() -> None:
    """F2, C2."""
    at = scene("era 1, bid on 1E, seat 2; talers 5 3 1; option any_time")
    after = at.play("3 subsidy", "2 bid 2")
    assert "3 bid 4" in after.legal


# industria_hands


def test_closed_hands_change_only_what_people_are_shown() -> None:
    """I4: the game itself is the same."""
    opened = new_game(NAMES, edition="industria", seed=5, options={"industria_hands": "open"})
    closed = new_game(NAMES, edition="industria", seed=5, options={"industria_hands": "closed"})
    while not opened.is_over:
        assert opened.legal_moves() == closed.legal_moves()
        if opened.position.draw_due:
            assert opened.draw() == closed.draw()
        else:
            move = opened.legal_moves()[-1]
            opened.play(move)
            closed.play(move)
    assert opened.position.state == closed.position.state


# industria_resource_cash

CASH = {
    "offer": "era 2, offer, seat 1; talers 5 3 4; available 2E 2F",
    "bid": "era 2, bid on 2E, seat 1; talers 5 3 4; auctioneer 2",
    "settle": "era 2, settle 2E, seat 1; talers 5 3 4; seat 3: bid 1",
    "develop": "era 2, develop, seat 1; talers 5 3 4",
}
TILES = "seat 1: joker 1A, joker 1B; seat 2: joker 2A"


def cash_scene(phase: str) -> Scene:
    return scene(f"{CASH[phase]}; {TILES}; option resource_cash", HARBOUR)


@pytest.mark.parametrize("phase", CASH)
def test_a_raw_material_tile_becomes_1_taler_at_ones_own_decision(phase: str) -> None:
    """I5: the tile leaves the game, and the decision stays."""
    at = cash_scene(phase)
    assert [line for line in at.legal if "cash" in line] == ["1 cash 1A", "1 cash 1B"]
    after = at.play("1 cash 1A")
    assert after.paid(Reason.CASH) == [(0, 1, 1)]
    assert (after.status("1A"), after.talers) == (Status.SPENT, [6, 3, 4])
    assert (after.phase, after.to_decide) == (at.phase, 1)
    assert after.play("1 cash 1B").talers == [7, 3, 4]


@pytest.mark.parametrize("phase", CASH)
def test_a_tile_of_another_or_of_another_kind_cannot_be_cashed(phase: str) -> None:
    """I5."""
    at = cash_scene(phase)
    assert at.fault("1 cash 2A") == at.fault("1 cash 1E") == Fault.CASH_NOT_HELD
    assert at.play("1 cash 1A").fault("1 cash 1A") == Fault.CASH_NOT_HELD


@pytest.mark.parametrize("phase", CASH)
def test_a_tile_is_not_cashed_at_the_decision_of_another(phase: str) -> None:
    """I5."""
    at = cash_scene(phase)
    assert at.fault("2 cash 2A") == Fault.NOT_YOUR_DECISION
    assert at.legal_of(2) == []


def test_a_cashed_tile_pays_for_a_bid_or_a_development() -> None:
    """I5, C2."""
    bid = scene(
        "era 1, bid on 1E, seat 2; talers 5 0 4; seat 2: joker 1A; option resource_cash", HARBOUR
    )
    assert bid.legal == ["2 cash 1A", "2 pass"]
    assert bid.play("2 cash 1A").legal == ["2 bid 1", "2 pass"]


def test_without_the_option_no_tile_is_cashed() -> None:
    """I5: off by default."""
    at = scene(f"{CASH['develop']}; {TILES}", HARBOUR)
    assert at.legal == ["1 done"]
    assert at.fault("1 cash 1A") == Fault.CASH_OFF


def test_jokers_of_industry_are_never_cashed() -> None:
    """I5."""
    at = scene("era 1, develop, seat 1; talers 5 3 4; seat 1: joker 1A; option resource_cash")
    assert at.fault("1 cash 1A") == Fault.CASH_EDITION
    assert at.legal == ["1 done", "1 subsidy"]
