"""Plays games of bots and observes every auction: who got which field, how, and for how much.

Every seat plays with its own perturbed weights, as in training, so that the preferences of a single
player do not decide what a board is worth. Three kinds of players are available, because a field
that only one kind likes says little about the board.
"""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.bots.features import SPREAD, WIDTH
from industry.bots.learn_from_points import PERTURBATION, Floats, SelfPlay
from industry.bots.scratch import SIMULATED
from industry.bots.weights import Weights, handmade_weights, learned_weights
from industry.engine import (
    FIELDS,
    MAX_SEATS,
    NOBODY,
    Phase,
    expect_compiling,
    generators,
    move_codes,
    random_draw,
)
from industry.notation.record import SCORE_PARTS

from .executor import in_processes

LOOPS_OF = {
    "foreman": "decide_heuristic",
    "engineer": "decide_greedy",
    "magnate": "decide_greedy",
}
"""The compiled decision of each kind of player; named after the bots that value in this way. The
magnate leaves out its search, which thousands of games do not allow."""
PIECE = 50
"""Games per piece of work."""

Numbers = npt.NDArray[np.int64]


class AuctionOutcome(IntEnum):
    """How the auction of a field ended."""

    NOT_OFFERED = 0
    UNWANTED = 1
    """Nobody bid: the Auctioneer had to take it."""
    SOLD = 2
    CLAIMED = 3


@dataclass(frozen=True)
class ObservedGames:
    """What was observed, one row per game; `prices` are highest bids, owners those at the end."""

    starters: Numbers
    parts: Numbers
    winners: npt.NDArray[np.bool_]
    outcomes: Numbers
    prices: Numbers
    owners: Numbers
    statuses: Numbers

    @property
    def games(self) -> int:
        return len(self.starters)


def values_of(bot: str, board: BoardSpec, players: int) -> Weights:
    """Returns the weights that a kind of player uses."""
    if bot == "magnate":
        return learned_weights(board.rules.edition, players)
    return handmade_weights()


def watch(
    board: BoardSpec,
    players: int,
    games: int,
    seed: str,
    bot: str,
    values: Weights,
    processes: int | None = None,
) -> Generator[ObservedGames, None, None]:
    """Yields games piece by piece; they depend only on board, players, seed, bot and values."""
    jobs = (
        (board, players, seed, first, min(PIECE, games - first), bot, values)
        for first in range(0, games, PIECE)
    )
    expect_compiling(LOOPS_OF[bot], "apply", "score_games")
    yield observe_some(*next(jobs))  # fills the cache of machine code before others need it
    processes = processes or os.cpu_count() or 1
    if games > PIECE:
        yield from in_processes(observe_some, jobs, processes)


def observe_some(
    board: BoardSpec, players: int, seed: str, first: int, games: int, bot: str, values: Weights
) -> ObservedGames:
    """Plays games number `first` and following; the Starting Player changes from game to game."""
    table = SelfPlay(board, players)
    decide = getattr(table.rules, LOOPS_OF[bot])
    weights = np.array(values)
    seen = ObservedGames(
        starters=np.arange(first, first + games) % players,
        parts=np.zeros((games, players, len(SCORE_PARTS)), dtype=np.int64),
        winners=np.zeros((games, players), dtype=np.bool_),
        outcomes=np.zeros((games, FIELDS), dtype=np.int64),
        prices=np.zeros((games, FIELDS), dtype=np.int64),
        owners=np.zeros((games, FIELDS), dtype=np.int64),
        statuses=np.zeros((games, FIELDS), dtype=np.int64),
    )
    for row in range(games):
        rng = np.random.default_rng(generators(f"{seed} tastes", 1, first + row)[0])
        table.begin(int(seen.starters[row]))
        draws = generators(seed, 1, first + row)[0].tolist()
        tastes = weights * _perturbations(rng)
        _play(table, decide, board, tastes, draws, seen.outcomes[row], seen.prices[row])
        table.rules.score_games(
            table.boards, table.states[:1], seen.parts[row : row + 1], seen.winners[row : row + 1]
        )
        seen.owners[row] = table.states["owner"][SIMULATED]
        seen.statuses[row] = table.states["status"][SIMULATED]
    return seen


def _perturbations(rng: np.random.Generator) -> Floats:
    tastes: Floats = np.exp(PERTURBATION * rng.standard_normal((MAX_SEATS, 1, WIDTH)))
    tastes[:, :, SPREAD] = 1.0
    return tastes


def _play(
    table: SelfPlay,
    decide: Callable[..., int],
    board: BoardSpec,
    weights: Floats,
    draws: list[int],
    outcomes: Numbers,
    prices: Numbers,
) -> None:
    """Plays one game to its end and records its auctions."""
    rules, arrays = table.rules, (table.boards, table.states)
    state = table.states.view(np.recarray)[SIMULATED]
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            rules.apply(*arrays, SIMULATED, NOBODY, random_draw(board.rules, state, draws))
            continue
        seat = int(state.actor)
        code = decide(*arrays, weights[seat], table.scratches, table.moves)
        if move_codes.OFFER <= code < move_codes.CASH:
            outcomes[code - move_codes.OFFER] = AuctionOutcome.UNWANTED
        elif code in (move_codes.SELL, move_codes.CLAIM):
            outcomes[state.offered] = (
                AuctionOutcome.SOLD if code == move_codes.SELL else AuctionOutcome.CLAIMED
            )
            prices[state.offered] = state.high_bid
        rules.apply(*arrays, SIMULATED, seat, code)
