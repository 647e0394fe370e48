"""docs/protocol.md: its client plays a game, its tables name what exists."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from industry.server.app import make_app
from industry.server.clock import DAY, MINUTE, PRESETS, SECOND
from industry.server.entries import KINDS
from industry.server.limits import Limits
from industry.server.protocol.client import ClientMessage
from industry.server.protocol.events import EntryKind
from industry.server.protocol.http import NewTable
from industry.server.protocol.server import ErrorCode, ServerMessage
from industry.server.protocol.view import TableOptions
from industry.server.service import Service
from industry.server.store import Store

from .playing import RandomPool, Server

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
CLIENT = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]


def section(heading: str) -> str:
    return PAGE.split(f" {heading}\n", 1)[1].split("\n## ")[0]


def test_the_example_client_plays_a_whole_game(server: Server, tmp_path: Path) -> None:
    """A bot from outside: it takes a seat and has a token of its own."""
    script = tmp_path / "client.py"
    script.write_text(CLIENT, encoding="utf-8")
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
    assert set(get_args(EntryKind)) == set(KINDS)
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
        f"every {limits.heartbeat:.0f} s",
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
        short = re.sub(r"\{table\}", "T", re.sub(r"\{board\}", "B", path))
        for method in methods:
            listed = f"`{method.upper()} {short}`" in table or f"`{short}`" in table
            assert listed or short == "/api/schema", f"{method} {path}"
