"""End of the game: when it comes, what counts, and who wins."""

import pytest

from industry.engine import Breakdown, Fault, Phase
from industry.engine.events import GameEnded

from .positions import WORKSHOP, end_of, new_scene, quiet_game, random_game, scene

# When it ends


def test_the_development_of_the_last_round_is_played() -> None:
    """G2."""
    at = scene("era 5, develop, seat 1; talers 9 9 9; gone the rest; seat 3: 5I undeveloped")
    after = at.play("1 done", "2 done", "3 develop 5I")
    assert after.phase == Phase.DEVELOP
    over = after.play("3 done")
    assert (over.phase, over.happened(GameEnded)) == (Phase.OVER, [GameEnded()])
    assert over.track == [0, 0, 3]


def test_the_game_continues_while_fields_of_the_last_era_are_left() -> None:
    """G2."""
    gone = "gone " + " ".join(f"5{column}" for column in "ABCDEFGHI")
    after = scene(f"era 5, develop, seat 3; talers 9 9 9; {gone}").play("3 done")
    assert after.phase == Phase.DRAW


def test_there_is_no_income_after_the_end() -> None:
    """G2, B6."""
    at = scene("era 5, develop, seat 3; talers 5 3 4; gone the rest")
    assert at.play("3 done").talers == [5, 3, 4]


def test_nothing_can_be_done_after_the_end() -> None:
    at = scene("era 5, over; talers 5 3 4; gone the rest")
    for move in ("1 offer 5A", "1 pass", "1 done", "1 subsidy", "1 sell", "1 claim", "1 bid 1"):
        assert at.fault(move) == Fault.GAME_OVER
    assert at.legal == []


# Clean-up


def test_undeveloped_fields_count_for_nothing() -> None:
    """G3: neither for links nor for bonuses, although they are owned."""
    at = scene("era 5, over; talers 0 0 0; seat 1: 1E developed, 1F undeveloped, 1C undeveloped")
    assert at.totals == [0, 0, 0]
    harbour_without_ships = scene("era 5, over; talers 0 0 0; seat 1: 1C developed, 1E undeveloped")
    assert harbour_without_ships.position.breakdown(0).bonuses == 0


# Money


@pytest.mark.parametrize(
    ("talers", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (8, 2), (30, 10)]
)
def test_every_full_3_talers_are_1_point(talers: int, points: int) -> None:
    """H4: the rest is lost."""
    at = scene(f"era 5, over; talers {talers} 0 0")
    assert at.position.breakdown(0).money == points


# Links


def test_each_direct_link_of_two_developed_fields_of_one_player_is_3_points() -> None:
    """H3: roads between factories and lines between technologies."""
    roads = scene("era 5, over; talers 0 0 0; seat 1: 1E developed, 1F developed")
    lines = scene("era 5, over; talers 0 0 0; seat 1: 1K developed, 1L developed")
    assert roads.position.breakdown(0).links == lines.position.breakdown(0).links == 3


def test_a_chain_of_three_is_two_links() -> None:
    """H3."""
    at = scene("era 5, over; talers 0 0 0; seat 1: 1E developed, 1F developed, 1G developed")
    assert at.position.breakdown(0).links == 6


def test_the_ends_of_a_chain_are_not_linked_without_its_middle() -> None:
    """H3: only direct links count."""
    at = scene(
        "era 5, over; talers 0 0 0; seat 1: 1E developed, 1G developed; seat 2: 1F developed"
    )
    assert [at.position.breakdown(seat).links for seat in (0, 1)] == [0, 0]


# Bonus fields


def test_the_rulebooks_example_gives_24_points() -> None:
    """H1: 3 Ports of 2 and 4 factories on the river."""
    at = scene(
        """
        era 5, over
        talers 0 0 0
        seat 1: 1C developed, 1D developed, 4B developed
        seat 1: 1E developed, 1F developed, 1G developed, 2E developed
        """
    )
    assert at.position.breakdown(0).bonuses == 24


def test_a_bonus_field_counts_for_each_connected_factory_wherever_it_lies() -> None:
    """H1: rail connects 2E, 2H and 3I; adjacency is not needed."""
    at = scene(
        "era 5, over; talers 0 0 0; seat 1: 5A developed, 2E developed, 2H developed, 3I developed"
    )
    assert at.position.breakdown(0).bonuses == 2 * 3


def test_equal_bonus_fields_add_up_by_their_own_values() -> None:
    """H1, H2: one Railway Station is worth 2, the other 3."""
    at = scene(
        "era 5, over; talers 0 0 0; seat 1: 2C developed, 2D developed, 2E developed, 2H developed"
    )
    assert at.position.breakdown(0).bonuses == (2 + 3) * 2


def test_a_factory_on_two_networks_counts_for_both() -> None:
    """H1: 2E lies on the river and on the rails."""
    at = scene("era 5, over; talers 0 0 0; seat 1: 1C developed, 2D developed, 2E developed")
    assert at.position.breakdown(0).bonuses == 2 + 3


def test_only_ones_own_factories_count_for_ones_bonus_fields() -> None:
    """H1."""
    at = scene(
        "era 5, over; talers 0 0 0; seat 1: 1C developed; seat 2: 1E developed, 1F developed"
    )
    assert [at.position.breakdown(seat).bonuses for seat in (0, 1)] == [0, 0]


