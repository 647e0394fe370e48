"""Bots answer at once if everyone at the table wants it."""

from pathlib import Path
from random import Random

from industry.boards import BoardSpec
from industry.notation import Record
from industry.server.bot_process import ChosenMove

from .playing import Client, RandomPool, Server, play_on, served


class Noting(RandomPool):
    """Remembers for each decision whether it was to be made briefly."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[bool] = []

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        self.asked.append(share == 0)
        return await super().choose(bot, record, board, seed, share)


def asked_while(noting: Noting, client: Client, moves: int = 4) -> set[bool]:
    noting.asked.clear()
    play_on(client, Random("hurry"), moves)
    client.until_mine()
    return set(noting.asked)


def wish(client: Client, on: bool) -> None:
    client.send(type="hurry", on=on)
    assert client.ask(type="ping")["type"] == "pong"


def test_bots_think_briefly_only_where_all_who_play_wish_it(tmp_path: Path) -> None:
    noting = Noting()
    with served(f"sqlite:///{tmp_path / 'tables.db'}", noting) as server:
        made = server.make("human", "random", "random", "random")
        with server.client(made, 1).ready() as client:
            assert asked_while(noting, client) == {False}
            wish(client, True)
            assert asked_while(noting, client) == {True}
            with server.client(made).ready() as watcher:
                wish(watcher, False)
                assert asked_while(noting, client) == {True}, "spectators do not matter"
            with server.client(made, 1).ready():
                assert asked_while(noting, client) == {False}, "the other window is in no hurry"
            wish(client, False)
            assert asked_while(noting, client) == {False}


def test_a_wish_for_haste_is_no_entry_of_the_log(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1).ready() as client:
        before = sqlite_server.log(made["table"])
        wish(client, True)
        assert sqlite_server.log(made["table"]) == before
