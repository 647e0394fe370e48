"""When the collector of cyclic garbage runs: rarely, because moves leave next to none."""

import gc

THRESHOLDS = 20_000, 20, 20
"""New objects before a look at the youngest, and looks before one at the next older ones."""


def collect_rarely() -> None:
    """Spare a process the long pauses in which everything in memory is looked at.

    To be called once everything is imported: what exists then stays for good and is never looked at
    again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
