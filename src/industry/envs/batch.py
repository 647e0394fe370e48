"""Plays thousands of games at once in compiled code: one decision in each of them per call."""

from typing import Any, NamedTuple, NoReturn, Unpack

import numpy as np
import numpy.typing as npt

from industry.engine import IllegalMove, Position
from industry.engine.compiled import generators, new_moves
from industry.engine.move_codes import ACTIONS
from industry.engine.playout import GENERATOR_WORDS
from industry.texts.sanitize import quoted

from .compiled_game import CompiledGame
from .config import ConfigArgs, TableConfig
from .observation import SIZE, new_standings

MOST_GAMES = 100_000


class Turn(NamedTuple):
    """The state of all games after a step. The next step overwrites its arrays: copy what you keep.

    If a game has ended, the next has begun: `rewards` belong to the old one, everything else to the
    new one.
    """

    observations: npt.NDArray[np.float32]
    """By game: the observation of the seat that must decide."""
    masks: npt.NDArray[np.bool_]
    """By game and action: whether the seat may take it."""
    seats: npt.NDArray[np.int64]
    """By game: the seat that must decide, from 0."""
    rewards: npt.NDArray[np.float32]
    """By game and seat: 0, or the reward of the game that has just ended."""
    ended: npt.NDArray[np.bool_]
    """By game: whether this step ended it."""


class BatchEnv:
    """Many games of one config. Row *k* depends only on the seed, *k* and its own actions."""

    def __init__(self, games: int, **choices: Unpack[ConfigArgs]) -> None:
        if type(games) is not int or not 1 <= games <= MOST_GAMES:
            raise ValueError(
                f"games must be a number from 1 to {MOST_GAMES:,}, not {quoted(games)}"
            )
        self.games = games
        self.config = TableConfig(**choices)
        players = self.config.players
        self.states = np.zeros(games, dtype=self.config.openings.dtype)
        self._standings = new_standings(games)
        self.moves = new_moves(games)
        """By game: the legal actions; the first `counts` entries of a row count."""
        self.counts = np.zeros(games, dtype=np.int64)
        self.points = np.zeros((games, players), dtype=np.int64)
        """By game and seat: the points of the last game that ended there."""
        self._turn = Turn(
            np.zeros((games, SIZE), dtype=np.float32),
            np.zeros((games, ACTIONS), dtype=np.bool_),
            np.zeros(games, dtype=np.int64),
            np.zeros((games, players), dtype=np.float32),
            np.zeros(games, dtype=np.bool_),
        )
        self._actions = np.zeros(games, dtype=np.int64)
        self._begun = False
        self._draws = self._samples = np.zeros((games, GENERATOR_WORDS), dtype=np.int64)

    @property
    def players(self) -> int:
        return self.config.players

    def reset(self, seed: int | str | None = None) -> Turn:
        """Starts all games; without a seed, different ones on every call."""
        if seed is None:
            seed = f"fresh {np.random.SeedSequence().entropy}"
        self._draws = generators(f"{seed}/draws", self.games)
        self._samples = generators(f"{seed}/samples", self.games)
        self._begun = True
        turn = self._turn
        turn.rewards[:] = 0
        turn.ended[:] = False
        self.config.rules.begin_games(
            self.config.boards,
            self.config.openings,
            self.states,
            self._standings,
            self._draws,
            *self._shown(),
        )
        return turn

    def step(self, actions: npt.ArrayLike) -> Turn:
        """Makes one move in every game, and the draws that follow.

        If an action is illegal, raises `IllegalMove` for the first such game and changes nothing.
        """
        self._check_begun()
        self._actions[:] = self._whole_numbers(actions, "actions")
        config, turn = self.config, self._turn
        game = config.rules.first_refused(config.boards, self.states, self._actions)
        if game < self.games:
            self._refuse(game)
        config.rules.step_games(
            config.boards,
            config.openings,
            self.states,
            self._standings,
            self._draws,
            self._actions,
            int(config.reward),
            turn.rewards,
            self.points,
            turn.ended,
            *self._shown(),
        )
        return turn

    def sample(self) -> npt.NDArray[np.int64]:
        """Returns a random legal action for every game; draws do not depend on it."""
        self._check_begun()
        actions = np.zeros(self.games, dtype=np.int64)
        self.config.rules.sample_moves(self._samples, self.moves, self.counts, actions)
        return actions

    def observe(self, viewers: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Returns the observation of one seat per game, deciding or not; seats count from 0."""
        self._check_begun()
        seats = self._whole_numbers(viewers, "viewers")
        if not ((seats >= 0) & (seats < self.players)).all():
            raise ValueError(f"viewers must be seats from 0 to {self.players - 1}")
        views = np.empty((self.games, SIZE), dtype=np.float32)
        self.config.rules.observe_games(
            self.config.boards, self.states, self._standings, seats, views
        )
        return views

    def position(self, game: int) -> Position:
        """Returns the position of one game as a plain value, for bots and for inspection."""
        self._check_begun()
        if not 0 <= game < self.games:
            raise ValueError(f"there is no game {game}: they count from 0 to {self.games - 1}")
        return self._game(game).position

    def _check_begun(self) -> None:
        if not self._begun:
            raise ValueError("no game is running: reset() begins them")

    def _game(self, game: int) -> CompiledGame:
        return CompiledGame(self.config, self.states[game : game + 1])

    def _shown(self) -> tuple[Any, ...]:
        turn = self._turn
        return self.moves, self.counts, turn.masks, turn.observations, turn.seats

    def _whole_numbers(self, values: npt.ArrayLike, name: str) -> npt.NDArray[np.int64]:
        array = np.asarray(values)
        if array.shape != (self.games,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"{name} must be {self.games} whole numbers, one per game, "
                f"not an array of shape {array.shape} and type {array.dtype}"
            )
        return array.astype(np.int64)

    def _refuse(self, game: int) -> NoReturn:
        """Raises the error of a game's illegal action."""
        try:
            self._game(game).play(int(self._actions[game]))
        except IllegalMove as error:
            raise IllegalMove(error.refusal, f"game {game}: {error}") from None
        except ValueError as error:
            raise ValueError(f"game {game}: {error}") from None
        raise AssertionError("the rules refused a move and then did not")
