"""A person's level: from the reviews of their games, and only from ten games on."""

import asyncio
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, insert, select

from industry.judge import level as judge
from industry.server.club.own_data import Sitting
from industry.server.reviews import levels
from industry.server.reviews.levels import SeatLosses, losses_of
from industry.server.store import schema
from industry.server.store.club_schema import person_seats
from industry.server.store.schema import game_losses
from tests.support.waiting import wait_until

from ..playing import QUICK, WIDE, Client, Json, RandomPool, Server, served
from ..playing import play_on as play
from .members import Member
from .rated import in_database

FEW = replace(QUICK, review_lines=2)


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A club whose reviews take few lines."""
    database = f"sqlite:///{tmp_path_factory.mktemp('levels') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW, persons="open") as server:
        yield server


def somebody(server: Server) -> Member:
    return Member(server, f"Ana {uuid.uuid4().hex[:8]}")


def finished_game(ana: Member, **options: Any) -> str:
    """A finished game of a person against bots."""
    made = ana.open_table("random", "random", seating="as_joined", **options)
    token = ana.tables()[made["table"]]["token"]
    with Client(ana.server, made["table"], [token]) as client:
        play(client.ready(), Random(1))
    return str(made["table"])


def level_of(asking: Member, person: Json) -> Json:
    return asking.get(f"persons/{person['id']}/level")


def repeat(connection: Connection, ana: Json, table: str, times: int) -> list[str]:
    """Copies the row of a finished game in the lists, with the person's seat there."""
    tables = schema.tables
    row = dict(connection.execute(select(tables).where(tables.c.id == table)).one()._mapping)
    own = select(person_seats).where(person_seats.c.table_id == table)
    seat = dict(connection.execute(own.where(person_seats.c.person == ana["id"])).one()._mapping)
    names = [f"{number:012}" for number in range(times)]
    for name in names:
        connection.execute(insert(tables).values(row | {"id": name}))
        connection.execute(insert(person_seats).values(seat | {"table_id": name}))
    return names


def lost(table: str, number: int) -> Json:
    losses = {"lines": 128, "values": "test", "loss": number / 1000, "decisions": 20}
    return {"table_id": table, "seat": 1, "kind": "industry 3", **losses}


def test_ten_games_are_as_many_as_the_judge_wants() -> None:
    assert levels.LEAST == judge.LEAST_GAMES


def test_a_review_of_a_table_counts_for_its_person_and_a_level_needs_ten(
    reviewing: Server,
) -> None:
    ana, eve = somebody(reviewing), Member(reviewing)
    assert level_of(eve, ana.me) == {"games": 0, "least": 10, "level": None, "told": {}}
    table = finished_game(ana)
    review = reviewing.post("/api/reviews", table=table)["id"]
    wait_until(lambda: reviewing.get(f"/api/reviews/{review}")["status"] == "done", "no review")
    assert level_of(eve, ana.me) == {"games": 1, "least": 10, "level": None, "told": {}}
    found = reviewing.get(f"/api/reviews/{review}")["found"]["review"]
    expected = [judge.losses_of(found, seat) for seat in (1, 2, 3)]

    def stored(connection: Connection) -> list[Any]:
        query = select(game_losses).where(game_losses.c.table_id == table)
        return list(connection.execute(query.order_by(game_losses.c.seat)))

    rows = in_database(reviewing, stored)
    assert [(row.seat, row.loss, row.decisions) for row in rows] == [
        (seat, one.loss, one.decisions) for seat, one in enumerate(expected, start=1)
    ]
    names = in_database(reviewing, lambda c: repeat(c, ana.me, table, 9))
    more = [dict(rows[0]._mapping) | {"table_id": name} for name in names]
    in_database(reviewing, lambda c: c.execute(insert(game_losses), more))
    told = level_of(eve, ana.me)
    assert told["games"] == told["level"]["games"] == 10
    assert told["level"]["mean"] == pytest.approx(1000 * expected[0].loss / expected[0].decisions)
    for language in ("en", "de", "fr"):
        assert told["told"][language].count("{player}") == 1
    assert reviewing.http("GET", "/api/persons/aaaaaaaaaaaa/level").json()["code"] == "not_found"


def test_reviews_that_nobody_opens_are_deleted_and_the_level_stays(reviewing: Server) -> None:
    ana = somebody(reviewing)
    table = finished_game(ana)
    in_database(reviewing, lambda c: c.execute(insert(game_losses).values(lost(table, 3))))
    in_database(reviewing, lambda c: c.execute(schema.reviews.delete()))
    assert level_of(ana, ana.me)["games"] == 1


