"""Phase 4: development."""

import pytest

from industry import BoardSpec
from industry.engine import Develop, Fault, Phase, Reason, Source, Status
from industry.engine.events import FieldDeveloped, ResourceProvided, TalersMoved

from .positions import HARBOUR, WORKSHOP, scene

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


def test_any_undeveloped_fields_of_ones_own_may_be_developed() -> None:
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


# Resources: one's own factory


def test_ones_own_product_is_free_and_automatic() -> None:
    """E4: nothing else may be given for it."""
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4"
        "; seat 1: 1E developed, 2E undeveloped, joker 1A, joker 1B; seat 2: 1F developed"
    )
    assert at.legal == ["1 develop 2E wood=own", "1 done", "1 subsidy"]
    for source in ("2", "bank", "joker", "any"):
        assert at.fault(f"1 develop 2E wood={source}") == Fault.OWN_PRODUCT
    assert at.play("1 develop 2E wood=own").paid(Reason.RESOURCE) == []


def test_ones_own_product_serves_any_number_of_times() -> None:
    """E4."""
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4"
        "; seat 1: 1E developed, 2E undeveloped, 2I undeveloped, 3I undeveloped"
    )
    after = at.play("1 develop 2E wood=own", "1 develop 2I wood=own")
    assert after.talers[0] == 9 - 2 - 4


def test_undeveloped_factories_make_nothing() -> None:
    """E7: neither for their owner nor for others, and the bank stays open."""
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4"
        "; seat 1: 1E undeveloped, 2E undeveloped; seat 2: 1F undeveloped"
    )
    assert at.fault("1 develop 2E wood=own") == Fault.NO_OWN_FACTORY
    assert at.fault("1 develop 2E wood=2") == Fault.NO_SELLER
    assert at.fault("1 develop 2E wood=bank") == Fault.NONE


def test_a_factory_that_is_built_late_makes_its_product_for_ever() -> None:
    """E7, E13: without points, but it produces."""
    at = scene("era 5, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped, 2I undeveloped")
    after = at.play("1 develop 1E", "1 develop 2I wood=own")
    assert after.track == [0, 0, 0]


# Resources: another player's factory


def test_a_resource_is_bought_from_another_players_factory_for_1_taler() -> None:
    """E5: the seller cannot refuse and is not asked."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1H undeveloped; seat 2: 1E developed")
    after = at.play("1 develop 1H wood=2")
    assert after.paid(Reason.RESOURCE) == [(1, 2, 1)]
    assert after.talers == [7, 4, 4]


def test_the_buyer_chooses_among_several_producers() -> None:
    """E6."""
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4"
        "; seat 1: 2E undeveloped; seat 2: 1E developed; seat 3: 1F developed"
    )
    assert at.legal[:2] == ["1 develop 2E wood=2", "1 develop 2E wood=3"]
    assert at.play("1 develop 2E wood=3").talers == [6, 3, 5]


def test_nobody_buys_from_himself_or_from_an_empty_chair() -> None:
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1H undeveloped; seat 2: 1E developed")
    assert at.fault("1 develop 1H wood=1") == Fault.SELLER_IS_SELF
    assert at.fault("1 develop 1H wood=4") == Fault.NO_SUCH_SEAT
    assert at.fault("1 develop 1H wood=3") == Fault.NO_SELLER


# Resources: the bank

ONE_NEED_EACH = {
    "workshop": "2E 2F 2G 2J 3E 3H 4F 4G 4E 5C 5D",
    "harbour": "1G 2F 2G 2H 2I 2J 3J 3I 3H 5C 5D",
}
"""Factories that need just one resource, one for each of the eleven."""

NEW_AT_THE_BANK = {
    "workshop": {
        2: "stone brick wood",
        3: "ceramic glass iron",
        4: "cable steel cement",
        5: "plastic computer",
    },
    "harbour": {
        2: "stone brick wood",
        3: "iron ceramic glass",
        4: "electricity cement steel",
        5: "plastic computer",
    },
}


@pytest.mark.parametrize("board", [WORKSHOP, HARBOUR], ids=lambda board: str(board.edition))
@pytest.mark.parametrize("era", [1, 2, 3, 4, 5])
def test_the_bank_sells_what_appeared_in_earlier_eras(board: BoardSpec, era: int) -> None:
    """E9: nothing in era 1; the third resource of era 4 depends on the edition."""
    fields = ", ".join(f"{field} undeveloped" for field in ONE_NEED_EACH[board.id].split())
    at = scene(f"era {era}, develop, seat 1; talers 30 3 4; seat 1: {fields}", board)
    sold = [line.split()[3].removesuffix("=bank") for line in at.legal if line.endswith("=bank")]
    expected = [
        resource
        for first, new in NEW_AT_THE_BANK[board.id].items()
        if first <= era
        for resource in new.split()
    ]
    assert sorted(sold) == sorted(expected)


def test_what_the_bank_does_not_sell_yet_is_refused_by_name() -> None:
    """E9."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2J undeveloped")
    assert at.fault("1 develop 2J iron=bank") == Fault.BANK_NOT_YET


