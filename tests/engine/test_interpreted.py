"""The rules as Python runs them: no index out of bounds, and no move left out of the lists."""

from typing import Any

import pytest

from industry.boards import load_board
from industry.engine import Position
from industry.engine.compiled import generators
from industry.engine.constants import Phase
from industry.engine.dispatch import list_moves, move_fault, new_move_list
from industry.engine.move_codes import ACTIONS
from industry.engine.playout import random_step

from .openings import TABLES, opening


class Bounded(list[Any]):
    """A list without negative indices: machine code would read whatever is in memory there."""

    def __getitem__(self, index: Any) -> Any:
        assert not isinstance(index, int) or 0 <= index < len(self), index
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        assert not isinstance(index, int) or 0 <= index < len(self), index
        super().__setitem__(index, value)


def bounded(value: Any) -> Any:
    return Bounded(map(bounded, value)) if isinstance(value, list) else value


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_no_array_is_read_or_written_out_of_its_bounds(edition: str, players: int) -> None:
    """The same sources as machine code, interpreted over arrays that check every index."""
    rules, moves = load_board(edition).rules, Bounded(new_move_list())
    board = type(rules)()
    for name, value in rules.values().items():
        setattr(board, name, bounded(value))
    for number, words in enumerate(generators(f"bounds {edition} {players}", 5).tolist()):
        state = opening(edition, players, number).state.copy()
        for name, value in state.values().items():
            setattr(state, name, bounded(value))
        generator = Bounded(words)
        while state.phase != Phase.OVER:
            random_step(board, state, generator, moves)
        for seat in range(players):
            Position(board, state).breakdown(seat)


def test_an_index_out_of_bounds_is_noticed() -> None:
    with pytest.raises(AssertionError):
        Bounded([1, 2])[-1]
    with pytest.raises(AssertionError):
        Bounded([1, 2])[2] = 3


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_listed_moves_are_exactly_those_without_a_fault(edition: str, players: int) -> None:
    board = load_board(edition).rules
    moves = new_move_list()
    generator = generators(f"brute {edition}", 1)[0].tolist()
    state = opening(edition, players, 1).state.copy()
    step = 0
    while state.phase != Phase.OVER:
        if step % 9 == 0:
            for seat in range(players):
                listed = set(moves[: list_moves(board, state, seat, moves)])
                faultless = {c for c in range(ACTIONS) if move_fault(board, state, seat, c) == 0}
                assert listed == faultless
        random_step(board, state, generator, moves)
        step += 1
