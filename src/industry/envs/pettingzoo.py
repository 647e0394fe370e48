"""The game for PettingZoo, whose agents act one after the other (AEC).

The agents are `seat_1`, `seat_2` and so on. Each is asked at its own decisions only, and never two
at a time, so that there is no parallel form.
"""

from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.random import default_rng

from industry.engine.move_codes import ACTIONS

from .compiled_game import CompiledGame, Numbers, dealt_game
from .config import ConfigArgs, TableConfig
from .describe import describe
from .extras import missing
from .rewards import FORFEIT
from .spaces import Observation, numbers_space, observation_space, observe

try:
    from gymnasium.spaces import Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import (
        AssertOutOfBoundsWrapper,
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )
except ModuleNotFoundError as error:
    raise missing("PettingZoo", "envs") from error

Action = int | np.int64 | None


class raw_env(AECEnv[str, Observation, Action]):  # type: ignore[misc]  # noqa: N801
    """The bare environment: an illegal action raises `IllegalMove` and changes nothing.

    PettingZoo prescribes the name.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "industry_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, *, render_mode: str | None = None, **choices: Unpack[ConfigArgs]) -> None:
        super().__init__()
        self.config = TableConfig(**choices)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(self.config.players)]
        self.agents: list[str] = []
        self.state_space = numbers_space()
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self._rng = default_rng()
        self._game: CompiledGame

    def observation_space(self, agent: str) -> Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; the same seed gives the same draws. `options` are ignored."""
        if seed is not None:
            self._rng = default_rng(seed)
        self._game = dealt_game(self.config, self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._game.actor]

    def observe(self, agent: str) -> Observation:
        """Returns what the agent sees; its mask is all 0 while another agent must decide."""
        return observe(self._game, self.possible_agents.index(agent))

    def step(self, action: Action) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.play(action)  # type: ignore[arg-type]  # None is refused like any other
        self._game.draw_by_chance(self._rng)
        self._cumulative_rewards[agent] = 0.0
        if self._game.is_over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[self._game.actor]
        self._accumulate_rewards()

    def _end(self) -> None:
        """Gives every agent its reward, and its points as information."""
        position, rewards = self._game.position, self._game.rewards()
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = rewards[seat]
            self.terminations[agent] = True
            self.infos[agent] = {"points": position.breakdown(seat).points}
        self._deads_step_first()

    def state(self) -> Numbers:
        """Returns the whole game as the first seat sees it; only the bag is hidden."""
        return self._game.observation(0)

    def render(self) -> str | None:
        """Returns the position in a few lines, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        return describe(self.config.board, self._game.position)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


def env(
    *, render_mode: str | None = None, **choices: Unpack[ConfigArgs]
) -> AECEnv[str, Observation, Action]:
    """Returns the environment in PettingZoo's usual wrappers: an illegal action loses the game."""
    raw = raw_env(render_mode=render_mode, **choices)
    lenient = TerminateIllegalWrapper(raw, illegal_reward=FORFEIT[raw.config.reward])
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(lenient))
