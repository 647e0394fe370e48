"""What results are worth, and who is ahead."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from industry.cups import Cup, CupError, Game, Result, Round, Rules, next_games, standings
from industry.cups.chance import Chance
from industry.cups.scoring import matchpoints, place_points, point_shares, victories

from .cups import cup_of, played, whole


def result(*points: int, winners: tuple[int, ...] = (), forfeits: tuple[int, ...] = ()) -> Result:
    best = tuple(n for n, own in enumerate(points, 1) if own == max(points))
    return Result(points, winners or best, forfeits)


# Points for places


def test_places_are_worth_4_2_1_0_and_3_1_0() -> None:
    assert place_points(result(30, 50, 20, 10)) == [2, 4, 1, 0]
    assert place_points(result(30, 20, 50)) == [1, 0, 3]


def test_a_shared_victory_is_shared() -> None:
    assert place_points(result(50, 50, 20, 10)) == [3, 3, 1, 0]
    assert victories(result(50, 50, 20)) == [Fraction(1, 2), Fraction(1, 2), 0]


def test_the_rules_decide_who_won_not_the_points_alone() -> None:
    assert place_points(result(50, 50, 20, 10, winners=(2,))) == [2, 4, 1, 0]


def test_who_forfeits_gets_nothing_and_the_others_move_up() -> None:
    assert place_points(result(50, 30, 20, 10, forfeits=(1,))) == [0, 4, 2, 1]
    assert victories(result(50, 30, 20, forfeits=(1,))) == [0, 1, 0]
    assert point_shares(result(50, 30, 10, forfeits=(1,))) == [0, Fraction(3, 4), Fraction(1, 4)]


def test_nobody_gets_anything_where_all_forfeit() -> None:
    everybody = result(5, 5, 5, forfeits=(1, 2, 3))
    assert place_points(everybody) == victories(everybody) == [0, 0, 0]


points = st.lists(st.integers(-20, 80), min_size=3, max_size=4)


@given(points)
def test_a_table_always_gives_the_same_number_of_points(values: list[int]) -> None:
    worth = place_points(result(*values))
    assert sum(worth) == {3: 4, 4: 7}[len(values)]
    assert sum(victories(result(*values))) == 1
    assert sum(point_shares(result(*values))) == 1


@given(points)
def test_more_points_are_never_worth_less(values: list[int]) -> None:
    worth = place_points(result(*values))
    for one, mine in zip(values, worth, strict=True):
        for other, theirs in zip(values, worth, strict=True):
            assert (one > other) <= (mine >= theirs)
            assert (one == other) <= (mine == theirs)


# Matchpoints


def games(*results: Result) -> list[Game]:
    size = len(results[0].points)
    return [
        Game(tuple(range(1 + n * size, 1 + (n + 1) * size)), result=one)
        for n, one in enumerate(results)
    ]


def test_each_seat_is_compared_with_the_same_seat_at_the_other_tables() -> None:
    found = matchpoints(games(result(10, 40, 20), result(20, 30, 20), result(30, 20, 20)))
    assert [row[0] for row in found] == [0, Fraction(1, 2), 1]
    assert [row[1] for row in found] == [1, Fraction(1, 2), 0]
    assert [row[2] for row in found] == [Fraction(1, 2)] * 3


def test_a_good_seat_is_no_advantage() -> None:
    """Seat 1 wins everywhere by the luck of the bag; the lesser victory has no matchpoints."""
    found = matchpoints(games(result(60, 10, 10), result(50, 10, 10)))
    assert [row[0] for row in found] == [1, 0]


def test_nobody_is_compared_with_who_forfeits() -> None:
    found = matchpoints(games(result(10, 1, 1), result(90, 1, 1, forfeits=(1,)), result(5, 1, 1)))
    assert [row[0] for row in found] == [1, 0, 0]


def test_without_others_a_result_is_worth_a_half() -> None:
    assert matchpoints(games(result(10, 20, 30))) == [[Fraction(1, 2)] * 3]


@given(st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=2, max_size=8))
def test_matchpoints_of_a_seat_are_half_of_all_there_are(
    values: list[tuple[int, int, int]],
) -> None:
    found = matchpoints(games(*(result(*row) for row in values)))
    for seat in range(3):
        assert sum(row[seat] for row in found) == Fraction(len(values), 2)


# Standings


def finished(*tables: tuple[tuple[int, ...], Result], duplicate: bool = False) -> Cup:
    """A cup of one table per round."""
    count = max(max(seats) for seats, _ in tables)
    cup = replace(cup_of(count, len(tables[0][0])), plan=())
    rounds = tuple(
        Round(n, (Game(seats, result=one),)) for n, (seats, one) in enumerate(tables, start=1)
    )
    return replace(cup, rounds=rounds, rules=replace(cup.rules, duplicate=duplicate))


def order(cup: Cup) -> list[tuple[int, int]]:
    return [(row.place, row.entrant) for row in standings(cup)]


def test_the_score_decides_first() -> None:
    cup = finished(((1, 2, 3), result(10, 30, 20)), ((3, 1, 2), result(5, 10, 40)))
    assert order(cup)[0] == (1, 2)
    assert [row.score for row in standings(cup)] == [6, 1, 1]


def test_with_equal_scores_more_victories_decide() -> None:
    """4 and 0 against 2 and 2: the same score."""
    cup = finished(
        ((1, 2, 3, 4), result(40, 30, 20, 10)),
        ((3, 2, 4, 1), result(40, 30, 20, 10)),
    )
    rows = {row.entrant: row for row in standings(cup)}
    assert rows[1].score == rows[2].score == 4
    assert rows[1].place < rows[2].place


def test_then_the_scores_of_the_opponents_decide() -> None:
    cup = finished(
        ((1, 3, 4), result(30, 20, 10)),
        ((2, 5, 6), result(30, 20, 10)),
        ((3, 4, 7), result(30, 20, 10)),
        ((5, 6, 8), result(10, 20, 30)),
    )
    rows = {row.entrant: row for row in standings(cup)}
    assert (rows[1].score, rows[1].victories) == (rows[2].score, rows[2].victories)
    assert rows[1].opponents > rows[2].opponents
    assert rows[1].place < rows[2].place


def test_then_the_share_of_the_points_decides() -> None:
    cup = finished(((1, 3, 4), result(30, 20, 10)), ((2, 5, 6), result(90, 20, 10)))
    assert order(cup)[:2] == [(1, 2), (2, 1)]


def test_who_is_equal_in_everything_shares_the_place() -> None:
    cup = finished(((1, 3, 4), result(30, 20, 10)), ((2, 5, 6), result(30, 20, 10)))
    assert order(cup) == [(1, 1), (1, 2), (3, 3), (3, 5), (5, 4), (5, 6)]


def test_bots_of_the_house_are_in_no_standings() -> None:
    cup = finished(((1, 2, 0), result(10, 20, 90)))
    assert order(cup) == [(1, 2), (2, 1)]
    assert [row.score for row in standings(cup)] == [1, 0]


def test_a_table_without_a_result_counts_for_nobody() -> None:
    cup = finished(((1, 2, 3), result(10, 20, 30)))
    closed = Round(2, (Game((1, 2, 3), closed=True),))
    assert order(replace(cup, rounds=(*cup.rounds, closed))) == order(cup)


@given(st.integers(4, 20), st.booleans(), st.text(max_size=4))
@settings(max_examples=30, deadline=None)
def test_standings_list_everybody_once_and_keep_all_points(
    count: int, duplicate: bool, seed: str
) -> None:
    cup = whole(cup_of(count, 4, 3, duplicate=duplicate), Chance(seed))
    rows = standings(cup)
    assert sorted(row.entrant for row in rows) == list(range(1, count + 1))
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    if count % 4 == 0:
        tables = sum(len(held.games) for held in cup.rounds)
        assert sum(row.score for row in rows) == (2 if duplicate else 7) * tables


def test_a_league_has_standings_for_each_group() -> None:
    cup = played(cup_of(9, 4, format="league"), Chance("x"))
    first, second = ([row.entrant for row in standings(cup, group=number)] for number in (1, 2))
    assert {len(first), len(second)} == {4, 5}
    assert sorted(first + second) == list(range(1, 10))


@pytest.mark.parametrize(
    ("rules", "wrong"),
    [
        (Rules("cup", 5, 3), "size"),
        (Rules("cup", 4, 0), "rounds"),
        (Rules("cup", 4, 22), "rounds"),
        (Rules("evening", 4, 1, duplicate=True), "duplicate"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(rules: Rules, wrong: str) -> None:
    with pytest.raises(CupError, match=wrong):
        rules.check()


def test_games_end_after_the_last_round() -> None:
    cup = whole(cup_of(8, 4, 3), Chance("x"))
    assert len(cup.rounds) == 3
    assert next_games(cup) == ()
