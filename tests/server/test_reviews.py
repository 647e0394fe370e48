"""Reviews on the server: one job per game and version, computed beside the bots, never lost."""

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

from industry.judge import DEFAULT_LINES
from industry.judge.level import level_of, losses_of
from industry.judge.review import assemble, review_items
from industry.judge.words import level_text
from industry.notation import record_from_toml
from industry.server.child_process import ChildProcess
from industry.server.reviews import jobs as stored_jobs
from industry.server.reviews.jobs import Jobs, review_id
from industry.server.reviews.process import SEED
from industry.server.reviews.workers import NoAnswer, ReviewWorkers, review_process
from industry.server.store import Store, schema
from industry.server.tuning import Tuning, wall_clock
from tests.notation.samples import board, finished, record, running
from tests.support.waiting import wait_until

from .playing import QUICK, WIDE, Json, RandomPool, Server, served
from .test_seats import over

LINES = 2
FEW = replace(QUICK, review_lines=LINES)
GAME = finished("industria", 3)


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = f"sqlite:///{tmp_path_factory.mktemp('reviews') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW) as server:
        yield server


def begun(server: Server, **wish: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/reviews", json=wish, timeout=120)


def looked(server: Server, review: str) -> Json:
    found: Json = httpx.get(f"{server.url}/api/reviews/{review}", timeout=120).json()
    return found


def whole(server: Server, review: str) -> Json:
    wait_until(lambda: looked(server, review)["status"] == "done", "the review is not whole")
    return looked(server, review)


def of_record(server: Server) -> str:
    name = begun(server, record=record(GAME).to_toml()).json()["id"]
    return str(name)


def test_the_server_takes_as_many_lines_as_the_command() -> None:
    assert Tuning().review_lines == DEFAULT_LINES


def test_a_record_is_reviewed_as_the_command_reviews_it(reviewing: Server) -> None:
    found = whole(reviewing, of_record(reviewing))
    game, place = record(GAME), board("industria")
    items = review_items(place, game, 0, len(game.moves) + 1, LINES, SEED)
    expected = assemble(place, game, items, LINES, SEED)
    assert found["found"]["review"] == json.loads(json.dumps(expected))
    assert found["done"] == found["total"] == len(game.moves) + 1
    costly = [one for one in expected["decisions"] if one["loss"] > 0]
    for language in ("en", "de", "fr"):
        told = found["found"]["told"][language]
        assert {str(one["move"]) for one in costly[:200]} == set(told)


def test_the_first_picture_has_chances_that_sum_to_one_and_ends_with_the_result(
    reviewing: Server,
) -> None:
    found = whole(reviewing, of_record(reviewing))
    chances = found["sketch"]["chances"]
    assert chances[0]["move"] == 0
    assert all(abs(sum(one["win"]) - 1) < 1e-9 for one in chances)
    result = [seat["result"] for seat in found["found"]["review"]["seats"]]
    assert chances[-1] == {"move": len(GAME["moves"]), "win": result}


def test_there_is_one_review_per_game_and_version(
    reviewing: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = of_record(reviewing)
    assert of_record(reviewing) == first
    game, place = record(GAME), board("industria")
    assert first == review_id(game, place, LINES)
    monkeypatch.setattr(stored_jobs, "VERSION", "another one")
    assert review_id(game, place, LINES) != first


def test_a_finished_table_is_reviewed_and_its_review_goes_with_it(reviewing: Server) -> None:
    made, _ = over(reviewing)
    table = made["table"]
    review = begun(reviewing, table=table).json()["id"]
    wait_until(lambda: looked(reviewing, review)["sketch"] is not None, "there is no picture")
    text = reviewing.http("GET", f"/api/tables/{table}/record").text
    assert begun(reviewing, record=record_from_toml(text).to_toml()).json()["id"] == review
    asyncio.run_coroutine_threadsafe(reviewing.service.remove(table), reviewing.loop).result(60)
    assert looked(reviewing, review)["code"] == "not_found"


def test_what_cannot_be_reviewed_is_refused_with_a_sentence(reviewing: Server) -> None:
    unfinished = begun(reviewing, record=record(running()).to_toml(), language="de")
    assert unfinished.status_code == 422
    assert "nur auf beendete Partien" in unfinished.json()["detail"]
    damaged = finished()
    damaged["moves"][3] = "1 bid 99"
    assert begun(reviewing, record=json.dumps(damaged)).json()["code"] == "bad_record"
    foreign = finished() | {"board_hash": f"sha256:{'0' * 64}"}
    assert begun(reviewing, record=json.dumps(foreign)).json()["code"] == "unknown_board"
    running_table = reviewing.make("human", "human", "human")["table"]
    assert begun(reviewing, table=running_table).json()["code"] == "not_over"
    assert begun(reviewing).json()["code"] == "bad_message"
    assert looked(reviewing, "0" * 32)["code"] == "not_found"


def test_better_moves_can_be_tried_and_the_best_one_counts(reviewing: Server) -> None:
    review = of_record(reviewing)
    decisions = whole(reviewing, review)["found"]["review"]["decisions"]
    worst = max(decisions, key=lambda one: one["loss"])
    path = f"{reviewing.url}/api/reviews/{review}"
    asked = httpx.get(f"{path}/moves?move={worst['move']}&language=fr", timeout=120)
    lines = [one["line"] for one in asked.json()["moves"]]
    assert {worst["line"], worst["best"]} <= set(lines)

    def tried(line: str) -> Json:
        wish = {"move": worst["move"], "line": line}
        answer: Json = httpx.post(f"{path}/try", json=wish, timeout=120).json()
        return answer

    played = tried(worst["line"])
    assert played["loss"] == pytest.approx(worst["loss"])
    assert not played["good"]
    assert tried("1 bid 99")["code"] == "bad_line"
    draws = [number for number, line in enumerate(GAME["moves"]) if line.startswith("draw")]
    asked = httpx.get(f"{path}/moves?move={draws[1]}", timeout=120)
    assert asked.json()["code"] == "not_found"


def test_a_whole_review_can_be_taken_along_as_one_file(reviewing: Server) -> None:
    review = of_record(reviewing)
    whole(reviewing, review)
    answer = httpx.get(f"{reviewing.url}/api/reviews/{review}/page?language=de", timeout=120)
    assert answer.headers["content-disposition"].startswith("attachment")
    assert '<html lang="de">' in answer.text
    assert "http" not in answer.text.replace("http://www.w3.org", "")


def test_a_level_is_that_of_the_reviews_that_are_whole(reviewing: Server) -> None:
    review = of_record(reviewing)
    found = whole(reviewing, review)["found"]["review"]
    asked = {"games": [{"review": review, "seat": seat} for seat in (1, 3)]}
    answer = httpx.post(f"{reviewing.url}/api/reviews/level", json=asked, timeout=120).json()
    expected = level_of([losses_of(found, seat) for seat in (1, 3)])
    assert answer["whole"] == 2
    assert answer["level"] == json.loads(json.dumps(expected.data()))
    assert answer["told"]["de"] == level_text("{player}", expected, "de")
    none = httpx.post(f"{reviewing.url}/api/reviews/level", json={"games": []}, timeout=120)
    assert none.json() == {"whole": 0, "level": None, "told": {}}
    for game in ({"review": review, "seat": 4}, {"review": "0" * 32, "seat": 1}):
        wish = {"games": [game]}
        answer = httpx.post(f"{reviewing.url}/api/reviews/level", json=wish, timeout=120).json()
        assert answer["code"] == "not_found"


def test_only_new_games_count_against_the_limit(tmp_path: Path) -> None:
    limits = replace(WIDE, address_reviews=1)
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW, limits=limits) as server:
        first = of_record(server)
        assert of_record(server) == first
        other = begun(server, record=json.dumps(finished("industria", 4)))
        assert other.status_code == 429
        assert other.json()["code"] == "too_fast"


def test_a_restarted_server_goes_on_with_the_pieces_that_are_there(tmp_path: Path) -> None:
    """A server that was killed leaves its job leased; nobody computes its pieces again."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    game, place = record(GAME), board("industria")
    name = review_id(game, place, LINES)
    marked = review_items(place, game, 0, 12, LINES, SEED)
    marked[0]["after"] = [0.5, 0.25, 0.25]

    async def leave_behind() -> None:
        from industry.server.reviews.process import packed

        store = Store(database)
        await store.start()
        jobs = Jobs(store)
        then = wall_clock() - 10_000
        await jobs.add(name, game, LINES, None, now=then)
        taken = await jobs.take(then, then + 2000)
        assert taken is not None
        assert taken.id == name
        assert await jobs.take(then + 1000, then + 9000) is None, "it is leased"
        await jobs.keep(name, {0: packed(marked)}, then + 3000)
        await store.stop()

    asyncio.run(leave_behind())
    with served(database, RandomPool(), tuning=FEW) as server:
        found = whole(server, name)
    assert [seat["start"] for seat in found["found"]["review"]["seats"]] == [0.5, 0.25, 0.25]


def test_two_processes_never_take_the_same_job(postgres_database: str) -> None:
    """Each transaction skips what another one has locked, instead of waiting for it."""

    async def both() -> None:
        stores = [Store(postgres_database), Store(postgres_database)]
        for store in stores:
            await store.start()
        games = [record(finished("industria", players)) for players in (3, 4)]
        jobs = [Jobs(store) for store in stores]
        for number, game in enumerate(games):
            name = review_id(game, board("industria"), LINES)
            await jobs[0].add(name, game, LINES, None, number)
        first = update(schema.reviews).where(schema.reviews.c.created == 0).values(tries=0)
        held, free = asyncio.Event(), asyncio.Event()
        access = stores[0]._access
        async with access._engine.begin() as connection:  # type: ignore[attr-defined]
            await connection.execute(first)
            held.set()
            taken = await asyncio.wait_for(jobs[1].take(10, 20), 30)
            free.set()
        assert taken is not None
        assert len(taken.record.players) == 4
        rest = await jobs[1].take(10, 20)
        assert rest is not None
        assert len(rest.record.players) == 3
        assert await jobs[0].take(10, 20) is None
        for store in stores:
            await store.stop()

    asyncio.run(both())


def test_reviews_have_the_lowest_priority_so_that_no_bot_waits_for_them() -> None:
    process = review_process(Tuning().review_niceness)
    try:
        wait_until(
            lambda: os.getpriority(os.PRIO_PROCESS, process.process.pid or 0) == 19,
            "the process has not given way",
        )
    finally:
        process.end()


def test_a_killed_process_is_replaced_and_the_review_still_comes(tmp_path: Path) -> None:
    started: list[ChildProcess] = []

    def start() -> ChildProcess:
        started.append(review_process(0))
        return started[-1]

    async def killed() -> None:
        workers = ReviewWorkers(start, 1)
        game, place = record(GAME), board("industria")
        await workers.ask("sketch", place, game, urgent=True)
        started[0].process.kill()
        with pytest.raises(NoAnswer):
            await workers.ask("piece", place, game, 0, 3, LINES)
        await workers.ask("piece", place, game, 0, 3, LINES)
        assert len(started) == 2
        await workers.stop()

    asyncio.run(killed())


def test_a_review_that_fails_again_and_again_is_given_up_and_can_be_asked_for_again(
    tmp_path: Path,
) -> None:
    async def failing() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        await store.start()
        jobs, game = Jobs(store), record(GAME)
        await jobs.add("a" * 32, game, LINES, None, 0)
        for _ in range(stored_jobs.TRIES):
            job = await jobs.take(10, 10)
            assert job is not None
            assert job.is_due
        given_up = await jobs.take(10, 10)
        assert given_up is not None
        assert given_up.status == "failed"
        assert await jobs.take(10, 10) is None
        await jobs.again("a" * 32, 10)
        again = await jobs.take(10, 20)
        assert again is not None
        assert again.is_due
        await store.stop()

    asyncio.run(failing())


def test_reviews_that_nobody_opens_are_deleted(tmp_path: Path) -> None:
    async def swept() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        await store.start()
        jobs, game = Jobs(store), record(GAME)
        await jobs.add("a" * 32, game, LINES, None, 0)
        await jobs.keep("a" * 32, {0: b"x"}, 0)
        await jobs.sweep(stored_jobs.UNUSED - 1)
        assert await jobs.find("a" * 32, 0) is not None
        await jobs.sweep(stored_jobs.UNUSED + 1)
        assert await jobs.find("a" * 32, 0) is None
        assert await jobs.pieces("a" * 32) == {}
        await store.stop()

    asyncio.run(swept())


def test_what_a_person_waits_for_comes_before_the_parts_of_jobs() -> None:
    async def queued() -> list[str]:
        workers, order = ReviewWorkers(partial(review_process, 0), 1), []

        async def one(name: str, urgent: bool) -> None:
            await workers._turn(workers._urgent if urgent else workers._patient)
            order.append(name)
            workers._open += 1
            workers._hand_out()

        workers._open = 0
        waiting = [
            asyncio.create_task(one("job", urgent=False)),
            asyncio.create_task(one("person", urgent=True)),
        ]
        await asyncio.sleep(0)
        workers._open = 1
        workers._hand_out()
        await asyncio.gather(*waiting)
        return order

    assert asyncio.run(queued()) == ["person", "job"]
