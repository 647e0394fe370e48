"""Raw events: what the rules emit while they run. `events` turns them into typed events."""

from enum import IntEnum

from .constants import BANK
from .rule import compiled_as, helper
from .state import State


class EventKind(IntEnum):
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


EVENT_TALERS_MOVED = int(EventKind.TALERS_MOVED)
EVENT_ROUND_STARTED = int(EventKind.ROUND_STARTED)
EVENT_TOKENS_DRAWN = int(EventKind.TOKENS_DRAWN)
EVENT_FIELD_OFFERED = int(EventKind.FIELD_OFFERED)
EVENT_BID_MADE = int(EventKind.BID_MADE)
EVENT_BID_PASSED = int(EventKind.BID_PASSED)
EVENT_FIELD_SOLD = int(EventKind.FIELD_SOLD)
EVENT_FIELD_CLAIMED = int(EventKind.FIELD_CLAIMED)
EVENT_FIELD_TAKEN = int(EventKind.FIELD_TAKEN)
EVENT_AUCTIONEER_CHANGED = int(EventKind.AUCTIONEER_CHANGED)
EVENT_RESOURCE_PROVIDED = int(EventKind.RESOURCE_PROVIDED)
EVENT_FIELD_DEVELOPED = int(EventKind.FIELD_DEVELOPED)
EVENT_TURN_ENDED = int(EventKind.TURN_ENDED)
EVENT_SUBSIDY_TAKEN = int(EventKind.SUBSIDY_TAKEN)
EVENT_TILE_CASHED = int(EventKind.TILE_CASHED)
EVENT_STARTING_PLAYER_CHANGED = int(EventKind.STARTING_PLAYER_CHANGED)
EVENT_ERA_CHANGED = int(EventKind.ERA_CHANGED)
EVENT_TECHNOLOGY_LAPSED = int(EventKind.TECHNOLOGY_LAPSED)
EVENT_GAME_ENDED = int(EventKind.GAME_ENDED)
EVENT_POINTS_SCORED = int(EventKind.POINTS_SCORED)


def _silence(state: State, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Replaces `emit` in compiled games, whose events nobody reads."""


@compiled_as(_silence)
def emit(state: State, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    state.events.append((kind, a, b, c, d))


@helper
def move_talers(state: State, source: int, target: int, amount: int, reason: int) -> None:
    """Moves Talers between seats and the bank; nothing else changes a purse."""
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
    emit(state, EVENT_TALERS_MOVED, source, target, amount, reason)
