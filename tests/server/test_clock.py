"""Time to think: computed from the log alone, and a timeout plays for the seat (J2, P13)."""

from random import Random

import pytest

from industry.server.clock import DAY, MINUTE, SECOND
from industry.server.entries import Absent, entry_of
from industry.server.table import Table

from .tables import BOARDS, Play


def remaining(play: Play) -> list[int]:
    return play.table.times.remaining(play.table.actor)


def test_without_a_clock_nobodys_time_runs_out() -> None:
    play = Play(clock="none")
    assert play.table.pending_action() is None
    assert remaining(play) == []


def test_live_play_gives_three_minutes_and_twenty_seconds_for_each_decision() -> None:
    play = Play(clock="live", auto_forced=False)
    assert remaining(play) == [3 * MINUTE + 20 * SECOND] * 4
    pending = play.table.pending_action()
    assert pending is not None
    assert pending.at == play.now + 3 * MINUTE + 20 * SECOND


def test_the_first_twenty_seconds_of_a_decision_are_free() -> None:
    play = Play(clock="live", auto_forced=False)
    seat = play.actor - 1
    play.move(play.legal()[0], after=20 * SECOND)
    assert play.table.times.reserves[seat] == 3 * MINUTE
    seat = play.actor - 1
    play.move(play.legal()[0], after=50 * SECOND)
    assert play.table.times.reserves[seat] == 3 * MINUTE - 30 * SECOND


def test_time_that_is_over_makes_the_seat_absent_and_plays_for_it() -> None:
    play = Play(clock="live", auto_forced=False)
    seat = play.actor
    assert not play.draft(3 * MINUTE + 20 * SECOND - 1).time_out()
    draft = play.draft(1)
    assert draft.time_out()
    play.keep(draft)
    assert Absent(seat, "clock") in [entry.what for entry in play.entries]
    assert play.moves("zombie")[0].startswith(f"{seat} offer")
    assert play.actor != seat


def test_who_returns_has_a_minute_again() -> None:
    play = Play(clock="live", auto_forced=False)
    seat = play.actor - 1
    draft = play.draft(10 * MINUTE)
    draft.time_out()
    play.keep(draft)
    assert play.table.times.reserves[seat] == 0
    draft = play.draft()
    draft.come_back(seat)
    play.keep(draft)
    assert play.table.times.reserves[seat] == 1 * MINUTE


def test_taking_back_gains_no_time() -> None:
    """Moving and taking back in turn uses up the same time as thinking."""
    play = Play(clock="live", auto_forced=False)
    seat = play.actor - 1
    line = play.legal()[0]
    for _ in range(10):
        play.move(line, after=1 * SECOND)
        draft = play.draft(19 * SECOND)
        draft.undo(seat)
        play.keep(draft)
    assert play.table.times.reserves[seat] == 3 * MINUTE + 20 * SECOND - 200 * SECOND
    assert play.table.times.allowance == 0


def test_play_over_days_gives_three_days_for_each_decision() -> None:
    play = Play(clock="days", auto_forced=False)
    for _ in range(5):
        play.move(play.legal()[0], after=2 * DAY)
    assert remaining(play) == [3 * DAY] * 4
    assert not play.draft(3 * DAY - 1).time_out()
    assert play.draft(1).time_out()


def test_a_clock_that_is_set_back_takes_nothing_from_anybody() -> None:
    play = Play(clock="live", auto_forced=False)
    play.move(play.legal()[0], after=-10 * MINUTE)
    assert [entry.at for entry in play.entries] == sorted(entry.at for entry in play.entries)
    assert play.table.times.reserves == (3 * MINUTE,) * 4


@pytest.mark.parametrize("clock", ["live", "days"])
def test_what_is_left_follows_from_the_log_alone(clock: str) -> None:
    play = Play(clock=clock)
    rng = Random(1)
    for _ in range(60):
        play.move(rng.choice(play.legal()), after=rng.randrange(40 * SECOND))
    again = Table(play.table.id, {board.hash: board for board in BOARDS.values()})
    again.apply_all(entry_of(entry.text()) for entry in play.entries)
    assert again.times == play.table.times
    assert again.pending_action() == play.table.pending_action()
