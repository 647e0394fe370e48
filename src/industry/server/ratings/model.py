"""How ratings follow from games: the Plackett-Luce model of OpenSkill, with the bots as anchors.

Nothing here reads a clock, a file or a database. docs/ratings.md has the formulas, the parameters
and what they rest on; `benchmarks/ratings.py` measures them.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

BETA = 3.3
"""The scale: with it the published ratings of the bots explain their games best."""
START = 20.0
"""The rating of somebody who has not played: between the foreman and the director."""
START_DOUBT = 5.0
"""The standard deviation of that guess."""
GROWTH = 0.03
"""By how much the variance of a rating grows on every day without a game."""
KNOWN = 3.6
"""A rating is shown without a question mark when its standard deviation is at most this."""
DAY = 24 * 60 * 60 * 1000
SHOWN_START, SHOWN_STEP = 1000, 25
"""People see whole numbers: 1000 and 25 for each point of the model. A newcomer has 1500."""


class Skill(NamedTuple):
    """A rating and its standard deviation."""

    rating: float
    doubt: float

    @property
    def is_known(self) -> bool:
        """Whether the rating says enough to be shown without a question mark."""
        return self.doubt <= KNOWN

    @property
    def shown(self) -> int:
        """The rating as people see it."""
        return round(SHOWN_START + SHOWN_STEP * self.rating)

    @property
    def shown_doubt(self) -> int:
        """Its standard deviation as people see it."""
        return round(SHOWN_STEP * self.doubt)


NEWCOMER = Skill(START, START_DOUBT)


def after_absence(skill: Skill, millis: int) -> Skill:
    """Returns what is left of a rating after some time without a game."""
    days = max(0, millis) / DAY
    doubt = math.sqrt(skill.doubt**2 + GROWTH * days)
    return Skill(skill.rating, max(skill.doubt, min(START_DOUBT, doubt)))


def forecast(skills: Sequence[Skill]) -> list[float]:
    """Returns every seat's chance of winning: what the model expects of a game.

    Doubt about the ratings brings the chances closer together, by the usual approximation of a
    logistic curve that is blurred by a normal distribution.
    """
    blur = math.pi / 4 * sum(skill.doubt**2 for skill in skills) / len(skills)
    scale = math.sqrt(len(skills) * BETA**2 + blur)
    top = max(skill.rating for skill in skills)
    weights = [math.exp((skill.rating - top) / scale) for skill in skills]
    return [weight / sum(weights) for weight in weights]


def after_game(skills: Sequence[Skill], ranks: Sequence[int], players: int) -> list[Skill]:
    """Returns all ratings after a game of this many players, of which these seats are compared.

    `ranks` count from 1 for the best; equal ranks are ties. A difference in ratings means the same
    whether or not some seats of the game are left out.
    """
    if len(skills) < 2:
        return list(skills)
    beta = BETA * math.sqrt(players / len(skills))
    model = PlackettLuce(beta=beta, tau=0.0, gamma=_undamped)
    before = [[model.rating(mu=skill.rating, sigma=skill.doubt)] for skill in skills]
    after = model.rate(before, ranks=[float(rank) for rank in ranks])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in after]


def after_leaving(skills: Sequence[Skill], seat: int, chances: Sequence[float]) -> Skill:
    """Returns the rating of a seat that left a game in which everyone had these chances to win.

    It is the mean of what it would be after each seat's victory, weighted by the chances.
    """
    found = []
    for winner, chance in enumerate(chances):
        ranks = [1 if other == winner else 2 for other in range(len(skills))]
        found.append((chance, after_game(skills, ranks, len(skills))[seat]))
    whole = sum(chances)
    rating = sum(chance * skill.rating for chance, skill in found) / whole
    doubt = sum(chance * skill.doubt for chance, skill in found) / whole
    return Skill(rating, doubt)


def _undamped(*_: object) -> float:
    """Lets the doubt shrink as fast as a game teaches; OpenSkill's default slows that down."""
    return 1.0
