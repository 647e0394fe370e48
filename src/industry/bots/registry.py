"""Find bots by name: those of this package and those that other packages bring along."""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from .base import Bot

GROUP = "industry.bots"
"""The entry-point group in which a package names its bots."""


class BotError(ValueError):
    """There is no bot of this name, or it cannot be loaded."""


def bot_names() -> list[str]:
    """All installed bots, weakest level first."""
    return sorted(_found(), key=lambda name: (bot_maker(name)().level, name))


def bot_maker(name: str) -> Callable[[], Bot]:
    """What makes a bot of this name; raises `BotError`."""
    found = _found()
    if name not in found:
        raise BotError(f"there is no bot {name}; installed are {', '.join(sorted(found))}.")
    try:
        maker = found[name].load()
        bot = maker()
    except Exception as error:
        raise BotError(f"the bot {name} cannot be loaded: {error}.") from error
    if not isinstance(bot, Bot):
        raise BotError(f"{name} is no bot: it needs choose(), a level and a description.")
    make: Callable[[], Bot] = maker
    return make


def _found() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}
