"""Game records: reading, writing, replaying and verifying them; and games in progress."""

from .event_text import sentence
from .explain import explain
from .game import Game, SeededBag, new_game, replay, replay_steps, result_of
from .move_text import NotationError, read_move, write_move
from .options import OptionError, complete_options, rule_options
from .record import (
    Record,
    RecordError,
    Result,
    new_record,
    new_result,
    record_from_data,
    record_from_json,
    record_from_toml,
)
from .verify import Mismatch, verify

__all__ = [
    "Game",
    "Mismatch",
    "NotationError",
    "OptionError",
    "Record",
    "RecordError",
    "Result",
    "SeededBag",
    "complete_options",
    "explain",
    "new_game",
    "new_record",
    "new_result",
    "read_move",
    "record_from_data",
    "record_from_json",
    "record_from_toml",
    "replay",
    "replay_steps",
    "result_of",
    "rule_options",
    "sentence",
    "verify",
    "write_move",
]
