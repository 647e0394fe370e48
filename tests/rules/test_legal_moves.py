"""Legality is written once: the legal moves are what the rules allow, no more and no less."""

from random import Random

import pytest

from industry.engine import Fault, Options, Phase, code_of
from industry.engine.constants import COLUMNS
from industry.engine.dispatch import move_fault
from industry.engine.move_codes import ACTIONS, DRAW

from .positions import HARBOUR, INDUSTRIA, INDUSTRY, WORKSHOP, Scene, new_scene, random_game, scene
from .refusal_table import CASES, Case

TABLES = [
    new_scene(WORKSHOP, 3),
    new_scene(INDUSTRY, 4, 2, Options(plain_draws=True, full_price=True, any_time=True)),
    new_scene(HARBOUR, 4, 3, Options(resource_cash=True)),
    new_scene(INDUSTRIA, 3),
]
RICH = """
    era 4, develop, seat 1
    talers 12 5 5 5
    seat 1: joker 1A, joker 2A, joker 2B, joker 3A, 1I developed
    seat 1: 2H undeveloped, 3I undeveloped, 4E undeveloped, 4K undeveloped, 5L undeveloped
    seat 2: 1E developed, 2F developed
    seat 3: 1F developed
"""


def sample(table: Scene) -> list[Scene]:
    """Positions from all over two random games."""
    played = [at for seed in (1, 2) for at in random_game(table, seed)]
    return Random(5).sample(played, 24)


def assert_list_is_complete(at: Scene) -> None:
    position = at.position
    for seat in range(at.players):
        allowed = {
            code
            for code in range(ACTIONS)
            if move_fault(position.board, position.state, seat, code) == Fault.NONE
        }
        listed = [code_of(move) for move in position.legal_moves_of(seat)]
        assert len(listed) == len(set(listed))
        assert set(listed) == allowed


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_the_legal_moves_are_all_that_the_rules_allow(number: int) -> None:
    for at in sample(TABLES[number]):
        assert_list_is_complete(at)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_list_is_complete_where_a_move_is_refused(case: Case) -> None:
    assert_list_is_complete(case.at)


def test_every_combination_of_sources_is_a_move_of_its_own() -> None:
    at = scene(RICH)
    assert_list_is_complete(at)
    optician = [line for line in at.legal if line.startswith("1 develop 2H")]
    assert [line.removeprefix("1 develop 2H ") for line in optician] == [
        "stone=any glass=2",
        "stone=any glass=any",
        "stone=any glass=joker",
        "stone=bank glass=2",
        "stone=bank glass=any",
        "stone=bank glass=joker",
    ]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_draw_is_allowed_only_with_the_right_number_of_tokens_from_the_bag(number: int) -> None:
    for at in sample(TABLES[number])[:6]:
        position = at.position
        bag = sum(1 << field % COLUMNS for field in position.bag)
        for columns in range(0, 1 << COLUMNS, 7):
            right = (
                at.phase == Phase.DRAW
                and columns & ~bag == 0
                and columns.bit_count() == position.draw_count
            )
            fault = move_fault(position.board, position.state, -1, DRAW + columns)
            assert (fault == Fault.NONE) == right


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_there_is_always_something_to_do_until_the_game_is_over(number: int) -> None:
    for at in random_game(TABLES[number], 9):
        position = at.position
        assert bool(position.legal_moves) == (at.phase not in (Phase.DRAW, Phase.OVER))
        assert position.is_over or position.draw_due or position.actor >= 0


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_talers_are_conserved_by_every_move(number: int) -> None:
    for at in random_game(TABLES[number], 4):
        state = at.position.state
        assert sum(at.talers) + state.bank == 0
        assert min(at.talers) >= 0
