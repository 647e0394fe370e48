"""The game for OpenSpiel. Importing registers it: `pyspiel.load_game("industry(players=4)")`.

A draw is one chance node over sets of tokens, as the rules see it (B5): its outcome is a number
with one bit per column, and all sets are equally likely. The first chance node of a game chooses
the Starting Player by seat, unless the parameter `starting_player` does.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from industry.engine.board import Board
from industry.engine.constants import (
    COLUMNS,
    FIELDS,
    JOKER_POINTS,
    LINK_POINTS,
    MAX_SEATS,
    NO_NETWORK,
    NOBODY,
    SUBSIDY_POINTS,
    TALERS_PER_POINT,
)
from industry.engine.move_codes import ACTIONS, DRAW, MAX_BID
from industry.notation.options import CHOICES

from .compiled_game import opening_game
from .config import TableConfig
from .describe import describe
from .extras import missing
from .observation import SIZE, named
from .rewards import Reward

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise missing("OpenSpiel", "openspiel") from error

NAME = "industry"
MOST_ROUNDS = FIELDS // 3
NUMBER_BITS = max(ACTIONS - 1, (1 << COLUMNS) - 1).bit_length()
STEP = MAX_SEATS + 1 + NUMBER_BITS
"""The length of a step that is remembered: who took it, and its number."""
PARAMETERS: dict[str, int | str] = {
    "players": 4,
    "edition": "",
    "board": "",
    "reward": "win",
    "starting_player": 0,
    **dict.fromkeys(CHOICES, ""),
}
"""The parameters of a game string with their defaults; empty or 0 means the edition's or random."""


def config_of(given: Mapping[str, Any]) -> TableConfig:
    """Returns the config for the parameters of a game string; raises `ValueError`."""
    options = {name: value for name, value in given.items() if name in CHOICES}
    others: Any = {name: value for name, value in given.items() if name not in CHOICES}
    return TableConfig(**others, options=options)


def most_points(board: Board) -> int:
    """Returns a bound that no seat's points on the board can exceed."""
    points = sum(board.points) + LINK_POINTS * board.link_count + JOKER_POINTS * board.joker_count
    for field in range(FIELDS):
        network = board.bonus_network[field]
        if network != NO_NETWORK:
            factories = sum(networks >> network & 1 for networks in board.networks)
            points += board.bonus_points[field] * factories
    return points + MAX_BID // TALERS_PER_POINT


def game_type(reward: Reward) -> Any:
    """Returns what OpenSpiel must know before a game is made. Only the future is hidden."""
    shares = reward == Reward.WIN
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Industry and Industria",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=kinds.CONSTANT_SUM if shares else kinds.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=3,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def game_info(config: TableConfig) -> Any:
    """Returns bounds on actions, chance outcomes, length and rewards."""
    players = config.players
    lowest, highest = {
        Reward.WIN: (0.0, 1.0),
        Reward.RANK: (-1.0, 1.0),
        Reward.MARGIN: (-float(span := most_points(config.board.rules) - SUBSIDY_POINTS), span),
    }[config.reward]
    auctions = FIELDS * (players + 1)
    developments = FIELDS + MOST_ROUNDS * players
    return pyspiel.GameInfo(
        num_distinct_actions=ACTIONS,
        max_chance_outcomes=1 << COLUMNS,
        num_players=players,
        min_utility=lowest,
        max_utility=float(highest),
        utility_sum=1.0 if config.reward == Reward.WIN else 0.0,
        max_game_length=auctions + developments + players,
    )


