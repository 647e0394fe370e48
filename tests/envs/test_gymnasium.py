"""One seat against bots passes Gymnasium's check, and a bot's fault is reported as such."""

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from industry.bots.random_bot import RandomBot
from industry.engine import IllegalMove, PlayerMove, Position
from industry.engine.move_codes import ACTIONS, SELL
from industry.envs.config import ConfigArgs
from industry.envs.gymnasium import ID, IndustryEnv
from tests.support import proof

from .games import CONFIGS, config_name, play_episode


class First:
    """Always the first legal move."""

    level = 0
    description = "Always the first legal move."
    prepared = 0

    def warm_up(self) -> None:
        type(self).prepared += 1

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        assert position.actor > 0, "the agent has seat 1"
        return legal[0]


class Cheat(RandomBot):
    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> Any:
        return "the whole bank"


@pytest.mark.parametrize("choices", proof.cases(CONFIGS, 2), ids=config_name)
def test_check_env(choices: ConfigArgs) -> None:
    check_env(gymnasium.make(ID, **choices, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_an_episode_is_a_game(reward: str) -> None:
    env = gymnasium.make(ID, reward=reward)
    got, info, actions = play_episode(env, 5)
    points = info["points"]
    expected = {
        "win": float(points[0] == max(points)),
        "rank": sum((points[0] > other) - (points[0] < other) for other in points) / 3,
        "margin": points[0] - sum(points[1:]) / 3,
    }
    assert len(set(points)) == 4  # or the tie-break would decide
    assert got == pytest.approx(expected[reward])
    assert len(actions) > 60


def test_the_same_seed_gives_the_same_episode() -> None:
    env = gymnasium.make(ID)
    first, again, other = (play_episode(env, seed) for seed in (8, 8, 9))
    assert first == again
    assert first != other


def test_opponents_are_named_made_and_prepared() -> None:
    First.prepared = 0
    env = gymnasium.make(ID, opponents=["random", First, "random"])
    assert First.prepared == 1
    assert len(play_episode(env, 1)[1]["points"]) == 4


@pytest.mark.parametrize(("reward", "lowest"), [("win", 0), ("rank", -1), ("margin", -100)])
def test_an_illegal_action_loses_the_game_and_says_why(reward: str, lowest: float) -> None:
    env = IndustryEnv(reward=reward, starting_player=1)
    env.reset(seed=1)
    view, got, ended, cut, info = env.step(np.int64(SELL))
    assert (got, ended, cut) == (lowest, True, False)
    assert info["illegal"].startswith("Seat 1 cannot do that now.")
    assert not view["action_mask"].any()
    with pytest.raises(ValueError, match=r"no game is running: reset\(\) begins one"):
        env.step(np.int64(SELL))


def test_an_illegal_action_raises_an_error_on_request() -> None:
    env = IndustryEnv(illegal="raise", starting_player=1)
    view, _ = env.reset(seed=1)
    with pytest.raises(IllegalMove, match="Seat 1 cannot do that now"):
        env.step(np.int64(SELL))
    assert (env.action_masks() == view["action_mask"]).all()


def test_nothing_happens_after_the_end_of_a_game() -> None:
    env = IndustryEnv(render_mode="ansi")
    play_episode(env, 1)
    with pytest.raises(ValueError, match="no game is running"):
        env.step(np.int64(0))
    assert "the game is over, won by seat" in str(env.render())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"opponents": "nobody"}, "there is no bot nobody"),
        ({"opponents": ["random"]}, "4 players need 3 opponents or one name, not 1"),
        ({"opponents": dict}, "is not a bot"),
        ({"opponents": [First()] * 3}, "is not a bot: give its name, or a class"),
        ({"opponents": 7}, "opponents are names or classes of bots, not 7"),
        ({"illegal": "ignore"}, "illegal is lose or raise, not ignore"),
        ({"seconds": -1}, "seconds must be a number from 0, not -1"),
        ({"players": 2}, "3 or 4 players can play, not 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        IndustryEnv(**arguments)


def test_a_bot_that_cheats_is_named() -> None:
    env = IndustryEnv(opponents=Cheat, starting_player=2)
    with pytest.raises(ValueError, match=r"the bot of seat 2 \(Cheat\) chose .*not a legal move"):
        env.reset(seed=1)


def test_several_environments_run_side_by_side() -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", players=3)
    views, _ = envs.reset(seed=1)
    for _ in range(30):
        views, *_ = envs.step(views["action_mask"].argmax(axis=1))
    assert views["observation"].shape[0] == 2
    assert views["action_mask"].shape == (2, ACTIONS)
    envs.close()
