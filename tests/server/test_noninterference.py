"""P7: nothing that anybody is sent depends on tokens that are still in the bag."""

import asyncio
import base64
import hashlib
import io
import logging
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from industry.engine.constants import COLUMNS
from industry.notation.proof import (
    Game,
    commitment_of,
    era_key,
    first_player,
    root_key,
    shuffled,
)
from industry.notation.record import RULES_VERSION
from industry.server.logs import LOGGER, JsonLines
from industry.server.store import Store
from industry.server.tokens import TokenKeys
from tests.support import proof

from .playing import Client, Json, RandomPool, Server, play_on, served

NOW = 1_800_000_000_000
"""Time stands still, so that it differs nowhere."""
ERAS = 5
MAKE = "0123456789012345678901"
"""Long enough for the same table and the same tokens to come of it."""


# Two bags that nobody can tell apart before their second era


def first_era(secret: bytes, game: Game) -> tuple[object, ...]:
    """All that anybody learns of a bag in the first era: who begins, and what each draw brings."""
    players = len(game.names)
    root = root_key(secret, [""] * players, game)
    order = shuffled(era_key(root, 1), COLUMNS)
    draws = [frozenset(order[at : at + players]) for at in range(0, COLUMNS, players)]
    return (first_player(root, players), *draws)


def alike(game: Game) -> tuple[bytes, bytes]:
    """Two secrets with the same first era; among some hundred there are such by chance."""
    seen: dict[tuple[object, ...], bytes] = {}
    number = 0
    while True:
        secret = hashlib.sha256(f"bag {number}".encode()).digest()
        found = seen.setdefault(first_era(secret, game), secret)
        if found != secret:
            return found, secret
        number += 1


def forms(secret: bytes, game: Game) -> list[str]:
    """The secret and all keys that are still secret in the first era, however they are written."""
    root = root_key(secret, [""] * len(game.names), game)
    keys = [secret, root, *(era_key(root, era) for era in range(1, ERAS + 1))]
    written: list[str] = []
    for key in keys:
        written += [key.hex(), key.hex().upper(), repr(key)[2:-1], str(list(key))]
        written += [base64.b64encode(key).decode(), base64.urlsafe_b64encode(key).decode()[:42]]
    return written


# Everything that a server can be made to say


@dataclass
class Heard:
    """What went over the wire, in order, and what the operator's log says."""

    texts: list[str] = field(default_factory=list)
    log: io.StringIO = field(default_factory=io.StringIO)

    def ask(self, server: Server, method: str, path: str, **more: Any) -> None:
        response = server.http(method, path, **more)
        headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
        self.texts.append(f"{method} {path} {response.status_code}\n{headers}\n\n{response.text}")

    def masked(self, secret: bytes) -> list[str]:
        """Without what must differ: the commitment, and the hashes of the log over it."""
        commitment = commitment_of(secret)
        return [
            re.sub(r'"hash":"[0-9a-f]{64}"', '"hash":"…"', text.replace(commitment, "…"))
            for text in self.texts
        ]


@contextmanager
def listening(heard: Heard) -> Iterator[None]:
    handler = logging.StreamHandler(heard.log)
    handler.setFormatter(JsonLines())
    logging.getLogger(LOGGER).addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger(LOGGER).removeHandler(handler)


def seeded(folder: Path) -> Path:
    """An empty database whose server key all copies share."""

    async def prepare() -> None:
        store = Store(f"sqlite:///{folder / 'seed.db'}")
        await store.start()
        await store.shared_key()
        await store.stop()

    asyncio.run(prepare())
    return folder / "seed.db"


def game_of(file: Path, players: int) -> Game:
    """What the bag of the first table of a server is bound to."""
    with closing(sqlite3.connect(file)) as database:
        (key,) = database.execute("SELECT value FROM server WHERE name = 'key'").fetchone()
    table = TokenKeys(bytes.fromhex(key)).table("made", MAKE)
    return Game(table, RULES_VERSION, tuple(f"Player {n}" for n in range(1, players + 1)))


def first_era_of(seed: Path, secret: bytes, edition: str, players: int) -> Heard:
    """Everything that is said at a table with this bag while its first era lasts."""
    file = seed.with_name(f"{secret.hex()[:8]}.db")
    shutil.copy(seed, file)
    heard = Heard()
    with (
        listening(heard),
        pytest.MonkeyPatch.context() as patch,
        served(f"sqlite:///{file}", RandomPool(), clock=lambda: NOW) as server,
    ):
        patch.setattr("industry.server.lobby.new_secret", lambda: secret)
        patch.setattr("industry.server.table_lists.LIST_SECONDS", -1.0)  # both lists are current
        options = {"edition": edition, "players": players, "seating": "as_joined"}
        options |= {"listed": True, "clock": "live"}
        seats = [{"kind": "human"}] * players
        made = server.post("/api/tables", id=MAKE, options=options, seats=seats)
        talk(server, heard, made, players)
    return heard


