"""Computes who is ahead, and by what.

The order is decided by, one after the other: the score; victories, shared ones in parts; the mean
score of the opponents met; the share of the points at the own tables. Entrants who are equal in
all of them share the place.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .cup import Cup, Game
from .scoring import point_shares, scored, victories
from .seats import NOBODY

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings."""

    place: int
    """From 1; equal entrants have the same."""
    entrant: int
    games: int
    score: Fraction
    """Points for places; in duplicate cups matchpoints, at most 1 per game."""
    victories: Fraction
    opponents: Fraction
    """The mean score of all opponents, one entry for each game with them."""
    share: Fraction
    """The mean share of the points at the entrant's own tables."""

    @property
    def key(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        return self.score, self.victories, self.opponents, self.share


def standings(cup: Cup, group: int | None = None) -> list[Standing]:
    """Returns the standings after the games that are over, of one group or of all entrants."""
    tally = _Tally()
    for held in cup.rounds:
        tally.count(held.games, duplicate=cup.rules.duplicate)
    members = _members(cup, group)
    rows = [tally.row(entrant) for entrant in members]
    rows.sort(key=lambda row: (*(-value for value in row.key), row.entrant))
    return [Standing(1 + sum(other.key > row.key for other in rows), *_rest(row)) for row in rows]


def _members(cup: Cup, group: int | None) -> list[int]:
    if group is None:
        return [one.number for one in cup.entrants]
    games = [game for plan in cup.plan for game in plan if game.group == group]
    return sorted({player for game in games for player in game.seats if player != NOBODY})


def _rest(row: Standing) -> tuple[int, int, Fraction, Fraction, Fraction, Fraction]:
    return row.entrant, row.games, row.score, row.victories, row.opponents, row.share


class _Tally:
    def __init__(self) -> None:
        self._games: dict[int, int] = defaultdict(int)
        self._score: dict[int, Fraction] = defaultdict(Fraction)
        self._victories: dict[int, Fraction] = defaultdict(Fraction)
        self._share: dict[int, Fraction] = defaultdict(Fraction)
        self._met: dict[int, list[int]] = defaultdict(list)

    def count(self, games: Sequence[Game], *, duplicate: bool) -> None:
        for entrant, number, score in scored(games, duplicate=duplicate):
            game = games[number]
            assert game.result is not None
            seat = game.seats.index(entrant)
            self._games[entrant] += 1
            self._score[entrant] += score
            self._victories[entrant] += victories(game.result)[seat]
            self._share[entrant] += point_shares(game.result)[seat]
            self._met[entrant] += [p for p in game.seats if p not in (NOBODY, entrant)]

    def row(self, entrant: int) -> Standing:
        games, met = self._games[entrant], self._met[entrant]
        return Standing(
            place=0,
            entrant=entrant,
            games=games,
            score=self._score[entrant],
            victories=self._victories[entrant],
            opponents=sum((self._score[one] for one in met), ZERO) / max(1, len(met)),
            share=self._share[entrant] / max(1, games),
        )