def test_factories_off_the_network_do_not_count() -> None:
    """H1."""
    at = scene("era 5, over; talers 0 0 0; seat 1: 1C developed, 2H developed, 1L developed")
    assert at.position.breakdown(0).bonuses == 0


# Jokers and subsidy


def test_each_unused_joker_is_2_points() -> None:
    """H5: «?» too, spent ones not."""
    at = scene("era 5, over; talers 0 0 0; seat 1: joker 1A, joker 1B, 2A spent")
    assert at.position.breakdown(0).jokers == 4


def test_a_subsidy_is_5_points_less() -> None:
    """F4."""
    at = scene("era 5, over; talers 0 0 0; seat 1: points 7, subsidy")
    assert at.totals == [2, 0, 0]


def test_a_subsidy_can_cost_the_victory() -> None:
    """F4."""
    at = scene("era 5, over; talers 0 0 0; seat 1: points 10, subsidy; seat 2: points 7")
    assert at.winners == [2]


def test_a_total_may_be_negative() -> None:
    """H6: shown as it is; it may even win."""
    at = scene(
        "era 5, over; talers 2 1 0; seat 1: subsidy; seat 2: subsidy, points 1; seat 3: subsidy"
    )
    assert (at.totals, at.winners) == ([-5, -4, -5], [2])


# The total


def test_the_six_parts_add_up() -> None:
    """H9, H4, H3, H1, H5, F4."""
    at = scene(
        """
        era 5, over
        talers 7 0 0
        seat 1: points 11, subsidy, joker 1A
        seat 1: 1E developed, 1F developed, 1C developed
        """
    )
    assert at.position.breakdown(0) == Breakdown(
        development=11, money=2, links=3, bonuses=4, jokers=2, subsidy=-5
    )
    assert at.totals[0] == 17


def test_points_are_a_plain_number_without_laps() -> None:
    """H7."""
    at = scene("era 5, over; talers 0 0 0; seat 1: points 99, 1E developed, 1F developed")
    assert at.totals[0] == 102


def test_the_score_if_it_ended_now_can_be_asked_during_the_game() -> None:
    """H9: the track shows development only."""
    at = scene("era 2, develop, seat 1; talers 6 0 0; seat 1: points 4")
    assert (at.track[0], at.totals[0]) == (4, 6)


# The winner


def test_most_points_win() -> None:
    at = scene("era 5, over; talers 0 0 0; seat 1: points 10; seat 2: points 12; seat 3: points 11")
    assert at.winners == [2]


def test_a_tie_goes_to_the_most_developed_fields() -> None:
    """H8, first; the Talers of seat 2 do not matter yet."""
    at = scene(
        """
        era 5, over
        talers 0 2 0
        seat 1: points 10, 1E developed, 3J developed
        seat 2: points 10, 1F developed
        seat 3: points 9, 1G developed, 1H developed, 1I developed
        """
    )
    assert (at.totals[:2], at.winners) == ([10, 10], [1])


@pytest.mark.parametrize("idle", ["3J undeveloped", "1L lapsed", "joker 1A", "1A spent"])
def test_only_developed_fields_count_in_a_tie(idle: str) -> None:
    """H8: after the clean-up; jokers never had a marker."""
    jokers = 2 if idle == "joker 1A" else 0
    at = scene(
        f"""
        era 5, over
        talers 0 1 0
        seat 1: points {10 - jokers}, 1E developed, {idle}
        seat 2: points 10, 1F developed
        """
    )
    assert (at.totals[:2], at.winners) == ([10, 10], [2])


def test_the_next_tie_goes_to_the_most_talers() -> None:
    """H8, second."""
    at = scene(
        """
        era 5, over
        talers 4 5 3
        seat 1: points 10, 1E developed
        seat 2: points 10, 1F developed
        seat 3: points 10, 1G developed
        """
    )
    assert (at.totals, at.winners) == ([11, 11, 11], [2])


def test_talers_held_count_and_not_what_is_left_after_scoring_them() -> None:
    """H8: 6 Talers (none left over) beat 5 (2 left over)."""
    at = scene("era 5, over; talers 6 5 0; seat 1: points 10; seat 2: points 11")
    assert (at.totals[:2], at.winners) == ([12, 12], [1])


def test_a_complete_tie_is_a_shared_victory() -> None:
    """H8, third."""
    at = scene("era 5, over; talers 4 4 4; seat 1: points 10; seat 2: points 9; seat 3: points 10")
    assert at.winners == [1, 3]


def test_all_may_share_the_victory() -> None:
    """H8, third."""
    assert scene("era 5, over; talers 4 4 4 4").winners == [1, 2, 3, 4]


def test_every_game_ends_and_has_a_winner() -> None:
    for seed in range(6):
        end = end_of(random_game(new_scene(WORKSHOP, 3 + seed % 2), seed))
        assert end.phase == Phase.OVER
        best = max(end.totals)
        assert end.winners
        assert all(end.totals[seat - 1] == best for seat in end.winners)


def test_a_game_without_bids_and_developments_is_decided_by_jokers_and_money() -> None:
    """H4, H5, H8."""
    end = end_of(quiet_game(new_scene(WORKSHOP, 3)))
    assert end.track == [0, 0, 0]
    assert sum(end.position.breakdown(seat).jokers for seat in range(3)) == 14