def talk(server: Server, heard: Heard, made: Json, players: int) -> None:
    """Play the first era and ask about everything on the way."""
    seats = range(1, players + 1)
    tokens = [held["token"] for held in made["seats"]]
    rng = Random(7)
    with server.client(made, *seats).ready() as client:
        client.until("presence")
        number = 0
        while not any(entry["kind"] == "era_revealed" for entry in client.entries):
            number += 1
            if number % 4 == 0:
                inquire(client, rng, number)
            if number % 24 == 0:
                papers(server, heard, made["table"], tokens)
            seat = client.until_mine()
            assert seat is not None
            line = rng.choice(client.yours[seat]["legal"])
            keep = len(client.texts)
            answer = client.command("move", seat, id=f"m{number}", line=line)
            client.until_version(answer["version"])
        heard.texts += client.texts[:keep]  # the last move ended the era


def inquire(client: Client, rng: Random, number: int) -> None:
    """Questions, mistakes and refusals: their answers know the position best."""
    seat = client.until_mine()
    assert seat is not None
    field_id = f"{rng.randint(1, ERAS)}{rng.choice('ABCDEFGHIJKL')}"
    client.ask(type="ask_steps", id=f"c{number}", after=rng.randint(0, client.version))
    client.ask(type="ask_field", id=f"f{number}", field=field_id)
    client.ask(type="ask_why", id=f"w{number}", line=f"{seat} offer {field_id}")
    client.ask(type="ping", id=f"p{number}")
    refused = {"line": f"{seat} offer {field_id}"} | {"version": client.version}
    client.command("move", seat % 3 + 1, id=f"x{number}", **refused)
    client.command("move", seat, id=f"s{number}", line=f"{seat} pass", version=0)
    client.command("move", seat, id=f"d{number}", line="draw 1A 1B 1C")
    client.until_version(client.version)


def papers(server: Server, heard: Heard, table: str, tokens: list[str]) -> None:
    for path in ("", "/record", "/proof", "/log", "/socket", "/nothing"):
        heard.ask(server, "GET", f"/api/tables/{table}{path}")
    heard.ask(server, "GET", "/api/tables")
    heard.ask(server, "POST", "/api/mine", json={"tokens": tokens})
    for path in ("seats", "rematch", "bots"):
        heard.ask(server, "POST", f"/api/tables/{table}/{path}", json={"id": "x"}, token=tokens[0])


@pytest.mark.parametrize(("edition", "players"), proof.cases([("industry", 4), ("industria", 3)]))
def test_p7_bags_with_the_same_past_and_another_future_cannot_be_told_apart(
    tmp_path: Path, edition: str, players: int
) -> None:
    seed = seeded(tmp_path)
    game = game_of(seed, players)
    secrets = alike(game)
    futures = [shuffled(era_key(root_key(s, [""] * players, game), 2), COLUMNS) for s in secrets]
    assert futures[0] != futures[1]
    one, other = (first_era_of(seed, secret, edition, players) for secret in secrets)
    assert len(one.texts) > 100, "hardly anything was said"
    for here, there in zip(one.masked(secrets[0]), other.masked(secrets[1]), strict=True):
        assert here == there
    for heard, secret in zip((one, other), secrets, strict=True):
        said = "\n".join(heard.texts) + heard.log.getvalue()
        assert not [form for form in forms(secret, game) if form in said]
        assert commitment_of(secret) in said


def test_p7_the_secret_is_told_when_the_game_is_over_and_not_a_frame_sooner(
    sqlite_server: Server,
) -> None:
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(8))
    proof = client.view["proof"]
    assert len(proof["era_keys"]) == ERAS
    told = [kinds_of(message) for message in client.received]
    ends = [at for at, kinds in enumerate(told) if "era_revealed" in kinds]
    assert [first_with(client, key) for key in proof["era_keys"]] == ends
    at = first_with(client, proof["secret"])
    assert [number for number, kinds in enumerate(told) if "bag_revealed" in kinds] == [at]


def first_with(client: Client, text: str) -> int:
    """The place of the first frame in which a text stands."""
    return next(at for at, frame in enumerate(client.texts) if text in frame)


def kinds_of(message: Json) -> set[str]:
    """What happened by a message."""
    return {step["entry"]["kind"] for step in message.get("steps", ())}


def test_p7_a_store_that_breaks_does_not_let_the_secret_out(tmp_path: Path) -> None:
    """The database refuses the very statement that holds the secret, and its driver repeats it."""
    secret = hashlib.sha256(b"a broken store").digest()
    heard, file = Heard(), tmp_path / "tables.db"
    with (
        listening(heard),
        pytest.MonkeyPatch.context() as patch,
        served(f"sqlite:///{file}", RandomPool()) as server,
    ):
        patch.setattr("industry.server.lobby.new_secret", lambda: secret)
        with sqlite3.connect(file) as connection:
            connection.execute("ALTER TABLE secrets RENAME TO gone")
        connection.close()
        wish = {"id": MAKE, "options": {"players": 3}, "seats": [{"kind": "human"}] * 3}
        heard.ask(server, "POST", "/api/tables", json=wish)
        heard.ask(server, "GET", "/metrics")
    assert '"store_unavailable"' in heard.texts[0]
    assert "commit_failed" in heard.log.getvalue()
    said = "\n".join(heard.texts) + heard.log.getvalue()
    assert not [form for form in forms(secret, game_of(file, 3)) if form in said]
