"""Makes the cyclic garbage collector run rarely, because moves leave next to no cycles."""

import gc

THRESHOLDS = 20_000, 20, 20
"""New objects before a collection, and collections before one of the next older generation."""


def collect_rarely() -> None:
    """Avoids the long pauses of collections that visit everything in memory.

    Call it once everything is imported: objects that exist then are never visited again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
