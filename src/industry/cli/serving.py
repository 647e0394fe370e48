"""What `industry serve` and `industry play` share: a database, a door, a server until it ends."""

import asyncio
import contextlib
import errno
import fcntl
import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import TextIO

import click
import uvicorn
from alembic.util import CommandError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from industry.boards import BoardError
from industry.server.app import uvicorn_config
from industry.server.build import build_app
from industry.server.garbage import collect_rarely
from industry.server.logs import note
from industry.server.settings import Settings, SettingsError, load_settings
from industry.server.shelf import Shelf, shelf_with
from industry.server.store import Store, StoreUnavailable

from .files import Failure

LADDER = "ladder.json"
"""The ratings of the bots, in the arena's folder. The arena itself would bring Numba along."""


class Held(Failure):
    """Another server uses the database; `address` is where it is found."""

    def __init__(self, database: str, address: str) -> None:
        self.address = address
        super().__init__(
            f"another server uses the database {database}: {address or 'its address is not known'}."
        )


boards_option = click.option(
    "--board",
    "boards",
    metavar="FILE",
    multiple=True,
    help="A board file that tables can be made with; may be repeated.",
)


def settings_of(config: Path | None, **given: object) -> Settings:
    """Settings from file, environment and command line, or a sentence about what is wrong."""
    try:
        return load_settings(os.environ, config, **given)
    except SettingsError as error:
        raise Failure(str(error)) from None


def shelf_of(settings: Settings) -> Shelf:
    """The boards that tables can be made with, or a sentence about what is wrong with one."""
    try:
        return shelf_with(settings.boards)
    except (BoardError, SettingsError) as error:
        raise Failure(str(error)) from None


# The door


def open_door(host: str, port: int) -> socket.socket:
    """A socket that listens, or a sentence about why there is none."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = places[0]
        door = socket.socket(family)
    except OSError as error:
        raise Failure(f"there is no host {host}: {error.strerror}.") from None
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(place)
        door.listen(2048)
    except OSError as error:
        door.close()
        raise Failure(_why_closed(host, port, error)) from None
    return door


def _why_closed(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken by another program; choose one with --port."
    if error.errno == errno.EACCES:
        return f"port {port} needs the rights of an administrator; choose one from 1024 on."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; 0.0.0.0 stands for all that it has."
    return f"port {port} of {host} cannot be opened: {error.strerror}."


def address_of(door: socket.socket) -> str:
    """The address of a door as a browser on this machine writes it."""
    host, port = door.getsockname()[:2]
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{local}]' if ':' in local else local}:{port}/"


# The database


def shown_database(url: str) -> str:
    """A database's URL without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "given"


def check_database(url: str) -> None:
    """Raises `Failure` where the database cannot be reached, written to, or understood."""

    async def use() -> None:
        store = Store(url)
        try:
            await store.start()
            await store.shared_key()
        finally:
            await store.stop()

    with database_failures(url):
        asyncio.run(use())


@contextmanager
def database_failures(url: str) -> Iterator[None]:
    """What a database refuses becomes a sentence for the operator."""
    try:
        yield
    except StoreUnavailable as error:
        raise Failure(_unusable(url, _reason(error.__cause__))) from None
    except OSError as error:
        raise Failure(_unusable(url, _trouble(error))) from None
    except CommandError:
        reason = "it was made by a newer version of this program"
        raise Failure(_unusable(url, reason)) from None
    except (ModuleNotFoundError, NoSuchModuleError):
        reason = "its driver is missing; install industry[postgres]"
        raise Failure(_unusable(url, reason)) from None
    except ArgumentError:
        raise Failure(_unusable(url, "the URL cannot be read")) from None


def _unusable(url: str, reason: str) -> str:
    return f"the database {shown_database(url)} cannot be used: {reason}."


def _trouble(error: OSError) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return "what should be its folder is a file"
    return str(error.strerror)


def _reason(cause: BaseException | None) -> str:
    """The first line of what a driver says."""
    if isinstance(cause, DBAPIError) and cause.orig is not None:
        lines = [line.strip() for line in str(cause.orig).splitlines() if line.strip()]
        return lines[0].rstrip(".") if lines else type(cause.orig).__name__
    return str(cause).partition("\n")[0].rstrip(".")


@contextmanager
def database_held(url: str) -> Iterator[Callable[[str], None]]:
    """Keep a second server from the same SQLite file: each would miss what the other writes.

    Yields what notes the address of this server, so that others find it.
    """
    place = make_url(url)
    if place.get_backend_name() != "sqlite" or not place.database:
        yield lambda address: None
        return
    path = Path(f"{place.database}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Path(place.database).touch(mode=0o600)  # nobody else's business: it holds the bags' secrets
        lock = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise Failure(_unusable(url, _trouble(error))) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            raise Held(shown_database(url), lock.read(200).strip()) from None
        yield lambda address: _rewrite(lock, address)
        _rewrite(lock, "")


def _rewrite(file: TextIO, text: str) -> None:
    file.truncate(0)
    file.write(text)
    file.flush()


# The server


class Server(uvicorn.Server):
    """Ends gracefully at the first signal, and then the command goes on."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As the base class, which however raises the signal once more at the end."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self._end) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)


def run_server(
    settings: Settings, shelf: Shelf, door: socket.socket, when_ready: Callable[[], None]
) -> None:
    """Serve until a signal ends it; everything under way is finished first."""
    app = build_app(settings, ratings=_ratings(), shelf=shelf)
    config = uvicorn_config(
        app,
        host=settings.host,
        port=door.getsockname()[1],
        proxy_headers=True,
        forwarded_allow_ips=",".join(settings.trusted_proxies),
    )
    collect_rarely()
    try:
        Server(config, when_ready).run([door])
    except SystemExit:  # the log tells what kept it from starting
        raise Failure("the server could not start; its log says why.") from None
    note("stopped")


def _ratings() -> dict[str, float]:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        text = files("industry").joinpath("arena", LADDER).read_text(encoding="utf-8")
        ratings = json.loads(text)["ratings"]
        return {name: float(rating["rating"]) for name, rating in ratings.items()}
    return {}
