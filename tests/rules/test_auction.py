"""Phase 3: auction."""

import pytest

from industry.engine import Fault, Phase, Reason, Status, Token
from industry.engine.events import AuctioneerChanged, FieldTaken

from .positions import WORKSHOP, new_scene, random_game, scene

# Offering a field


def test_the_starting_player_is_the_first_auctioneer() -> None:
    at = new_scene(WORKSHOP, 3, starting_player=2).play("draw 1A 1D 1F")
    assert at.legal == ["2 offer 1A", "2 offer 1D", "2 offer 1F", "2 subsidy"]


def test_available_is_a_field_of_this_era_with_its_token_face_up() -> None:
    at = scene("era 2, offer, seat 1; talers 5 3 4; available 2A 2F; gone 2B")
    assert at.fault("1 offer 2F") == Fault.NONE
    assert at.fault("1 offer 1F") == Fault.OFFER_OTHER_ERA
    assert at.fault("1 offer 2C") == Fault.OFFER_NOT_DRAWN
    assert at.fault("1 offer 2B") == Fault.OFFER_GONE


def test_the_auctioneer_may_not_refuse_to_auction() -> None:
    """C7."""
    at = scene("era 1, offer, seat 1; talers 5 3 4; available 1A 1F")
    assert at.fault("1 pass") == at.fault("1 done") == Fault.NOT_THIS_DECISION


def test_the_last_field_is_a_forced_choice_and_still_a_decision() -> None:
    """C7, F2, J4: the engine asks for it, and the subsidy may be taken before."""
    at = scene("era 1, offer, seat 1; talers 5 3 4; available 1F; gone 1A 1B")
    assert at.legal == ["1 offer 1F", "1 subsidy"]


def test_the_phase_ends_when_all_available_fields_are_gone() -> None:
    """C7."""
    at = scene("era 1, settle 1F, seat 1; talers 5 3 4; starting player 2; seat 3: bid 2")
    assert at.play("1 sell").phase == Phase.DEVELOP
    assert at.play("1 claim").phase == Phase.DEVELOP
    more = scene("era 1, settle 1F, seat 1; talers 5 3 4; available 1G; seat 3: bid 2")
    assert more.play("1 sell").phase == Phase.OFFER


# Bidding


def test_each_player_but_the_auctioneer_is_asked_once_from_the_auctioneers_left() -> None:
    at = scene("era 1, offer, seat 2; talers 9 9 9 9; available 1F 1G").play("2 offer 1F")
    asked = []
    for bid in (1, 2, 3):
        asked.append(at.to_decide)
        at = at.play(f"{at.to_decide} bid {bid}")
    assert asked == [3, 4, 1]
    assert (at.phase, at.to_decide) == (Phase.SETTLE, 2)


def test_the_auctioneer_does_not_bid() -> None:
    at = scene("era 1, bid on 1F, seat 3; talers 9 9 9; seat 2: bid 1")
    assert at.fault("1 bid 2") == Fault.NOT_YOUR_DECISION


def test_nobody_bids_twice_on_the_same_field() -> None:
    at = scene("era 1, bid on 1F, seat 3; talers 9 9 9; seat 2: bid 1").play("3 bid 2")
    assert at.fault("2 bid 3") == Fault.NOT_YOUR_DECISION


def test_the_lowest_bid_is_1_taler() -> None:
    """C1."""
    at = scene("era 1, bid on 1F, seat 2; talers 9 9 9")
    assert at.fault("2 bid 0") == Fault.BID_TOO_LOW
    assert at.fault("2 bid 1") == Fault.NONE


def test_a_single_bid_of_1_leaves_the_auctioneer_the_choice() -> None:
    """C1."""
    after = scene("era 1, bid on 1F, seat 2; talers 9 9 9").play("2 bid 1", "3 pass")
    assert after.legal == ["1 claim", "1 sell", "1 subsidy"]


def test_a_bid_must_beat_the_highest_bid() -> None:
    """C1."""
    at = scene("era 1, bid on 1F, seat 3; talers 9 9 9; seat 2: bid 4")
    assert at.fault("3 bid 4") == Fault.BID_NOT_HIGHER
    assert at.fault("3 bid 3") == Fault.BID_NOT_HIGHER
    assert at.fault("3 bid 5") == Fault.NONE


def test_a_pass_in_between_does_not_lower_the_highest_bid() -> None:
    """C1."""
    at = scene("era 1, bid on 1F, seat 4; talers 9 9 9 9; seat 2: bid 4")
    assert at.fault("4 bid 4") == Fault.BID_NOT_HIGHER


def test_nobody_bids_more_than_the_purse_holds() -> None:
    """C2: coins in hand; the subsidy counts only once it is taken."""
    at = scene("era 1, bid on 1F, seat 2; talers 9 3 9")
    assert at.fault("2 bid 3") == Fault.NONE
    assert at.fault("2 bid 4") == Fault.BID_OVER_PURSE
    assert at.play("2 subsidy").fault("2 bid 6") == Fault.NONE


