"""What is known of the printed boards, restated: the two files must agree with every fact."""

from collections import Counter
from itertools import pairwise

import pytest

from industry.boards import BOARDS, BoardSpec, load_board
from industry.boards.spec import appears_in

INDUSTRY = load_board("industry")
INDUSTRIA = load_board("industria")
BOTH = pytest.mark.parametrize("board", [INDUSTRY, INDUSTRIA], ids=BOARDS)


def count(board: BoardSpec, kind: str) -> list[int]:
    """How many fields of a kind each era has."""
    return [sum(field.kind == kind for field in board.row(era)) for era in range(1, 6)]


def links(board: BoardSpec, kind: str) -> list[tuple[str, str]]:
    return [ends for ends in board.links if board.field(ends[0]).kind == kind]


def named(board: BoardSpec, name: str) -> str:
    """The field with this English name."""
    (found,) = (field.id for field in board.fields if field.name["en"] == name)
    return found


def joined(board: BoardSpec, first: str, second: str) -> bool:
    return {named(board, first), named(board, second)} in [set(ends) for ends in board.links]


# --- frame ----------------------------------------------------------------------------------------


@BOTH
def test_sixty_fields_with_28_factories_and_12_technologies(board: BoardSpec) -> None:
    assert len(board.fields) == 60
    assert count(board, "factory") == [6, 6, 6, 6, 4]
    assert sum(count(board, "technology")) == 12


def test_industry_has_7_jokers_one_of_them_any_and_13_bonus_fields() -> None:
    jokers = [field.joker for field in INDUSTRY.fields if field.kind == "joker"]
    assert len(jokers) == 7
    assert jokers.count("any") == 1
    assert sum(count(INDUSTRY, "bonus")) == 13


def test_industria_has_11_raw_materials_9_bonuses_and_no_any() -> None:
    assert sum(count(INDUSTRIA, "joker")) == 11
    assert sum(count(INDUSTRIA, "bonus")) == 9
    assert all(field.joker != "any" for field in INDUSTRIA.fields)


def test_kinds_follow_each_other_from_left_to_right_in_industry() -> None:
    order = ["joker", "bonus", "factory", "technology"]
    for era in range(1, 6):
        kinds = [order.index(field.kind) for field in INDUSTRY.row(era)]
        assert kinds == sorted(kinds), f"era {era}"


def test_each_network_of_industry_has_two_to_four_bonus_fields_and_four_factories() -> None:
    bonuses = Counter(field.bonus.network for field in INDUSTRY.fields if field.bonus)
    factories = Counter(network for field in INDUSTRY.fields for network in field.networks)
    for network in ("river", "rail", "pipeline", "power"):
        assert 2 <= bonuses[network] <= 4
        assert factories[network] >= 4
    assert bonuses["river"] >= 3, "the rulebook's example has three Ports"


def test_all_five_bonuses_of_industria_are_there_and_some_are_there_twice() -> None:
    bonuses = Counter(field.bonus.network for field in INDUSTRIA.fields if field.bonus)
    assert set(bonuses) == {"canal", "port", "tracks", "pipeline", "data"}
    assert max(bonuses.values()) > 1
    factories = Counter(network for field in INDUSTRIA.fields for network in field.networks)
    assert all(factories[network] >= 4 for network in bonuses)


@BOTH
def test_a_factory_has_at_most_two_networks_and_some_have_two(board: BoardSpec) -> None:
    sizes = {len(field.networks) for field in board.fields if field.kind == "factory"}
    assert sizes == {0, 1, 2}


@BOTH
def test_one_player_can_own_five_lines_and_links_are_few_enough_to_be_special(
    board: BoardSpec,
) -> None:
    assert len(links(board, "technology")) >= 5
    assert len(board.links) < 60


@BOTH
def test_at_least_8_roads_lie_in_eras_1_to_4_and_join_neighbouring_eras(board: BoardSpec) -> None:
    roads = links(board, "factory")
    assert sum(max(ends)[0] < "5" for ends in roads) >= 8
    assert all(abs(int(one[0]) - int(other[0])) <= 1 for one, other in roads)


@BOTH
def test_each_resource_is_made_once_in_its_own_era_by_a_factory_that_prints_few_points(
    board: BoardSpec,
) -> None:
    makers = {field.makes: field for field in board.fields if field.makes}
    assert set(makers) == set(board.resources)
    for number, resource in enumerate(board.resources):
        assert makers[resource].era == appears_in(number)
        assert makers[resource].points <= 1


