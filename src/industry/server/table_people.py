"""Persons at a table: its log names them by aliases, people see their names."""

from collections.abc import Mapping

from .seats import Seat
from .store.rows import SeatPerson


class TablePeople:
    """Who is at a table. The persons behind aliases do not stand in its log."""

    seats: list[Seat]
    people: Mapping[str, SeatPerson] = {}
    """Persons at the table, by alias; replaced as a whole, never changed."""

    def person_at(self, seat: Seat) -> SeatPerson | None:
        """Returns the person who holds a seat; None for guests, bots and empty seats."""
        return self.people.get(seat.name)

    def shown_name(self, name: str) -> str:
        """Returns what people see of a name in the log: of an alias, the person's own name."""
        person = self.people.get(name)
        return person.name if person else name

    @property
    def is_attended(self) -> bool:
        """Whether a person is at the table and not absent."""
        return any(seat.kind == "human" and seat.absent is None for seat in self.seats)

    @property
    def is_solo(self) -> bool:
        """Whether one person plays against bots only."""
        return sum(seat.kind == "human" for seat in self.seats) == 1

    def first_open(self) -> int | None:
        return next((n for n, seat in enumerate(self.seats) if seat.kind == "open"), None)

    def is_full(self) -> bool:
        """Checks whether every seat is taken."""
        return all(seat.kind in ("human", "bot") for seat in self.seats)
