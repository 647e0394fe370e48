"""Plays a tournament deal by deal: saved ones first, then new ones on all cores or a cluster."""

import contextlib
import os
import sys
from collections.abc import Generator, Sequence

from .bot_games import play_seatings
from .executor import Executor, interrupts_blocked
from .game_pool import play_in_processes, warm_up
from .journal import Deal, Journal
from .outcome import Outcome
from .schedule import Tournament


def deals_for(tournament: Tournament, games: int) -> int:
    """Returns the smallest number of deals that have at least this many games."""
    return -(-games // tournament.games_per_deal)


def play_deals(
    tournament: Tournament,
    deals: int,
    processes: int | None = None,
    journal: Journal | None = None,
    cluster: Executor | None = None,
) -> Generator[Deal, None, None]:
    """Yields the first `deals` deals in order; new ones are stored in the journal before they are
    yielded.

    The bots' moves depend only on the tournament, not on where they play. If no bot looks at the
    clock, the same is true of the games.
    """
    saved = journal.deals[:deals] if journal else []
    yield from saved
    if len(saved) == deals:
        return
    numbers = range(len(saved), deals)
    playing = _play_locally(tournament, numbers, processes)
    if cluster is not None:
        playing = _play_on_cluster(tournament, numbers, cluster)
    games: list[Outcome] = []
    with contextlib.closing(playing) as outcomes:
        for outcome in outcomes:
            games.append(outcome)
            if len(games) == tournament.games_per_deal:
                with interrupts_blocked():  # what is stored is also reported
                    _save(journal, games)
                    yield tuple(games)
                games.clear()


def _play_locally(
    tournament: Tournament, numbers: range, processes: int | None
) -> Generator[Outcome, None, None]:
    with contextlib.redirect_stdout(sys.stderr):  # bots that print must not spoil our output
        warm_up(tournament)
    seatings = [entry for number in numbers for entry in tournament.deal(number)]
    processes = min(processes or os.cpu_count() or 1, len(seatings))
    yield from play_in_processes(tournament, seatings, processes)


def _play_on_cluster(
    tournament: Tournament, numbers: range, cluster: Executor
) -> Generator[Outcome, None, None]:
    """Yields the outcomes of deals, each played as one piece of work on the cluster."""
    cluster.prepare(warm_up, tournament)
    jobs = ((tournament, tournament.deal(number)) for number in numbers)
    with contextlib.closing(cluster.map(play_seatings, jobs)) as deals:
        for outcomes in deals:
            yield from outcomes


def _save(journal: Journal | None, games: Sequence[Outcome]) -> None:
    if journal is not None:
        journal.add(games)
