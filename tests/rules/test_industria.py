"""«Industria» (2003): where its rulebook differs."""

import pytest

from industry.engine import Breakdown, Fault, Phase, Reason, Status
from industry.engine.events import FieldDeveloped, TechnologyLapsed

from .positions import HARBOUR, INDUSTRIA, end_of, new_scene, quiet_game, scene

# Eras


def test_three_players_play_four_eras() -> None:
    """I1: the tiles of era 5 stay in the box."""
    end = end_of(quiet_game(new_scene(HARBOUR, 3)))
    assert (end.era, end.phase) == (4, Phase.OVER)
    assert all(end.owner(f"5{letter}") == 0 for letter in "ABCDEFGHIJKL")


def test_four_players_play_five_eras() -> None:
    """I1."""
    end = end_of(quiet_game(new_scene(HARBOUR, 4)))
    assert (end.era, end.phase) == (5, Phase.OVER)


def test_the_draws_never_change() -> None:
    """B2: one tile per player in every era."""
    assert scene("era 4, draw; talers 5 3 4", HARBOUR).position.draw_count == 3
    assert scene("era 5, draw; talers 5 3 4 4", HARBOUR).position.draw_count == 4


def test_there_is_no_subsidy() -> None:
    """I2."""
    at = scene("era 1, develop, seat 1; talers 5 3 4", HARBOUR)
    assert at.legal == ["1 done"]
    assert at.fault("1 subsidy") == Fault.SUBSIDY_EDITION


# Auction


@pytest.mark.parametrize("purse", [0, 9])
def test_a_claim_is_free(purse: int) -> None:
    """I3, C9: also for who has nothing."""
    at = scene(f"era 1, settle 1E, seat 1; talers {purse} 3 4; seat 3: bid 4", HARBOUR)
    after = at.play("1 claim")
    assert (after.owner("1E"), after.talers) == (1, [purse, 3, 4])
    assert after.paid(Reason.CLAIM) == []


def test_after_a_claim_the_office_moves_left_and_the_marker_stays() -> None:
    """C6."""
    at = scene("era 1, settle 1E, seat 1; talers 5 3 4; available 1F; seat 3: bid 4", HARBOUR)
    after = at.play("1 claim")
    assert (after.auctioneer, after.starting_player) == (2, 1)


def test_a_sale_is_paid_to_the_auctioneer() -> None:
    """C5."""
    at = scene("era 1, settle 1E, seat 1; talers 5 3 4; seat 3: bid 4", HARBOUR)
    assert at.play("1 sell").talers == [9, 3, 0]


def test_a_bought_tile_is_kept_in_hand_for_all_to_see() -> None:
    """I4."""
    after = scene("era 1, settle 1K, seat 1; talers 5 3 4; seat 3: bid 4", HARBOUR).play("1 sell")
    assert (after.owner("1K"), after.status("1K")) == (3, Status.UNDEVELOPED)


# Laying tiles


def test_one_factory_one_technology_and_one_bonus_a_round_in_any_order() -> None:
    """I6, E1."""
    hand = "1C undeveloped, 1D undeveloped, 1E undeveloped, 1H undeveloped"
    at = scene(
        f"era 1, develop, seat 1; talers 9 3 4; seat 1: {hand}, 1K undeveloped, 1L undeveloped",
        HARBOUR,
    )
    after = at.play("1 develop 1L", "1 develop 1D", "1 develop 1E")
    assert after.legal == ["1 done"]
    for tile in ("1C", "1H"):
        assert after.fault(f"1 develop {tile}") == Fault.DEVELOP_KIND_LIMIT
    assert after.fault("1 develop 1K wood=own") == Fault.DEVELOP_KIND_LIMIT


def test_fewer_tiles_or_none_may_be_laid() -> None:
    """E1, E15."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped", HARBOUR)
    assert at.play("1 done").status("1E") == Status.UNDEVELOPED


def test_bonus_tiles_are_laid_in_any_era_and_cost_what_the_board_says() -> None:
    """E12: 0 here."""
    at = scene("era 4, develop, seat 1; talers 0 3 4; seat 1: 1C undeveloped", HARBOUR)
    assert at.play("1 develop 1C").talers == [0, 3, 4]


def test_a_raw_material_tile_serves_once() -> None:
    """E8: discarded when used."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1G undeveloped, joker 1A", HARBOUR)
    after = at.play("1 develop 1G wood=joker")
    assert (after.status("1A"), after.talers[0]) == (Status.SPENT, 8)


