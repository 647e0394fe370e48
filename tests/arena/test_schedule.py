"""Seats: every bot everywhere equally often, whatever the number of bots."""

from collections import Counter

import pytest

from industry.arena.schedule import ArenaError, Entrant, read_entrants

from .plans import tournament

NAMES = "abcdefgh"


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("bots", range(1, 8))
def test_every_bot_plays_every_seat_equally_often_within_a_deal(bots: int, players: int) -> None:
    plan = tournament(*NAMES[:bots], players=players)
    for deal in range(3):
        games = plan.deal(deal)
        assert len(games) == plan.games_per_deal
        seats = Counter((bot, seat) for game in games for seat, bot in enumerate(game.seats))
        assert len(seats) == bots * players
        assert len(set(seats.values())) == 1
        assert len({game.seats for game in games}) == len(games)


def test_two_bots_at_a_table_of_four_have_two_seats_each_in_all_six_arrangements() -> None:
    games = tournament("a", "b", players=4).deal(0)
    assert len(games) == 6
    assert all(sorted(game.seats) == [0, 0, 1, 1] for game in games)


def test_two_bots_at_a_table_of_three_play_both_mixes_of_one_against_two() -> None:
    games = tournament("a", "b", players=3).deal(0)
    assert Counter(sum(game.seats) for game in games) == {1: 3, 2: 3}


def test_bots_that_need_several_tables_get_new_neighbours_in_every_deal() -> None:
    plan = tournament(*NAMES[:6], players=4)
    tables = {tuple(sorted(game.seats)) for deal in range(30) for game in plan.deal(deal)}
    assert len(tables) == 15  # every four of the six have met


@pytest.mark.parametrize("players", [3, 4])
def test_the_starting_player_is_the_same_within_a_deal_and_moves_on_with_the_next(
    players: int,
) -> None:
    plan = tournament("a", "b", players=players)
    starters = [{game.starting_seat for game in plan.deal(deal)} for deal in range(8)]
    assert starters == [{deal % players} for deal in range(8)]


def test_a_bot_may_enter_twice_and_with_a_time_of_its_own() -> None:
    assert read_entrants(["clerk", "clerk", "clerk@250"], 0.02) == (
        Entrant("clerk", "clerk", 0.02),
        Entrant("clerk (2)", "clerk", 0.02),
        Entrant("clerk@250", "clerk", 0.25),
    )


@pytest.mark.parametrize("text", ["clerk@", "clerk@soon", "clerk@-5", "clerk@0", "clerk@nan", ""])
def test_a_time_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ArenaError):
        read_entrants([text], 0.02)
