"""Shared by `industry serve` and `industry play`: database, listening socket, running server."""

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any

import click
import uvicorn
from alembic.util import CommandError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from industry.boards import BoardError
from industry.locks import Hold, Taken
from industry.server.app import uvicorn_config
from industry.server.assembly import build_app
from industry.server.board_catalogue import BoardCatalogue, load_catalogue
from industry.server.bot_strength import measured_strengths
from industry.server.connection_limits import DescriptorWatch, raise_descriptors
from industry.server.gc_tuning import collect_rarely
from industry.server.logs import log_event
from industry.server.network import Network
from industry.server.processes.handover import Handover
from industry.server.protocol.http import Measured
from industry.server.settings import Settings, SettingsError, load_settings
from industry.server.store import Store, StoreUnavailable

from .files import Failure

LADDER = "ladder.json"
"""The bots' ratings, in the arena's folder. Importing the arena would import Numba."""


class DatabaseInUse(Failure):
    """Another server uses the database; `address` is where it can be reached."""

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
    help="Also offer this board file for new tables; may be repeated.",
)


def settings_of(config: Path | None, **given: object) -> Settings:
    """Loads the settings from file, environment and command line; raises `Failure`."""
    try:
        return load_settings(os.environ, config, **given)
    except SettingsError as error:
        raise Failure(str(error)) from None


def catalogue_of(settings: Settings) -> BoardCatalogue:
    """Loads the boards for new tables; raises `Failure`."""
    try:
        return load_catalogue(settings.boards)
    except (BoardError, SettingsError) as error:
        raise Failure(str(error)) from None


# The listener


def open_listener(host: str, port: int) -> socket.socket:
    """Opens a listening socket; raises `Failure`."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = places[0]
        listener = socket.socket(family)
    except OSError as error:
        raise Failure(f"there is no host {host}: {error.strerror}.") from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(place)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise Failure(_why_closed(host, port, error)) from None
    return listener


def _why_closed(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken by another program; choose one with --port."
    if error.errno == errno.EACCES:
        return f"port {port} needs the rights of an administrator; choose one from 1024 on."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine; 0.0.0.0 stands for all that it has."
    return f"port {port} of {host} cannot be opened: {error.strerror}."


def address_of(listener: socket.socket) -> str:
    """Returns a listener's address as a browser on this machine writes it."""
    host, port = listener.getsockname()[:2]
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{local}]' if ':' in local else local}:{port}/"


# The database


def shown_database(url: str) -> str:
    """Returns a database's URL without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "given"


def check_database(url: str) -> None:
    """Raises `Failure` if the database cannot be reached, written to, or understood."""

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
    """Turns database errors into `Failure`."""
    try:
        yield
    except StoreUnavailable as error:
        raise Failure(_unusable(url, _reason(error.__cause__))) from None
    except OSError as error:
        raise Failure(_unusable(url, _reason_of(error))) from None
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


def _reason_of(error: OSError) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return "what should be its folder is a file"
    return str(error.strerror)


def _reason(cause: BaseException | None) -> str:
    """Returns the first line of a driver's message."""
    if isinstance(cause, DBAPIError) and cause.orig is not None:
        lines = [line.strip() for line in str(cause.orig).splitlines() if line.strip()]
        return lines[0].rstrip(".") if lines else type(cause.orig).__name__
    return str(cause).partition("\n")[0].rstrip(".")


@contextmanager
def database_locked(url: str) -> Iterator[Callable[[str], None]]:
    """Keeps a second server from using the same SQLite file, because each would miss what the other
    writes.

    Yields a function that records this server's address, so that others find it.
    """
    place = make_url(url)
    if place.get_backend_name() != "sqlite" or not place.database:
        yield lambda address: None
        return
    path = Path(place.database).resolve()  # one lock per file, whatever links lead to it
    address_file = path.with_name(f"{path.name}.address")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # private, because it contains the bags' secrets
        hold = Hold(path)
    except OSError as error:
        raise Failure(_unusable(url, _reason_of(error))) from None
    except Taken:
        raise DatabaseInUse(shown_database(url), _recorded_address(address_file)) from None
    try:
        address_file.unlink(missing_ok=True)  # left by a server that was killed
        yield lambda address: _record_address(address_file, address)
    finally:
        address_file.unlink(missing_ok=True)
        hold.release()


def _record_address(address_file: Path, address: str) -> None:
    address_file.touch(mode=0o600)
    address_file.write_text(address, encoding="utf-8")


def _recorded_address(address_file: Path) -> str:
    """Returns the recorded address of the server that uses the database, if any."""
    with contextlib.suppress(OSError):
        return address_file.read_text(encoding="utf-8").strip()
    return ""


# The server


class Server(uvicorn.Server):
    """A server that stops gracefully at the first signal and then returns."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready
        self._descriptors = DescriptorWatch()
        self._handover: Handover | None = None

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # once a second
            self._descriptors.look()
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            if self._handover is not None:
                self._handover.start(self._protocol)
            self._when_ready()

    async def listen(self, listener: socket.socket) -> asyncio.Server:
        """Listens on a further socket."""
        loop = asyncio.get_running_loop()
        backlog = self.config.backlog
        server = await loop.create_server(self._protocol, sock=listener, backlog=backlog)
        self.servers.append(server)
        return server

    def _protocol(self) -> asyncio.Protocol:
        config = self.config
        made: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
            config=config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    def take_from(self, channel: int) -> None:
        """Takes connections from a parent process too, and ends when that ends."""
        self._handover = Handover(channel, lambda: self.handle_exit(signal.SIGTERM, None))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._handover is not None:
            await self._handover.stop()
        await super().shutdown(sockets)

    async def leave(self, server: asyncio.Server) -> None:
        """Stops listening on a socket and cuts its connections."""
        addresses = {listener.getsockname() for listener in server.sockets}
        server.close()
        self.servers.remove(server)
        for connection in list(self.server_state.connections):
            transport = getattr(connection, "transport", None)
            if transport is not None and transport.get_extra_info("sockname") in addresses:
                transport.close()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handles signals like the base class, but does not raise them again at the end."""
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
    settings: Settings,
    catalogue: BoardCatalogue,
    listener: socket.socket,
    when_ready: Callable[[], None],
    network: Network | None = None,
    channel: int | None = None,
) -> None:
    """Serves until a signal; finishes requests in progress first.

    `channel` is where a parent process hands connections over.
    """
    raise_descriptors()
    app = build_app(
        settings,
        ratings=_ratings(),
        measured=_strengths(),
        catalogue=catalogue,
        network=network,
    )
    config = uvicorn_config(
        app,
        host=settings.host,
        port=listener.getsockname()[1],
        proxy_headers=True,
        forwarded_allow_ips=",".join(settings.trusted_proxies),
    )
    collect_rarely()
    server = Server(config, when_ready)
    if channel is not None:
        server.take_from(channel)
    if network is not None:
        network.serve_with(server)
    try:
        server.run([listener])
    except SystemExit:  # the log says why it could not start
        raise Failure("the server could not start; its log says why.") from None
    log_event("stopped")


def _ratings() -> dict[str, float]:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        ratings = _ladder()["ratings"]
        return {name: float(rating["rating"]) for name, rating in ratings.items()}
    return {}


def _strengths() -> dict[str, Measured]:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return measured_strengths(_ladder()["steps"])
    return {}


def _ladder() -> dict[str, Any]:
    text = files("industry").joinpath("arena", LADDER).read_text(encoding="utf-8")
    ladder: dict[str, Any] = json.loads(text)
    return ladder
