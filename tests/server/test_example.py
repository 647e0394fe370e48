"""docs/protocol.md: its client plays a game, its tables name what exists."""

import asyncio
import json
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from websockets.asyncio.server import ServerConnection, serve

from industry.server.app import make_app
from industry.server.clock import DAY, MINUTE, PRESETS, SECOND
from industry.server.entries import KINDS
from industry.server.heartbeat import LONGEST
from industry.server.limits import Limits
from industry.server.protocol.client import ClientMessage
from industry.server.protocol.events import EntryKind
from industry.server.protocol.http import NewTable
from industry.server.protocol.server import ErrorCode, ServerMessage
from industry.server.protocol.view import TableOptions
from industry.server.service import Service
from industry.server.store import Store

from .playing import PATIENCE, Json, RandomPool, Server, free_port

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
CLIENT = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]


def section(heading: str) -> str:
    return PAGE.split(f" {heading}\n", 1)[1].split("\n## ")[0]


def test_the_example_client_plays_a_whole_game(sqlite_server: Server, tmp_path: Path) -> None:
    """A bot from outside: it takes a seat and has a token of its own."""
    script = tmp_path / "client.py"
    script.write_text(CLIENT, encoding="utf-8")
    server = sqlite_server
    made = server.make("random", "open", "random")
    done = subprocess.run(
        [sys.executable, str(script), server.url, made["table"], "Robo"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    view = server.get(f"/api/tables/{made['table']}")
    assert view["status"] == "over"
    lines = [
        f"{seat['name']}: {parts['points']} points"
        for seat, parts in zip(view["seats"], view["game"]["score"], strict=True)
    ]
    assert done.stdout.splitlines() == lines
    assert any(line.startswith("Robo") for line in lines)


class CutOnce:
    """A server that plays a move, cuts the line before saying so, and then says it (row 15).

    After the reconnect the news comes first and the acknowledgement last, and nothing follows: the
    client must decide when its command is answered, not only when there is news.
    """

    def __init__(self) -> None:
        self.port = free_port()
        self.commands: list[Json] = []

    async def play(self, socket: ServerConnection) -> None:
        hello = json.loads(await socket.recv())
        await self._send(socket, type="welcome", seats=[1])
        if hello["version"] is None:
            view = {"status": "running", "version": 1, "game": {"actor": 1}, "seats": []}
            await self._send(socket, type="snapshot", view=view, yours=[MINE], log=[])
            self.commands.append(json.loads(await socket.recv()))
            socket.transport.abort()
            return
        again = json.loads(await socket.recv())
        assert again == self.commands[0]
        steps = [{"entry": {"version": 2}, "changed": {"version": 2, "game": {"actor": 1}}}]
        await self._send(socket, type="update", version=2, steps=steps, yours=[MINE])
        await self._send(socket, type="accepted", id=again["id"], version=2)
        self.commands.append(json.loads(await socket.recv()))
        over = {"status": "over", "version": 3, "game": {"actor": None}}
        steps = [{"entry": {"version": 3}, "changed": over}]
        await self._send(socket, type="update", version=3, steps=steps, yours=[])
        await socket.wait_closed()

    async def _send(self, socket: ServerConnection, **message: object) -> None:
        await socket.send(json.dumps(message))


MINE = {"seat": 1, "legal": ["1 pass"], "can_undo": False, "hand": []}


def commands_after_a_cut(source: str, seconds: float) -> list[Json]:
    """The commands that a client of this source has sent, one of them before the line was cut."""
    names: dict[str, Any] = {"__name__": "client"}
    exec(compile(source, "client", "exec"), names)
    server = CutOnce()

    async def run() -> None:
        async with serve(server.play, "127.0.0.1", server.port):
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await names["play"](f"http://127.0.0.1:{server.port}", "table", "token")

    asyncio.run(run())
    return server.commands


def test_the_example_client_decides_after_a_reconnect_though_there_is_no_news() -> None:
    """Row 15: that of version 0.1.0 stands still, as `test_against_released.py` shows."""
    first, second = commands_after_a_cut(CLIENT, PATIENCE)
    assert second["version"] == 2
    assert first["id"] != second["id"]


def test_the_example_is_short() -> None:
    assert len(CLIENT.splitlines()) <= 60
    assert max(len(line) for line in CLIENT.splitlines()) <= 100


def test_every_code_is_explained() -> None:
    explained = set(re.findall(r"`([a-z_]+)`", section("Codes").split("\n## ")[0]))
    assert set(get_args(ErrorCode)) <= explained


def test_every_message_is_named() -> None:
    for union in (ClientMessage, ServerMessage):
        for model in get_args(get_args(union)[0]):
            kind = model.model_fields["type"].default
            assert f"`{kind}`" in PAGE or f'"type": "{kind}"' in PAGE, kind


def test_every_kind_of_entry_is_named_and_known() -> None:
    assert set(get_args(EntryKind)) == {*KINDS, "unknown"}
    for kind in KINDS:
        assert f"`{kind}`" in PAGE or f'"kind": "{kind}"' in PAGE, kind


def test_every_option_of_a_table_is_listed_with_its_default_first() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section("Making a table"), re.MULTILINE)
    assert [name for name, _ in rows] == list(TableOptions.model_fields)
    for name, values in rows:
        default = TableOptions.model_fields[name].default
        text = default if isinstance(default, str) and default else str(default).lower()
        first = values.split(",")[0].strip().strip("`")
        assert first == {"": '""'}.get(text, text), name


def test_the_example_of_a_table_is_one() -> None:
    example = re.findall(r"^```json\n(.*?)^```$", section("Making a table"), re.M | re.S)[0]
    wish = NewTable.model_validate_json(example)
    assert wish.options.players == len(wish.seats)


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    limits = Limits()
    assert limits.frame_bytes == 8 * 1024
    for text in (
        f"{limits.messages} in {limits.window:.0f} s",
        f"sockets of a seat | {limits.sockets_per_seat}",
        f"time until hello | {limits.hello:.0f} s",
        f"pings after {limits.heartbeat:.0f} s",
        f"or {LONGEST * limits.heartbeat:.0f} s in which",
        f"slow reader | {limits.queue}",
    ):
        assert text in PAGE, text
    live, days = PRESETS["live"], PRESETS["days"]
    assert live is not None
    assert days is not None
    assert (live.allowance, live.reserve) == (20 * SECOND, 3 * MINUTE)
    assert (days.allowance, days.reserve) == (3 * DAY, 0)
    assert (live.pause, days.pause, live.return_reserve) == (15 * SECOND, 60 * MINUTE, MINUTE)


def test_every_route_is_listed(tmp_path: Path) -> None:
    service = Service(Store(f"sqlite:///{tmp_path / 'x.db'}"), RandomPool())
    paths = make_app(service).openapi()["paths"]
    table = section("HTTP")
    for path, methods in paths.items():
        short = re.sub(r"\{(\w)\w*\}", lambda name: name[1].upper(), path)
        for method in methods:
            listed = f"`{method.upper()} {short}`" in table or f"`{short}`" in table
            assert listed or short == "/api/schema", f"{method} {path}"
