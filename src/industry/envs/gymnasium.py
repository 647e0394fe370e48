"""The game for Gymnasium: one seat learns, bots play the others. Importing registers `Industry-v0`.

The agent has seat 1. The bots sit to its left, in the order in which they are named.
"""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Unpack

import numpy as np

from industry.bots import Bot, bot_maker
from industry.bots.random_bot import RandomBot
from industry.engine import IllegalMove, code_of
from industry.engine.move_codes import ACTIONS
from industry.texts.sanitize import quoted

from .compiled_game import CompiledGame, Mask, dealt_game
from .config import ConfigArgs, TableConfig
from .describe import describe
from .extras import missing
from .rewards import FORFEIT
from .spaces import Observation, observation_space, observe

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise missing("Gymnasium", "envs") from error

ID = "Industry-v0"
AGENT = 0
Opponent = str | Callable[[], Bot]
"""The name of an installed bot, or a factory for one: a fresh bot plays each game."""


class IndustryEnv(gymnasium.Env[Observation, np.int64]):
    """One seat against bots. An episode is a game; only its last step is rewarded.

    `illegal` says what an illegal action does: `lose` the game at once, as a bot does in a
    tournament, or `raise` an `IllegalMove` with the reason. `seconds` is the time that a bot may
    take for a decision.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        illegal: str = "lose",
        seconds: float = 0.1,
        render_mode: str | None = None,
        **choices: Unpack[ConfigArgs],
    ) -> None:
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal is lose or raise, not {quoted(illegal)}")
        if not isinstance(seconds, (int, float)) or not 0 <= seconds < math.inf:
            raise ValueError(f"seconds must be a number from 0, not {quoted(repr(seconds))}")
        self.config = TableConfig(**choices)
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)
        self._bot_factories = _bot_factories(opponents, self.config.players)
        self._illegal = illegal
        self._seconds = seconds
        self._game: CompiledGame | None = None
        self._running = False
        self._bots: list[Bot] = []
        self._bots_rng = Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game and plays it to the agent's first decision. `options` are ignored."""
        super().reset(seed=seed)
        self._bots_rng = Random(int(self.np_random.integers(2**63)))
        self._bots = [make() for make in self._bot_factories]
        self._game = dealt_game(self.config, self.np_random)
        self._running = True
        self._play_on(self._game)
        return observe(self._game, AGENT), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the agent's decision, and the game up to its next one."""
        game = self._running_game()
        try:
            game.play(action)
        except IllegalMove as error:
            if self._illegal == "raise":
                raise
            self._running = False
            view = observe(game, AGENT)
            view["action_mask"][:] = 0
            return view, FORFEIT[self.config.reward], True, False, {"illegal": str(error)}
        self._play_on(game)
        info: dict[str, Any] = {}
        if game.is_over:
            self._running = False
            position = game.position
            info["points"] = [position.breakdown(s).points for s in range(self.config.players)]
        return observe(game, AGENT), game.rewards()[AGENT], game.is_over, False, info

    def action_masks(self) -> Mask:
        """Returns the legal actions, under the name that MaskablePPO expects."""
        return self._running_game().mask()

    def render(self) -> str | None:
        """Returns the position in a few lines, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        if self._game is None:
            raise ValueError("there is nothing to see yet: reset() begins a game")
        return describe(self.config.board, self._game.position)

    def _running_game(self) -> CompiledGame:
        if self._game is None or not self._running:
            raise ValueError("no game is running: reset() begins one")
        return self._game

    def _play_on(self, game: CompiledGame) -> None:
        """Plays draws and bots' moves until the agent must decide or the game is over."""
        game.draw_by_chance(self.np_random)
        while not game.is_over and game.actor != AGENT:
            game.play(self._choice(game, self._bots[game.actor - 1]))
            game.draw_by_chance(self.np_random)

    def _choice(self, game: CompiledGame, bot: Bot) -> int:
        """Returns the bot's action; raises `ValueError` if it is illegal."""
        if type(bot) is RandomBot:  # needs no position, which takes longer to make than to play
            return self._bots_rng.choice(game.legal_actions())
        position = game.position
        legal = position.legal_moves
        choice = bot.choose(position, legal, self._seconds, self._bots_rng)
        if choice not in legal:
            raise ValueError(
                f"the bot of seat {game.actor + 1} ({type(bot).__name__}) chose "
                f"{quoted(repr(choice))}, which is not a legal move"
            )
        return code_of(choice)


def _bot_factories(
    opponents: Opponent | Sequence[Opponent], players: int
) -> list[Callable[[], Bot]]:
    """Returns a factory for each opponent; all are checked and prepared."""
    others = players - 1
    if isinstance(opponents, str) or callable(opponents):
        named: list[Opponent] = [opponents] * others
    elif isinstance(opponents, Sequence):
        named = list(opponents)
    else:
        raise ValueError(f"opponents are names or classes of bots, not {quoted(repr(opponents))}")
    if len(named) != others:
        raise ValueError(f"{players} players need {others} opponents or one name, not {len(named)}")
    makers = [bot_maker(entry) if isinstance(entry, str) else entry for entry in named]
    for make in dict.fromkeys(makers):
        bot = make() if callable(make) else make
        if not callable(make) or not isinstance(bot, Bot):
            raise ValueError(
                f"{quoted(repr(make))} is not a bot: give its name, or a class with choose(), "
                "a level and a description"
            )
        if callable(prepare := getattr(bot, "warm_up", None)):
            prepare()
    return makers


gymnasium.register(ID, entry_point=f"{__name__}:IndustryEnv")
