"""The game passes PettingZoo's own tests, and keeps its promises where those do not look."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from industry.engine import IllegalMove, code_of
from industry.engine.move_codes import SELL
from industry.envs import pettingzoo
from industry.envs.config import ConfigArgs
from tests.support import proof

from .games import CONFIGS, config_name, play_agents

CYCLES = proof.amount(60, 1000)

# PettingZoo prefers plain boxes, but keeps a list of its own games with masks, which may have more.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("choices", proof.cases(CONFIGS), ids=config_name)
def test_api(choices: ConfigArgs) -> None:
    api_test(pettingzoo.env(**choices), num_cycles=CYCLES)


def test_api_of_the_bare_environment() -> None:
    api_test(pettingzoo.raw_env(), num_cycles=CYCLES)


def test_seeds() -> None:
    seed_test(pettingzoo.env, num_cycles=CYCLES)


def test_every_agent_learns_its_reward_and_points_at_the_end() -> None:
    last = play_agents(pettingzoo.env(players=3), 4)
    assert sorted(last) == ["seat_1", "seat_2", "seat_3"]
    assert sum(reward for reward, _ in last.values()) == pytest.approx(1)
    points = {agent: info["points"] for agent, (_, info) in last.items()}
    winner = max(last, key=lambda agent: last[agent][0])
    assert points[winner] == max(points.values())


def test_only_the_agent_that_must_decide_has_moves() -> None:
    env = pettingzoo.raw_env()
    env.reset(seed=2)
    position = env._game.position
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        if agent == env.agent_selection:
            assert set(np.flatnonzero(mask)) == {code_of(move) for move in position.legal_moves}
        else:
            assert not mask.any()


@pytest.mark.parametrize(("reward", "lowest"), [("win", 0), ("rank", -1), ("margin", -100)])
@pytest.mark.filterwarnings("ignore:.*Illegal move made")
def test_an_illegal_action_loses_the_game(reward: str, lowest: float) -> None:
    env = pettingzoo.env(reward=reward)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(SELL)
    assert all(env.terminations.values())
    assert env.rewards[offender] == lowest


@pytest.mark.parametrize(("action", "error"), [(SELL, IllegalMove), (9999, ValueError)])
def test_the_bare_environment_says_what_is_wrong_and_changes_nothing(
    action: int, error: type[ValueError]
) -> None:
    env = pettingzoo.raw_env()
    env.reset(seed=1)
    agent, before = env.agent_selection, env.state()
    with pytest.raises(error, match=r"cannot do that now|is not an action"):
        env.step(action)
    assert env.agent_selection == agent
    assert (env.state() == before).all()


def test_a_person_can_read_the_position() -> None:
    env = pettingzoo.env(render_mode="ansi", players=3, starting_player=2)
    env.reset(seed=1)
    first, *seats = str(env.render()).splitlines()
    assert first.startswith("era 1, round 1; available 1")
    assert first.endswith("seat 2 chooses a field")
    assert [line.split(":")[0] for line in seats] == ["seat 1", "seat 2", "seat 3"]