def test_the_third_resource_of_era_3_is_cable_in_industry_and_electricity_in_industria() -> None:
    assert INDUSTRY.resources[6] == "cable"
    assert INDUSTRIA.resources[6] == "electricity"


@BOTH
def test_technologies_cost_nothing_need_resources_and_print_points(board: BoardSpec) -> None:
    for field in board.fields:
        if field.kind == "technology":
            assert field.cost == 0
            assert 1 <= len(field.needs) <= 2
            assert field.points > 0


@BOTH
def test_most_technologies_of_eras_1_to_4_need_something_of_their_own_era(board: BoardSpec) -> None:
    found = [
        field.era in [appears_in(board.resources.index(need)) for need in field.needs]
        for field in board.fields
        if field.kind == "technology" and field.era < 5
    ]
    assert found.count(True) > len(found) / 2


@BOTH
def test_era_1_can_be_started_from_nothing(board: BoardSpec) -> None:
    free = [field for field in board.row(1) if field.kind == "factory" and not field.needs]
    assert {field.makes for field in free} & {"stone", "brick", "wood"}


@BOTH
def test_points_and_costs_grow_with_the_era(board: BoardSpec) -> None:
    def mean(values: list[int]) -> float:
        return sum(values) / len(values)

    rows = [board.row(era) for era in range(1, 6)]
    points = [mean([f.points for f in row if f.points]) for row in rows]
    costs = [mean([f.cost for f in row if f.kind == "factory"]) for row in rows]
    assert all(early <= late for early, late in pairwise(points))
    assert all(early <= late for early, late in pairwise(costs))


@BOTH
def test_bank_and_stock_exchange_are_the_two_factories_with_a_discount(board: BoardSpec) -> None:
    found = {field.name["en"]: field for field in board.fields if field.discount}
    assert set(found) == {"Bank", "Stock Exchange"}
    assert {field.kind for field in found.values()} == {"factory"}


# --- Industry (2010) ------------------------------------------------------------------------------


def test_1k_is_construction_and_1l_is_engineering_worth_2_points() -> None:
    construction, engineering = INDUSTRY.field("1K"), INDUSTRY.field("1L")
    assert (construction.kind, construction.name["en"]) == ("technology", "Construction")
    assert (engineering.kind, engineering.name["en"]) == ("technology", "Engineering")
    assert engineering.points == 2
    assert {"id", "kind", "name", "points"} <= set(engineering.attested)


def test_the_iron_ore_mine_costs_2_needs_wood_and_gives_2_points_in_era_1() -> None:
    mine = INDUSTRY.field(named(INDUSTRY, "Iron ore mine"))
    assert (mine.era, mine.kind) == (1, "factory")
    assert (mine.cost, mine.needs, mine.points, mine.makes) == (2, ("wood",), 2, None)
    assert {"kind", "name", "cost", "needs", "points"} <= set(mine.attested)


def test_the_sawmill_makes_wood_and_the_clay_pit_is_a_factory_of_era_1() -> None:
    sawmill = INDUSTRY.field(named(INDUSTRY, "Sawmill"))
    assert (sawmill.era, sawmill.kind, sawmill.makes) == (1, "factory", "wood")
    clay_pit = INDUSTRY.field(named(INDUSTRY, "Clay pit"))
    assert (clay_pit.era, clay_pit.kind, clay_pit.makes) == (1, "factory", None)


def test_a_port_counts_2_on_the_river_and_the_bonuses_bear_the_names_of_the_rulebook() -> None:
    names = {
        (field.name["en"], field.name["de"], field.bonus.network)
        for field in INDUSTRY.fields
        if field.bonus
    }
    assert names == {
        ("Port", "Hafen", "river"),
        ("Railway Station", "Bahnhof", "rail"),
        ("Pump Station", "Pumpstation", "pipeline"),
        ("Power Station", "Elektrizitätswerk", "power"),
    }
    values = {field.bonus.points for field in INDUSTRY.fields if field.bonus}
    assert values == {2, 3}
    assert {f.bonus.points for f in INDUSTRY.fields if f.bonus and f.bonus.network == "river"} == {
        2
    }