def test_every_whole_number_from_the_next_higher_bid_to_the_purse_is_a_bid() -> None:
    """J5, C1, C2."""
    at = scene("era 1, bid on 1F, seat 3; talers 9 9 5; seat 2: bid 2; seat 3: subsidy")
    assert at.legal == ["3 bid 3", "3 bid 4", "3 bid 5", "3 pass"]


def test_the_highest_bidder_can_always_pay() -> None:
    """C2: no bidder loses money before the settlement."""
    settlements = 0
    for seed in range(12):
        for at in random_game(new_scene(WORKSHOP, 3 + seed % 2), seed):
            if at.phase == Phase.SETTLE:
                state = at.position.state
                assert state.talers[state.high_bidder] >= state.high_bid
                settlements += 1
    assert settlements > 100


# Selling


def test_the_buyer_pays_the_current_auctioneer() -> None:
    """C5: not the Starting Player."""
    at = scene("era 1, settle 1F, seat 2; talers 5 3 4; starting player 1; seat 3: bid 4")
    after = at.play("2 sell")
    assert after.paid(Reason.SALE) == [(3, 2, 4)]
    assert after.talers == [5, 7, 0]
    assert (after.owner("1F"), after.status("1F")) == (3, Status.UNDEVELOPED)


def test_after_a_sale_the_same_auctioneer_continues() -> None:
    """C6."""
    at = scene("era 1, settle 1F, seat 2; talers 5 3 4; available 1G; seat 3: bid 4")
    after = at.play("2 sell")
    assert (after.phase, after.to_decide, after.auctioneer) == (Phase.OFFER, 2, 2)
    assert after.happened(AuctioneerChanged) == []


# Claiming

NET_COST_AND_GETS = {
    3: {
        1: (1, [1, 0]),
        2: (2, [1, 1]),
        3: (2, [1, 1]),
        4: (3, [2, 1]),
        5: (4, [2, 2]),
        6: (4, [2, 2]),
        7: (5, [3, 2]),
        8: (6, [3, 3]),
        12: (8, [4, 4]),
    },
    4: {
        1: (1, [1, 0, 0]),
        2: (2, [1, 1, 0]),
        3: (3, [1, 1, 1]),
        4: (3, [1, 1, 1]),
        5: (4, [2, 1, 1]),
        6: (5, [2, 2, 1]),
        7: (6, [2, 2, 2]),
        8: (6, [2, 2, 2]),
        12: (9, [3, 3, 3]),
    },
}
"""Table C4: by players and price, what the Auctioneer loses and what the others get."""

CLAIMS = [(players, price) for players, rows in NET_COST_AND_GETS.items() for price in rows]


@pytest.mark.parametrize(("players", "price"), CLAIMS)
def test_a_claim_is_paid_coin_by_coin_from_the_left(players: int, price: int) -> None:
    """C4: the Auctioneer (seat 2) counts too; nothing goes to the bank."""
    cost, gets = NET_COST_AND_GETS[players][price]
    purses = " 20" * players
    at = scene(f"era 1, settle 1F, seat 2; talers{purses}; seat 1: bid {price}")
    after = at.play("2 claim")
    left_first = [after.talers[(2 + step) % players] - 20 for step in range(players - 1)]
    assert after.talers[1] == 20 - cost
    assert left_first == gets
    assert after.position.state.bank == at.position.state.bank
    assert after.owner("1F") == 2


@pytest.mark.parametrize("players", [3, 4])
def test_the_coins_of_any_claim_are_those_counted_out_one_by_one(players: int) -> None:
    """C4, for prices beyond the table."""
    for price in range(1, 41):
        purses = [60] * players
        for coin in range(price):
            purses[1] -= 1
            purses[(2 + coin) % players] += 1
        at = scene(f"era 1, settle 1F, seat 2; talers{' 60' * players}; seat 1: bid {price}")
        assert at.play("2 claim").talers == purses


@pytest.mark.parametrize("bidder", [1, 3])
def test_the_highest_bidder_gets_his_share_like_everyone(bidder: int) -> None:
    """C4."""
    at = scene(f"era 1, settle 1F, seat 2; talers 9 9 9; seat {bidder}: bid 2")
    assert at.play("2 claim").talers == [10, 7, 10]


@pytest.mark.parametrize(("players", "price"), CLAIMS)
def test_the_auctioneer_may_claim_if_he_can_pay_what_leaves_his_hand(
    players: int, price: int
) -> None:
    """C3: the price minus the coins due to the Auctioneer."""
    cost, _ = NET_COST_AND_GETS[players][price]
    rest = " 20" * (players - 2)
    able = scene(f"era 1, settle 1F, seat 2; talers 20 {cost}{rest}; seat 1: bid {price}")
    poor = scene(f"era 1, settle 1F, seat 2; talers 20 {cost - 1}{rest}; seat 1: bid {price}")
    assert able.play("2 claim").talers[1] == 0
    assert poor.fault("2 claim") == Fault.CLAIM_TOO_DEAR


