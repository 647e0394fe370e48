"""`industry play` is reached from this machine alone, until the person at it opens the network."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from industry.cli._server import Server as Serving
from industry.cli._server import open_listener
from industry.server.app import make_app, uvicorn_config
from industry.server.network import Network, own_addresses
from industry.server.service import Service
from industry.server.store import Store

from .playing import PATIENCE, RandomPool

ALIAS = "127.0.0.2"
"""Stands for the address in the network: another door of the same machine."""


@contextmanager
def played(folder: Path, *addresses: str) -> Iterator[int]:
    """The port of a server as `industry play` runs it."""
    door = open_listener("127.0.0.1", 0)
    network = Network(door, lambda: list(addresses))
    service = Service(Store(f"sqlite:///{folder / 'tables.db'}"), RandomPool())
    server = Serving(uvicorn_config(make_app(service, network=network)), lambda: None)
    network.serve_with(server)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    thread = Thread(target=lambda: asyncio.run(server._serve([door])), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    try:
        yield door.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        door.close()


def ask(host: str, port: int, **more: object) -> httpx.Response:
    return httpx.get(f"http://{host}:{port}/api/network", timeout=PATIENCE, **more)  # type: ignore[arg-type]


def wish(at: str, port: int, open_it: bool, **headers: str) -> httpx.Response:
    address = f"http://{at}:{port}/api/network"
    return httpx.post(address, json={"open": open_it}, headers=headers, timeout=PATIENCE)


def is_reached(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def test_the_network_is_opened_and_closed_on_request(tmp_path: Path) -> None:
    with played(tmp_path, ALIAS) as port:
        assert ask("127.0.0.1", port).json() == {"available": True, "address": "", "found": [ALIAS]}
        assert not is_reached(ALIAS, port)
        opened = wish("127.0.0.1", port, True).json()
        assert opened["address"] == f"http://{ALIAS}:{port}"
        assert httpx.get(f"{opened['address']}/healthz").is_success
        assert wish("127.0.0.1", port, True).json() == opened, "once open it stays as it is"
        assert wish("127.0.0.1", port, False).json()["address"] == ""
        assert not is_reached(ALIAS, port)
        assert wish("127.0.0.1", port, True).json() == opened
        assert is_reached(ALIAS, port)


def test_who_came_through_the_network_is_cut_off_when_it_closes(tmp_path: Path) -> None:
    with played(tmp_path, ALIAS) as port:
        wish("127.0.0.1", port, True)
        path = f"{port}/api/tables/abcdefghijkl/socket"
        with connect(f"ws://{ALIAS}:{path}") as guest, connect(f"ws://127.0.0.1:{path}") as host:
            wish("127.0.0.1", port, False)
            with pytest.raises(ConnectionClosed):
                guest.recv(PATIENCE)
            host.send('{"type":"ping","id":"x"}')
            assert "pong" in str(host.recv(PATIENCE))


def test_only_the_person_at_the_machine_may_open_or_see_it(tmp_path: Path) -> None:
    with played(tmp_path, ALIAS) as port:
        foreign = {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"}
        assert wish("127.0.0.1", port, True, **foreign).status_code == 421
        assert not is_reached(ALIAS, port)
        wish("127.0.0.1", port, True)
        assert not ask(ALIAS, port).json()["available"]
        assert wish(ALIAS, port, False).status_code == 403
        assert wish(ALIAS, port, False, host=f"127.0.0.1:{port}").status_code == 403
        assert ask("127.0.0.1", port).json()["address"] != ""


def test_a_machine_in_no_network_says_so(tmp_path: Path) -> None:
    with played(tmp_path) as port:
        answer = wish("127.0.0.1", port, True)
        assert (answer.status_code, answer.json()["code"]) == (409, "no_network")
    with played(tmp_path, "203.0.113.7") as port:
        assert wish("127.0.0.1", port, True).json()["code"] == "no_network"


def test_another_port_is_taken_where_the_same_one_is_in_use(tmp_path: Path) -> None:
    with played(tmp_path, ALIAS) as port, socket.socket() as taken:
        taken.bind((ALIAS, port))
        taken.listen()
        address = wish("127.0.0.1", port, True).json()["address"]
        assert not address.endswith(f":{port}")
        assert httpx.get(f"{address}/healthz").is_success


def test_addresses_that_are_found_can_be_reached_by_others() -> None:
    assert not [address for address in own_addresses() if address.startswith("127.")]