def test_robot_factory_internet_and_robotics_stand_in_the_last_era() -> None:
    for name, kind in (
        ("Robot factory", "factory"),
        ("Internet", "technology"),
        ("Robotics", "technology"),
    ):
        field = INDUSTRY.field(named(INDUSTRY, name))
        assert (field.era, field.kind) == (5, kind)


def test_automobile_pharmaceuticals_and_fibre_optics_are_on_the_board() -> None:
    assert INDUSTRY.field(named(INDUSTRY, "Automobile")).kind == "technology"
    assert INDUSTRY.field(named(INDUSTRY, "Pharmaceutical works")).era >= 4
    assert INDUSTRY.field(named(INDUSTRY, "Fibre optics")).era >= 4


def test_one_column_token_of_industry_shows_the_coin() -> None:
    assert len(INDUSTRY.coin_columns) == 1
    assert INDUSTRIA.coin_columns == ()


def test_the_producers_of_industry_are_those_of_industria_and_every_resource_has_as_many_uses() -> (
    None
):
    """The 2010 edition kept the system of 2003, and only of that one the producers are known."""
    third = {"electricity": "cable"}
    for field in INDUSTRIA.fields:
        if field.kind not in ("factory", "technology"):
            continue
        ours = INDUSTRY.field(field.id)
        assert ours.needs == tuple(third.get(need, need) for need in field.needs), field.id
        if field.makes:
            assert ours.makes == third.get(field.makes, field.makes)
            assert (ours.cost, ours.points) == (field.cost, field.points), field.id


# --- Industria (2003) -----------------------------------------------------------------------------


def test_oil_field_and_refinery_as_in_the_example() -> None:
    oil = INDUSTRIA.field(named(INDUSTRIA, "Oil field"))
    refinery = INDUSTRIA.field(named(INDUSTRIA, "Refinery"))
    assert (oil.kind, oil.points, set(oil.networks)) == ("factory", 3, {"port", "pipeline"})
    assert (refinery.kind, refinery.points, refinery.networks) == ("factory", 4, ("pipeline",))
    assert joined(INDUSTRIA, "Oil field", "Refinery")
    for field in (oil, refinery):
        assert {"kind", "name", "points"} <= set(field.attested)
    assert "networks" in oil.attested
    assert "networks" not in refinery.attested, "at least Pipeline: others are not ruled out"


def test_kinds_and_names_that_no_source_states_are_not_claimed() -> None:
    for field in ("1K", "5K"):
        assert INDUSTRIA.field(field).attested == ("name",)
    for field in ("2F", "3F"):  # their English names are a reviewer's own words
        assert "name" not in INDUSTRIA.field(field).attested


def test_engineering_and_automobile_as_in_the_example() -> None:
    engineering = INDUSTRIA.field(named(INDUSTRIA, "Engineering"))
    automobile = INDUSTRIA.field(named(INDUSTRIA, "Automobile"))
    assert (engineering.era, engineering.kind, engineering.points) == (1, "technology", 2)
    assert (automobile.kind, automobile.points) == ("technology", 5)
    assert joined(INDUSTRIA, "Engineering", "Automobile")
    assert engineering.name["de"] == "Maschinenbau"


def test_sawmill_brickworks_and_cement_works_make_what_the_review_says() -> None:
    for name, era, product in (
        ("Sawmill", 1, "wood"),
        ("Brickworks", 1, "brick"),
        ("Cement works", 3, "cement"),
    ):
        field = INDUSTRIA.field(named(INDUSTRIA, name))
        assert (field.era, field.kind, field.makes) == (era, "factory", product)
    assert INDUSTRIA.field(named(INDUSTRIA, "Brickworks")).needs, "it needs some material"


