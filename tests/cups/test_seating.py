"""Who sits where: designs, rematches, seats, bots that fill tables."""

import time
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from industry.cups import (
    Cup,
    Entrant,
    Round,
    Rules,
    groups_of,
    moved,
    next_games,
    schedule,
    standings,
)
from industry.cups.chance import Chance
from industry.cups.designs import designed_rounds, projective_tables

from .cups import cup_of, meetings, played, seats_had, whole

counts = st.integers(4, 40)
sizes = st.sampled_from((3, 4))
rounds = st.integers(1, 9)


@pytest.mark.parametrize(("players", "size", "rounds"), [(9, 3, 4), (16, 4, 5), (27, 3, 13)])
def test_every_two_players_meet_exactly_once_where_a_design_exists(
    players: int, size: int, rounds: int
) -> None:
    met = meetings(cup_of(players, size, rounds))
    assert met == dict.fromkeys(combinations(range(1, players + 1), 2), 1)


@pytest.mark.parametrize(("players", "size", "rounds"), [(7, 3, 4), (13, 4, 5), (62, 4, 21)])
def test_with_bots_of_the_house_a_design_also_serves_fewer_players(
    players: int, size: int, rounds: int
) -> None:
    cup = cup_of(players, size, rounds)
    assert meetings(cup) == dict.fromkeys(combinations(range(1, players + 1), 2), 1)
    assert max(game.seats.count(0) for games in cup.plan for game in games) <= 2


def test_thirteen_players_meet_at_most_once_in_four_rounds_of_fours() -> None:
    """The 13 tables of the projective plane cannot be rounds: any two of them share a player."""
    assert set(meetings(cup_of(13, 4, 4)).values()) == {1}
    tables = [set(table) for table in projective_tables()]
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert met == dict.fromkeys(combinations(range(13), 2), 1)
    assert all(one & other for one, other in combinations(tables, 2))


@pytest.mark.parametrize(("players", "size"), [(8, 3), (12, 4), (3, 3), (9, 4), (512, 2)])
def test_there_is_no_design_for_other_numbers(players: int, size: int) -> None:
    assert designed_rounds(players, size) == []