def test_a_deleted_table_takes_its_losses_along(reviewing: Server) -> None:
    ana = somebody(reviewing)
    table = finished_game(ana)
    in_database(reviewing, lambda c: c.execute(insert(game_losses).values(lost(table, 3))))
    removed = reviewing.service.remove(table)
    asyncio.run_coroutine_threadsafe(removed, reviewing.loop).result(60)
    query = select(game_losses).where(game_losses.c.table_id == table)
    assert in_database(reviewing, lambda c: c.execute(query).all()) == []
    assert level_of(ana, ana.me)["games"] == 0


def test_the_level_of_a_deleted_person_is_gone(reviewing: Server) -> None:
    ana, eve = somebody(reviewing), Member(reviewing)
    table = finished_game(ana)
    in_database(reviewing, lambda c: c.execute(insert(game_losses).values(lost(table, 3))))
    assert ana.ask("DELETE", "me").is_success
    assert eve.code("GET", f"persons/{ana.me['id']}/level") == "not_found"


def test_an_address_asks_for_a_limited_number_of_levels(tmp_path: Path) -> None:
    limits = replace(WIDE, address_replays=2)
    database = f"sqlite:///{tmp_path / 'x.db'}"
    with served(database, RandomPool(), persons="open", limits=limits) as server:
        ana = somebody(server)
        path = f"persons/{ana.me['id']}/level"
        assert [ana.ask("GET", path).status_code for _ in range(3)] == [200, 200, 429]


# The club's page


def test_the_best_reviewed_game_of_the_week_is_compared_with_its_kind(tmp_path: Path) -> None:
    """Three games: the middle one lost more than the last, but little for its kind."""
    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), persons="open") as server:
        ana = somebody(server)
        assert ana.get("clubhouse")["best"] is None
        played = [finished_game(ana, listed=number > 0) for number in range(4)]
        assert ana.get("clubhouse")["best"] is None  # none is reviewed
        rows = [
            lost(played[0], 1),  # private
            lost(played[1], 100),
            lost(played[2], 40) | {"kind": "industria 3"},
            lost(played[2], 900) | {"kind": "industria 3", "seat": 2},
            lost(played[3], 30),
        ]
        in_database(server, lambda c: c.execute(insert(game_losses), rows))
        found = ana.get("clubhouse")["best"]
        assert found["table"] == played[2]
        assert ana.me["name"] in found["names"]


# Which games count


def sitting(number: int, **more: Any) -> Sitting:
    seats = [{"absent": more.pop("absent", False)}, {"absent": True}, {"absent": False}]
    summary = {"status": "over", "places": [1, 2, 3], "seats": seats, "options": {}, **more}
    return Sitting(f"{number:012}", 1, "Player x", summary)


def counted(sittings: list[Sitting], rows: list[Json]) -> list[SeatLosses]:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        schema.metadata.create_all(connection, tables=[game_losses])
        connection.execute(insert(game_losses), rows)
        return losses_of(connection, sittings)


def test_branches_unfinished_games_and_games_that_were_left_do_not_count() -> None:
    sittings = [
        sitting(0),
        sitting(1, options={"what_if": True}),
        sitting(2, status="running"),
        sitting(3, absent=True),
    ]
    found = counted(sittings, [lost(f"{n:012}", n + 1) for n in range(4)])
    assert [one.loss for one in found] == [0.001]


def test_only_the_newest_version_of_the_judge_counts_at_each_kind_of_table() -> None:
    rows = [lost(f"{n:012}", n) for n in range(5)]
    rows[1]["values"] = rows[3]["values"] = "older"
    rows[2] |= {"kind": "industria 4", "values": "older"}
    found = counted([sitting(n) for n in range(5)], rows)
    assert [one.loss for one in found] == [0, 0.002, 0.004]


def test_at_most_the_newest_fifty_games_count() -> None:
    rows = [lost(f"{n:012}", n) for n in range(60)]
    found = counted([sitting(n) for n in range(60)], rows)
    assert len(found) == 50
    assert mean(one.loss for one in found) == pytest.approx(0.0245)


def test_nothing_about_a_person_is_kept_with_losses() -> None:
    assert {column.name for column in game_losses.columns} == {
        *("table_id", "seat", "kind", "lines", "values", "loss", "decisions"),
    }
