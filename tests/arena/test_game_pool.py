"""Processes: the same games on any number of them, and a bot that is lost costs one game."""

import pytest

from industry.arena.outcome import Outcome
from industry.arena.tournament import deals_for, play_deals
from industry.bots import BotError
from industry.notation import record_from_toml, replay

from .plans import tournament


def told(outcome: Outcome) -> tuple[object, ...]:
    return outcome.seating, outcome.points, outcome.ranks, outcome.record, outcome.fault


def test_the_number_of_processes_does_not_change_the_games() -> None:
    plan = tournament("random", "random", players=3)
    runs = [list(play_deals(plan, 4, processes)) for processes in (1, 2)]
    assert [len(run) for run in runs] == [4, 4]
    single, double = ([told(game) for deal in run for game in deal] for run in runs)
    assert single == double


def test_games_are_rounded_up_to_whole_deals() -> None:
    plan = tournament("random", "random")
    assert [deals_for(plan, games) for games in (1, 6, 7, 1000)] == [1, 1, 2, 167]


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(("bot", "kind"), [("hangs", "hang"), ("crashes", "crash")])
def test_a_bot_that_never_answers_loses_and_the_tournament_continues(bot: str, kind: str) -> None:
    plan = tournament(bot, "builder", "first", players=3, ms=1)
    (deal,) = play_deals(plan, 1, 2)
    assert len(deal) == 6
    for outcome in deal:
        if outcome.seating.seats[0] != 0:
            assert outcome.fault is None
            continue
        assert outcome.fault is not None
        assert (outcome.fault.bot, outcome.fault.kind) == (bot, kind)
        assert outcome.ranks[0] == 3
        game = replay(record_from_toml(outcome.fault.record), plan.board)
        assert game.to_move == 1


@pytest.mark.usefixtures("foreign")
def test_bots_warm_up_in_every_process_before_they_are_asked() -> None:
    plan = tournament("compiler", "first", players=3)
    (deal,) = play_deals(plan, 1, 2)
    assert all(outcome.fault is None for outcome in deal)


def test_a_bot_that_nobody_installed_is_named() -> None:
    with pytest.raises(BotError, match="no bot nobody"):
        next(play_deals(tournament("nobody", "random"), 1))