@given(counts, sizes, rounds, st.text(max_size=5))
@settings(max_examples=60, deadline=None)
def test_everybody_sits_at_one_table_of_each_round(
    count: int, size: int, rounds: int, seed: str
) -> None:
    cup = cup_of(count, size, rounds, seed=seed)
    assert len(cup.plan) == rounds
    for games in cup.plan:
        assert all(len(game.seats) == size for game in games)
        people = sorted(player for game in games for player in game.seats if player)
        assert people == list(range(1, count + 1))
        assert len(games) == -(-count // size)


@given(counts, sizes, rounds, st.text(max_size=5))
@settings(max_examples=60, deadline=None)
def test_everybody_has_each_seat_as_often_as_any_other_give_or_take_one(
    count: int, size: int, rounds: int, seed: str
) -> None:
    for had in seats_had(cup_of(count, size, rounds, seed=seed)).values():
        assert max(had) - min(had) <= 1


@pytest.mark.parametrize(
    ("players", "size", "rounds"), [(24, 4, 4), (60, 4, 6), (21, 3, 5), (30, 3, 6), (64, 3, 6)]
)
def test_nobody_meets_twice_where_there_are_many_more_players_than_rounds(
    players: int, size: int, rounds: int
) -> None:
    assert set(meetings(cup_of(players, size, rounds)).values()) == {1}


def test_the_search_makes_fewer_rematches_than_chance() -> None:
    """12 players in fours cannot avoid rematches in four rounds; 18 pairs must meet again."""
    met = meetings(cup_of(12, 4, 4))
    assert (
        sum(times - 1 for times in met.values()) == 18
    )  # 72 meetings, 54 of them with somebody new
    drawn: Counter[tuple[int, int]] = Counter()
    chance = Chance("drawn")
    for _ in range(4):
        order = chance.shuffled(range(12))
        for first in range(0, 12, 4):
            drawn.update(combinations(sorted(order[first : first + 4]), 2))
    assert sum(times - 1 for times in drawn.values()) > 18


def test_64_players_get_six_rounds_in_under_a_second() -> None:
    begin = time.process_time()
    cup_of(64, 3, 6)
    cup_of(60, 4, 6)
    assert time.process_time() - begin < 2


@given(counts, sizes, st.text(max_size=5))
@settings(max_examples=30, deadline=None)
def test_a_seating_follows_from_its_seed(count: int, size: int, seed: str) -> None:
    assert cup_of(count, size, seed=seed) == cup_of(count, size, seed=seed)
    swiss = cup_of(count, size, 3, "swiss", seed=seed)
    once, again = (whole(swiss, Chance(seed)) for _ in range(2))
    assert once == again


def test_another_seed_gives_another_seating() -> None:
    assert cup_of(16, 4, seed="one").plan != cup_of(16, 4, seed="two").plan


def test_bots_of_the_house_are_spread_over_the_tables() -> None:
    for games in cup_of(9, 4, 5).plan:
        assert [game.seats.count(0) for game in games] == [1, 1, 1]


# Swiss


@given(st.integers(4, 24), sizes, st.text(max_size=5))
@settings(max_examples=25, deadline=None)
def test_everybody_plays_in_each_round_of_a_swiss(count: int, size: int, seed: str) -> None:
    cup = whole(cup_of(count, size, 4, "swiss"), Chance(seed))
    assert len(cup.rounds) == 4
    for held in cup.rounds:
        people = sorted(player for game in held.games for player in game.seats if player)
        assert people == list(range(1, count + 1))


def test_a_swiss_seats_players_of_similar_scores_together() -> None:
    apart, drawn = 0, 0
    for seed in range(10):
        cup = played(cup_of(32, 4, 4, "swiss", seed=str(seed)), Chance(str(seed)))
        cup = played(cup, Chance(f"second {seed}"))
        place = {row.entrant: row.place for row in standings(cup)}
        for game in next_games(cup):
            places = [place[player] for player in game.seats]
            apart += max(places) - min(places)
        order = Chance(f"drawn {seed}").shuffled(range(1, 33))
        for first in range(0, 32, 4):
            places = [place[player] for player in order[first : first + 4]]
            drawn += max(places) - min(places)
    assert apart < drawn / 2


def test_a_swiss_of_many_players_has_no_rematch() -> None:
    cup = whole(cup_of(40, 4, 4, "swiss"), Chance("x"))
    assert set(meetings(cup).values()) == {1}


# Withdrawing


def test_a_bot_of_the_house_plays_for_those_who_have_withdrawn() -> None:
    cup = played(cup_of(8, 4, 3), Chance("x"))
    entrants = tuple(replace(one, withdrawn=one.number == 5) for one in cup.entrants)
    games = next_games(replace(cup, entrants=entrants))
    assert sorted(player for game in games for player in game.seats) == [0, 1, 2, 3, 4, 6, 7, 8]


def test_a_cup_ends_where_one_player_is_left() -> None:
    cup = played(cup_of(8, 4, 3), Chance("x"))
    entrants = tuple(replace(one, withdrawn=one.number > 1) for one in cup.entrants)
    assert next_games(replace(cup, entrants=entrants)) == ()


def test_a_round_waits_for_the_one_before() -> None:
    cup = cup_of(8, 4, 3)
    assert next_games(replace(cup, rounds=(Round(1, cup.plan[0]),))) == ()


# League


@given(st.integers(1, 60))
def test_groups_have_four_or_five_players(count: int) -> None:
    groups = groups_of(list(range(1, count + 1)))
    assert [one for group in groups for one in group] == list(range(1, count + 1))
    lengths = {len(group) for group in groups}
    if count in (6, 7, 11) or count < 4:
        assert lengths <= {1, 2, 3, 4}
    else:
        assert lengths <= {4, 5}


@given(st.integers(4, 40).filter(lambda count: count not in (6, 7, 11)))
@settings(deadline=None)
def test_everybody_in_a_league_plays_four_games_against_their_own_group(count: int) -> None:
    cup = cup_of(count, 4, format="league")
    games: Counter[int] = Counter()
    groups: dict[int, set[int]] = {}
    for planned in cup.plan:
        for game in planned:
            games.update(player for player in game.seats if player)
            groups.setdefault(game.group, set()).update(game.seats)
    assert set(games.values()) == {4}
    assert sum(map(len, groups.values())) == count


@given(st.integers(1, 60))
def test_two_go_up_and_two_go_down(count: int) -> None:
    groups = groups_of(list(range(1, count + 1)))
    after = groups_of(moved(groups))
    assert sorted(one for group in after for one in group) == list(range(1, count + 1))
    for upper, lower, now in zip(groups, groups[1:], after, strict=False):
        if min(len(upper), len(lower)) >= 4 and len(upper) == len(now):
            assert set(lower[:2]) <= set(now)
            assert not set(upper[-2:]) & set(now)


def test_the_strongest_of_the_season_before_are_the_first_group() -> None:
    entrants = tuple(Entrant(n, str(n), rank=9 - n if n < 9 else 0) for n in range(1, 11))
    cup = Cup(Rules("league", 4, 1), "seed", entrants)
    first = {
        player
        for games in schedule(cup)
        for game in games
        if game.group == 1
        for player in game.seats
    }
    assert first == {4, 5, 6, 7, 8}


# Open evening


def test_an_evening_seats_those_who_are_free_and_have_waited_longest() -> None:
    cup = cup_of(7, 3, format="evening")
    first = next_games(cup)
    assert sorted(first[0].seats) == [1, 2, 3]
    cup = replace(cup, rounds=(Round(1, first),))
    second = next_games(cup)
    assert sorted(second[0].seats) == [4, 5, 6]
    cup = replace(cup, rounds=(*cup.rounds, Round(2, second)))
    assert next_games(cup) == ()  # one is free, the others play
    over = replace(first[0], closed=True)
    third = next_games(cup.with_round(1, Round(1, (over,))))
    assert 7 in third[0].seats
    assert set(third[0].seats) < {1, 2, 3, 7}
