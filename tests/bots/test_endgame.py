"""The end of the game, solved: as by trying every line of play with the real rules."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from industry.boards import load_board
from industry.bots import bot_maker
from industry.bots.endgame import is_ending
from industry.bots.runner import CompiledRunner, handmade_weight_set
from industry.bots.search import POINT
from industry.bots.values import final_shares, final_value
from industry.engine import Board, Options, Phase, Position, State, play, player_move_of, start
from industry.engine.dispatch import apply_move, list_moves, new_move_list
from industry.notation import SeededBag

TABLES = [(edition, players) for edition in ("industry", "industria") for players in (3, 4)]
MANY = 1_000_000
FEW = 120
"""Nodes: endings that take no more are quickly tried line by line."""
SOME = 12


@cache
def last_rounds(edition: str, players: int) -> tuple[Position, ...]:
    """Decisions of the endings of some games by value."""
    board = load_board(edition).rules
    runner = CompiledRunner(board)
    found = []
    for game in range(4):
        bag = SeededBag(f"ending {game}")
        position = start(board, players, game % players, Options())
        while not position.is_over:
            if position.draw_due:
                position, _ = play(position, bag.draw(position))
                continue
            if is_ending(board, position.state):
                found.append(position)
            code = runner.greedy_move(position, handmade_weight_set().weights)
            position, _ = play(position, player_move_of(board, position.actor, code))
    return tuple(found)


def plainly(board: Board, state: State) -> list[float]:
    """Everyone's worth if each seat takes what is best for it; of equal moves the first."""
    if state.phase == Phase.OVER:
        shares = [0.0] * 4
        final_shares(board, state, shares)
        return [
            shares[seat] + POINT * final_value(board, state, seat)
            for seat in range(int(state.players))
        ]
    seat = int(state.actor)
    best: list[float] = []
    for found in after_each(board, state).values():
        if not best or found[seat] > best[seat] + 1e-9:
            best = found
    return best


def after_each(board: Board, state: State) -> dict[int, list[float]]:
    moves = new_move_list()
    seat = int(state.actor)
    found = {}
    for code in moves[: list_moves(board, state, seat, moves)]:
        after = state.copy()
        apply_move(board, after, seat, code)
        found[code] = plainly(board, after)
    return found


def small_endings(edition: str, players: int) -> Iterator[tuple[Position, dict[int, list[float]]]]:
    runner = CompiledRunner(load_board(edition).rules)
    left = SOME
    for position in last_rounds(edition, players):
        solved = runner.solve(position, FEW)
        if solved is not None and len(solved) > 1 and left > 0:
            yield position, {code: list(worths) for code, worths in solved.items()}
            left -= 1


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_an_ending_is_solved_as_by_trying_every_line_of_play(edition: str, players: int) -> None:
    checked = 0
    for position, solved in small_endings(edition, players):
        expected = after_each(position.board, position.state)
        assert list(solved) == list(expected)
        for code, worths in expected.items():
            assert solved[code] == pytest.approx(worths)
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("bot", ["director", "magnate"])
def test_searching_levels_play_a_solved_ending_best(bot: str) -> None:
    for position, solved in small_endings("industry", 3):
        player = bot_maker(bot)()
        move = player.choose(position, position.legal_moves, 0.2, Random(1))
        after = {player_move_of(position.board, position.actor, code): code for code in solved}
        best = max(worths[position.actor] for worths in solved.values())
        assert solved[after[move]][position.actor] == pytest.approx(best)


def test_an_ending_that_takes_too_long_is_not_solved() -> None:
    runner = CompiledRunner(load_board("industry").rules)
    assert all(runner.solve(position, 0) is None for position in last_rounds("industry", 4))


def test_no_ending_before_the_last_field_is_on_offer() -> None:
    board = load_board("industry").rules
    runner = CompiledRunner(board)
    bag = SeededBag("opening")
    opening = start(board, 4, 0, Options())
    position, _ = play(opening, bag.draw(opening))
    assert runner.solve(position, MANY) is None
