"""Phase 4: procuring the required resources."""

import pytest

from industry import BoardSpec
from industry.engine import Fault, Reason, Status

from .positions import HARBOUR, WORKSHOP, scene

# One's own factory


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


# Another player's factory


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


# The bank

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


# Jokers


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
