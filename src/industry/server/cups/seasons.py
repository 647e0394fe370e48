"""What a season of a league takes over from the season before."""

from sqlalchemy import Connection

from . import book, changes
from .document import StoredCup


def season_ranks(connection: Connection, stored: StoredCup) -> dict[int, int]:
    """Returns the ranks that entrants bring from the season before, by their numbers."""
    if stored.terms.after is None:
        return {}
    season = book.find(connection, stored.terms.after)
    ranks = changes.final_ranks(season)
    then = book.people_of(connection, season.id)
    by_person = {person.id: ranks.get(number, 0) for number, person in then.items()}
    now = book.people_of(connection, stored.id)
    return {number: by_person.get(person.id, 0) for number, person in now.items()}
