"""Messages wait for their turn: in order at every socket, fairly between addresses."""

import asyncio
import json
import time
from collections.abc import Coroutine
from random import Random

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from industry.server.client_socket import ClientSocket
from industry.server.inbox import SLICE, Inbox
from industry.server.limits import Limits
from industry.server.protocol.base import PROTOCOL

from .playing import PATIENCE, Server


async def _nothing(message: Message | None = None) -> Message:
    return {"type": "websocket.connect"}


def _socket(address: str) -> ClientSocket:
    websocket = WebSocket({"type": "websocket"}, _nothing, _nothing)  # type: ignore[arg-type]
    return ClientSocket(websocket, Limits(), address)


def _run(work: Coroutine[object, object, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


def test_addresses_take_turns_however_much_one_of_them_sends() -> None:
    async def run() -> None:
        handled: list[str] = []

        def handle(socket: ClientSocket, text: str | None) -> bool:
            handled.append(socket.address)
            return True

        inbox, quiet = Inbox(handle), _socket("quiet")
        for loud in [_socket("loud") for _ in range(50)]:
            inbox.put(loud, "x")
        await inbox.put_and_wait(quiet, "x")
        assert handled.index("quiet") == 1

    _run(run())


def test_a_message_waits_for_the_one_before_it_on_the_same_socket() -> None:
    async def run() -> None:
        handled: list[str | None] = []

        def handle(socket: ClientSocket, text: str | None) -> bool:
            handled.append(text)
            return text != "slow"

        inbox, one, other = Inbox(handle), _socket("a"), _socket("a")
        inbox.put(one, "slow")
        inbox.put(one, "next")
        await inbox.put_and_wait(other, "other")
        assert handled == ["slow", "other"]
        assert not inbox.take(one, "too early")
        inbox.done(one)
        await inbox.put_and_wait(other, "last")
        assert handled == ["slow", "other", "next", "last"]

    _run(run())


def test_the_rest_of_the_server_runs_between_messages() -> None:
    async def run() -> None:
        handled, seen = [], []

        def handle(socket: ClientSocket, text: str | None) -> bool:
            time.sleep(SLICE)
            handled.append(text)
            return True

        inbox = Inbox(handle)
        for socket in [_socket(f"{number}") for number in range(5)]:
            inbox.put(socket, "x")
        while len(handled) < 5:
            seen.append(len(handled))
            await asyncio.sleep(0)
        assert len(set(seen)) >= 4

    _run(run())


@pytest.mark.parametrize("way", ["whole", "together", "fragments", "pieces"])
def test_messages_are_answered_in_order_however_the_network_cuts_them(
    shared_server: Server, way: str
) -> None:
    """Frames that come whole take a shortcut; the others do not overtake them nor fall behind."""
    made = shared_server.make("human", "human", "human")
    place = f"ws://127.0.0.1:{shared_server.port}/api/tables/{made['table']}/socket"
    rng = Random(way)
    asked = [str(number) for number in range(40)]
    texts = [json.dumps({"type": "ping", "id": name}).encode() for name in asked]
    texts.insert(0, json.dumps({"type": "hello", "protocol": PROTOCOL}).encode())
    with connect(place, compression=None) as client:
        for text in texts:
            for data in _sent(text, way, rng):
                client.socket.sendall(data)
        pongs: list[str] = []
        while len(pongs) < len(asked):
            message = json.loads(client.recv(PATIENCE))
            if message["type"] == "pong":
                pongs.append(message["id"])
    assert pongs == asked


def _sent(text: bytes, way: str, rng: Random) -> list[bytes]:
    whole = Frame(Opcode.TEXT, text).serialize(mask=True)
    if way == "together":
        noise = Frame(Opcode.PING, b"x").serialize(mask=True)
        return [whole + noise] if rng.random() < 0.5 else [whole]
    if way == "fragments" and rng.random() < 0.5:
        first = Frame(Opcode.TEXT, text[:5], fin=False).serialize(mask=True)
        return [first, Frame(Opcode.CONT, text[5:]).serialize(mask=True)]
    if way == "pieces":
        cut = rng.randrange(1, len(whole))
        return [whole[:cut], whole[cut:]]
    return [whole]