def test_the_bank_takes_1_taler_for_a_resource() -> None:
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped")
    assert at.play("1 develop 2E wood=bank").paid(Reason.RESOURCE) == [(1, 0, 1)]


def test_the_bank_does_not_sell_what_another_player_makes() -> None:
    """E5."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped; seat 3: 1F developed")
    assert at.fault("1 develop 2E wood=bank") == Fault.BANK_CLOSED
    assert at.legal == ["1 develop 2E wood=3", "1 done", "1 subsidy"]


def test_the_bank_is_judged_at_the_moment_of_paying() -> None:
    """E5: earlier players of the same phase could still use it, later ones cannot."""
    at = scene(
        """
        era 2, develop, seat 1
        talers 9 9 9
        seat 1: 2E undeveloped
        seat 2: 1F undeveloped
        seat 3: 2I undeveloped
        """
    )
    assert at.fault("1 develop 2E wood=bank") == Fault.NONE
    later = at.play("1 develop 2E wood=bank", "1 done", "2 develop 1F", "2 done")
    assert later.fault("3 develop 2I wood=bank") == Fault.BANK_CLOSED
    assert later.fault("3 develop 2I wood=2") == Fault.NONE


def test_a_resource_that_nobody_offers_cannot_be_had() -> None:
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1H undeveloped")
    assert at.legal == ["1 done", "1 subsidy"]


# Resources: jokers


def test_a_joker_gives_its_resource_once_and_leaves_the_game() -> None:
    """E8."""
    at = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1H undeveloped, joker 1B")
    after = at.play("1 develop 1H wood=joker")
    assert (after.status("1B"), after.paid(Reason.RESOURCE)) == (Status.SPENT, [])
    later = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped, 1B spent")
    assert later.fault("1 develop 2E wood=joker") == Fault.NO_JOKER


def test_a_joker_serves_only_for_its_own_resource() -> None:
    """E8."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2F undeveloped, joker 1B")
    assert at.fault("1 develop 2F stone=joker") == Fault.NO_JOKER


def test_the_any_joker_serves_for_every_resource() -> None:
    """E8: also for one that the bank does not sell yet."""
    fields = ONE_NEED_EACH["workshop"].split()
    mine = ", ".join(f"{field} undeveloped" for field in fields)
    at = scene(f"era 1, develop, seat 1; talers 9 3 4; seat 1: {mine}, joker 1A")
    assert len([line for line in at.legal if line.endswith("=any")]) == 11


def test_joker_or_purchase_is_the_players_choice() -> None:
    """E8: the bank and a joker, or a seller and a joker, stand side by side."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped, joker 1A, joker 1B")
    ways = [line.split("=")[1] for line in at.legal if "=" in line]
    assert ways == ["any", "bank", "joker"]
    at = scene(
        "era 2, develop, seat 1; talers 9 3 4"
        "; seat 1: 2E undeveloped, joker 1B; seat 2: 1E developed"
    )
    ways = [line.split("=")[1] for line in at.legal if "=" in line]
    assert ways == ["2", "joker"]


def test_two_needs_may_take_two_jokers_or_a_joker_and_a_purchase() -> None:
    """E8."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2H undeveloped, joker 1A, joker 2B")
    assert [line.removeprefix("1 develop 2H ") for line in at.legal[:-2]] == [
        "stone=any glass=joker",
        "stone=bank glass=any",
        "stone=bank glass=joker",
    ]


def test_each_need_takes_an_any_joker_of_its_own() -> None:
    """E8: one joker is exactly one resource."""
    one = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1K undeveloped, joker 1A")
    assert one.fault("1 develop 1K stone=any wood=any") == Fault.NOT_ENOUGH_JOKERS
    two = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1K undeveloped, joker 1A, joker 2A")
    after = two.play("1 develop 1K stone=any wood=any")
    assert after.status("1A") == after.status("2A") == Status.SPENT


def test_of_two_equal_jokers_one_is_spent() -> None:
    """E8."""
    at = scene("era 4, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped, joker 1B, joker 4A")
    after = at.play("1 develop 2E wood=joker")
    assert (after.status("1B"), after.status("4A")) == (Status.SPENT, Status.HELD)


def test_a_joker_in_hand_does_not_close_the_bank_for_others() -> None:
    """E8: a joker is never produced."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped; seat 2: joker 1B")
    assert at.fault("1 develop 2E wood=bank") == Fault.NONE
    assert at.fault("1 develop 2E wood=2") == Fault.NO_SELLER


def test_a_joker_of_another_player_is_of_no_use() -> None:
    """E8."""
    at = scene("era 2, develop, seat 1; talers 9 3 4; seat 1: 2E undeveloped; seat 2: joker 1A")
    assert at.fault("1 develop 2E wood=any") == Fault.NO_ANY_JOKER


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
