"""Phase 4: development."""

import pytest

from industry.engine import Develop, Fault, Phase, Reason, Source, Status
from industry.engine.events import FieldDeveloped, ResourceProvided, TalersMoved

from .positions import scene

# Turns


def test_each_player_has_one_turn_in_order_from_the_starting_player() -> None:
    """E1."""
    at = scene("era 1, develop, seat 2; talers 5 3 4; starting player 2")
    turns = []
    while at.phase == Phase.DEVELOP:
        turns.append(at.to_decide)
        at = at.play(f"{at.to_decide} done")
    assert turns == [2, 3, 1]


def test_up_to_two_fields_are_developed_in_a_turn() -> None:
    """E1: and the third waits, however rich its owner is."""
    at = scene(
        "era 1, develop, seat 1; talers 20 3 4"
        "; seat 1: 1E undeveloped, 1F undeveloped, 1G undeveloped"
    )
    after = at.play("1 develop 1E", "1 develop 1F")
    assert after.legal == ["1 done", "1 subsidy"]
    assert after.fault("1 develop 1G") == Fault.DEVELOP_LIMIT


def test_the_limit_is_counted_anew_for_each_player_and_each_round() -> None:
    """E1."""
    at = scene(
        "era 1, develop, seat 1; talers 20 20 4"
        "; seat 1: 1E undeveloped, 1F undeveloped; seat 2: 1C undeveloped, 1D undeveloped"
    )
    after = at.play("1 develop 1E", "1 develop 1F", "1 done", "2 develop 1C", "2 develop 1D")
    assert after.status("1D") == Status.DEVELOPED


def test_any_undeveloped_fields_of_your_own_may_be_developed() -> None:
    """E1: also of earlier eras."""
    at = scene(
        "era 3, develop, seat 1; talers 20 3 4"
        "; seat 1: 1E undeveloped, 3J undeveloped; seat 2: 1F undeveloped"
    )
    assert at.legal == ["1 develop 1E", "1 develop 3J", "1 done", "1 subsidy"]
    assert at.fault("1 develop 1F") == Fault.DEVELOP_NOT_OWNED


def test_developing_is_optional() -> None:
    """E15: a turn ends by an explicit `done`, also when nothing could be developed (J4)."""
    at = scene("era 1, develop, seat 1; talers 5 3 4; seat 1: 1E undeveloped")
    assert at.play("1 done").status("1E") == Status.UNDEVELOPED
    poor = scene("era 1, develop, seat 1; talers 0 3 4; seat 1: subsidy")
    assert poor.legal == ["1 done"]


def test_a_turn_is_not_over_after_the_second_field() -> None:
    """E15."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped, 1F undeveloped")
    assert at.play("1 develop 1E", "1 develop 1F").to_decide == 1


def test_a_field_won_in_this_round_may_be_developed_in_it() -> None:
    """E3."""
    at = scene("era 1, settle 1E, seat 1; talers 5 5 5; seat 2: bid 2")
    after = at.play("1 sell", "1 done", "2 develop 1E")
    assert after.status("1E") == Status.DEVELOPED


def test_a_joker_won_in_this_round_may_be_used_in_it() -> None:
    """E3."""
    at = scene("era 1, settle 1B, seat 1; talers 5 5 5; seat 2: bid 2, 1H undeveloped")
    after = at.play("1 sell", "1 done", "2 develop 1H wood=joker")
    assert after.status("1H") == Status.DEVELOPED


def test_a_developed_field_is_not_developed_again() -> None:
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1E developed")
    assert at.fault("1 develop 1E") == Fault.DEVELOP_TWICE


def test_a_joker_is_not_developed() -> None:
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: joker 1B")
    assert at.fault("1 develop 1B") == Fault.DEVELOP_JOKER


# Cost


def test_the_construction_cost_goes_to_the_bank() -> None:
    after = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped").play(
        "1 develop 1E"
    )
    assert after.paid(Reason.COST) == [(1, 0, 2)]
    assert after.talers == [7, 3, 4]


def test_technologies_cost_no_talers() -> None:
    after = scene("era 1, develop, seat 1; talers 0 3 4; seat 1: 1L undeveloped").play(
        "1 develop 1L"
    )
    assert (after.talers, after.track) == ([0, 3, 4], [2, 0, 0])


def test_bonus_fields_cost_and_need_what_the_board_says() -> None:
    """E12."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2C undeveloped, 2D undeveloped")
    assert "1 develop 2C" in at.legal
    after = at.play("1 develop 2D stone=bank")
    assert (after.paid(Reason.COST), after.paid(Reason.RESOURCE)) == ([(1, 0, 2)], [(1, 0, 1)])


def test_who_is_too_poor_may_not_develop() -> None:
    at = scene("era 2, develop, seat 1; talers 2 3 4; seat 1: 2E undeveloped")
    assert at.refusal("1 develop 2E wood=bank").fault == Fault.TOO_FEW_TALERS
    assert scene("era 2, develop, seat 1; talers 3 3 4; seat 1: 2E undeveloped").legal == [
        "1 develop 2E wood=bank",
        "1 done",
        "1 subsidy",
    ]


def test_a_development_is_paid_wholly_or_not_at_all() -> None:
    """E14: 1 Taler to build, 1 for stone, 1 for glass; with 2 in hand nothing changes."""
    text = "era 3, develop, seat 1; talers {} 3 4; seat 1: 2H undeveloped"
    poor = scene(text.format(2))
    assert poor.refusal("1 develop 2H stone=bank glass=bank").numbers["missing"] == 1
    after = scene(text.format(3)).play("1 develop 2H stone=bank glass=bank")
    assert after.talers[0] == 0


