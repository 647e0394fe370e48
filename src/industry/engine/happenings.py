"""Raw events: what the rules note while they run. `events` gives them names and types."""

from enum import IntEnum

from .rule import compiled_as, part
from .state import State
from .vocabulary import BANK, Reason


class Happening(IntEnum):
    TALERS_MOVED = 0
    ROUND_STARTED = 1
    TOKENS_DRAWN = 2
    FIELD_OFFERED = 3
    BID_MADE = 4
    BID_PASSED = 5
    FIELD_SOLD = 6
    FIELD_CLAIMED = 7
    FIELD_TAKEN = 8
    AUCTIONEER_CHANGED = 9
    RESOURCE_PROVIDED = 10
    FIELD_DEVELOPED = 11
    TURN_ENDED = 12
    SUBSIDY_TAKEN = 13
    TILE_CASHED = 14
    STARTING_PLAYER_CHANGED = 15
    ERA_CHANGED = 16
    TECHNOLOGY_LAPSED = 17
    GAME_ENDED = 18
    POINTS_SCORED = 19


def _silence(
    state: State, happening: Happening, a: int = 0, b: int = 0, c: int = 0, d: int = 0
) -> None:
    """Compiled games are played too fast for anyone to read their events."""


@compiled_as(_silence)
def note(
    state: State, happening: Happening, a: int = 0, b: int = 0, c: int = 0, d: int = 0
) -> None:
    state.events.append((happening, a, b, c, d))


@part
def move_talers(state: State, source: int, target: int, amount: int, reason: Reason) -> None:
    """The only way in which Talers change hands; seats or the bank at either end."""
    if amount == 0 or source == target:
        return
    if source == BANK:
        state.bank -= amount
    else:
        state.talers[source] -= amount
    if target == BANK:
        state.bank += amount
    else:
        state.talers[target] += amount
    note(state, Happening.TALERS_MOVED, source, target, amount, reason)
