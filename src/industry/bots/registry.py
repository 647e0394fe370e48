"""Finds bots by name: those of this package and those of other installed packages."""

import contextlib
import re
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from industry.texts.sanitize import quoted
from industry.texts.suggest import did_you_mean

from .base import Bot, BotError
from .external_engine import EngineBot, split_command

EXEC = "exec:"
"""Prefix of the name of a bot that is a command: docs/engine-protocol.md."""
ENGINE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
GROUP = "industry.bots"
"""The entry-point group in which other packages name their bots."""
BUILT_IN = {
    "random": "industry.bots.random_bot:RandomBot",
    "apprentice": "industry.bots.levels:Apprentice",
    "foreman": "industry.bots.levels:Foreman",
    "engineer": "industry.bots.levels:Engineer",
    "director": "industry.bots.levels:Director",
    "magnate": "industry.bots.levels:Magnate",
}
"""The bots of this package; no other package can replace them."""
FOR_COMPARISON = {
    "challenger": "industry.bots.challenger:Challenger",
    "magnate-0.1": "industry.bots.levels:Magnate01",
}
"""Bots for comparison: commands accept their names, but they are not offered as opponents."""


_engines: dict[str, tuple[str, ...]] = {}
"""The engines that the person who runs this process has named, with their commands."""


def engine_definition(text: str) -> tuple[str, tuple[str, ...]]:
    """Returns name and command of `NAME=COMMAND`; raises `BotError`."""
    name, _, command = text.partition("=")
    if not ENGINE_NAME.fullmatch(name) or name in BUILT_IN:
        raise BotError(
            f"{quoted(text)} does not name an engine: write NAME=COMMAND, with a name of small "
            "letters, digits, - and _ that no bot of the program has."
        )
    return name, split_command(command)


def add_engine(name: str, command: tuple[str, ...]) -> None:
    """Makes an engine a bot of this process; only for commands that its operator has named."""
    _engines[name] = command


def bot_names() -> list[str]:
    """Returns the bots to play against that can be loaded, weakest level first."""
    levels: dict[str, int] = {}
    for name in installed_bots() - FOR_COMPARISON.keys():
        with contextlib.suppress(BotError):  # `broken_bots` reports it
            levels[name] = bot_maker(name)().level
    return sorted(levels, key=lambda name: (levels[name], name))


def bot_title(name: str) -> str:
    """Returns a bot's name as the name of a player: its first letter is a capital."""
    return name[:1].upper() + name[1:]


def broken_bots() -> dict[str, str]:
    """Returns the installed bots that cannot be loaded, with the reason."""
    broken: dict[str, str] = {}
    for name in sorted(_entry_points()):
        try:
            bot_maker(name)
        except BotError as error:
            broken[name] = str(error)
    return broken


def installed_bots() -> frozenset[str]:
    """Returns the names of all installed bots without loading any."""
    return frozenset(_entry_points()) | frozenset(_engines)


def bot_maker(name: str, *, commands: bool = False) -> Callable[[], Bot]:
    """Returns a factory for bots named `NAME` or `NAME:SETTING=NUMBER`; raises `BotError`.

    With `commands`, `exec:COMMAND` is an engine that the command starts. Allow that only for names
    from the person who runs the program, never for names from a file or a network.
    """
    if name.startswith(EXEC) and name not in _engines:
        if not commands:
            raise BotError(f"{quoted(name)} would run a command, which is not allowed here.")
        return partial(EngineBot, split_command(name.removeprefix(EXEC)))
    if name in _engines:
        return partial(EngineBot, _engines[name])
    found = _entry_points()
    name, *settings = name.split(":")
    if name not in found:
        raise BotError(
            f"there is no bot {name}; installed are {', '.join(sorted(installed_bots()))}."
            f"{did_you_mean(name, installed_bots())}"
        )
    try:
        maker = partial(found[name].load(), **_numbers(name, settings))
        bot = maker()
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"the bot {name} cannot be loaded: {error}.") from error
    if not isinstance(bot, Bot):
        raise BotError(f"{name} is not a bot: it needs choose(), a level and a description.")
    make: Callable[[], Bot] = maker
    return make


def _numbers(name: str, settings: list[str]) -> dict[str, int]:
    """Settings like `samples=64`, which a bot's class takes by name."""
    numbers: dict[str, int] = {}
    for setting in settings:
        key, _, number = setting.partition("=")
        if not key.isidentifier() or not number.isdecimal():
            raise BotError(f"{name}:{setting} is not a setting: write it like {name}:samples=64.")
        numbers[key] = int(number)
    return numbers


def _entry_points() -> dict[str, EntryPoint]:
    others = {entry.name: entry for entry in entry_points(group=GROUP)}
    own = BUILT_IN | FOR_COMPARISON
    return others | {name: EntryPoint(name, path, GROUP) for name, path in own.items()}
