"""One game on the compiled rules, shared by the adapters for single games."""

import operator
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from industry.engine import IllegalMove, Position, State, move_of
from industry.engine.compiled import Records, from_record
from industry.engine.constants import COLUMNS, Phase
from industry.engine.faults import Fault
from industry.engine.move_codes import ACTIONS, DRAW
from industry.engine.refusal import refusal_of
from industry.notation import explain, write_move
from industry.texts.sanitize import quoted

from .config import TableConfig
from .observation import SIZE, new_standings
from .rewards import write_rewards

Numbers = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]


class CompiledGame:
    """A running game on the compiled rules; its state is an array of one record.

    Seats count from 0; `NOBODY` decides where a draw is due.
    """

    def __init__(self, config: TableConfig, state: Records) -> None:
        self.config = config
        self.states = state.copy()
        self._refresh_cache()

    def _refresh_cache(self) -> None:
        """Caches what is read at every turn: reading a record takes longer than a move."""
        self.actor = int(self.states["actor"][0])
        phase = int(self.states["phase"][0])
        self.draw_due = phase == Phase.DRAW
        self.is_over = phase == Phase.OVER

    def __deepcopy__(self, memo: object) -> "CompiledGame":
        twin = object.__new__(CompiledGame)
        twin.__dict__.update(self.__dict__)
        twin.states = self.states.copy()
        return twin

    @property
    def era(self) -> int:
        """From 0."""
        return int(self.states["era"][0])

    @property
    def position(self) -> Position:
        """Returns the position as a plain value, for bots and for inspection."""
        return Position(self.config.board.rules, from_record(State, self.states))

    def legal_actions(self) -> list[int]:
        """Returns the legal moves of the deciding seat, in ascending order."""
        moves = np.empty(ACTIONS, dtype=np.int16)
        count = self.config.rules.legal(self.config.boards, self.states, 0, self.actor, moves)
        codes: list[int] = moves[:count].tolist()
        return sorted(codes)

    def mask(self) -> Mask:
        """Returns the legal moves as zeros and ones over all actions."""
        mask = np.zeros(ACTIONS, dtype=np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def observation(self, viewer: int) -> Numbers:
        """Returns a seat's observation as a new array."""
        views = np.empty((1, SIZE), dtype=np.float32)
        viewers = np.array([viewer])
        self.config.rules.observe_games(
            self.config.boards, self.states, new_standings(1), viewers, views
        )
        view: Numbers = views[0]
        return view

    def rewards(self) -> list[float]:
        """Returns the rewards by seat; all 0 while the game runs."""
        rewards = [0.0] * self.config.players
        if self.is_over:
            position = self.position
            write_rewards(position.board, position.state, self.config.reward, rewards)
        return rewards

    def play(self, action: SupportsIndex) -> None:
        """Plays a move of the deciding seat, or raises `IllegalMove` and changes nothing."""
        self._carry_out(checked_action(action))

    def draw(self, columns: int) -> None:
        """Plays a draw, one bit per column, or raises `IllegalMove` and changes nothing."""
        self._carry_out(DRAW + columns)

    def _carry_out(self, code: int) -> None:
        rules, boards, seat = self.config.rules, self.config.boards, self.actor
        fault = Fault(rules.fault_of(boards, self.states, 0, seat, code))
        if fault != Fault.NONE:
            position = self.position
            move = move_of(position.board, seat, code, self.era)
            refusal = refusal_of(position.board, position.state, move, fault)
            raise IllegalMove(refusal, explain(refusal, self.config.board))
        rules.apply(boards, self.states, 0, seat, code)
        self._refresh_cache()

    def draw_by_chance(self, rng: np.random.Generator) -> None:
        """Makes the draw that is due, if any; each set of tokens is equally likely."""
        if self.draw_due:
            position = self.position
            drawn = rng.choice(position.bag, position.draw_count, replace=False)
            self.draw(sum(1 << int(field) % COLUMNS for field in drawn))

    def line(self, seat: int, code: int, era: int = 0) -> str:
        """Returns a move as a line of the game record; draws need `era`, which counts from 0."""
        board = self.config.board
        return write_move(move_of(board.rules, seat, code, era), board)


def checked_action(action: SupportsIndex) -> int:
    """Returns the action as a plain number; raises `ValueError` for anything else."""
    try:
        code = operator.index(action)
    except TypeError:
        code = -1
    if not 0 <= code < ACTIONS:
        raise ValueError(
            f"{quoted(action)} is not an action: they are whole numbers from 0 to {ACTIONS - 1}"
        )
    return code


def opening_game(config: TableConfig, opening: int = 0) -> CompiledGame:
    """Returns a game before its first draw."""
    return CompiledGame(config, config.openings[opening : opening + 1])


def dealt_game(config: TableConfig, rng: np.random.Generator) -> CompiledGame:
    """Starts a game and plays it to its first decision; draws the Starting Player if not fixed."""
    game = opening_game(config, int(rng.integers(len(config.openings))))
    game.draw_by_chance(rng)
    return game
