"""Phase 1: income."""

import pytest

from industry.engine import Phase, Reason

from .positions import HARBOUR, WORKSHOP, end_of, new_scene, quiet_game, scene


def test_each_player_takes_1_taler_from_the_bank_at_the_start_of_every_round() -> None:
    before = scene("era 1, develop, seat 3; talers 5 3 4")
    after = before.play("3 done")
    assert after.phase == Phase.DRAW
    assert after.talers == [6, 4, 5]
    assert after.position.state.bank == before.position.state.bank - 3


def test_income_is_paid_in_order_from_the_starting_player() -> None:
    """J6: it has no effect, but the order of events is fixed."""
    after = scene("era 1, develop, seat 3; talers 5 3 4").play("3 done")
    assert after.starting_player == 2
    assert after.paid(Reason.INCOME) == [(0, 2, 1), (0, 3, 1), (0, 1, 1)]


def test_the_first_income_comes_before_the_first_draw() -> None:
    assert new_scene(WORKSHOP).paid(Reason.INCOME) == [(0, 1, 1), (0, 2, 1), (0, 3, 1)]


def test_industry_has_no_extra_income_for_a_new_era() -> None:
    """I2 belongs to Industria."""
    assert end_of(quiet_game(new_scene(WORKSHOP))).paid(Reason.ERA_INCOME) == []


@pytest.mark.parametrize(("era", "extra"), [(1, 0), (2, 1), (3, 1), (4, 1)])
def test_industria_pays_1_taler_more_on_entering_eras_3_4_and_5(era: int, extra: int) -> None:
    """I2: once per change of era, with the next income; J6: from the Starting Player on."""
    before = scene(f"era {era}, develop, seat 4; talers 5 3 4 2; gone the rest", HARBOUR)
    after = before.play("4 done")
    assert after.era == era + 1
    assert after.talers == [6 + extra, 4 + extra, 5 + extra, 3 + extra]
    assert after.paid(Reason.ERA_INCOME) == [(0, seat, 1) for seat in (2, 3, 4, 1)] * extra


def test_industria_pays_the_extra_taler_only_once_in_an_era() -> None:
    """I2."""
    after = scene("era 3, develop, seat 3; talers 5 3 4; gone 3A 3B 3C", HARBOUR).play("3 done")
    assert after.talers == [6, 4, 5]


@pytest.mark.parametrize(("players", "times"), [(3, 2), (4, 3)])
def test_the_extra_taler_comes_twice_with_three_players_and_three_times_with_four(
    players: int, times: int
) -> None:
    """I2."""
    game = end_of(quiet_game(new_scene(HARBOUR, players)))
    assert len(game.paid(Reason.ERA_INCOME)) == times * players
