"""Persons on several processes that share a database: a name is the same in all of them."""

from ..playing import RandomPool, served
from .members import Member


def test_who_sits_down_in_one_process_is_named_in_the_other(postgres_database: str) -> None:
    with (
        served(postgres_database, RandomPool(), persons="open") as one,
        served(postgres_database, RandomPool(), persons="open") as other,
    ):
        made = one.make("human", "open", "open")
        with other.client(made).ready() as watcher:
            Member(one, "Ana").sit(made["table"])
            while watcher.view["seats"][1]["kind"] == "open":
                watcher.receive()
            assert watcher.view["seats"][1]["name"] == "Ana"
            assert watcher.entries[-1]["name"] == "Ana"


def test_a_new_name_and_a_session_hold_in_every_process(postgres_database: str) -> None:
    with (
        served(postgres_database, RandomPool(), persons="open") as one,
        served(postgres_database, RandomPool(), persons="open") as other,
    ):
        ana = Member(one, "Ana")
        made = ana.open_table("open", "open")
        with other.client(made).ready() as watcher:
            assert watcher.view["seats"][0]["name"] == "Ana"
            ana.post("me/name", name="Anna")
            assert watcher.closed_with() == 1012
        with other.client(made).ready() as watcher:
            assert watcher.view["seats"][0]["name"] == "Anna"
        ana.server = other
        assert list(ana.tables()) == [made["table"]]
        assert ana.ask("DELETE", "me").status_code == 204
        ana.server = one
        assert ana.code("GET", "me/tables") == "not_signed_in"
        assert one.get(f"/api/tables/{made['table']}")["seats"][0]["name"] != "Anna"
