"""The batch environment plays separate real games, and refuses what is not a move."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from industry.engine import IllegalMove, code_of
from industry.engine.move_codes import ACTIONS, CLAIM, DRAW, PASS, SELL
from industry.envs.batch import BatchEnv, Turn
from industry.envs.config import ConfigArgs

from .games import CONFIGS, config_name


def snapshot(turn: Turn) -> list[Any]:
    return [array.copy() for array in turn]


def same(turn: Turn, before: list[Any]) -> bool:
    return all((now == then).all() for now, then in zip(turn, before, strict=True))


@pytest.mark.parametrize("choices", CONFIGS, ids=config_name)
def test_masks_and_lists_are_the_legal_moves_of_the_deciding_seat(choices: ConfigArgs) -> None:
    env = BatchEnv(games=3, **choices)
    turn = env.reset(seed=4)
    for _ in range(450):
        for game in range(3):
            position = env.position(game)
            codes = sorted(code_of(move) for move in position.legal_moves)
            assert turn.seats[game] == position.actor
            assert np.flatnonzero(turn.masks[game]).tolist() == codes
            assert sorted(env.moves[game, : env.counts[game]].tolist()) == codes
        turn = env.step(env.sample())


def test_a_game_that_ends_is_followed_by_the_next() -> None:
    env = BatchEnv(games=8)
    turn = env.reset(seed=1)
    seen = np.zeros(8, dtype=np.int64)
    while not seen.all():
        before = [env.position(game) for game in range(8)]
        turn = env.step(env.sample())
        for game in np.flatnonzero(turn.ended).tolist():
            assert before[game].state.round_number == 16
            assert env.position(game).state.round_number == 1
            assert turn.rewards[game].argmax() in np.flatnonzero(
                env.points[game] == env.points[game].max()
            )
        seen += turn.ended


def test_the_starting_player_is_left_to_chance_or_chosen() -> None:
    free, fixed = BatchEnv(games=200), BatchEnv(games=200, starting_player=3)
    free.reset(seed=1)
    assert set(free.states["starting_player"].tolist()) == {0, 1, 2, 3}
    assert (fixed.reset(seed=1).seats == 2).all()


def test_the_same_seed_gives_the_same_games() -> None:
    one, two, other = (BatchEnv(games=4) for _ in range(3))
    turn, again = one.reset(seed=5), two.reset(seed=5)
    assert not same(other.reset(seed=6), snapshot(turn))
    for _ in range(300):
        assert same(turn, snapshot(again))
        turn, again = one.step(one.sample()), two.step(two.sample())


def test_without_a_seed_every_reset_gives_other_games() -> None:
    env = BatchEnv(games=20)
    first = snapshot(env.reset())
    assert not same(env.reset(), first)


def test_a_row_does_not_depend_on_the_other_rows() -> None:
    few, many = BatchEnv(games=2), BatchEnv(games=50)
    turn, crowd = few.reset(seed="rows"), many.reset(seed="rows")
    rng = np.random.default_rng(1)
    for _ in range(400):
        assert (turn.observations == crowd.observations[:2]).all()
        actions = many.sample()
        actions[:2] = [rng.choice(np.flatnonzero(mask)) for mask in turn.masks]
        turn, crowd = few.step(actions[:2]), many.step(actions)


def test_sampling_does_not_change_what_is_drawn() -> None:
    one, two = BatchEnv(games=2), BatchEnv(games=2)
    turn, again = one.reset(seed=1), two.reset(seed=1)
    for _ in range(100):
        two.sample()
        actions = turn.masks.argmax(axis=1)
        turn, again = one.step(actions), two.step(actions)
        assert same(turn, snapshot(again))


def test_sampled_moves_are_each_equally_likely() -> None:
    env = BatchEnv(games=1, starting_player=1)
    env.reset(seed=1)
    drawn = [int(env.sample()[0]) for _ in range(5000)]
    counts = np.unique(drawn, return_counts=True)[1]
    assert len(counts) == 5  # four fields and the subsidy
    assert counts == pytest.approx(1000, abs=150)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (SELL, "game 1: Seat . cannot do that now"),
        (CLAIM, "game 1: Seat . cannot do that now"),
        (PASS, "game 1: Seat . cannot do that now"),
        (DRAW, "game 1: 4116 is not an action: they are whole numbers from 0 to 4115"),
        (-1, "game 1: -1 is not an action"),
        (ACTIONS + 5000, "game 1: 9116 is not an action"),
    ],
)
def test_one_illegal_action_stops_the_step_before_anything_changes(wrong: int, told: str) -> None:
    env = BatchEnv(games=3)
    turn = env.reset(seed=1)
    before, states = snapshot(turn), env.states.copy()
    actions = env.sample()
    actions[1] = wrong
    with pytest.raises(ValueError, match=told):
        env.step(actions)
    assert same(turn, before)
    assert (env.states == states).all()


def test_an_illegal_move_tells_its_rule() -> None:
    env = BatchEnv(games=1)
    env.reset(seed=1)
    with pytest.raises(IllegalMove) as caught:
        env.step([SELL])
    assert caught.value.refusal.rule.id == "turn.order"


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([0], r"actions must be 2 whole numbers, one per game, not an array of shape \(1,\)"),
        ([[0, 0]], r"not an array of shape \(1, 2\)"),
        ([0.0, 1.0], "type float64"),
        (["a", "b"], "actions must be 2 whole numbers"),
        (None, "actions must be 2 whole numbers"),
    ],
)
def test_actions_that_are_none_are_refused(actions: Any, told: str) -> None:
    env = BatchEnv(games=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=told):
        env.step(actions)


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step([0, 0]),
        lambda env: env.sample(),
        lambda env: env.observe([0, 0]),
        lambda env: env.position(0),
    ],
    ids=["step", "sample", "observe", "position"],
)
def test_there_is_nothing_to_play_or_see_before_the_games_begin(
    use: Callable[[BatchEnv], object],
) -> None:
    with pytest.raises(ValueError, match=r"no game is running: reset\(\) begins them"):
        use(BatchEnv(games=2))


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"games": 0}, "games must be a number from 1 to 100,000, not 0"),
        ({"games": "many"}, "games must be a number from 1 to 100,000, not many"),
        ({"games": 10**9}, "games must be a number"),
        ({"players": 5}, "3 or 4 players can play, not 5"),
        ({"players": "four"}, "3 or 4 players can play, not four"),
        ({"reward": "fame"}, "there is no reward fame: choose win, rank, margin"),
        ({"reward": None}, "there is no reward"),
        ({"starting_player": 5}, "the Starting Player is one of the seats 1 to 4, not 5"),
        ({"edition": "industrial"}, "industrial: there is no such board"),
        ({"board": "nowhere.toml"}, "nowhere.toml"),
        ({"edition": "industria", "board": "industry"}, "played with the rules of industry"),
        ({"options": {"late_draws": "never"}}, "never is not a value of the option late_draws"),
        ({"options": {"colour": "red"}}, "colour"),
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_refused_in_a_sentence(
    choices: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        BatchEnv(**({"games": 1} | choices))


def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="there is no argument colour; a table takes edition, play"):
        BatchEnv(games=1, colour="red")  # type: ignore[call-arg]


def test_only_seats_can_look() -> None:
    env = BatchEnv(games=2, players=3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="viewers must be seats from 0 to 2"):
        env.observe([0, 3])


def test_only_its_games_have_positions() -> None:
    env = BatchEnv(games=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="there is no game 2: they count from 0 to 1"):
        env.position(2)
