"""The spaces that Gymnasium and PettingZoo require; importing them says if one is missing."""

from typing import Any, TypedDict

import numpy as np

from industry.engine.move_codes import ACTIONS

from .compiled_game import CompiledGame, Mask, Numbers
from .extras import missing
from .observation import HIGHEST, SIZE

try:
    from gymnasium.spaces import Box, Dict, Space
except ModuleNotFoundError as error:
    raise missing("Gymnasium", "envs") from error


class Observation(TypedDict):
    """What a seat sees, and the actions it may take now (all 0 where it need not decide)."""

    observation: Numbers
    action_mask: Mask


def observation_space() -> Space[Any]:
    return Dict({"observation": numbers_space(), "action_mask": Box(0, 1, (ACTIONS,), np.int8)})


def numbers_space() -> Box:
    return Box(0, HIGHEST, (SIZE,), np.float32)


def observe(game: CompiledGame, seat: int) -> Observation:
    """Returns the observation and mask of a seat."""
    mask = game.mask() if seat == game.actor else np.zeros(ACTIONS, dtype=np.int8)
    return {"observation": game.observation(seat), "action_mask": mask}
