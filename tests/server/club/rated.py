"""Rated games for tests: played on a server, or put into its database."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, create_engine

from industry.server.ratings.anchors import Kind
from industry.server.ratings.counting import count_game
from industry.server.ratings.games import FinishedGame, FinishedSeat
from tests.support.waiting import wait_until

from ..playing import Client, Json, Server
from .members import Member

KIND = Kind("industry", 3, "live")
Result = TypeVar("Result")


def in_database(server: Server, work: Callable[[Connection], Result]) -> Result:
    """Runs work in the database of a server."""
    engine = create_engine(server.service.store.url)
    with engine.begin() as connection:
        found = work(connection)
    engine.dispose()
    return found


def game(
    table: str,
    people: Sequence[str | None],
    ranks: Sequence[int],
    *,
    bots: Sequence[str | None] = (None, None, None),
    ended: int = 0,
    left: Mapping[int, tuple[float, ...]] | None = None,
) -> FinishedGame:
    """A finished game of persons by their ids, and bots."""
    seats = tuple(
        FinishedSeat(
            person,
            bot,
            rank,
            1 / list(ranks).count(1) if rank == 1 else 0,
            (left or {}).get(number),
        )
        for number, (person, bot, rank) in enumerate(zip(people, bots, ranks, strict=True))
    )
    return FinishedGame(table, KIND, ended, seats)


def counted(server: Server, *games: FinishedGame) -> None:
    """Counts games one after the other."""
    for one in games:
        assert in_database(server, partial(count_game, game=one))


def play_rated(ana: Member, *others: str, **options: object) -> Json:
    """A rated game of somebody against bots, played to its end; waits until it is counted."""
    made = begin_rated(ana, *others, **options)
    play_on(ana, made)
    return rating_when_counted(ana, made["table"])


def begin_rated(ana: Member, *others: str, **options: object) -> Json:
    wanted = others or ("foreman", "engineer")
    return ana.open_table(*wanted, rated=True, undo="off", **options)


def play_on(ana: Member, made: Json) -> None:
    with Client(ana.server, made["table"], [made["seats"][0]["token"]]).ready() as client:
        while client.view["status"] == "running":
            seat = client.until_mine()
            if seat is None:
                break
            client.move(client.yours[seat]["legal"][0])


def rating_when_counted(ana: Member, table: str) -> Json:
    path = f"ratings/tables/{table}"
    wait_until(lambda: ana.get(path)["status"] == "counted", "the game was not counted")
    return ana.get(path)
