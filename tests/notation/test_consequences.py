"""One answer to what a move would bring and what a field is, and may become, worth."""

from random import Random

import pytest

from industry.boards import load_board
from industry.boards.spec import FIELD_INDEX
from industry.engine import NOBODY, Edition, Position
from industry.notation import new_game
from industry.notation.consequences import (
    Worth,
    highest_claim,
    previews,
    prospects,
    worth_to,
    worth_to_all,
)
from tests.rules.positions import Scene
from tests.rules.positions import scene as any_scene

INDUSTRY = load_board("industry")
INDUSTRIA = load_board("industria")


def scene(text: str) -> Scene:
    return any_scene(text, INDUSTRY)


def worth(position: Position, seat: int, field: str) -> Worth:
    return worth_to(position, seat - 1, FIELD_INDEX[field])


def test_a_field_is_worth_to_a_seat_what_it_would_score_with_it() -> None:
    """The rulebook's Port: 2 points for each own factory on the river; a road brings 3."""
    position = scene(
        """era 1, develop, seat 1; talers 5 5 5
        seat 1: 1C developed, 1D developed, 1J developed; seat 2: 1E undeveloped"""
    ).position
    sawmill = worth(position, 1, "1E")
    assert (sawmill.price, sawmill.points, sawmill.links, sawmill.bonuses) == (3, 0, 0, 4)
    clay_pit = worth(position, 1, "1I")
    assert (clay_pit.points, clay_pit.links, clay_pit.total) == (1, 3, 4)
    assert worth(position, 2, "1I").total == 1
    technology = worth(position, 2, "1L")
    assert (technology.price, technology.points) == (None, 2)


def test_what_a_seat_owns_counts_as_developed() -> None:
    text = "era 1, develop, seat 1; talers 5 5 5; seat 1: 1C {0}, 1J {0}"
    for status in ("developed", "undeveloped"):
        assert worth(scene(text.format(status)).position, 1, "1I").links == 3


def test_jokers_are_spent_last_and_counted() -> None:
    """With a seller the price is in Talers; only without one does it take the joker."""
    needy = next(field for field in INDUSTRY.row(2) if field.needs == ("stone",))
    alone = "era 1, develop, seat 1; talers 5 5 5"
    position = any_scene(
        f"era 2, develop, seat 1; talers 5 5 5; seat 1: {joker('stone')}", INDUSTRY
    )
    assert worth(position.position, 1, needy.id).jokers == 0
    assert worth(position.position, 1, needy.id).price == needy.cost + 1
    field = next(field for field in INDUSTRY.row(1) if field.needs == ("stone",))
    assert worth(scene(alone).position, 1, field.id).price is None
    with_joker = worth(scene(f"{alone}; seat 1: {joker('stone')}").position, 1, field.id)
    assert (with_joker.price, with_joker.jokers) == (field.cost, 1)


def joker(resource: str) -> str:
    found = next(field for field in INDUSTRY.fields if field.joker == resource)
    return f"joker {found.id}"


def test_an_unused_joker_is_worth_two_points_and_a_raw_material_nothing() -> None:
    for board, points in ((INDUSTRY, 2), (INDUSTRIA, 0)):
        position = new_game(["A", "B", "C"], board=board, seed="jokers").position
        field = next(number for number, spec in enumerate(board.fields) if spec.joker)
        assert [one.points for one in worth_to_all(position, field)] == [points] * 3


def test_fields_of_later_eras_have_points_but_no_price_yet() -> None:
    position = scene("era 1, develop, seat 1; talers 9 9 9").position
    later = next(field for field in INDUSTRY.row(3) if field.points)
    assert worth(position, 1, later.id).points == later.points
    assert worth(position, 1, later.id).price is None


