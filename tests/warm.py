"""Compiles for the tests what several of their processes would else compile at the same time."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from industry.arena import Plan, play_batch
from industry.boards import BOARDS, load_board
from industry.bots.mind import compile_minds
from industry.bots.training import compare, take_notes
from industry.bots.trials import make_trials
from industry.bots.weights import handmade_weights
from industry.envs.batch import BatchEnv


def compile_rest() -> None:
    """The loops of simulated games, of the batch environment and of training."""
    board = load_board(BOARDS[0])
    for is_recorded in (False, True):
        play_batch(Plan(board, 4, {}, 0, 1, record=is_recorded), fast=True)
    games = BatchEnv(2)
    games.reset(0)
    games.step(games.sample())
    weights = np.array(handmade_weights())
    take_notes(board, 3, weights, "warm", 0, 1)
    make_trials(board, 3, weights, "warm", 0, 1)
    compare(board, 3, weights, weights, "warm", 0, 1)


def main() -> None:
    rooms: list[Callable[[], None]] = [compile_minds, compile_rest]
    with ProcessPoolExecutor(len(rooms)) as pool:
        for ready in [pool.submit(room) for room in rooms]:
            ready.result()


if __name__ == "__main__":
    main()