@pytest.mark.parametrize(
    ("product", "era", "cost", "needs", "points", "uses", "symbols", "roads", "tiles"),
    [
        ("brick", 1, 2, 2, 0, [0, 2, 3, 2, 0], 0, 2, 0),
        ("stone", 1, 3, 0, 0, [2, 3, 2, 0, 0], 1, 0, 1),
        ("wood", 1, 3, 0, 0, [3, 3, 0, 0, 0], 0, 0, 1),
        ("ceramic", 2, 3, 1, 1, [0, 0, 2, 2, 1], 1, 1, 0),
        ("glass", 2, 3, 1, 1, [0, 1, 2, 1, 1], 0, 0, 1),
        ("iron", 2, 3, 1, 1, [0, 1, 3, 1, 1], 0, 3, 1),
        ("cement", 3, 3, 2, 1, [0, 0, 2, 3, 2], 0, 1, 3),
        ("steel", 3, 3, 2, 1, [0, 0, 2, 2, 1], 0, 2, 1),
        ("electricity", 3, 2, 2, 1, [0, 0, 0, 3, 2], 1, 1, 0),
        ("computer", 4, 2, 2, 1, [0, 0, 0, 1, 4], 2, 0, 2),
        ("plastic", 4, 2, 2, 1, [0, 0, 0, 1, 3], 2, 0, 1),
    ],
)
def test_the_producers_of_industria_agree_with_the_table_that_counts_them(
    product: str,
    era: int,
    cost: int,
    needs: int,
    points: int,
    uses: list[int],
    symbols: int,
    roads: int,
    tiles: int,
) -> None:
    (maker,) = (field for field in INDUSTRIA.fields if field.makes == product)
    assert (maker.era, maker.kind, maker.cost, maker.points) == (era, "factory", cost, points)
    assert (len(maker.needs), len(maker.networks)) == (needs, symbols)
    assert sum(maker.id in ends for ends in INDUSTRIA.links) == roads
    needing = [sum(product in field.needs for field in INDUSTRIA.row(era)) for era in range(1, 6)]
    assert needing == uses
    assert sum(field.joker == product for field in INDUSTRIA.fields) == tiles
    assert {"kind", "cost", "makes"} <= set(maker.attested)
    assert "points" in maker.attested or maker.points == 0


def test_every_bonus_of_industria_counts_2_and_is_laid_for_nothing() -> None:
    bonuses = [field for field in INDUSTRIA.fields if field.bonus]
    assert {field.bonus.points for field in bonuses if field.bonus} == {2}
    assert {(field.cost, field.needs) for field in bonuses} == {(0, ())}


@pytest.mark.parametrize(
    ("german", "kind", "eras"),
    [
        ("Konstruktion", "technology", {1}),
        ("Tongrube", "factory", {1, 2}),
        ("Satellitenwerk", "factory", {4, 5}),
        ("Gentechnische Fabrik", "factory", {4, 5}),
        ("Roboterwerk", "factory", {5}),
        ("Nanotechnologie", "technology", {4, 5}),
        ("Telekommunikation", "technology", {4, 5}),
        ("Raumfahrt", "technology", {4, 5}),
        ("Glasfaser", "technology", {4, 5}),
        ("Internet", "technology", {4, 5}),
        ("Dampfkraft", "technology", {1, 2, 3}),
    ],
)
def test_tiles_that_reviews_name_stand_where_they_say(
    german: str, kind: str, eras: set[int]
) -> None:
    (field,) = (field for field in INDUSTRIA.fields if field.name["de"] == german)
    assert field.kind == kind
    assert field.era in eras
    assert "name" in field.attested


# --- honesty --------------------------------------------------------------------------------------


@BOTH
def test_every_attested_value_has_a_source_and_no_board_claims_to_be_verified(
    board: BoardSpec,
) -> None:
    assert board.status == "reconstruction"
    for field in board.fields:
        assert bool(field.attested) == bool(field.source), field.id
        assert not set(field.attested) & {"source", "attested"}


@BOTH
def test_a_value_that_is_attested_is_there(board: BoardSpec) -> None:
    for field in board.fields:
        values = {**field.rule_values(), "name": field.name}
        for key in field.attested:
            assert values[key], f"{field.id} {key}"


def test_no_source_of_one_edition_states_costs_of_the_other() -> None:
    """Of Industry one cost, one need and two points are known; of Industria the producers'."""
    assert [f.id for f in INDUSTRY.fields if "cost" in f.attested] == ["1F"]
    assert [f.id for f in INDUSTRY.fields if "needs" in f.attested] == ["1F"]
    assert [f.id for f in INDUSTRY.fields if "points" in f.attested] == ["1F", "1L"]
    assert all(f.makes for f in INDUSTRIA.fields if "cost" in f.attested)
    assert [f.id for f in INDUSTRIA.fields if "needs" in f.attested] == ["1J"]  # by counting
