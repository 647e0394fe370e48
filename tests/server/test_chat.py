"""The table's chat: short, slow, shown to all, never part of log or record."""

import pytest

from industry.server.chat import KEPT, MOST, Chat
from industry.server.protocol.base import MAX_CHAT
from industry.server.protocol.client import Say

from .playing import Client, Json, RandomPool, Server, served


def said(client: Client) -> Json:
    return client.until("said", "error")


def test_everyone_hears_it_and_latecomers_read_it_and_the_log_does_not(
    shared_server: Server,
) -> None:
    made = shared_server.make("human", "human", "human")
    before = shared_server.log(made["table"])
    with (
        shared_server.client(made, 1, 2, 3).ready() as one,
        shared_server.client(made).ready() as other,
    ):
        one.send(type="say", id="a", seat=1, text=" <b>Hello</b> ")
        for client in (one, other):
            line = said(client)
            assert (line["seat"], line["text"], line["emote"]) == (1, "<b>Hello</b>", None)
        one.send(type="say", id="b", seat=2, emote="well_played")
        assert said(other)["emote"] == "well_played"
        with shared_server.client(made).ready() as late:
            assert [said(late)["number"] for _ in range(2)] == [1, 2]
    assert shared_server.log(made["table"]) == before
    assert "Hello" not in shared_server.http("GET", f"/api/tables/{made['table']}/record").text


@pytest.mark.parametrize("text", ["", "   ", "a\nb", "\u202eabc", "x" * (MAX_CHAT + 1)])
def test_what_cannot_be_shown_on_one_line_is_refused(shared_server: Server, text: str) -> None:
    made = shared_server.make("human", "human", "human")
    with shared_server.client(made, 1).ready() as client:
        seat = next(iter(client.yours))
        client.send(type="say", id="a", seat=seat, text=text)
        assert said(client)["code"] == "bad_message"


def test_nobody_floods_the_table(shared_server: Server) -> None:
    made = shared_server.make("human", "human", "human")
    with shared_server.client(made, 1).ready() as client:
        seat = next(iter(client.yours))
        for number in range(MOST + 1):
            client.send(type="say", id=f"n{number}", seat=seat, text=f"line {number}")
        heard = [said(client) for _ in range(MOST + 1)]
    assert [line["type"] for line in heard] == ["said"] * MOST + ["error"]
    assert heard[-1]["code"] == "too_fast"
    assert KEPT >= MOST


def test_a_table_can_do_without(shared_server: Server) -> None:
    made = shared_server.make("human", "human", "human", chat=False)
    with shared_server.client(made, 1).ready() as client:
        client.send(type="say", id="a", seat=next(iter(client.yours)), text="Hello")
        assert said(client)["code"] == "chat_off"


def test_chat_reaches_people_at_other_processes(postgres_database: str) -> None:
    with (
        served(postgres_database, RandomPool()) as here,
        served(postgres_database, RandomPool()) as there,
    ):
        made = here.make("human", "human", "human")
        before = here.log(made["table"])
        with (
            here.client(made, 1).ready() as one,
            there.client(made, 2).ready() as other,
        ):
            for speaker, listener, text in (
                (one, other, "Hello"),
                (other, one, "Hi"),
                (one, other, "Ünïcödé 🏭"),
            ):
                seat = next(iter(speaker.yours))
                speaker.send(type="say", id=text[:2].encode().hex(), seat=seat, text=text)
                assert (said(speaker)["text"], said(listener)["text"]) == (text, text)
            with there.client(made).ready() as late:
                lines = [said(late) for _ in range(3)]
        assert [line["text"] for line in lines] == ["Hello", "Hi", "Ünïcödé 🏭"]
        numbers = [line["number"] for line in lines]
        assert numbers == sorted(set(numbers)), "clients show only lines with a higher number"
        assert here.log(made["table"]) == before


def test_lines_of_two_processes_never_share_a_number() -> None:
    """Both number on their own; clients drop a number that they have seen."""
    chat = Chat()
    own = chat.say(Say(id="a", seat=1, text="mine"), 0)
    late = chat.add(own | {"text": "theirs"})
    assert late["number"] > own["number"]
    ahead = chat.add(own | {"number": 9})
    assert (ahead["number"], chat.say(Say(id="b", seat=1, text="x"), 0)["number"]) == (9, 10)
