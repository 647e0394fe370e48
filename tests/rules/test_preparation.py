"""Preparation of the game: the board, the players, the first Talers."""

import pytest

from industry import BoardError, Game, new_game, replay
from industry.boards import parse_board
from industry.engine import Phase, Reason, Token
from industry.engine.events import TalersMoved
from industry.notation import SeededBag

from .positions import (
    BOARDS,
    HARBOUR,
    INDUSTRIA,
    INDUSTRY,
    WORKSHOP,
    end_of,
    new_scene,
    quiet_game,
    random_game,
)


def test_each_player_starts_with_4_talers_and_the_first_income() -> None:
    start = new_scene(WORKSHOP, players=3)
    assert start.paid(Reason.START) == [(0, 1, 4), (0, 2, 4), (0, 3, 4)]
    assert start.talers == [5, 5, 5]


def test_the_game_starts_in_era_1_with_all_column_tokens_in_the_bag() -> None:
    start = new_scene(WORKSHOP, players=4)
    assert (start.era, start.phase) == (1, Phase.DRAW)
    assert all(start.token(column) == Token.IN_BAG for column in "ABCDEFGHIJKL")
    assert start.track == [0, 0, 0, 0]


@pytest.mark.parametrize("players", [1, 2, 5])
def test_only_three_or_four_can_play(players: int) -> None:
    """A4."""
    with pytest.raises(ValueError, match="3 or 4 players"):
        new_scene(WORKSHOP, players=players)


def test_any_seat_can_be_the_starting_player() -> None:
    """A3, A5: the marker exists and says who auctions first."""
    for seat in (1, 2, 3):
        start = new_scene(WORKSHOP, players=3, starting_player=seat)
        assert start.play("draw 1A 1B 1D").to_decide == seat


def test_the_starting_player_is_random_and_fixed_by_the_key_of_the_bag() -> None:
    """A5."""
    chosen = [SeededBag(seed).starting_player(4) for seed in range(40)]
    assert set(chosen) == {1, 2, 3, 4}
    assert chosen == [SeededBag(seed).starting_player(4) for seed in range(40)]
    assert new_game(["Ana", "Bo", "Cy", "Di"], seed=7).starting_player == chosen[7]


def test_the_bank_never_runs_dry() -> None:
    """D1: the box holds 59 Talers, and a game of four pays out 100."""
    paid = [
        event.amount
        for event in end_of(quiet_game(new_scene(WORKSHOP, players=4))).happened(TalersMoved)
    ]
    assert sum(paid) == 100


def test_everything_but_the_bag_is_open() -> None:
    """D3: the lines of a record, which all may read, give every purse, field, joker and score."""
    played = new_game(["Ana", "Bo", "Cy"], board=WORKSHOP, seed=3)
    while not played.is_over:
        if played.position.draw_due:
            played.draw()
        else:
            played.play(played.legal_moves()[-1])
    again: Game = replay(played.record(), WORKSHOP)
    assert again.position.state == played.position.state


def test_talers_go_between_players_only_by_sale_claim_and_purchase() -> None:
    """D4: no gifts, no loans, no trades."""
    between: set[Reason] = set()
    for seed in range(8):
        for board in (WORKSHOP, HARBOUR):
            for event in end_of(random_game(new_scene(board, 4), seed)).happened(TalersMoved):
                if event.source >= 0 and event.target >= 0:
                    between.add(event.reason)
    assert between == {Reason.SALE, Reason.CLAIM, Reason.RESOURCE}


# Ruling A1: what a board must be.

FIELD_3J = next(
    line for line in (BOARDS / "workshop.toml").read_text().splitlines() if '"3J"' in line
)
WRONG_BOARDS = {
    "60 fields": ("workshop", FIELD_3J, "", "3J", "field_missing"),
    "7 jokers": (
        "workshop",
        '"4A", kind = "joker", joker = "wood"',
        '"4A", kind = "factory"',
        "field",
        "jokers",
    ),
    "at least one «?»": ("workshop", 'joker = "any"', 'joker = "wood"', "field", "no_any_joker"),
    "a producer in the era of the resource": (
        "workshop",
        'makes = "cable", ',
        "",
        "era 3",
        "producer_missing",
    ),
    "no producer before that era": (
        "workshop",
        '"2H", kind = "factory"',
        '"2H", kind = "factory", makes = "steel"',
        "2H",
        "producer_early",
    ),
    "Bank and Stock Exchange": ("workshop", "discount = 1, ", "", "field", "discounts"),
    "both are factories": (
        "workshop",
        '"1L", kind = "technology"',
        '"1L", kind = "technology", discount = 1',
        "1L",
        "only_kind",
    ),
    "technologies cost 0": (
        "workshop",
        '"1L", kind = "technology"',
        '"1L", kind = "technology", cost = 1',
        "1L",
        "only_kind",
    ),
    "links between equal kinds": (
        "workshop",
        '["1L", "2K"]',
        '["1L", "2J"]',
        "1L–2J",
        "link_kinds",
    ),
    "no link of a field with itself": (
        "workshop",
        '["1L", "2K"]',
        '["1L", "1L"]',
        "1L–1L",
        "link_loop",
    ),
    "a link has no direction": ("workshop", '["1L", "2K"]', '["1L", "1K"]', "1L–1K", "link_twice"),
    "bonus of 2 or 3": (
        "workshop",
        '{ network = "rail", points = 3 }',
        '{ network = "rail", points = 4 }',
        "2D",
        "bonus_points",
    ),
    "a Port is worth 2": (
        "workshop",
        '{ network = "river", points = 2 }, cost = 2',
        '{ network = "river", points = 3 }, cost = 2',
        "4B",
        "bonus_points",
    ),
    "Industria's bonuses are worth 2": (
        "harbour",
        '"1C", kind = "bonus", bonus = { network = "canal", points = 2 }',
        '"1C", kind = "bonus", bonus = { network = "canal", points = 3 }',
        "1C",
        "bonus_points",
    ),
    "needs can be met in the field's own era": (
        "workshop",
        '"1G", kind = "factory"',
        '"1G", kind = "factory", needs = ["cable", "iron"]',
        "1G",
        "unreachable",
    ),
    "one coin column": ("workshop", '["C"]', '["C", "D"]', "coin_columns", "coins_industry"),
    "no coin in Industria": (
        "harbour",
        "coin_columns = []",
        'coin_columns = ["C"]',
        "coin_columns",
        "coins_industria",
    ),
}


@pytest.mark.parametrize("demand", WRONG_BOARDS)
def test_a_board_must_obey(demand: str) -> None:
    """A1, A2, H2: the checker names the field and the reason."""
    name, right, wrong, place, code = WRONG_BOARDS[demand]
    text = (BOARDS / f"{name}.toml").read_text()
    assert right in text
    with pytest.raises(BoardError) as error:
        parse_board(text.replace(right, wrong), name)
    assert (place, code) in [(found.place, found.code) for found in error.value.problems]


def test_the_boards_of_both_editions_obey() -> None:
    """A1."""
    assert (INDUSTRY.edition, INDUSTRIA.edition) == ("industry", "industria")
    assert len(INDUSTRY.fields) == len(INDUSTRIA.fields) == 60
