"""The table: shares that add up, margins that mirror, ratings that follow strength."""

from itertools import pairwise
from random import Random

import pytest

from industry.arena.outcome import BotFault, Outcome
from industry.arena.ratings import Ratings
from industry.arena.schedule import Seating, Tournament
from industry.arena.standings import Standings
from industry.arena.time_histogram import TimeHistogram

from .plans import tournament

PLAN = tournament("strong", "weak")


def outcome(
    seats: tuple[int, ...],
    points: tuple[int, ...],
    ranks: tuple[float, ...],
    fault: BotFault | None = None,
) -> Outcome:
    thinking = tuple(TimeHistogram() for _ in seats)
    return Outcome(Seating(0, 0, seats, 0), points, ranks, thinking, fault)


def standings(*games: Outcome, plan: Tournament = PLAN) -> Standings:
    table = Standings(plan)
    table.add(games)
    return table


def test_a_shared_victory_is_split_between_its_winners() -> None:
    table = standings(outcome((0, 1, 0, 1), (30, 30, 10, 30), (2, 2, 4, 2)))
    strong, weak = table.data()
    assert strong["wins"] == pytest.approx(1 / 3, abs=1e-3)
    assert weak["wins"] == pytest.approx(2 / 3, abs=1e-3)
    assert strong["games"] == weak["games"] == 1


def test_the_margin_is_the_best_seat_against_the_best_seat_of_the_others() -> None:
    table = standings(
        outcome((0, 0, 1, 1), (40, 20, 30, 10), (1, 3, 2, 4)),
        outcome((1, 1, 0, 0), (40, 20, 30, 38), (1, 4, 3, 2)),
    )
    strong, weak = table.data()
    assert strong["mean_margin"] == pytest.approx((10 - 2) / 2)
    assert weak["mean_margin"] == -strong["mean_margin"]
    assert strong["mean_points"] == pytest.approx((40 + 20 + 30 + 38) / 4)
    assert strong["mean_rank"] == pytest.approx((1 + 3 + 3 + 2) / 4)


def test_a_lost_game_counts_as_a_loss_but_its_points_do_not_count() -> None:
    fault = BotFault("weak", 1, "error", "raised", "")
    table = standings(
        outcome((0, 1, 0, 1), (50, 20, 20, 20), (1, 3, 3, 3)),
        outcome((0, 1, 0, 1), (0, 0, 0, 0), (1.5, 4, 1.5, 3), fault),
    )
    strong, weak = table.data()
    assert (strong["wins"], weak["wins"]) == (2, 0)
    assert (strong["faults"], weak["faults"]) == (0, 1)
    assert strong["mean_points"] == 35
    assert weak["mean_points"] == 20


def test_the_interval_encloses_the_share_and_narrows_with_more_games() -> None:
    game = outcome((0, 1, 0, 1), (3, 2, 1, 0), (1, 2, 3, 4))
    wide, narrow = standings(*[game] * 6).rows[0], standings(*[game] * 60).rows[0]
    assert wide.win_share == narrow.win_share == 1
    assert wide.wilson == pytest.approx((0.6097, 1), abs=1e-4)
    assert narrow.wilson[0] > wide.wilson[0]


def random_ranks(rng: Random, players: int) -> list[float]:
    ranks = [float(rank + 1) for rank in range(players)]
    rng.shuffle(ranks)
    return ranks


def test_equal_bots_are_rated_equal_within_the_uncertainty() -> None:
    ratings, rng = Ratings(), Random("equal")
    for _ in range(600):
        ratings.add(["a", "b", "b", "a"], random_ranks(rng, 4))
    (first, sigma), (second, _) = ratings.of("a"), ratings.of("b")
    assert abs(first - second) < 3 * sigma
    assert sigma < 1.5


def test_a_bot_that_always_wins_rises_and_more_games_make_it_surer() -> None:
    ratings = Ratings()
    sigmas = []
    for _ in range(3):
        for _ in range(20):
            ratings.add(["strong", "weak", "weak"], [1, 2, 3])
        sigmas.append(ratings.of("strong")[1])
    assert ratings.of("strong")[0] > 25 + 5 > 25 - 5 > ratings.of("weak")[0]
    assert sigmas == sorted(sigmas, reverse=True)


def test_a_bot_learns_nothing_from_beating_itself() -> None:
    ratings = Ratings()
    for _ in range(50):
        ratings.add(["a", "a", "a"], [1, 2, 3])
    assert ratings.of("a")[0] == pytest.approx(25, abs=0.5)


def test_bots_that_never_met_are_rated_through_those_between_them() -> None:
    """Each beats the next two times out of three: the ratings are steps of about one height."""
    ratings, rng = Ratings(), Random("chain")
    for _ in range(400):
        for upper, lower in (("b", "a"), ("c", "b"), ("d", "c")):
            names = [upper, lower] if rng.random() < 2 / 3 else [lower, upper]
            ratings.add(names, [1, 2])
    heights = [ratings.of(name)[0] for name in "abcd"]
    steps = [high - low for low, high in pairwise(heights)]
    assert all(step == pytest.approx(4.1, abs=2) for step in steps)  # ln 2 · 25/6 · √2
