"""Waiting for something to happen: asked again and again, and failing with a sentence."""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which something that should happen has not: far more than a busy machine needs."""
PAUSE = 0.02


def wait_until(
    happened: Callable[[], object], why: Callable[[], str] | str = "", pause: float = PAUSE
) -> None:
    """Returns once the question is answered with yes; fails with the reason after `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, why() if callable(why) else why
        time.sleep(pause)


async def until(
    happened: Callable[[], object], why: Callable[[], str] | str = "", pause: float = PAUSE
) -> None:
    """Waits in the same way within an event loop, which continues meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, why() if callable(why) else why
        await asyncio.sleep(pause)
