"""What a finished rated game says about its players: placings, and who left when."""

from dataclasses import dataclass

from industry.engine import is_ahead

from ..table import Table
from .anchors import Kind, pace_of


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """How a seat ended; it is nobody's if its person was deleted before the game was counted."""

    person: str | None
    bot: str | None
    rank: int
    won: float
    """A shared victory counts in parts."""
    chances: tuple[float, ...] | None = None
    """Everybody's chances when a stand-in first moved for the seat; None if that never happened."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished rated game, ready to be counted."""

    table: str
    kind: Kind
    ended: int
    seats: tuple[FinishedSeat, ...]


def kind_of(table: Table) -> Kind:
    options = table.options
    return Kind(options.edition, options.players, pace_of(options.clock))


def departures(table: Table) -> dict[int, int]:
    """Returns by seat (from 0) how many moves were made before the first one of a stand-in."""
    found: dict[int, int] = {}
    for number, played in enumerate(table.played):
        if played.how == "zombie" and table.seats[played.seat].kind == "human":
            found.setdefault(played.seat, number)
    return found


def placings(table: Table) -> list[int]:
    """Returns the rank of every seat, 1 for the winner; seats that tie share the better rank."""
    assert table.position is not None
    board, state = table.position.board, table.position.state
    seats = range(len(table.seats))
    return [1 + sum(is_ahead(board, state, other, seat) for other in seats) for seat in seats]


def finished_game(table: Table, chances: dict[int, tuple[float, ...]]) -> FinishedGame:
    """Returns what is to be counted; `chances` are the judge's, by the seat that left."""
    ranks = placings(table)
    winners = ranks.count(1)
    people = [table.person_at(seat) for seat in table.seats]
    seats = tuple(
        FinishedSeat(
            person=person.id if person else None,
            bot=seat.bot if seat.kind == "bot" else None,
            rank=rank,
            won=1 / winners if rank == 1 else 0.0,
            chances=chances.get(number),
        )
        for number, (seat, person, rank) in enumerate(zip(table.seats, people, ranks, strict=True))
    )
    return FinishedGame(table.id, kind_of(table), table.changed, seats)


def is_countable(game: FinishedGame) -> bool:
    """Checks whether a game counts: somebody has a name, and nobody played against themselves."""
    people = [seat.person for seat in game.seats if seat.person]
    return bool(people) and len(set(people)) == len(people)
