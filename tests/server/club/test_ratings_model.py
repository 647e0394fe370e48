"""How ratings follow from games: the model alone, without a server."""

import math
from random import Random

import pytest

from industry.bots.registry import BUILT_IN
from industry.server.new_table import RATED_BOTS
from industry.server.ratings.anchors import Kind, anchors, log_odds
from industry.server.ratings.model import (
    BETA,
    DAY,
    NEWCOMER,
    START_DOUBT,
    Skill,
    after_absence,
    after_game,
    after_leaving,
    forecast,
)
from industry.server.ratings.shown import rating_of

KINDS = [Kind(e, p, "live") for e in ("industry", "industria") for p in (3, 4)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_bot_that_may_play_for_ratings_is_an_anchor(kind: Kind) -> None:
    assert set(anchors(kind)) == RATED_BOTS == set(BUILT_IN) - {"random"}
    heights = [skill.rating for skill in anchors(kind).values()]
    assert heights == sorted(heights)
    assert all(skill.is_known for skill in anchors(kind).values())


def test_the_ladder_is_the_same_scale_for_all_kinds_of_games() -> None:
    means = {round(sum(s.rating for s in anchors(kind).values()), 6) for kind in KINDS}
    assert len(means) == 1


def test_anchors_forecast_the_win_share_that_was_measured() -> None:
    kind = Kind("industry", 4, "live")
    bots = anchors(kind)
    seats = [
        Skill(bots[bot].rating, 0.0) for bot in ("foreman", "foreman", "apprentice", "apprentice")
    ]
    assert sum(forecast(seats)[:2]) == pytest.approx(0.92016, abs=1e-4)
    assert log_odds(0.5, 3) == pytest.approx(0, abs=1e-9)


def test_chances_sum_to_one_and_follow_the_ratings() -> None:
    seats = [Skill(30, 1), Skill(20, 1), Skill(20, 1), Skill(10, 1)]
    chances = forecast(seats)
    assert sum(chances) == pytest.approx(1)
    assert chances[0] > chances[1] == chances[2] > chances[3]


def test_doubt_brings_chances_closer_together() -> None:
    sure = forecast([Skill(30, 0.5), Skill(20, 0.5), Skill(20, 0.5)])
    unsure = forecast([Skill(30, 5), Skill(20, 5), Skill(20, 5)])
    assert unsure[0] < sure[0]


def test_all_placings_count_and_ties_are_even() -> None:
    after = after_game([NEWCOMER] * 4, [1, 2, 2, 4], 4)
    assert after[0].rating > after[1].rating == after[2].rating > after[3].rating
    assert all(skill.doubt < START_DOUBT for skill in after)


def test_a_seat_that_is_left_out_changes_nothing_about_what_a_difference_means() -> None:
    two = after_game([Skill(25, 3), Skill(25, 3)], [1, 2], 4)
    chance = 1 / (1 + math.exp((two[1].rating - two[0].rating) / (BETA * 2)))
    assert 0.5 < chance < 0.8
    assert after_game([NEWCOMER], [1], 4) == [NEWCOMER]


def test_who_leaves_in_a_hopeless_position_loses_and_in_a_won_one_gains() -> None:
    seats = [NEWCOMER] * 3
    lost = after_leaving(seats, 0, [0.0, 0.5, 0.5])
    won = after_leaving(seats, 0, [1.0, 0.0, 0.0])
    even = after_leaving(seats, 0, [1 / 3, 1 / 3, 1 / 3])
    assert lost.rating < NEWCOMER.rating < won.rating
    assert even.rating == pytest.approx(NEWCOMER.rating)


def test_a_rating_becomes_known_by_games_and_doubtful_by_absence() -> None:
    skill = NEWCOMER
    assert not skill.is_known
    random, foreman = Random(1), anchors(KINDS[1])["foreman"]
    for _ in range(12):
        winner = random.randrange(4)
        ranks = [1 if seat == winner else 2 for seat in range(4)]
        skill = after_game([skill, foreman, foreman, foreman], ranks, 4)[0]
    assert skill.is_known and rating_of(skill)["known"]
    later = after_absence(skill, 365 * DAY)
    assert later.rating == skill.rating and not later.is_known
    assert after_absence(skill, 0) == skill == after_absence(skill, -DAY)
    assert after_absence(skill, 100 * 365 * DAY).doubt == START_DOUBT


def test_a_newcomer_is_shown_with_1500_and_a_question_mark() -> None:
    assert rating_of(NEWCOMER) == {"rating": 1500, "doubt": 125, "known": False}
