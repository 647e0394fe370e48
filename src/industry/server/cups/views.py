"""A cup as people see it: rounds, standings, and the row of the list."""

from collections.abc import Mapping

from industry.bots import bot_title
from industry.cups import Game, Round, standings
from industry.cups.planning import round_count
from industry.cups.scoring import scored
from industry.cups.standings import Standing

from ..store.rows import SeatPerson
from ..wire_events import Wire
from .document import StoredCup, commitment_of


def row(stored: StoredCup, number: int | None) -> Wire:
    """Returns `protocol.cups.CupRow`; `number` is that of the person who asks."""
    cup = stored.cup
    taking_part = number is not None and not cup.entrants[number - 1].withdrawn
    return _terms(stored) | {
        "joined": len(cup.active()),
        "round": len(cup.rounds),
        "rounds": _rounds(stored),
        "due": stored.due(cup.rounds[-1]) if cup.rounds and stored.status == "running" else None,
        "taking_part": taking_part,
    }


def _terms(stored: StoredCup) -> Wire:
    """Returns what a row and a view both have."""
    cup, terms = stored.cup, stored.terms
    return {
        "id": stored.id,
        "name": terms.name,
        "status": stored.status,
        "format": cup.rules.format,
        "edition": terms.edition,
        "size": cup.rules.size,
        "duplicate": cup.rules.duplicate,
        "places": terms.places,
        "clock": terms.clock,
        "hours": terms.hours,
        "created": stored.created,
        "starts": terms.starts,
    }


def _rounds(stored: StoredCup) -> int | None:
    if stored.cup.rules.format == "league" and not stored.cup.plan:
        return None  # it follows from the groups
    return round_count(stored.cup)


def view(stored: StoredCup, people: Mapping[int, SeatPerson]) -> Wire:
    """Returns `protocol.cups.CupView` for nobody in particular."""
    cup, terms = stored.cup, stored.terms
    return _terms(stored) | {
        "round_count": _rounds(stored),
        "after": terms.after,
        "house": terms.house,
        "entrants": [_entrant(stored, one.number, people) for one in cup.entrants],
        "rounds": [_round(stored, held) for held in cup.rounds],
        "standings": _standings(stored),
        "commitment": stored.commitment,
        "secret": stored.secret if stored.status == "over" else None,
    }


def _entrant(stored: StoredCup, number: int, people: Mapping[int, SeatPerson]) -> Wire:
    one, person = stored.cup.entrants[number - 1], people.get(number)
    bot = bot_title(one.bot) if one.bot else None
    return {
        "number": number,
        "name": bot or (person.name if person else one.alias),
        "person": person.id if person else None,
        "bot": one.bot,
        "addition": one.addition,
        "withdrawn": one.withdrawn,
    }


def _round(stored: StoredCup, held: Round) -> Wire:
    is_duplicate = stored.cup.rules.duplicate
    known = {
        (number, player): float(score)
        for player, number, score in scored(held.games, duplicate=is_duplicate)
    }
    games = [
        _game(game, [known.get((n, p), 0.0) for p in game.seats])
        for n, game in enumerate(held.games)
    ]
    promise = commitment_of(stored.bag_secret(held.number)) if is_duplicate else ""
    return {
        "number": held.number,
        "begun": held.begun,
        "due": stored.due(held),
        "games": games,
        "commitment": promise,
    }


def _game(game: Game, scores: list[float]) -> Wire:
    result = game.result
    return {
        "table": game.table,
        "group": game.group,
        "seats": list(game.seats),
        "over": game.is_over,
        "points": list(result.points) if result else [],
        "scores": scores if result else [],
        "winners": list(result.winners) if result else [],
        "forfeits": list(result.forfeits) if result else [],
    }


def _standings(stored: StoredCup) -> list[Wire]:
    cup = stored.cup
    groups = sorted({game.group for games in cup.plan for game in games}) or [0]
    if groups == [0]:
        return [_standing(found, 0) for found in standings(cup)]
    return [_standing(found, group) for group in groups for found in standings(cup, group)]


def _standing(found: Standing, group: int) -> Wire:
    return {
        "place": found.place,
        "entrant": found.entrant,
        "group": group,
        "games": found.games,
        "score": float(found.score),
        "victories": float(found.victories),
        "opponents": float(found.opponents),
        "share": float(found.share),
    }
