"""A tournament deal by deal: known ones first, new ones on all cores, in order."""

import contextlib
import os
import sys
from collections.abc import Generator, Sequence

from .journal import Deal, Journal
from .outcome import Outcome
from .schedule import Tournament
from .simulate import interrupts_blocked
from .workers import play_in_processes, warm_up


def deals_for(tournament: Tournament, games: int) -> int:
    """The least number of deals that have so many games."""
    return -(-games // tournament.games_per_deal)


def play_deals(
    tournament: Tournament,
    deals: int,
    processes: int | None = None,
    journal: Journal | None = None,
) -> Generator[Deal, None, None]:
    """The first `deals` deals in order; new ones are kept in the journal before they are told.

    What the bots do depends on the tournament alone, not on the number of processes: as long as
    the bots do not look at the clock, neither do the games.
    """
    known = journal.deals[:deals] if journal else []
    yield from known
    if len(known) == deals:
        return
    with contextlib.redirect_stdout(sys.stderr):  # bots that print must not spoil our output
        warm_up(tournament)
    seatings = [entry for number in range(len(known), deals) for entry in tournament.deal(number)]
    processes = min(processes or os.cpu_count() or 1, len(seatings))
    games: list[Outcome] = []
    with contextlib.closing(play_in_processes(tournament, seatings, processes)) as outcomes:
        for outcome in outcomes:
            games.append(outcome)
            if len(games) == tournament.games_per_deal:
                with interrupts_blocked():
                    _keep(journal, games)
                yield tuple(games)
                games.clear()


def _keep(journal: Journal | None, games: Sequence[Outcome]) -> None:
    if journal is not None:
        journal.add(games)


def deal_score(deal: Deal, entrant: int) -> float:
    """The share of a deal's games that an entrant won."""
    won = 0.0
    for outcome in deal:
        own = [seat for seat in outcome.winners if outcome.seating.seats[seat] == entrant]
        won += len(own) / len(outcome.winners)
    return won / len(deal)
