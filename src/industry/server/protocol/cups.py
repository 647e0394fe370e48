"""Requests and answers about cups and seasons."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import (
    CommandId,
    Edition,
    Millis,
    Model,
    PersonId,
    Randomness,
    SeatNumber,
    TableId,
)

CupsMode = Literal["off", "operators", "persons"]
"""Who may create cups: nobody, operators of the club, or every person."""
CupFormat = Literal["cup", "swiss", "league", "evening"]
CupStatus = Literal["open", "running", "over", "cancelled"]
CupId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{12}$")]
CupClock = Literal["live", "days"]
"""A cup always has a clock: without one a player who is away would hold everybody up."""
BotName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Number = Annotated[int, Field(ge=0, le=999)]
"""Of an entrant, from 1; 0 is a bot of the house, which fills a table."""


class NewCup(Model):
    """A cup as its creator wishes it; a repeated request with the same `id` makes no second one."""

    id: CommandId
    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    format: CupFormat = "cup"
    edition: Edition = "industry"
    size: Literal[3, 4] = 4
    """Seats at each table."""
    rounds: Annotated[int, Field(ge=1, le=21)] = 4
    """Of a cup or Swiss; the rounds of a league follow from its groups."""
    places: Annotated[int, Field(ge=2, le=128)] = 8
    """How many can take part; a cup starts when all places are taken."""
    duplicate: bool = False
    clock: CupClock = "days"
    hours: Annotated[int, Field(ge=0, le=2400)] = 0
    """From one round to the next, at the end of which those who must still decide forfeit; 0: a
    round begins when the one before is over, whenever that is."""
    starts: Millis | None = None
    """When it starts, if it has not started before; null: when all places are taken. It must be in
    the future."""
    bots: Annotated[list[BotName], Field(max_length=16)] = []
    """Bots that take part like everybody else."""
    house: BotName = "foreman"
    """The bot that fills tables."""
    take_part: bool = True
    """Whether the creator joins at once."""
    randomness: Randomness | None = None
    """What the creator adds to the shuffling, who then takes part."""
    after: CupId | None = None
    """Of a league: the season before, which decides the groups."""


class JoinCup(Model):
    """What a player adds on joining a cup."""

    randomness: Randomness | None = None
    """Goes into the seating and into the bags of duplicate rounds."""


class CupRow(Model):
    """What the list of cups shows."""

    id: CupId
    name: str
    status: CupStatus
    format: CupFormat
    edition: Edition
    size: int
    duplicate: bool
    clock: CupClock
    created: Millis
    starts: Millis | None
    joined: int
    places: int
    round: int
    """Rounds that have begun."""
    rounds: int | None
    """Null where the format does not say."""
    hours: int
    due: Millis | None
    """When the round that runs must be over; null without a schedule."""
    taking_part: bool
    """Whether the person who asks is among the entrants."""


class CupList(Model):
    cups: list[CupRow]
    may_create: bool


class CupEntrant(Model):
    number: Number
    name: str
    person: PersonId | None
    """Null for bots, and where the person was deleted."""
    bot: str | None
    withdrawn: bool
    addition: str
    """Hexadecimal digits that went into the seating and the bags; empty without any."""


class CupGame(Model):
    table: TableId
    group: int
    """Of a league, from 1; otherwise 0."""
    seats: list[Number]
    over: bool
    points: list[int]
    """By seat, once the game is over."""
    scores: list[float]
    """What the game is worth for each seat: points for places, or matchpoints."""
    winners: list[SeatNumber]
    forfeits: list[SeatNumber]


class CupRound(Model):
    number: int
    begun: Millis
    due: Millis | None
    """When the round must be over and the next one begins; null without a schedule."""
    games: list[CupGame]
    commitment: str
    """Of the bag that all tables of a duplicate round have."""


class CupStanding(Model):
    """A line of the standings; the order of the numbers is the order in which they decide."""

    place: int
    entrant: Number
    group: int
    games: int
    score: float
    victories: float
    opponents: float
    share: float


class CupView(Model):
    """Everything about a cup that everybody may see."""

    id: CupId
    name: str
    status: CupStatus
    format: CupFormat
    edition: Edition
    size: int
    round_count: int | None
    places: int
    duplicate: bool
    clock: CupClock
    hours: int
    created: Millis
    starts: Millis | None
    after: CupId | None
    house: str
    entrants: list[CupEntrant]
    rounds: list[CupRound]
    standings: list[CupStanding]
    commitment: str
    """The hash of the secret from which the seating and the bags of duplicate rounds follow."""
    secret: str | None
    """Published when the cup is over."""
    me: Number | None = None
    """The number of the person who asks, if they take part."""
    may_manage: bool = False
    """Whether the person who asks may start and cancel the cup."""
