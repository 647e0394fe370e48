"""Times and sizes that tests and benchmarks change, but operators do not."""

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Times in seconds, and sizes."""

    bot_pause: float = 0.0
    """The least time for a bot's move at a table with people; clients pace what they show."""
    lease: float = 10.0
    """After this time another process makes a bot's move that has not come."""
    scan: float = 5.0
    """How often the index is searched for due tables."""
    grace: float = 60.0
    """After a start nobody's time runs out sooner, because the server may have been down."""
    idle: float = 60.0
    """Tables that nobody uses are dropped from memory after this time."""
    chatty: float = 300.0
    """The same for tables at which something was said, because only memory has it."""
    drowsy: float = 10.0
    """Tables at which nobody has been for this time are made small."""
    max_tables: int = 10_000
    retention_days: int = 0
    """Finished games are deleted after this time; 0 means never."""
    bots_at_once: int = 64
    """How many bots are asked at the same time: one per process."""
    alone_pause: float = 0.02
    """Pause between two bot moves where nobody is connected."""
    review_lines: int = 128
    """Lines for each verdict of a review, as many as `industry review` takes."""
    review_niceness: int = 19
    """Of the processes that compute reviews: the lowest priority, so that nobody waits for them."""
    cups: float = 2.0
    """How often unfinished cups are looked at."""
    sweep: float = 600.0
    """How often abandoned tables are searched for."""
    open_idle: float = 24 * 3600.0
    """An open table is closed after this time without a socket."""
    still_idle: float = 30 * 24 * 3600.0
    """An untimed table is closed after this time without a move."""


def wall_clock() -> int:
    """Returns the milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000