def test_an_auctioneer_who_is_priced_out_must_sell_or_take_the_subsidy() -> None:
    """C3, F2."""
    at = scene("era 1, settle 1F, seat 1; talers 1 9 9; seat 3: bid 5")
    assert at.legal == ["1 sell", "1 subsidy"]
    assert at.play("1 subsidy").legal == ["1 claim", "1 sell"]


@pytest.mark.parametrize(("claimer", "next_one"), [(1, 2), (2, 3), (3, 1)])
def test_after_a_claim_the_left_neighbour_is_auctioneer(claimer: int, next_one: int) -> None:
    """C6: and the Starting Player marker stays."""
    bidder = claimer % 3 + 1
    at = scene(
        f"era 1, settle 1F, seat {claimer}; talers 9 9 9; available 1G; seat {bidder}: bid 2"
    )
    after = at.play(f"{claimer} claim")
    assert (after.phase, after.to_decide, after.auctioneer) == (Phase.OFFER, next_one, next_one)
    assert after.starting_player == at.starting_player == 1


# No bids


def test_without_bids_the_auctioneer_must_take_the_field_free() -> None:
    """C6: forced, so it is not a decision and has no line in the record."""
    at = scene("era 1, bid on 1F, seat 1; talers 5 3 4; auctioneer 2; available 1G")
    after = at.play("1 pass")
    assert after.happened(FieldTaken) == [FieldTaken(1, 5)]
    assert after.owner("1F") == 2
    assert after.talers == [5, 3, 4]


def test_without_bids_the_left_neighbour_is_auctioneer_and_the_marker_stays() -> None:
    """C6."""
    at = scene("era 1, bid on 1F, seat 1; talers 5 3 4; auctioneer 2; available 1G")
    after = at.play("1 pass")
    assert (after.phase, after.auctioneer, after.starting_player) == (Phase.OFFER, 3, 1)


def test_an_auctioneer_without_talers_still_takes_a_field_nobody_wants() -> None:
    """C6, C3: it costs nothing."""
    after = scene("era 1, bid on 1F, seat 3; talers 0 3 4").play("3 pass")
    assert (after.owner("1F"), after.talers) == (1, [0, 3, 4])


# The office


def test_the_office_may_come_round_to_the_same_player() -> None:
    """B4: three players and four fields."""
    at = scene("era 4, offer, seat 2; talers 5 5 5; starting player 2; available 4A 4B 4C 4D")
    office = []
    while at.phase == Phase.OFFER:
        office.append(at.to_decide)
        at = at.play(at.legal[0])
        at = at.play(f"{at.to_decide} pass")
        at = at.play(f"{at.to_decide} pass")
    assert office == [2, 3, 1, 2]


def test_the_fourth_player_may_never_be_auctioneer() -> None:
    """B4: four players and three fields."""
    at = scene("era 5, offer, seat 1; talers 5 5 5 5; available 5A 5B 5C")
    office = []
    while at.phase == Phase.OFFER:
        office.append(at.to_decide)
        at = at.play(at.legal[0])
        for _ in range(3):
            at = at.play(f"{at.to_decide} pass")
    assert office == [1, 2, 3]


def test_a_former_auctioneer_may_bid() -> None:
    """C8."""
    at = scene("era 1, settle 1F, seat 1; talers 9 9 9; available 1G; seat 3: bid 2")
    after = at.play("1 claim", "2 offer 1G", "3 bid 1")
    assert "1 bid 2" in after.legal


def test_a_player_may_win_several_fields_in_a_round() -> None:
    """C8."""
    at = scene("era 1, offer, seat 1; talers 9 9 9; available 1F 1G")
    after = at.play(
        *("1 offer 1F", "2 bid 2", "3 pass", "1 sell"),
        *("1 offer 1G", "2 bid 3", "3 pass", "1 sell"),
    )
    assert (after.owner("1F"), after.owner("1G"), after.talers) == (2, 2, [14, 4, 9])


# Taking a field


def test_a_won_field_is_owned_and_undeveloped_and_its_token_lies_face_down() -> None:
    after = scene("era 1, settle 1F, seat 1; talers 5 3 4; seat 3: bid 2").play("1 sell")
    assert (after.owner("1F"), after.status("1F")) == (3, Status.UNDEVELOPED)
    assert after.token("F") == Token.FACE_DOWN
    assert after.track == [0, 0, 0]


def test_of_a_joker_field_only_the_joker_is_taken() -> None:
    after = scene("era 1, settle 1B, seat 1; talers 5 3 4; seat 3: bid 2").play("1 sell")
    assert (after.owner("1B"), after.status("1B")) == (3, Status.HELD)
    assert after.token("B") == Token.FACE_DOWN


def test_property_tokens_never_run_out() -> None:
    """D2: 24 a colour in the box, and here seat 1 takes its 41st field."""
    many = ", ".join(f"{era}{column} developed" for era in range(1, 5) for column in "CDEFGHIJKL")
    at = scene(f"era 5, bid on 5L, seat 3; talers 5 3 4; seat 1: {many}")
    assert at.play("3 pass").position.state.owner.count(0) == 41
