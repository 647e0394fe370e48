"""Compiles for the tests what several of their processes would else compile at the same time."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from industry.arena import Plan, play_batch
from industry.boards import load_board
from industry.bots.mind import compile_minds
from industry.envs.batch import BatchEnv


def compile_rules() -> None:
    """The loops of simulated games and of the batch environment."""
    for is_recorded in (False, True):
        plan = Plan(load_board("industry"), 4, {}, 0, 1, record=is_recorded)
        play_batch(plan, fast=True)
    games = BatchEnv(2)
    games.reset(0)
    games.step(games.sample())


def main() -> None:
    rooms: list[Callable[[], None]] = [compile_minds, compile_rules]
    with ProcessPoolExecutor(len(rooms)) as pool:
        for ready in [pool.submit(room) for room in rooms]:
            ready.result()


if __name__ == "__main__":
    main()