def test_another_player_sells_his_product_for_1_taler() -> None:
    """E5."""
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4; seat 1: 1G undeveloped; seat 3: 1E developed",
        HARBOUR,
    )
    assert at.fault("1 develop 1G wood=bank") == Fault.BANK_CLOSED
    assert at.play("1 develop 1G wood=3").talers == [7, 3, 5]


def test_bank_and_stock_exchange_lower_the_cost() -> None:
    """E11."""
    at = scene(
        "era 4, develop, seat 1; talers 9 3 4; seat 1: 4G undeveloped, 1I developed, 1J developed",
        HARBOUR,
    )
    assert at.play("1 develop 4G").paid(Reason.COST) == [(1, 0, 1)]


def test_factories_score_only_in_their_era() -> None:
    """E13."""
    text = "era {}, develop, seat 1; talers 9 3 4; seat 1: 1H undeveloped"
    assert scene(text.format(1), HARBOUR).play("1 develop 1H").track == [1, 0, 0]
    assert scene(text.format(2), HARBOUR).play("1 develop 1H").track == [0, 0, 0]


def test_technologies_in_hand_are_discarded_at_the_change_of_era() -> None:
    """I8."""
    at = scene(
        "era 1, develop, seat 3; talers 5 3 4; gone the rest; seat 2: 1K undeveloped", HARBOUR
    )
    after = at.play("3 done")
    assert after.happened(TechnologyLapsed) == [TechnologyLapsed(1, 10)]
    assert after.status("1K") == Status.LAPSED
    assert after.talers == [6, 4, 5]


# Scoring


def test_a_bonus_pays_2_for_each_factory_that_shows_its_symbol() -> None:
    """I7."""
    at = scene(
        "era 4, over; talers 0 0 0; seat 1: 1C developed, 1E developed, 1F developed", HARBOUR
    )
    assert at.position.breakdown(0).bonuses == 4


def test_a_second_bonus_of_the_same_kind_pays_nothing() -> None:
    """I7: unlike H1."""
    at = scene(
        "era 4, over; talers 0 0 0; seat 1: 1C developed, 2C developed, 1E developed", HARBOUR
    )
    assert at.position.breakdown(0).bonuses == 2


def test_a_factory_with_two_symbols_pays_for_both() -> None:
    """I7: 1F shows Canal and Port."""
    at = scene(
        "era 4, over; talers 0 0 0; seat 1: 1C developed, 1D developed, 1F developed", HARBOUR
    )
    assert at.position.breakdown(0).bonuses == 4


def test_unused_raw_materials_score_nothing() -> None:
    """I5, H5."""
    at = scene("era 4, over; talers 0 0 0; seat 1: joker 1A, joker 2A", HARBOUR)
    assert at.totals == [0, 0, 0]


def test_the_rulebooks_example_gives_26_points() -> None:
    """I9: oil field, refinery, mechanical engineering, automobile, the Pipeline and the Port."""
    booked = 0
    for field, era, needs in [
        ("1L", 1, "wood=joker"),
        ("3L", 3, "glass=bank steel=joker"),
        ("3J", 3, "iron=bank cement=joker"),
        ("4J", 4, "steel=bank cement=bank"),
    ]:
        at = scene(
            f"era {era}, develop, seat 1; talers 9 0 0"
            f"; seat 1: {field} undeveloped, joker 1B, joker 3A, joker 3B",
            INDUSTRIA,
        )
        after = at.play(f"1 develop {field} {needs}")
        booked += after.happened(FieldDeveloped)[0].points
    end = scene(
        f"""
        era 5, over
        talers 0 0 0 0
        seat 1: points {booked}, 3J developed, 4J developed, 1L developed, 3L developed
        seat 1: 3D developed, 1D developed
        """,
        INDUSTRIA,
    )
    assert end.position.breakdown(0) == Breakdown(
        development=3 + 4 + 2 + 5, money=0, links=3 + 3, bonuses=2 + 2 + 2, jokers=0, subsidy=0
    )
    assert end.totals[0] == 26


def test_bonus_tiles_count_in_a_tie() -> None:
    """I10, H8: most tiles laid, whether they bear a marker or not."""
    at = scene(
        """
        era 4, over
        talers 0 2 0
        seat 1: points 10, 1K developed, 1D developed
        seat 2: points 10, 1H developed
        """,
        HARBOUR,
    )
    assert (at.totals[:2], at.winners) == ([10, 10], [1])


def test_the_next_tie_goes_to_the_richest_and_then_victory_is_shared() -> None:
    """H8."""
    text = "era 4, over; talers {} 1 0; seat 1: points 10; seat 2: points 10"
    assert scene(text.format(2), HARBOUR).winners == [1]
    assert scene(text.format(1), HARBOUR).winners == [1, 2]
