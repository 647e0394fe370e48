"""OpenSkill ratings: one number for the strength of each bot over games with many seats."""

from collections.abc import Sequence
from statistics import fmean

from openskill.models import PlackettLuce


class Ratings:
    """Ratings updated game by game, starting at 25 ± 8.3.

    The model is Plackett-Luce. A bot does not change while it plays, so the uncertainty only
    shrinks (tau is 0). A bot on several seats of a game gets the mean of their updates: beating
    itself teaches nothing.
    """

    def __init__(self) -> None:
        self._model = PlackettLuce(tau=0.0)
        self._known: dict[str, tuple[float, float]] = {}

    def add(self, names: Sequence[str], ranks: Sequence[float]) -> None:
        """Counts a game: the bot of each seat and its rank, 1 for the winner."""
        # One object per seat, also for the same bot: the model writes into what it is given.
        before = [[self._model.rating(*self.of(name))] for name in names]
        after = [team[0] for team in self._model.rate(before, ranks=list(ranks))]
        for name in set(names):
            own = [rating for rating, other in zip(after, names, strict=True) if other == name]
            self._known[name] = fmean(x.mu for x in own), fmean(x.sigma for x in own)

    def of(self, name: str) -> tuple[float, float]:
        """Returns a bot's rating and its standard deviation."""
        return self._known.get(name, (self._model.mu, self._model.sigma))