def test_a_bonus_field_tells_how_many_factories_can_still_join_its_network() -> None:
    position = new_game(["A", "B", "C"], seed="river").position
    port = next(number for number, spec in enumerate(INDUSTRY.fields) if spec.bonus)
    bonus = INDUSTRY.fields[port].bonus
    assert bonus is not None
    on_it = [field for field in INDUSTRY.fields if bonus.network in field.networks]
    (found,) = prospects(position, port).networks
    assert INDUSTRY.networks[found.network] == bonus.network
    assert (found.factories, found.factories_to_come) == ((0, 0, 0), len(on_it))


def test_owned_factories_are_no_longer_to_come() -> None:
    position = scene(
        """era 1, offer, seat 1; talers 5 5 5
        seat 1: 1C developed, 1H developed; seat 2: 1E undeveloped"""
    ).position
    (found,) = prospects(position, FIELD_INDEX["1D"]).networks
    assert found.factories == (1, 1, 0)
    assert found.bonuses == (2, 0, 0)
    assert found.factories_to_come == 4


def test_a_factory_tells_who_needs_its_product_now_and_how_many_will() -> None:
    maker = next(field for field in INDUSTRY.row(1) if field.makes)
    needing = [field for field in INDUSTRY.fields if maker.makes in field.needs]
    owned = next(field for field in needing if field.id[0] == "1" and field.kind == "factory")
    text = f"era 1, offer, seat 1; talers 5 5 5; seat 3: {owned.id} undeveloped"
    demand = prospects(scene(text).position, FIELD_INDEX[maker.id]).demand
    assert demand is not None
    assert INDUSTRY.resources[demand.resource] == maker.makes
    assert demand.fields == len(needing)
    assert demand.to_come <= len(needing) - 1
    assert demand.seats == (2,)


def test_links_name_the_fields_that_can_still_count() -> None:
    one, other = INDUSTRY.links[0]
    position = new_game(["A", "B", "C"], seed="links").position
    neighbours = prospects(position, FIELD_INDEX[one]).neighbours
    assert (FIELD_INDEX[other], NOBODY, True) in [
        (each.field, each.owner, each.to_come) for each in neighbours
    ]


def test_the_last_era_of_industria_never_comes_with_three_players() -> None:
    """Four players use all tiles, three leave out era 5 (I1)."""
    for players in (3, 4):
        position = new_game("ABCD"[:players], board=INDUSTRIA, seed="short").position
        found = [
            each
            for field in range(48)
            for each in prospects(position, field).neighbours
            if each.field >= 48
        ]
        assert bool(found) == (players == 4)


@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_the_auctioneer_can_claim_up_to_the_limit_and_not_beyond(edition: str) -> None:
    position = any_scene("era 1, bid on 1F, seat 2; talers 4 9 9", load_board(edition)).position
    limit = highest_claim(position)
    if position.board.edition == Edition.INDUSTRIA:
        assert limit is None
        return
    assert limit is not None
    for preview in previews(position, 1):
        talers = getattr(preview.move, "talers", 0)
        if talers:
            assert (preview.claimed is not None) == (talers <= limit), talers


def test_tiles_in_closed_hands_of_others_change_no_answer() -> None:
    """What is hidden on the screen must not show in an answer."""
    game, chance = new_game("ABC", board=INDUSTRIA, seed="closed"), Random(5)
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
            continue
        game.play(chance.choice(game.legal_moves()))
        state = game.position.state.copy()
        hidden = [
            field
            for field, owner in enumerate(state.owner)
            if owner in (1, 2) and state.status[field] in (1, 4)
        ]
        if len(hidden) < 2:
            continue
        for field in hidden:  # who of the others holds it makes no difference
            state.owner[field] = 3 - state.owner[field]
        swapped = Position(game.position.board, state)
        for field in range(0, 60, 7):
            if field in hidden:
                continue
            assert worth_to_all(swapped, field, [0]) == worth_to_all(game.position, field, [0])
            assert prospects(swapped, field, [0]) == prospects(game.position, field, [0])