def test_payments_are_booked_before_the_field_is_developed() -> None:
    """E14: first the cost, then the resources."""
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4"
        "; seat 1: 2H undeveloped, joker 2B; seat 2: 1G developed"
    )
    after = at.play("1 develop 2H stone=2 glass=joker")
    assert [type(event) for event in after.events] == [
        TalersMoved,
        ResourceProvided,
        TalersMoved,
        ResourceProvided,
        FieldDeveloped,
    ]
    assert (after.paid(Reason.COST), after.paid(Reason.RESOURCE)) == ([(1, 0, 1)], [(1, 2, 1)])
    assert after.status("2B") == Status.SPENT


def test_a_source_is_named_for_every_need_and_for_nothing_else() -> None:
    """E14."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2H undeveloped, 1E undeveloped")
    assert at.fault(Develop(0, 19, (Source.BANK,))) == Fault.NEEDS_MISMATCH
    assert at.fault(Develop(0, 4, (Source.BANK,))) == Fault.NEEDS_MISMATCH


# One after the other


def test_the_first_development_helps_the_second() -> None:
    """E2: its product is there at once."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped, 1H undeveloped")
    assert at.fault("1 develop 1H wood=own") == Fault.NO_OWN_FACTORY
    after = at.play("1 develop 1E", "1 develop 1H wood=own")
    assert after.status("1H") == Status.DEVELOPED


def test_the_first_development_makes_the_second_cheaper() -> None:
    """E2, E11: the Bank first cheapens the Stock Exchange; neither lowers its own cost."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1I undeveloped, 1J undeveloped")
    after = at.play("1 develop 1I", "1 develop 1J")
    assert after.paid(Reason.COST) == [(1, 0, 3), (1, 0, 2)]


# Bank and Stock Exchange


@pytest.mark.parametrize(
    ("owned", "cost"),
    [
        ("1I undeveloped", 4),
        ("1I developed", 3),
        ("1J developed", 3),
        ("1I developed, 1J developed", 2),
        ("1I developed, 1J undeveloped", 3),
    ],
)
def test_bank_and_stock_exchange_lower_the_cost_by_1_each_once_developed(
    owned: str, cost: int
) -> None:
    """E11: also in later eras."""
    at = scene(f"era 5, develop, seat 1; talers 9 3 4; seat 1: 5G undeveloped, {owned}")
    assert at.play("1 develop 5G").paid(Reason.COST) == [(1, 0, cost)]


def test_the_discount_is_for_the_owner_alone() -> None:
    """E11."""
    at = scene("era 5, develop, seat 1; talers 9 3 4; seat 1: 5G undeveloped; seat 2: 1I developed")
    assert at.play("1 develop 5G").paid(Reason.COST) == [(1, 0, 4)]


def test_the_discount_holds_for_bonus_fields() -> None:
    """E11."""
    at = scene("era 5, develop, seat 1; talers 9 3 4; seat 1: 5B undeveloped, 1I developed")
    assert at.play("1 develop 5B").paid(Reason.COST) == [(1, 0, 2)]


def test_the_cost_never_falls_below_0_and_nothing_is_paid_out() -> None:
    """E11."""
    at = scene(
        "era 1, develop, seat 1; talers 0 3 4; seat 1: 1C undeveloped, 1I developed, 1J developed"
    )
    after = at.play("1 develop 1C")
    assert (after.talers, after.happened(TalersMoved)) == ([0, 3, 4], [])


def test_the_discount_does_not_touch_the_price_of_resources() -> None:
    """E10: always 1 Taler, whether from a player or from the bank."""
    mine = "2E undeveloped, 1I developed, 1J developed"
    bank = scene(f"era 2, develop, seat 1; talers 9 3 4; seat 1: {mine}")
    assert bank.play("1 develop 2E wood=bank").talers[0] == 8
    seller = scene(f"era 2, develop, seat 1; talers 9 3 4; seat 1: {mine}; seat 2: 1E developed")
    assert seller.play("1 develop 2E wood=2").talers[:2] == [8, 4]


# Points


def test_a_factory_scores_only_in_its_own_era() -> None:
    """E13."""
    text = "era {}, develop, seat 1; talers 9 3 4; seat 1: 1I undeveloped"
    assert scene(text.format(1)).play("1 develop 1I").track == [1, 0, 0]
    late = scene(text.format(2)).play("1 develop 1I")
    assert (late.track, late.status("1I")) == ([0, 0, 0], Status.DEVELOPED)


def test_a_technology_scores_in_its_own_era_and_lapses_after_it() -> None:
    """E13, G1."""
    text = "era {}, develop, seat 1; talers 9 3 4; seat 1: 1L {}"
    assert scene(text.format(1, "undeveloped")).play("1 develop 1L").track == [2, 0, 0]
    assert scene(text.format(2, "lapsed")).fault("1 develop 1L") == Fault.DEVELOP_LAPSED


def test_a_bonus_field_is_developed_in_any_era_and_scores_at_the_end() -> None:
    """E13."""
    text = "era {}, develop, seat 1; talers 9 3 4; seat 1: 1C undeveloped, 1E developed"
    for era in (1, 5):
        after = scene(text.format(era)).play("1 develop 1C")
        assert (after.track, after.position.breakdown(0).bonuses) == ([0, 0, 0], 2)


def test_points_are_booked_at_once() -> None:
    """H9: and the track shows points for development only."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1I undeveloped, points 5, joker 1A")
    after = at.play("1 develop 1I")
    assert (after.track, after.happened(FieldDeveloped)[0].points) == ([6, 0, 0], 1)


def test_a_field_without_a_number_scores_nothing() -> None:
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped")
    assert at.play("1 develop 1E").track == [0, 0, 0]
