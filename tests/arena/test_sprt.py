"""The sequential test: right more often than its risks say, and early."""

from random import Random

import pytest

from industry.arena.match import Match
from industry.arena.sprt import Sprt
from industry.arena.standings import deal_score

from .plans import tournament

RUNS = 200


def decided(share: float, games: int, rng: Random) -> Sprt:
    """The test after as many deals of independent games as it took to decide."""
    test = Sprt(0.5, 0.6)
    while test.decision is None:
        test.add(sum(rng.random() < share for _ in range(games)) / games)
    return test


@pytest.mark.parametrize("games", [1, 6])
def test_errors_stay_within_the_risks_and_decisions_come_early(games: int) -> None:
    rng = Random("sprt")
    equal = [decided(0.5, games, rng) for _ in range(RUNS)]
    better = [decided(0.6, games, rng) for _ in range(RUNS)]
    # With a true risk of 5 %, 20 or more errors in 200 runs happen once in 500 tries.
    assert sum(test.decision == "accepted" for test in equal) < 20
    assert sum(test.decision == "rejected" for test in better) < 20
    fixed = 268  # games that a test of fixed length needs for the same risks
    assert sum(test.deals * games for test in equal + better) / (2 * RUNS) < 0.75 * fixed


@pytest.mark.parametrize(("share", "decision"), [(0.4, "rejected"), (0.75, "accepted")])
def test_a_clear_case_is_decided_quickly_and_rightly(share: float, decision: str) -> None:
    rng = Random("clear")
    for _ in range(100):
        test = decided(share, 6, rng)
        assert test.decision == decision
        assert test.deals < 60


def test_games_that_mirror_each_other_count_for_what_they_are_worth() -> None:
    """A deal that always splits evenly says at once that the bots are equal."""
    test = Sprt(0.5, 0.55)
    while test.decision is None:
        test.add(0.5)
    assert test.decision == "rejected"
    assert test.deals < 40


def score(first: str, second: str, deal: int) -> float:
    plan = tournament(first, second, players=3, record=False)
    return deal_score(tuple(Match(plan, seating).play() for seating in plan.deal(deal)), 0)


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(
    ("first", "second", "decision"),
    [("builder", "random", "accepted"), ("random", "builder", "rejected")],
)
def test_a_better_bot_is_accepted_and_a_worse_one_rejected(
    first: str, second: str, decision: str
) -> None:
    test = Sprt(0.5, 0.6)
    while test.decision is None:
        test.add(score(first, second, test.deals))
    assert test.decision == decision
    assert test.deals <= 12


def test_the_same_bot_under_two_names_is_rejected_as_an_improvement() -> None:
    test = Sprt(0.5, 0.8)
    while test.decision is None:
        test.add(score("random", "random", test.deals))
    assert test.decision == "rejected"


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.6, 0.5), (0, 0.5), (0.5, 1)])
def test_hypotheses_that_cannot_be_distinguished_are_refused(shares: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="win shares"):
        Sprt(*shares)


def test_risks_are_below_one_half() -> None:
    with pytest.raises(ValueError, match="risks"):
        Sprt(alpha=0.5)
