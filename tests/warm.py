"""Prepares for the tests what each of their processes would otherwise do itself: machine code, and
the byte code of the tests, which pytest writes when it collects them.
"""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from industry.arena import Plan, play_batch
from industry.boards import BOARDS, load_board
from industry.bots.learn_from_points import compare
from industry.bots.learn_leaf_values import play_branches
from industry.bots.valued_lines import compile_lines
from industry.bots.weights import handmade_weights
from industry.engine.compiled import compiled_rules
from industry.envs.batch import BatchEnv
from industry.judge import compile_judge
from tests.engine.test_compiled import (
    compare_games,
    test_a_copied_state_is_equal_and_independent,
    test_batch_step_plays_the_same_games_as_single_steps,
    test_batch_step_refuses_an_illegal_move_and_changes_nothing,
    test_playouts_from_a_position_leave_it_as_it_was_and_end_games,
)


def compile_rest() -> None:
    """Compiles the loops of simulated games, the batch environment, training and single steps.

    One process does it all, so that the rules themselves are compiled only once. A loop of
    learning from points is left out: it takes half a minute, and only `make proof` runs it.
    """
    board = load_board(BOARDS[0])
    for is_recorded in (False, True):
        play_batch(Plan(board, 4, {}, 0, 1, record=is_recorded), fast=True)
    games = BatchEnv(2)
    games.reset(0)
    games.step(games.sample())
    games.observe([0, 0])
    compare_games(compiled_rules(), BOARDS[0], 3, 1)
    test_batch_step_plays_the_same_games_as_single_steps(BOARDS[0], 3)
    test_batch_step_refuses_an_illegal_move_and_changes_nothing()
    test_playouts_from_a_position_leave_it_as_it_was_and_end_games()
    test_a_copied_state_is_equal_and_independent()
    weights = np.array(handmade_weights())
    play_branches(board, 3, weights, "warm", 0, 1)
    compare(board, 3, weights, weights, "warm", 0, 1)
    compile_lines()


def write_byte_code() -> None:
    """Of the modules that the tests import, and of the tests with what pytest adds to `assert`.

    What cannot be imported is told when the tests run.
    """
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    subprocess.run([*command, "--part=rest"], stdout=subprocess.DEVNULL)


def main() -> None:
    """The longest work begins first; two processes do it."""
    works: list[Callable[[], None]] = [compile_judge, compile_rest, write_byte_code]
    with ProcessPoolExecutor(2) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result()


if __name__ == "__main__":
    main()
