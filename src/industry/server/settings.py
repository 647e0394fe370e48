"""What an operator can set, by environment, file or command line; docs/operations.md lists it.

The command line outranks the environment, which outranks the file. `INDUSTRY_CONFIG` names the
file (TOML, the keys are the names of the fields below); `INDUSTRY_PORT` sets `port`, and so on.
"""

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints
from urllib.parse import urlsplit

import platformdirs
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from .limits import Limits

PREFIX = "INDUSTRY_"
CONFIG = "INDUSTRY_CONFIG"
OTHER_VARIABLES = frozenset({CONFIG, "INDUSTRY_CACHE_DIR"})
"""Variables of this program that are no settings of the server."""
LEVELS = ("debug", "info", "warning", "error")
YES = frozenset({"1", "on", "true", "yes"})
NO = frozenset({"0", "off", "false", "no"})


class SettingsError(ValueError):
    """A setting has a value that it cannot have; the message is a sentence for the operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set, with its default."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """URL of the database; empty: a SQLite file in the user's data folder."""
    public_url: str = ""
    """Where browsers reach the server, where that is not its own address: behind a proxy."""
    origins: tuple[str, ...] = ()
    """Further origins whose pages may open sockets."""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses whose `X-Forwarded-…` headers are believed."""
    bot_workers: int | None = None
    """Processes in which bots think; default: one less than there are cores, at least one."""
    bot_seconds: float = 1.0
    """How long a bot of level 4 or 5 thinks about a decision while few others ask."""
    bot_patience: float = 10.0
    """How many seconds more a bot may take before it is stopped and asked again."""
    max_tables: int = 10_000
    """Tables that are open or running at the same time."""
    max_messages: int = Limits().messages
    """Messages that one socket may send in twenty seconds; a decision takes three."""
    boards: tuple[str, ...] = ()
    """Board files that tables can be made with, beside the boards of the program."""
    private_hooks: bool = False
    """Whether webhooks may call private and loopback addresses."""
    log_level: str = "info"

    @property
    def workers(self) -> int:
        """How many processes bots think in."""
        if self.bot_workers is not None:
            return self.bot_workers
        return max(1, (os.cpu_count() or 2) - 1)

    @property
    def database_url(self) -> str:
        return self.database or default_database()


LIMITS: dict[str, tuple[float, float]] = {
    "port": (0, 65_535),
    "bot_workers": (1, 256),
    "bot_seconds": (0.01, 60),
    "bot_patience": (0.5, 600),
    "max_tables": (1, 1_000_000),
    "max_messages": (20, 1_000_000),
}


def default_database() -> str:
    """A SQLite file in the user's data folder."""
    return f"sqlite:///{platformdirs.user_data_path('industry', appauthor=False) / 'tables.db'}"


def load_settings(
    environment: Mapping[str, str], file: Path | None = None, **given: object
) -> Settings:
    """Settings from all places; what is given as None is left to the others. Raises its error."""
    named = environment.get(CONFIG)
    path = file or (Path(named) if named else None)
    values = _from_file(path) if path is not None else {}
    values |= _from_environment(environment)
    values |= {name: value for name, value in given.items() if value is not None}
    return Settings(**{name: _checked(name, value) for name, value in values.items()})


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that look like settings and are none: probably misspelt."""
    known = OTHER_VARIABLES | {_variable(field.name) for field in fields(Settings)}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


def _variable(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def _from_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"the settings in {path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"the settings in {path} are not valid TOML: {error}.") from None
    known = [field.name for field in fields(Settings)]
    for name in values:
        if name not in known:
            raise SettingsError(f"{path} sets {name}, which is none of {', '.join(known)}.")
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields(Settings):
        text = environment.get(_variable(field.name))
        if text is not None:
            values[field.name] = _read(_variable(field.name), text, _kind(field.name))
    return values


def _kind(name: str) -> Any:
    """The type of a setting, without the None that stands for "decide yourself"."""
    kind = get_type_hints(Settings)[name]
    return next((arm for arm in get_args(kind) if NoneType in get_args(kind)), kind)


def _read(name: str, text: str, kind: Any) -> Any:
    """The value that a text of the environment states."""
    if kind is bool:
        if text.lower() not in YES | NO:
            raise SettingsError(f"{name} is on or off, not “{text}”.")
        return text.lower() in YES
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise SettingsError(f"{name} must be {what}, not “{text}”.") from None
    if kind is str:
        return text
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _checked(name: str, value: Any) -> Any:
    """A value of the right type within its limits, or a sentence about what is wrong."""
    kind = _kind(name)
    if kind is float and type(value) is int:
        value = float(value)
    if kind in (bool, int, float, str):
        if type(value) is not kind:
            words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
            raise SettingsError(f"{name} must be {words[kind]}.")
    else:
        if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
            raise SettingsError(f"{name} must be a list of texts.")
        value = tuple(value)
    if name in LIMITS:
        least, most = LIMITS[name]
        if not math.isfinite(value) or not least <= value <= most:
            raise SettingsError(f"{name} must be from {least:g} to {most:g}, not {value:g}.")
    _check_meaning(name, value)
    return value


def _check_meaning(name: str, value: Any) -> None:
    if name == "log_level" and value not in LEVELS:
        raise SettingsError(f"log_level is one of {', '.join(LEVELS)}, not “{value}”.")
    if name == "database" and value and not _is_database(value):
        raise SettingsError(
            "database must be a URL such as sqlite:////var/lib/industry/tables.db or "
            "postgresql://user@host/name."
        )
    for url in (value,) if name == "public_url" else value if name == "origins" else ():
        if url and not _is_origin(url):
            raise SettingsError(
                f"{name} must be an origin such as https://games.example.org, without a path, "
                f"not “{url}”."
            )


def _is_database(url: str) -> bool:
    try:
        place = make_url(url)
    except (ArgumentError, ValueError):  # also a port that is no number
        return False
    kind = place.get_backend_name()
    in_file = bool(place.database) and place.database != ":memory:"
    return kind == "postgresql" or (kind == "sqlite" and in_file)


def _is_origin(url: str) -> bool:
    parts = urlsplit(url)
    try:
        whole = f"{parts.scheme}://{parts.netloc}"
        return bool(
            parts.scheme in ("http", "https")
            and parts.hostname
            and parts.username is None
            and (parts.port is None or parts.port >= 0)
            and url == whole == whole.lower()
        )
    except ValueError:  # a port that is no number
        return False
