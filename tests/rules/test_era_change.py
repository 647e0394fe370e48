"""Phase 5: new Starting Player; then, where an era is over, the change of era."""

import pytest

from industry import BoardSpec
from industry.engine import Phase, Status
from industry.engine.events import EraChanged, StartingPlayerChanged, TalersMoved, TechnologyLapsed

from .positions import HARBOUR, WORKSHOP, end_of, new_scene, quiet_game, scene


@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 3), (3, 1)])
def test_the_marker_moves_to_the_left_neighbour_at_the_end_of_a_round(
    before: int, after: int
) -> None:
    """A3."""
    last = (before + 1) % 3 + 1
    at = scene(f"era 1, develop, seat {last}; talers 5 3 4; starting player {before}")
    assert at.play(f"{last} done").starting_player == after


def test_the_era_changes_when_its_12_fields_are_auctioned() -> None:
    """B3: not by a count of rounds."""
    gone = "gone " + " ".join(f"1{column}" for column in "ABCDEFGHIJK")
    open_still = scene(f"era 1, develop, seat 3; talers 5 3 4; {gone}").play("3 done")
    assert open_still.era == 1
    full = scene(f"era 1, develop, seat 3; talers 5 3 4; {gone}; gone 1L").play("3 done")
    assert full.era == 2


def test_an_era_never_changes_within_a_round() -> None:
    """B3, B6: the developments of its last round belong to it."""
    at = scene("era 1, develop, seat 1; talers 5 3 4; gone the rest; seat 3: 1L undeveloped")
    after = at.play("1 done", "2 done", "3 develop 1L")
    assert (after.era, after.track) == (1, [0, 0, 2])


def test_the_change_comes_after_the_marker_and_before_the_next_income() -> None:
    """B6."""
    at = scene("era 1, develop, seat 3; talers 5 3 4; gone the rest; seat 2: 1L undeveloped")
    after = at.play("3 done")
    kinds = [type(event) for event in after.events]
    assert (
        kinds.index(StartingPlayerChanged)
        < kinds.index(TechnologyLapsed)
        < kinds.index(EraChanged)
        < kinds.index(TalersMoved)
    )


def test_undeveloped_technologies_lapse_without_refund() -> None:
    """G1: the marker stays on the board, and counts for nothing."""
    at = scene(
        "era 1, develop, seat 3; talers 5 3 4; gone the rest; seat 2: 1K undeveloped, 1L developed"
    )
    after = at.play("3 done")
    assert (after.owner("1K"), after.status("1K")) == (2, Status.LAPSED)
    assert after.status("1L") == Status.DEVELOPED
    assert after.happened(TechnologyLapsed) == [TechnologyLapsed(1, 10)]
    assert after.talers == [6, 4, 5]


def test_factories_bonus_fields_and_jokers_do_not_lapse() -> None:
    """G1, E13."""
    at = scene(
        "era 1, develop, seat 3; talers 5 3 4; gone the rest"
        "; seat 1: 1E undeveloped, 1C undeveloped, joker 1A"
    )
    after = at.play("3 done")
    assert after.status("1E") == after.status("1C") == Status.UNDEVELOPED
    assert after.status("1A") == Status.HELD


def test_a_lapsed_technology_counts_for_nothing() -> None:
    """G1: neither for links nor in a tie."""
    at = scene("era 5, over; talers 0 0 0; seat 1: 1K lapsed, 1L developed; seat 2: 1I developed")
    assert at.position.breakdown(0).links == 0
    assert at.winners == [1, 2]


def test_a_new_era_brings_new_resources_to_the_bank() -> None:
    """E9."""
    at = scene("era 1, develop, seat 3; talers 5 3 4; gone the rest; seat 2: 2E undeveloped")
    after = at.play("3 done", "draw 2A 2B 2C")
    for _ in range(3):
        after = after.play(after.legal[0])
        after = after.play(f"{after.to_decide} pass")
        after = after.play(f"{after.to_decide} pass")
    assert after.phase == Phase.DEVELOP
    assert "2 develop 2E wood=bank" in after.legal


@pytest.mark.parametrize(
    ("board", "players"),
    [(WORKSHOP, 3), (WORKSHOP, 4), (HARBOUR, 4)],
    ids=["industry, 3", "industry, 4", "industria, 4"],
)
def test_there_is_no_change_after_the_last_era(board: BoardSpec, players: int) -> None:
    """B6: four changes in five eras."""
    game = end_of(quiet_game(new_scene(board, players)))
    assert [event.era + 1 for event in game.happened(EraChanged)] == [2, 3, 4, 5]
    assert game.era == 5
