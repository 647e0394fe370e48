"""OpenSkill ratings: one number for the strength of each bot over games with many seats."""

from collections.abc import Sequence

from openskill.models import PlackettLuce, PlackettLuceRating


class Ratings:
    """Ratings that follow the games in their order: 25 ± 8.3 before the first.

    The model is Plackett-Luce. A bot does not change while it plays, so the uncertainty only
    shrinks (tau is 0). A bot on several seats of a game takes the mean of what they would get:
    beating itself teaches nothing.
    """

    def __init__(self) -> None:
        self._model = PlackettLuce(tau=0.0)
        self._known: dict[str, PlackettLuceRating] = {}

    def add(self, names: Sequence[str], ranks: Sequence[float]) -> None:
        """Count a game: the bot of each seat and its rank, 1 for the winner."""
        before = [[self._rating(name)] for name in names]
        after = self._model.rate(before, ranks=list(ranks))
        for name in dict.fromkeys(names):
            own = [team[0] for team, other in zip(after, names, strict=True) if other == name]
            self._known[name] = self._model.rating(
                sum(rating.mu for rating in own) / len(own),
                sum(rating.sigma for rating in own) / len(own),
            )

    def of(self, name: str) -> tuple[float, float]:
        """Rating and standard deviation."""
        rating = self._rating(name)
        return rating.mu, rating.sigma

    def _rating(self, name: str) -> PlackettLuceRating:
        return self._known.get(name) or self._model.rating()
