"""Answers about ratings: ladder, curves, forecasts and how they came true; the club page.

Ratings are whole numbers as people see them; a newcomer has 1500.
"""

from typing import Literal

from .base import Edition, Millis, Model, PersonId, SeatNumber, TableId
from .http import LobbyTable

Pace = Literal["live", "days"]
"""Games in one sitting, with or without a clock, and games over days."""


class RatedKind(Model):
    """Games that have ratings of their own."""

    edition: Edition
    players: int
    pace: Pace


class Rating(Model):
    """A rating now. `known` is false while it is shown with a question mark."""

    rating: int
    doubt: int
    """Its standard deviation: two of three ratings are no further off."""
    known: bool


class LadderRow(Model):
    """A person on the ladder."""

    id: PersonId
    name: str
    rating: Rating
    games: int


class LadderBot(Model):
    """A bot, whose rating never changes."""

    name: str
    rating: Rating


class LadderOfKind(Model):
    kind: RatedKind
    rows: list[LadderRow]
    """Known ratings first, best first; then those with a question mark."""
    bots: list[LadderBot]


class Ladder(Model):
    """The club's ladder, for every kind of games that was played."""

    kinds: list[LadderOfKind]


class CurvePoint(Model):
    """A rated game of a person, and what it made of the rating."""

    table: TableId
    at: Millis
    rating: Rating
    change: int
    rank: int
    left: bool


class Curve(Model):
    """A person's rating in games of a kind, now and after each of the latest games."""

    kind: RatedKind
    now: Rating
    games: int
    points: list[CurvePoint]


class PersonRatings(Model):
    curves: list[Curve]


class RatedSeat(Model):
    """A seat of a rated table; null where nobody sits yet, or nothing is known."""

    seat: SeatNumber
    rating: Rating | None
    chance: float | None
    """Of winning, as the ratings expect it."""
    change: int | None
    """What the game has changed; null for bots, and before it is counted."""
    left: bool


class TableRating(Model):
    """What the ratings expect of a table, or what it has changed.

    A finished game is `waiting` until it is counted: where somebody has left, the judge is asked
    for everybody's chances at that moment first.
    """

    status: Literal["unrated", "expected", "waiting", "counted"]
    kind: RatedKind
    seats: list[RatedSeat]


class ForecastBin(Model):
    """Forecasts of similar size: how high they were, and how many of them came true."""

    seats: int
    expected: float
    won: float
    """The share of these seats that won; a shared victory counts in parts."""


class Forecasts(Model):
    """How well the forecasts for all counted games came true."""

    games: int
    bins: list[ForecastBin]
    error: float | None
    """The mean distance between forecast and share won, weighted by seats."""
    log_loss: float | None
    """Minus the mean logarithm of what the winner's chance was."""
    even_log_loss: float | None
    """The same for somebody who gives every seat the same chance."""


class Here(Model):
    """Somebody who was at a page of the club in the last minutes."""

    id: PersonId
    name: str


class HouseRecord(Model):
    """The most points in a public or rated game of an edition with this many players."""

    edition: Edition
    players: int
    points: int
    name: str
    person: PersonId | None
    table: TableId
    at: Millis


class WeekGame(Model):
    """A public or rated game that ended in the last seven days."""

    table: TableId
    at: Millis
    edition: Edition
    players: int
    rated: bool
    names: list[str]
    points: list[int]
    winners: list[SeatNumber]


class Clubhouse(Model):
    """The club page."""

    here: list[Here]
    open: list[LobbyTable]
    records: list[HouseRecord]
    week: list[WeekGame]
    best: WeekGame | None
    """Of this week's reviewed games the one whose people lost least per decision."""
