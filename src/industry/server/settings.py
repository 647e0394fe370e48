"""What an operator can set, by environment, file or command line; docs/operations.md lists it.

The command line outranks the environment, which outranks the file. `INDUSTRY_CONFIG` names the
file (TOML, the keys are the names of the fields below); `INDUSTRY_PORT` sets `port`, and so on.

Values from a file must have the right type; the environment has only texts, which are parsed. Each
field states its range, and `SettingsError` says in one sentence what is wrong and what is allowed.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import ErrorDetails
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from industry.bots import BotError
from industry.bots.registry import engine_definition

from .limits import Limits
from .notices.mail import MailServer, MailTls, is_mail_address
from .protocol.club import PersonsMode
from .protocol.cups import CupsMode

PREFIX = "INDUSTRY_"
CONFIG = "INDUSTRY_CONFIG"
OTHER_VARIABLES = frozenset({CONFIG, "INDUSTRY_CACHE_DIR"})
"""Variables of this program that are not settings of the server."""
Level = Literal["debug", "info", "warning", "error"]
HOST = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
DEFAULTS = Limits()


class SettingsError(ValueError):
    """A setting has a value that it cannot have; the message is a sentence for the operator."""


def _database(url: str) -> str:
    if url and not _is_database(url):
        raise ValueError(
            "must be a URL such as sqlite:////var/lib/industry/tables.db or "
            "postgresql://user@host/name."
        )
    return url


def _origin(url: str) -> str:
    if url and not _is_origin(url):
        example = "an origin such as https://games.example.org, without a path"
        raise ValueError(f"must be {example}, not “{url}”.")
    return url


def _host(name: str) -> str:
    if not HOST.fullmatch(name):
        example = "names such as games.lan, without a scheme or a port"
        raise ValueError(f"must be {example}, not “{name}”.")
    return name


def _engine(definition: str) -> str:
    try:
        engine_definition(definition)
    except BotError as error:
        raise ValueError(f"cannot be used: {error}") from None
    return definition


def _mail_address(address: str) -> str:
    if address and not is_mail_address(address):
        raise ValueError(f"must be an address such as games@example.org, not “{address}”.")
    return address


def _contact(contact: str) -> str:
    if contact and not is_mail_address(contact) and not _is_origin(contact):
        example = "a mail address, or a site such as https://games.example.org"
        raise ValueError(f"must be {example}, not “{contact}”.")
    return contact


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


_TUPLE = BeforeValidator(_as_tuple)
Texts = Annotated[tuple[str, ...], _TUPLE]
Origin = Annotated[str, AfterValidator(_origin)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]


class Settings(BaseModel):
    """Everything that can be set, with its default."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)
    database: Annotated[str, AfterValidator(_database)] = ""
    """URL of the database; by default a SQLite file in the user's data folder."""
    public_url: Origin = ""
    """Where browsers reach the server if that is not its own address, such as behind a proxy."""
    origins: Annotated[tuple[Origin, ...], _TUPLE] = ()
    """Further origins whose pages may open sockets."""
    hosts: Annotated[tuple[Annotated[str, AfterValidator(_host)], ...], _TUPLE] = ()
    """Further names of the server; requests for others are refused (DNS rebinding)."""
    trusted_proxies: Texts = ("127.0.0.1", "::1")
    """Addresses whose `X-Forwarded-…` headers are trusted."""
    bot_workers: int | None = Field(default=None, ge=1, le=256)
    """Processes in which bots think; by default one fewer than there are cores, at least one."""
    bot_seconds: float = Field(default=1.0, ge=0.01, le=60, allow_inf_nan=False)
    """How long a bot of level 4 or 5 thinks about a decision while few others wait."""
    bot_patience: float = Field(default=10.0, ge=0.5, le=600, allow_inf_nan=False)
    """How many seconds more a bot may take before it is stopped and asked again."""
    engines: Annotated[tuple[Annotated[str, AfterValidator(_engine)], ...], _TUPLE] = ()
    """Programs that play as bots, each as NAME=COMMAND; they speak the engine protocol."""
    max_tables: Count = 10_000
    """Tables that are open or running at the same time."""
    retention_days: int = Field(default=0, ge=0, le=36_500)
    """Days after which finished games are deleted; 0 means never."""
    max_messages: int = Field(default=DEFAULTS.messages, ge=20, le=1_000_000)
    """Messages that one socket may send in twenty seconds; a decision takes three."""
    address_connections: Count = DEFAULTS.address_connections
    """Connections that one address may have open."""
    address_sockets: Count = DEFAULTS.address_sockets
    """Sockets of one address without a seat."""
    address_seated: Count = DEFAULTS.address_seated
    """Sockets of one address with a seat."""
    address_messages: Count = DEFAULTS.address_messages
    """Messages that one address may send in twenty seconds; a question counts as five."""
    address_requests: Count = DEFAULTS.address_requests
    """Requests that one address may send in twenty seconds."""
    address_tables: Count = DEFAULTS.address_tables
    """Open and running tables created by one address."""
    address_new_tables: Count = DEFAULTS.address_new_tables
    """Tables that one address may create in ten minutes."""
    address_seats: Count = DEFAULTS.address_seats
    """Changes of seats that one address may make in ten minutes before games start."""
    address_table_seats: Count = DEFAULTS.address_table_seats
    """The same at one table, with leaving and returning during the game."""
    address_replays: Count = DEFAULTS.address_replays
    """Records that one address may have replayed in a minute."""
    address_reviews: Count = DEFAULTS.address_reviews
    address_hints: Count = DEFAULTS.address_hints
    """Reviews of further games that one address may begin in ten minutes."""
    address_hooks: Count = DEFAULTS.address_hooks
    """Webhooks that one address may register in an hour."""
    address_notices: Count = DEFAULTS.address_notices
    """Subscriptions to notices and test messages of one address in an hour."""
    address_persons: Count = DEFAULTS.address_persons
    """Persons that one address may add in an hour."""
    address_sign_ins: Count = DEFAULTS.address_sign_ins
    """Steps of signing in that one address may take in ten minutes."""
    address_cups: Count = DEFAULTS.address_cups
    """Cups that one address may create, join or leave in an hour."""
    address_pause: float = Field(default=DEFAULTS.address_pause, ge=0, le=3600, allow_inf_nan=False)
    """Seconds without new sockets for an address after one was closed for misbehaviour."""
    boards: Texts = ()
    """Board files that tables can be created with, besides the boards of the program."""
    private_hooks: bool = False
    """Whether webhooks may call private and loopback addresses."""
    persons: PersonsMode = "off"
    """Whether people can register a name: off, open to everyone, or by invitation."""
    cups: CupsMode = "operators"
    """Who may create cups where persons are on: nobody, operators, or every person."""
    contact: Annotated[str, AfterValidator(_contact)] = ""
    """Where push services can reach the operator: a mail address or a URL."""
    mail_host: str = ""
    """The server that sends mail to players; without one there are no mails."""
    mail_port: int = Field(default=587, ge=1, le=65_535)
    mail_tls: MailTls = "starttls"
    mail_user: str = ""
    mail_password: str = ""
    mail_from: Annotated[str, AfterValidator(_mail_address)] = ""
    """The address that mails come from."""
    log_level: Level = "info"

    @property
    def workers(self) -> int:
        """How many processes bots think in."""
        if self.bot_workers is not None:
            return self.bot_workers
        return max(1, (os.cpu_count() or 2) - 1)

    @property
    def limits(self) -> Limits:
        """The limits for one client and one address."""
        names = [name for name in Limits.__slots__ if name.startswith("address_")]
        given = {name: getattr(self, name) for name in names if hasattr(self, name)}
        watchers = self.address_sockets * 5 // 6  # the rest is for those that have not said hello
        return Limits(messages=self.max_messages, address_watchers=max(1, watchers), **given)

    @property
    def mail(self) -> MailServer:
        """The server that sends mail to players."""
        login = self.mail_user, self.mail_password
        return MailServer(self.mail_host, self.mail_port, self.mail_tls, *login, self.mail_from)

    @property
    def database_url(self) -> str:
        return self.database or default_database()


