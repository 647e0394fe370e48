"""The best forecasts that the results of some games allow: what no way to rate can surpass.

An ideal rater knows how the strengths of the players are distributed, the strengths of the bots and
the law by which games end, and only infers the strength of each player from all games together.
Its forecast is the mean over the posterior distribution, drawn by Hamiltonian Monte Carlo.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

WARM_UP, DRAWN, THINNED = 300, 2000, 5
LEAPS, STEP = 10, 0.15
"""Of each trajectory, in units of the prior's standard deviation."""
NOBODY = -1


class IdealRater:
    """Learns from the games of a club, then forecasts further ones."""

    def __init__(self, players: int, mean: float, spread: float, scale: float, seed: int) -> None:
        """`scale` divides strengths into the heights of the Plackett-Luce model."""
        self._players, self._mean, self._spread, self._scale = players, mean, spread, scale
        self._rng = np.random.default_rng(seed)
        self._who: list[list[int]] = []
        self._fixed: list[list[float]] = []
        self._drawn: Floats | None = None
        self.accepted = 0.0
        """The share of trajectories that were accepted; far below 0.6 the step is too long."""

    def learn(
        self, people: Sequence[int | None], bots: Sequence[float | None], ranks: Sequence[int]
    ) -> None:
        """Takes over how a game ended; `bots` are the strengths of the other seats."""
        order = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
        self._who.append([NOBODY if (one := people[seat]) is None else one for seat in order])
        self._fixed.append([bots[seat] or 0.0 for seat in order])

    def expected(self, people: Sequence[int | None], bots: Sequence[float | None]) -> list[float]:
        """Returns the chances of all seats, given all games that were learned."""
        if self._drawn is None:
            self._drawn = self._draw()
        columns = [
            np.full(len(self._drawn), bot or 0.0) if who is None else self._drawn[:, who]
            for who, bot in zip(people, bots, strict=True)
        ]
        heights = np.column_stack(columns) / self._scale
        weights = np.exp(heights - heights.max(axis=1, keepdims=True))
        chances: list[float] = (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
        return chances

    def _draw(self) -> Floats:
        """Draws from the posterior distribution of all strengths."""
        who = np.array(self._who)
        fixed = np.array(self._fixed)
        place, kept, accepted = np.zeros(self._players), [], 0
        energy, slope = self._energy(place, who, fixed)
        for number in range(WARM_UP + DRAWN):
            momentum = self._rng.normal(size=self._players)
            start = energy + 0.5 * float(momentum @ momentum)
            here, down = place, slope
            length = STEP * self._rng.uniform(0.8, 1.2)
            for _ in range(LEAPS):
                momentum = momentum - 0.5 * length * down
                here = here + length * momentum
                there, down = self._energy(here, who, fixed)
                momentum = momentum - 0.5 * length * down
            end = there + 0.5 * float(momentum @ momentum)
            if np.log(self._rng.uniform()) < start - end:
                place, energy, slope = here, there, down
                accepted += 1
            if number >= WARM_UP and number % THINNED == 0:
                kept.append(place)
        self.accepted = accepted / (WARM_UP + DRAWN)
        return self._mean + self._spread * np.array(kept)

    def _energy(
        self, place: Floats, who: npt.NDArray[np.int64], fixed: Floats
    ) -> tuple[float, Floats]:
        """Returns the negative logarithm of the posterior density and its gradient.

        `place` are the strengths in standard deviations from the mean of the prior.
        """
        is_person = who != NOBODY
        strengths = np.where(is_person, self._mean + self._spread * place[who], fixed)
        weights = np.exp((strengths - self._mean) / self._scale)
        rests = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]  # of each place and those behind it
        chance = np.log(weights / rests).sum()
        pull = 1 - weights * np.cumsum(1 / rests, axis=1)
        gradient = np.zeros(self._players)
        np.add.at(gradient, who[is_person], pull[is_person] * self._spread / self._scale)
        return float(0.5 * (place @ place) - chance), place - gradient
