"""The configuration of a table: edition, board, options, players and reward."""

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

import numpy as np

from industry.boards import BoardSpec
from industry.engine.compiled import Records, compiled_rules, record_of
from industry.notation import new_game
from industry.texts.sanitize import quoted

from . import loops as loops
from .rewards import Reward

REWARDS = {reward.name.lower(): reward for reward in Reward}


class ConfigArgs(TypedDict, total=False):
    """The arguments of every environment."""

    edition: str | None
    """`industry` (which is the default) or `industria`."""
    players: int
    """4, or 3."""
    board: str | BoardSpec | None
    """A board or the path of its file, instead of the edition's own."""
    options: Mapping[str, str] | None
    """Options of the rules by name, as they stand in a game record."""
    reward: str
    """`win`, `rank` or `margin`."""
    starting_player: int | None
    """A seat from 1; None leaves it to chance, as the rules do (A5)."""


class TableConfig:
    """A table on which any number of games can be played.

    Raises `ValueError` for an impossible table and `TypeError` for an unknown argument.
    """

    def __init__(self, **choices: Unpack[ConfigArgs]) -> None:
        for name in choices.keys() - ConfigArgs.__annotations__.keys():
            known = ", ".join(ConfigArgs.__annotations__)
            raise TypeError(f"there is no argument {quoted(name)}; a table takes {known}")
        self._choices = choices
        self.players = _players(choices.get("players", 4))
        self.reward = _reward(choices.get("reward", "win"))
        names = [f"Seat {seat + 1}" for seat in range(self.players)]
        games = [
            new_game(
                names,
                edition=choices.get("edition"),
                board=choices.get("board"),
                starting_player=seat,
                options=choices.get("options"),
            )
            for seat in _possible_starters(self.players, choices.get("starting_player"))
        ]
        self.board = games[0].board
        self.boards = record_of(self.board.rules)
        self.openings: Records = np.concatenate([record_of(g.position.state) for g in games])
        """The position before the first draw, for each seat that may be Starting Player."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_config, (self._choices,))

    def __deepcopy__(self, memo: object) -> "TableConfig":
        """Returns itself: a config never changes, so copies of a game share it."""
        return self

    @property
    def rules(self) -> Any:
        """The compiled rules; the first use on a machine compiles them."""
        return compiled_rules()


def _config(choices: ConfigArgs) -> TableConfig:
    return TableConfig(**choices)


def _players(players: object) -> int:
    if type(players) is not int or players not in (3, 4):
        raise ValueError(f"3 or 4 players can play, not {quoted(players)}")
    return players


def _reward(reward: object) -> Reward:
    if not isinstance(reward, str) or reward not in REWARDS:
        raise ValueError(f"there is no reward {quoted(reward)}: choose {', '.join(REWARDS)}")
    return REWARDS[reward]


def _possible_starters(players: int, starting_player: object) -> list[int]:
    seats = list(range(1, players + 1))
    if starting_player is None:
        return seats
    if type(starting_player) is not int or starting_player not in seats:
        given = quoted(starting_player)
        raise ValueError(f"the Starting Player is one of the seats 1 to {players}, not {given}")
    return [starting_player]