def default_database() -> str:
    """Returns the URL of a SQLite file in the user's data folder."""
    return f"sqlite:///{platformdirs.user_data_path('industry', appauthor=False) / 'tables.db'}"


def load_settings(
    environment: Mapping[str, str], file: Path | None = None, **given: object
) -> Settings:
    """Merges all sources; a given None leaves the value to the others. Raises `SettingsError`."""
    named = environment.get(CONFIG)
    path = file or (Path(named) if named else None)
    values = _from_file(path) if path is not None else {}
    values |= _from_environment(environment)
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError(_sentence(error.errors()[0])) from None


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Returns variables that look like settings but are not: probably misspelt."""
    known = OTHER_VARIABLES | {_variable(name) for name in Settings.model_fields}
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
    known = list(Settings.model_fields)
    for name in values:
        if name not in known:
            raise SettingsError(f"{path} sets {name}, which is none of {', '.join(known)}.")
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: _parsed(name, environment[_variable(name)])
        for name in Settings.model_fields
        if _variable(name) in environment
    }


def _parsed(name: str, text: str) -> Any:
    """Parses a text of the environment; ranges are checked with all other values."""
    kind: Any = Settings.model_fields[name].annotation
    if get_origin(kind) is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind not in (bool, int, float, int | None):
        return text
    try:
        return TypeAdapter[Any](kind).validate_strings(text)
    except ValidationError:
        if kind is bool:
            raise SettingsError(f"{_variable(name)} is on or off, not “{text}”.") from None
        what = "a number" if kind is float else "a whole number"
        raise SettingsError(f"{_variable(name)} must be {what}, not “{text}”.") from None


_TYPES = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "a text",
    "tuple_type": "a list of texts",
}


def _sentence(error: ErrorDetails) -> str:
    """Says in one sentence what is wrong with a setting."""
    name = str(error["loc"][0])
    if error["type"] == "value_error":
        return f"{name} {error['ctx']['error']}"
    if error["type"] == "literal_error":
        allowed = ", ".join(get_args(Settings.model_fields[name].annotation))
        return f"{name} is one of {allowed}, not “{error['input']}”."
    if error["type"] in _TYPES:
        what = _TYPES["tuple_type" if len(error["loc"]) > 1 else error["type"]]
        return f"{name} must be {what}."
    limits = Settings.model_fields[name].metadata
    least = next(limit.ge for limit in limits if hasattr(limit, "ge"))
    most = next(limit.le for limit in limits if hasattr(limit, "le"))
    return f"{name} must be from {least:g} to {most:g}, not {error['input']:g}."


def _is_database(url: str) -> bool:
    try:
        place = make_url(url)
    except (ArgumentError, ValueError):  # also a port that is not a number
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
    except ValueError:  # a port that is not a number
        return False