class IndustryGame(pyspiel.Game):  # type: ignore[misc]
    """A table for games; OpenSpiel makes it from a game string."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = {name: value for name, value in (parameters or {}).items() if value not in ("", 0)}
        self.config = config_of(given)
        super().__init__(game_type(self.config.reward), game_info(self.config), given)

    def new_initial_state(self) -> "IndustryState":
        return IndustryState(self, self.config)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_ROUNDS + 1

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> "Observer | Recollection":
        if params:
            raise ValueError(f"an observer of {NAME} takes no parameters")
        if iig_obs_type and iig_obs_type.perfect_recall:
            return Recollection(self.max_game_length() + self.max_chance_nodes_in_history())
        return Observer()


class IndustryState(pyspiel.State):  # type: ignore[misc]
    """A game. Players count from 0, as everywhere in OpenSpiel."""

    def __init__(self, game: IndustryGame, config: TableConfig) -> None:
        super().__init__(game)
        self.game = opening_game(config)
        self.starter_due = len(config.openings) > 1
        """The first chance node is still to come."""

    def current_player(self) -> int:
        if self.game.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.starter_due or self.game.draw_due:
            return int(pyspiel.PlayerId.CHANCE)
        return self.game.actor

    def is_terminal(self) -> bool:
        return self.game.is_over

    def returns(self) -> list[float]:
        return self.game.rewards()

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.starter_due:
            players = self.game.config.players
            return [(seat, 1 / players) for seat in range(players)]
        position = self.game.position
        return list(draws(tuple(f % COLUMNS for f in position.bag), position.draw_count))

    def _apply_action(self, action: int) -> None:
        if self.starter_due:
            self.game = opening_game(self.game.config, action)
            self.starter_due = False
        elif self.game.draw_due:
            self.game.draw(action)
        else:
            self.game.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns an action as a line of the game record."""
        if player != pyspiel.PlayerId.CHANCE:
            return self.game.line(player, action)
        if self.starter_due:
            return f"Starting Player {action + 1}"
        return self.game.line(NOBODY, DRAW + action, self.game.era)

    def __str__(self) -> str:
        if self.starter_due:
            return "the Starting Player is still to be chosen"
        return describe(self.game.config.board, self.game.position)

    def lines(self) -> list[str]:
        """Returns all moves so far as lines of the game record: everything is public."""
        lines: list[str] = []
        drawn = 0
        for step in self.full_history():
            if step.player != pyspiel.PlayerId.CHANCE:
                lines.append(self.game.line(step.player, step.action))
            elif not lines and len(self.game.config.openings) > 1:
                lines.append(f"Starting Player {step.action + 1}")
            else:
                lines.append(self.game.line(NOBODY, DRAW + step.action, drawn // COLUMNS))
                drawn += step.action.bit_count()
        return lines


@lru_cache(maxsize=4096)
def draws(columns: tuple[int, ...], count: int) -> tuple[tuple[int, float], ...]:
    """Returns every set of `count` columns, as a number with one bit per column, and its chance."""
    sets = sorted(sum(1 << column for column in drawn) for drawn in combinations(columns, count))
    return tuple((drawn, 1 / len(sets)) for drawn in sets)


class Observer:
    """What a player sees now."""

    def __init__(self) -> None:
        self.tensor = np.zeros(SIZE, dtype=np.float32)
        self.dict = named(self.tensor)

    def set_from(self, state: IndustryState, player: int) -> None:
        """Fills the tensor; before the Starting Player is chosen there is nothing to see."""
        if state.starter_due:
            self.tensor.fill(0)
        else:
            self.tensor[:] = state.game.observation(player)

    def string_from(self, state: IndustryState, player: int) -> str:
        return f"player {player}\n{state}"


class Recollection:
    """What a player remembers with perfect recall: every step of the game, chance included.

    A row per step: who took it (seats 1 to 4, chance) and the bits of its number, the lowest first.
    """

    def __init__(self, most_steps: int) -> None:
        self.tensor = np.zeros(MAX_SEATS + most_steps * STEP, dtype=np.float32)
        self.dict = {
            "player": self.tensor[:MAX_SEATS],
            "steps": self.tensor[MAX_SEATS:].reshape(most_steps, STEP),
        }

    def set_from(self, state: IndustryState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        taken = [(step.player, step.action) for step in state.full_history()]
        if taken:
            movers, numbers = np.array(taken, dtype=np.int64).T
            rows = self.dict["steps"][: len(taken)]
            rows[np.arange(len(taken)), np.where(movers < 0, MAX_SEATS, movers)] = 1
            rows[:, MAX_SEATS + 1 :] = numbers[:, None] >> np.arange(NUMBER_BITS) & 1

    def string_from(self, state: IndustryState, player: int) -> str:
        return "\n".join([f"player {player}", *state.lines()])


pyspiel.register_game(game_type(Reward.WIN), IndustryGame)
