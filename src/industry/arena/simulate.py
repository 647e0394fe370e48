"""Simulates many games: results come in order from anywhere, and can be interrupted any time."""

from collections.abc import Generator, Iterator
from dataclasses import replace

from industry.engine import expect_compiling, is_compiled

from .bot_games import close_pool, play_bot_batch, tournament_of
from .executor import Executor, executor_for
from .game_pool import warm_up
from .games import Batch, Plan, play_batch

BATCH = 1000
"""Games per piece of work: a few hundredths of a second compiled."""
RECORDED_BATCH = 250
"""The same if each game is recorded."""
SMALL_BATCH = 10
"""The same if games take longer: interpreted, between bots, or with tables."""
WORTH_COMPILING = 400
"""With fewer games the interpreter is done before the rules would be compiled."""
WORTH_PROCESSES = 2000
WORTH_PROCESSES_SLOWLY = 40


def simulate(
    plan: Plan, processes: int | None = None, cluster: Executor | None = None
) -> Generator[Batch, None, None]:
    """Yields the games of a plan, batch by batch and in order, from all cores or a cluster.

    The games depend on the plan alone: not on where they are played, nor on how the rules run. Bots
    that use the clock are the exception.
    """
    if not plan.games:
        return
    fast = plan.games >= WORTH_COMPILING or is_compiled(*_loops(plan))
    slow = bool(plan.bots) or plan.tables or not fast
    pieces = _pieces(plan, _batch_size(plan, slow))
    enough = WORTH_PROCESSES_SLOWLY if slow else WORTH_PROCESSES
    if plan.review_lines is not None:
        enough = 2
    executor = cluster or executor_for(plan.games >= enough, processes)
    try:
        if plan.review_lines is not None:
            from industry.judge import compile_judge  # loads numpy

            executor.prepare(compile_judge)
        if plan.bots:
            executor.prepare(warm_up, tournament_of(plan))
        elif fast:
            expect_compiling(*_loops(plan))
            executor.prepare(play_piece, replace(plan, games=1), fast)
        yield from executor.map(play_piece, ((piece, fast) for piece in pieces))
    finally:
        close_pool()


def _batch_size(plan: Plan, slow: bool) -> int:
    if plan.review_lines is not None:
        return 1
    return SMALL_BATCH if slow else RECORDED_BATCH if plan.record else BATCH


def play_piece(plan: Plan, fast: bool) -> Batch:
    """Plays a few games in this process, as machine code if that pays; makes their tables."""
    if plan.bots:
        batch = play_bot_batch(plan)
    else:
        batch = play_batch(replace(plan, record=plan.record or plan.tables), fast=fast)
    if plan.tables:
        from .dataset.tables import (
            batch_tables,  # only this needs the extra packages
        )

        batch = replace(batch, tables=batch_tables(plan, batch, fast=fast))
    return batch if plan.record else replace(batch, records=())


def _loops(plan: Plan) -> tuple[str, ...]:
    """Returns the machine code without which many games of the plan would be slow."""
    playing = "record_games" if plan.record or plan.tables else "play_games"
    return (playing, "score_games", *(["decide_heuristic"] if plan.tables else []))


def _pieces(plan: Plan, size: int) -> Iterator[Plan]:
    for offset in range(0, plan.games, size):
        games = min(size, plan.games - offset)
        yield replace(plan, first=plan.first + offset, games=games)
