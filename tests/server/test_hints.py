"""Hints at tables that allow them: three steps, each in the log, computed beside the bots."""

import uuid
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from industry.server.entries import HintUsed, LogEntry, UnknownEntry, entry_of
from industry.server.permissions import allows_hints

from .playing import QUICK, Client, Json, RandomPool, Server, served
from .tables import Play

FEW = replace(QUICK, review_lines=2)


@pytest.fixture(scope="module")
def hinting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = f"sqlite:///{tmp_path_factory.mktemp('hints') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW) as server:
        yield server


def asked(server: Server, made: Json, client: Client, step: int, **more: object) -> httpx.Response:
    wish = {"id": uuid.uuid4().hex, "seat": client.actor(), "version": client.version, "step": step}
    token = made["seats"][0]["token"]
    path = f"/api/tables/{made['table']}/hints"
    return server.http("POST", path, token, json=wish | more)


def test_three_steps_lead_to_the_move_and_each_is_in_the_log(hinting: Server) -> None:
    made = hinting.make("human", "random", "random")
    with hinting.client(made, 1) as client:
        seat = client.until_mine()
        assert seat is not None
        legal = client.yours[seat]["legal"]
        worth, candidates, move = (asked(hinting, made, client, n).json() for n in (1, 2, 3))
        assert worth["worth"] and all(len(one["talers"]) == 3 for one in worth["worth"])
        lines = [one["line"] for one in candidates["candidates"]]
        assert 1 <= len(lines) <= 3
        assert set(lines) <= set(legal)
        assert move["move"]["line"] in lines
        assert move["move"]["text"]
        assert 0 <= move["win"] <= 1
        client.until_version(move["version"])
        assert client.view["seats"][seat - 1]["hints"] == 3
        assert client.actor() == seat
    noted = [entry for entry in hinting.log(made["table"]) if entry["kind"] == "hint_used"]
    assert [(entry["seat"], entry["step"]) for entry in noted] == [(seat, 1), (seat, 2), (seat, 3)]


def test_a_hint_is_told_in_the_language_of_the_player(hinting: Server) -> None:
    made = hinting.make("human", "random", "random")
    with hinting.client(made, 1) as client:
        client.until_mine()
        texts = {
            language: asked(hinting, made, client, 3, language=language).json()["move"]["text"]
            for language in ("en", "de", "fr")
        }
    assert len(set(texts.values())) == 3


def test_a_repeated_question_is_noted_once(hinting: Server) -> None:
    made = hinting.make("human", "random", "random")
    with hinting.client(made, 1) as client:
        client.until_mine()
        one, two = (asked(hinting, made, client, 1, id="again").json() for _ in range(2))
    assert one["worth"] == two["worth"]
    assert sum(entry["kind"] == "hint_used" for entry in hinting.log(made["table"])) == 1


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (("human", "human", "random"), {}),
        (("human", "random", "random"), {"hints": "off"}),
        (
            ("human", "random", "random"),
            {"edition": "industria", "rules": {"industria_hands": "closed"}},
        ),
    ],
)
def test_where_hints_are_off_there_are_none(
    hinting: Server, seats: tuple[str, ...], options: Json
) -> None:
    made = hinting.make(*seats, **options)
    with hinting.client(made, 1).ready() as client:
        assert client.view["hints"] is False
        answer = asked(hinting, made, client, 1, seat=1)
    assert (answer.status_code, answer.json()["code"]) == (409, "hints_off")
    assert not [entry for entry in hinting.log(made["table"]) if entry["kind"] == "hint_used"]


def test_people_may_agree_on_hints_but_never_where_a_game_is_rated() -> None:
    people = ("human", "human", "human")
    assert not allows_hints(Play(people).table)
    assert allows_hints(Play(people, hints="on").table)
    alone = Play(("human", "random", "random")).table
    assert allows_hints(alone)
    alone.options = alone.options.model_copy(update={"rated": True, "hints": "on"})
    assert not allows_hints(alone)
    alone.options = alone.options.model_copy(update={"rated": False, "daily": "2026-11-18"})
    assert not allows_hints(alone)


def test_only_the_seat_that_decides_gets_a_hint(hinting: Server) -> None:
    made = hinting.make("human", "human", "human", hints="on")
    with hinting.client(made, 1).ready() as client:
        mine = next(iter(client.yours))
        answer = asked(hinting, made, client, 1, seat=mine)
        other = asked(hinting, made, client, 1, seat=mine % 3 + 1)
    assert answer.status_code == (200 if client.actor() == mine else 409)
    assert other.json()["code"] == "not_your_seat"


def test_a_version_without_hints_skips_their_entries() -> None:
    text = LogEntry(7, 1, HintUsed(2, 3)).text()
    assert entry_of(text).what == HintUsed(2, 3)
    assert '"optional":true' in text
    assert isinstance(entry_of(text.replace("hint_used", "of_the_future")).what, UnknownEntry)
