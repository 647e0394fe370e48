"""Plays games of bots as pieces of work, in a child process that is kept for the next piece."""

import multiprocessing
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.engine import NOBODY, list_moves, new_move_list, seat_of
from industry.notation import Record, record_from_json
from industry.notation.in_place import InPlaceReplay
from industry.notation.record import SCORE_PARTS

from .executor import interrupts_blocked
from .game_pool import GamePool
from .games import Batch, Plan, starting_seat
from .outcome import Outcome
from .schedule import Seating, Tournament

_local = threading.local()


def play_seatings(tournament: Tournament, seatings: Sequence[Seating]) -> list[Outcome]:
    """Returns the outcomes of some games; a bot that hangs or crashes loses only its game."""
    pool: GamePool | None = getattr(_local, "pool", None)
    if pool is None or pool.tournament != tournament:
        close_pool()
        _allow_children()
        _local.pool = pool = GamePool(tournament, 1)
    return list(pool.play(seatings))


def close_pool() -> None:
    """Ends this thread's child process, if there is one."""
    pool: GamePool | None = getattr(_local, "pool", None)
    _local.pool = None
    if pool is not None:
        with interrupts_blocked():
            pool.close()


def _allow_children() -> None:
    """Lets a worker of a cluster start a process.

    Dask marks its workers as daemons, which Python does not allow to have children, because these
    could outlive them. Ours watch their parent and exit with it.
    """
    process: Any = multiprocessing.current_process()
    process._config["daemon"] = False


def tournament_of(plan: Plan) -> Tournament:
    """Returns a tournament with the bots of a plan in their given seats."""
    return Tournament(
        plan.board,
        plan.players,
        plan.options,
        str(plan.seed),
        plan.bots,
        record=True,
        patience=plan.patience,
    )


def counted(record: Record, board: BoardSpec) -> Record:
    """Returns the record, completed by the number of legal moves at every decision."""
    game = InPlaceReplay(record, board)
    moves, counts = new_move_list(), []
    for _, _, move in game.moves(trusted=True):
        seat = seat_of(move)
        if seat != NOBODY:
            counts.append(list_moves(board.rules, game.state, seat, moves))
    return replace(record, legal_counts=tuple(counts))


def play_bot_batch(plan: Plan) -> Batch:
    """Plays the games of a plan with its bots; forfeited games are listed separately."""
    games = range(plan.first, plan.first + plan.games)
    seats = tuple(range(plan.players))
    seatings = [Seating(game, 0, seats, starting_seat(plan, game)) for game in games]
    outcomes = play_seatings(tournament_of(plan), seatings)
    finished = [outcome for outcome in outcomes if outcome.fault is None]
    records = tuple(record_from_json(str(outcome.record)) for outcome in finished)
    if plan.legal_counts:
        records = tuple(counted(record, plan.board) for record in records)
    return Batch(
        _parts(records, plan.players),
        _winners(records, plan.players),
        np.array([_decisions(record) for record in records], dtype=np.int64),
        np.array([record.starting_player - 1 for record in records], dtype=np.int64),
        records,
        faults=tuple(outcome for outcome in outcomes if outcome.fault is not None),
    )


def _parts(records: Iterable[Record], players: int) -> Any:
    rows = [
        [[getattr(entry, part) for part in SCORE_PARTS] for entry in record.result.breakdown]
        for record in records
        if record.result is not None
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, players, len(SCORE_PARTS))


def _winners(records: Iterable[Record], players: int) -> Any:
    rows = [
        [seat + 1 in record.result.winners for seat in range(players)]
        for record in records
        if record.result is not None
    ]
    return np.array(rows, dtype=np.bool_).reshape(-1, players)


def _decisions(record: Record) -> int:
    return sum(not line.startswith("draw") for line in record.moves)
