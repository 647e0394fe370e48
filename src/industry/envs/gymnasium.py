"""The game for Gymnasium: one seat learns, bots play the others. Importing registers `Industry-v0`.

The agent has seat 1. The bots sit to its left, in the order in which they are named.
"""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Unpack

import numpy as np

from industry.bots import Bot, bot_maker
from industry.bots.chance import RandomBot
from industry.engine import IllegalMove, code_of
from industry.engine.codes import ACTIONS
from industry.texts.shown import shown

from .describe import describe
from .extras import missing
from .rewards import FORFEIT
from .setting import Choices, Setting
from .spaces import Observation, observation_space, observe
from .table import Mask, Table, new_table

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise missing("Gymnasium", "envs") from error

ID = "Industry-v0"
AGENT = 0
Opponent = str | Callable[[], Bot]
"""The name of an installed bot, or what makes one: a fresh bot plays each game."""


class IndustryEnv(gymnasium.Env[Observation, np.int64]):
    """One seat against bots. An episode is a game; only its last step is rewarded.

    `illegal` says what an illegal action does: `lose` the game at once, as a bot does in a
    tournament, or `raise` an `IllegalMove` that tells the reason. `seconds` is the time that a bot
    may take for a decision.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        illegal: str = "lose",
        seconds: float = 0.1,
        render_mode: str | None = None,
        **choices: Unpack[Choices],
    ) -> None:
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal is lose or raise, not {shown(illegal)}")
        if not isinstance(seconds, (int, float)) or not 0 <= seconds < math.inf:
            raise ValueError(f"seconds must be a number from 0, not {shown(repr(seconds))}")
        self.setting = Setting(**choices)
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)
        self._makers = _makers(opponents, self.setting.players)
        self._illegal = illegal
        self._seconds = seconds
        self._table: Table | None = None
        self._running = False
        self._bots: list[Bot] = []
        self._bots_rng = Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and play it to the agent's first decision. `options` mean nothing."""
        super().reset(seed=seed)
        self._bots_rng = Random(int(self.np_random.integers(2**63)))
        self._bots = [make() for make in self._makers]
        self._table = new_table(self.setting, self.np_random)
        self._running = True
        self._play_on(self._table)
        return observe(self._table, AGENT), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The agent's decision, and the game up to its next one."""
        table = self._running_table()
        try:
            table.play(action)
        except IllegalMove as error:
            if self._illegal == "raise":
                raise
            self._running = False
            view = observe(table, AGENT)
            view["action_mask"][:] = 0
            return view, FORFEIT[self.setting.reward], True, False, {"illegal": str(error)}
        self._play_on(table)
        info: dict[str, Any] = {}
        if table.is_over:
            self._running = False
            position = table.position
            info["points"] = [position.breakdown(s).points for s in range(self.setting.players)]
        return observe(table, AGENT), table.rewards()[AGENT], table.is_over, False, info

    def action_masks(self) -> Mask:
        """The actions that are legal now, under the name that MaskablePPO asks for."""
        return self._running_table().mask()

    def render(self) -> str | None:
        """The position in a few lines, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        if self._table is None:
            raise ValueError("there is nothing to see yet: reset() begins a game")
        return describe(self.setting.board, self._table.position)

    def _running_table(self) -> Table:
        if self._table is None or not self._running:
            raise ValueError("no game is running: reset() begins one")
        return self._table

    def _play_on(self, table: Table) -> None:
        """Draws and bots, until the agent must decide or the game is over."""
        table.draw_by_chance(self.np_random)
        while not table.is_over and table.actor != AGENT:
            table.play(self._choice(table, self._bots[table.actor - 1]))
            table.draw_by_chance(self.np_random)

    def _choice(self, table: Table, bot: Bot) -> int:
        """The bot's action; raises `ValueError` where that is no legal one."""
        if type(bot) is RandomBot:  # needs no position, which takes longer to make than to play
            return self._bots_rng.choice(table.legal_actions())
        position = table.position
        legal = position.legal_moves
        choice = bot.choose(position, legal, self._seconds, self._bots_rng)
        if choice not in legal:
            raise ValueError(
                f"the bot of seat {table.actor + 1} ({type(bot).__name__}) chose "
                f"{shown(repr(choice))}, which is no legal move"
            )
        return code_of(choice)


def _makers(opponents: Opponent | Sequence[Opponent], players: int) -> list[Callable[[], Bot]]:
    """What makes each opponent, all of them checked and prepared."""
    others = players - 1
    if isinstance(opponents, str) or callable(opponents):
        named: list[Opponent] = [opponents] * others
    elif isinstance(opponents, Sequence):
        named = list(opponents)
    else:
        raise ValueError(f"opponents are names or classes of bots, not {shown(repr(opponents))}")
    if len(named) != others:
        raise ValueError(f"{players} players need {others} opponents or one name, not {len(named)}")
    makers = [bot_maker(entry) if isinstance(entry, str) else entry for entry in named]
    for make in dict.fromkeys(makers):
        bot = make() if callable(make) else make
        if not callable(make) or not isinstance(bot, Bot):
            raise ValueError(
                f"{shown(repr(make))} makes no bot: name one, or give a class with choose(), "
                "a level and a description"
            )
        if callable(prepare := getattr(bot, "warm_up", None)):
            prepare()
    return makers


gymnasium.register(ID, entry_point=f"{__name__}:IndustryEnv")
