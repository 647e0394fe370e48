"""Random games for the tests of the environments, and settings that cover what can differ."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from industry.envs.compiled_game import CompiledGame, dealt_game
from industry.envs.config import ConfigArgs, TableConfig

CONFIGS: list[ConfigArgs] = [
    {"players": 3},
    {"players": 4, "options": {"late_draws": "plain", "claim_afford": "full_price"}},
    {"edition": "industria", "players": 3},
    {"edition": "industria", "players": 4, "options": {"industria_resource_cash": "on"}},
]


def config_name(choices: ConfigArgs) -> str:
    return f"{choices.get('edition', 'industry')} {choices['players']}"


def random_game(config: TableConfig, seed: int) -> Iterator[CompiledGame]:
    """The same table before every decision of a random game, and once more at its end."""
    rng = np.random.default_rng(seed)
    game = dealt_game(config, rng)
    while not game.is_over:
        yield game
        game.play(rng.choice(game.legal_actions()))
        game.draw_by_chance(rng)
    yield game


def play_agents(env: Any, seed: int) -> dict[str, tuple[float, dict[str, Any]]]:
    """A random game of PettingZoo: the reward and the information that each agent ends with."""
    env.reset(seed=seed)
    rng, last = np.random.default_rng(seed), {}
    for agent in env.agent_iter():
        view, reward, ended, cut, info = env.last()
        if ended or cut:
            last[agent] = (reward, info)
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(view["action_mask"])))
    return last


def play_episode(env: Any, seed: int) -> tuple[float, dict[str, Any], list[Any]]:
    """A random game of Gymnasium: reward and information of the last step, and all actions."""
    view, _ = env.reset(seed=seed)
    rng, actions, ended = np.random.default_rng(seed), [], False
    while not ended:
        actions.append(rng.choice(np.flatnonzero(view["action_mask"])))
        view, reward, ended, _, info = env.step(actions[-1])
        assert ended or reward == 0
        assert ended or (env.unwrapped.action_masks() == view["action_mask"]).all()
    return reward, info, actions


def chance_move(state: Any, rng: np.random.Generator) -> int:
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choice(outcomes, p=chances))


def play_state(state: Any, seed: int, moves: int = 10_000) -> Any:
    """Play a game of OpenSpiel on at random until its end, or for some moves."""
    rng = np.random.default_rng(seed)
    while not state.is_terminal() and moves:
        if state.is_chance_node():
            state.apply_action(chance_move(state, rng))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
        moves -= 1
    return state
