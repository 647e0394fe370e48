"""What people and operators change about a cup, as functions from one state to the next."""

import secrets
from dataclasses import replace

from industry.bots import installed_bots
from industry.cups import Cup, CupError, Entrant, Round, Rules, moved, schedule, standings
from industry.cups.planning import is_finished, next_games

from ..errors import Refused
from ..names import BadName, clean, new_alias
from ..protocol.cups import NewCup
from .document import StoredCup, Terms, seating_seed

MOST_NAME = 60
LEAST = 2
"""Entrants with which a cup can start; bots of the house fill the tables."""


def new_cup(cup: str, wish: NewCup, owner: str, now: int) -> StoredCup:
    """Returns a new cup with its bots; raises `Refused`."""
    bots = installed_bots()
    if not bots.issuperset((*wish.bots, wish.house)):
        raise Refused("unknown_bot")
    if len(wish.bots) >= wish.places:
        raise Refused("bad_options", detail="places")
    if wish.after is not None and wish.format != "league":
        raise Refused("bad_options", detail="after")
    if wish.starts is not None and wish.starts <= now:
        raise Refused("bad_options", detail="starts")
    try:
        name = clean(wish.name, MOST_NAME)
        rules = Rules(wish.format, wish.size, wish.rounds, duplicate=wish.duplicate)
        rules.check()
    except BadName:
        raise Refused("bad_name") from None
    except CupError as error:
        raise Refused("bad_options", detail=str(error)) from None
    terms = Terms(
        name=name,
        edition=wish.edition,
        clock=wish.clock,
        places=wish.places,
        hours=wish.hours,
        starts=wish.starts,
        house=wish.house,
        after=wish.after,
    )
    secret = secrets.token_hex(32)
    entrants = tuple(Entrant(n, new_alias(), bot) for n, bot in enumerate(wish.bots, start=1))
    status = "running" if wish.format == "evening" else "open"
    inside = Cup(rules, seating_seed(secret, entrants), entrants)
    return StoredCup(cup, status, now, 0, secret, owner, terms, inside)


def joined(stored: StoredCup, addition: str = "") -> tuple[StoredCup, int]:
    """Returns the cup with one more entrant, and the number; raises `Refused`.

    What an entrant adds to the shuffling stays the same if they leave and come back.
    """
    expect_unfinished(stored)
    if stored.status == "running" and stored.cup.rules.format != "evening":
        raise Refused("cup_started")
    if stored.terms.ended:
        raise Refused("cup_over")
    if stored.is_full:
        raise Refused("cup_full")
    number = len(stored.cup.entrants) + 1
    if number > 999:
        raise Refused("cup_full")
    entrants = (*stored.cup.entrants, Entrant(number, new_alias(), addition=addition))
    seed = seating_seed(stored.secret, entrants)
    return with_cup(stored, replace(stored.cup, seed=seed, entrants=entrants)), number


def left(stored: StoredCup, number: int, *, away: bool = True) -> StoredCup:
    """Returns the cup without an entrant in further rounds, or with them again."""
    expect_unfinished(stored)
    entrants = tuple(
        replace(one, withdrawn=away) if one.number == number else one for one in stored.cup.entrants
    )
    return with_cup(stored, replace(stored.cup, entrants=entrants))


def returned(stored: StoredCup, number: int) -> StoredCup:
    """Returns the cup with somebody who had left it; raises `Refused`."""
    if not stored.cup.entrants[number - 1].withdrawn:
        raise Refused("in_cup")
    if stored.status == "running" and stored.cup.rules.format != "evening":
        raise Refused("cup_started")
    if stored.is_full:
        raise Refused("cup_full")
    return left(stored, number, away=False)


def started(stored: StoredCup, ranks: dict[int, int]) -> StoredCup:
    """Returns the cup with the plan of its rounds; `ranks` are those of the season before."""
    if stored.status != "open":
        raise Refused("cup_started")
    if len(stored.cup.active()) < LEAST:
        raise Refused("cup_too_small")
    entrants = tuple(replace(one, rank=ranks.get(one.number, 0)) for one in stored.cup.entrants)
    cup = replace(stored.cup, entrants=entrants)
    return replace(with_cup(stored, replace(cup, plan=schedule(cup))), status="running")


def cancelled(stored: StoredCup) -> StoredCup:
    """Returns an open cup as cancelled; of a running one no further round begins."""
    expect_unfinished(stored)
    if stored.status == "open":
        return replace(stored, status="cancelled")
    return replace(stored, terms=replace(stored.terms, ended=True))


def advanced(stored: StoredCup, tables: list[str], now: int) -> StoredCup | None:
    """Returns the cup with its next round, or over; None where nothing follows now.

    `tables` has names enough for the games of a round.
    """
    cup, terms = stored.cup, stored.terms
    running = any(not held.is_over for held in cup.rounds)
    if terms.ended:
        return None if running else replace(stored, status="over")
    games = next_games(cup)
    if not games:
        return replace(stored, status="over") if is_finished(cup) else None
    due = stored.due(cup.rounds[-1]) if cup.rounds else None
    if due is not None and now < due:
        return None
    placed = tuple(replace(game, table=table) for game, table in zip(games, tables, strict=False))
    held = Round(len(cup.rounds) + 1, placed, now)
    return with_cup(stored, replace(cup, rounds=(*cup.rounds, held)))


def is_overdue(stored: StoredCup, held: Round, now: int) -> bool:
    """Checks whether the schedule starts the next round although this one is not over."""
    due = stored.due(held)
    return due is not None and not held.is_over and now >= due


def final_ranks(stored: StoredCup) -> dict[int, int]:
    """Returns the ranks of a season's entrants for the next one: two go up, two down."""
    groups = sorted({game.group for games in stored.cup.plan for game in games})
    orders = [[row.entrant for row in standings(stored.cup, group)] for group in groups]
    return {number: rank for rank, number in enumerate(moved(orders), start=1)}


def with_cup(stored: StoredCup, cup: Cup) -> StoredCup:
    return replace(stored, cup=cup)


def expect_unfinished(stored: StoredCup) -> None:
    if stored.status in ("over", "cancelled"):
        raise Refused("cup_over")
