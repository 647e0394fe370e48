"""A Dask cluster: the same results as one machine, and no worker is indispensable."""

import os
import shutil
import signal
import socket
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from industry.arena import Batch, Plan, cluster, reviews, simulate
from industry.arena.cluster import Cluster, ClusterError, Piece, connected
from industry.arena.provenance import provenance
from industry.arena.schedule import read_entrants
from industry.arena.tournament import play_deals
from industry.arena.train import VICTORIES, TrainingPlan, complete, train
from industry.boards import load_board
from industry.judge.review import review
from industry.notation import complete_options
from tests.judge.games import finished_game
from tests.support import proof
from tests.support.ports import free_port
from tests.support.waiting import wait_until

from .clusters import RealCluster, real_cluster
from .plans import tournament
from .test_game_pool import told

WORKERS = proof.amount(2, 3)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Iterator[RealCluster]:
    """One cluster for all tests; its workers know the foreign package of bots."""
    with real_cluster(tmp_path_factory.mktemp("cluster")) as found:
        for _ in range(WORKERS):
            found.add_worker(environment={"PYTHONPATH": str(package)})
        yield found


def plan(games: int) -> Plan:
    """Games of bots, which come in small pieces whatever is compiled already."""
    options = complete_options("industry", {})
    bots = read_entrants(["random"] * 3, 0.02)
    return Plan(load_board("industry"), 3, options, "cluster", games, record=True, bots=bots)


def written(batch: Batch) -> list[str]:
    return [record.to_json() for record in batch.records]


def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost_or_counted_twice(
    running: RealCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games are under way everywhere when one of the workers is killed."""
    monkeypatch.setattr(cluster, "CHECK", 0.1)
    said: list[str] = []
    found: list[str] = []
    with connected(str(running.file)) as there:
        wait_until(lambda: there.size == WORKERS)
        there.report = said.append
        for batch in simulate(plan(60), cluster=there):
            found += written(batch)
            if len(found) == 20:
                os.kill(pids(there)[0], signal.SIGKILL)
                wait_until(lambda: there.size < WORKERS)
        wait_until(lambda: there.size == WORKERS)
    fewer = f"on {WORKERS - 1} workers" if WORKERS > 2 else "on 1 worker"
    assert said[:2] == [fewer, f"on {WORKERS} workers"]
    assert found == [line for batch in simulate(plan(60), processes=1) for line in written(batch)]
    assert len(set(found)) == 60


def test_pieces_that_a_scheduler_cancels_are_submitted_again(
    running: RealCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler may do that when it loses a worker."""
    pieces: list[Piece] = []
    found: list[str] = []
    with connected(str(running.file)) as there:
        submit = there._submit

        def noted(*job: Any, **where: Any) -> Piece:
            pieces.append(submit(*job, **where))
            return pieces[-1]

        monkeypatch.setattr(there, "_submit", noted)
        for number, batch in enumerate(simulate(plan(60), cluster=there)):
            found += written(batch)
            if number == 1:
                there._client.cancel([piece.future for piece in pieces])
    assert any(piece.submissions > 1 for piece in pieces)
    assert found == [line for batch in simulate(plan(60), processes=1) for line in written(batch)]


@pytest.mark.proof
def test_a_review_on_a_cluster_is_the_same_as_on_one_machine(
    running: RealCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished_game("industria", 3)
    monkeypatch.setattr(reviews, "journal_path", lambda *_: tmp_path / "review.jsonl")
    with connected(str(running.file)) as there:
        found = reviews.run_review(game.board, game.record(), 2, 3, there)
    assert found == review(game.board, game.record(), lines=2, seed=3)


def pids(there: Cluster) -> list[int]:
    """Of the processes that work."""
    return list(there._client.run(os.getpid).values())


def test_a_tournament_has_the_same_games_on_a_cluster(running: RealCluster) -> None:
    there_and_here = []
    with connected(str(running.file)) as there:
        for executor in (there, None):
            deals = play_deals(tournament("random", "random", players=3), 3, 1, cluster=executor)
            there_and_here.append([told(game) for deal in deals for game in deal])
    assert len(there_and_here[0]) == 18
    assert there_and_here[0] == there_and_here[1]


@pytest.mark.proof
@pytest.mark.usefixtures("foreign")
def test_a_bot_that_hangs_on_a_cluster_loses_its_game_and_the_tournament_ends(
    running: RealCluster,
) -> None:
    """On the first seat it never answers; on the others it plays."""
    with connected(str(running.file)) as there:
        plan = tournament("hangs", "builder", "first", players=3, ms=1)
        deals = list(play_deals(plan, 2, cluster=there))
    assert [len(deal) for deal in deals] == [6, 6]
    for outcome in (game for deal in deals for game in deal):
        if outcome.seating.seats[0] != 0:
            assert outcome.fault is None
            continue
        assert outcome.fault is not None
        assert (outcome.fault.bot, outcome.fault.kind) == ("hangs", "hang")
        assert outcome.ranks[0] == 3


@pytest.mark.proof
def test_training_learns_the_same_weights_on_a_cluster() -> None:
    """Two pieces of work for two workers of a cluster that is started for it."""
    course = TrainingPlan(load_board("industry"), 3, VICTORIES, 1, 61, 61, 6, "cluster")
    with connected("local", 2) as there:
        (distributed,) = train(course, [], executor=there)
        finished = complete(course, distributed, executor=there)
    (single,) = train(course, [], processes=1)
    assert np.array_equal(distributed.weights, single.weights)
    assert distributed.win_share == single.win_share
    assert np.array_equal(finished, complete(course, single, processes=1))


def test_errors_of_the_work_itself_are_reported_unchanged(running: RealCluster) -> None:
    def too_late() -> None:
        raise TimeoutError("of the work")

    with connected(str(running.file)) as there:
        with pytest.raises(ZeroDivisionError):
            list(there.map(divmod, [(4, 2), (1, 0)]))
        with pytest.raises(TimeoutError, match="of the work"):
            list(there.map(too_late, [()]))
        assert list(there.map(divmod, [(7, 2), (9, 3)])) == [(3, 1), (3, 0)]


@pytest.mark.proof
def test_a_scheduler_that_dies_ends_the_work_with_a_sentence(tmp_path: Path) -> None:
    with real_cluster(tmp_path, 1) as dying, connected(str(dying.file)) as there:
        working = there.map(divmod, ((number, 7) for number in range(10_000)))
        assert next(working) == (0, 0)
        os.kill(dying.processes[0].pid, signal.SIGKILL)
        with pytest.raises(ClusterError, match=r"the cluster at tcp://.* is gone"):
            list(working)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("tcp://127.0.0.1:{closed}", "cannot be reached: Connection refused"),
        ("127.0.0.1:{silent}", "nothing there answers like a scheduler"),
        ("missing.json", "cannot be reached: No such file"),
        ("somewhere", "is not the address of a cluster"),
        ("gopher://host:70", "is not the address of a cluster"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_reported_at_once(
    address: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "REACH", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        wanted = address.format(closed=free_port(), silent=silent.getsockname()[1])
        with pytest.raises(ClusterError, match=sentence), connected(wanted):
            pass


def test_a_file_that_is_not_a_scheduler_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ClusterError, match="is not a scheduler file"), connected(str(path)):
        pass


def test_a_scheduler_file_that_is_not_complete_yet_is_waited_for(
    running: RealCluster, tmp_path: Path
) -> None:
    """Schedulers write their files in place, so that one can be found empty."""
    path = tmp_path / "scheduler.json"
    path.write_text("", encoding="utf-8")
    later = threading.Timer(0.3, shutil.copy, (running.file, path))
    later.start()
    with connected(str(path)) as there:
        assert list(there.map(divmod, [(4, 2)])) == [(2, 0)]
    later.join()


@pytest.mark.proof
def test_game_pool_without_the_package_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First there is no worker, then one whose Python finds dask but not this program."""
    monkeypatch.setattr(cluster, "FIRST_WORKER", 0.5)
    with real_cluster(tmp_path) as running:
        with (
            pytest.raises(ClusterError, match="has no workers; start one with: dask worker"),
            connected(str(running.file)),
        ):
            pass
        packages = sysconfig.get_path("purelib")
        running.add_worker("-S", environment={"PYTHONPATH": packages})
        monkeypatch.setattr(cluster, "FIRST_WORKER", 60.0)
        with (
            pytest.raises(ClusterError, match=r"worker tcp://.* does not have the package"),
            connected(str(running.file)),
        ):
            pass


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("version", "0.0.1", "has industry 0.0.1, and here it is"),
        ("digest", "0", "with other sources than here"),
        ("python", "3.99", "runs Python 3.99"),
    ],
)
def test_another_program_on_a_worker_is_reported(key: str, value: str, sentence: str) -> None:
    here = provenance()
    assert here.fault(here.data()) is None
    fault = here.fault(here.data() | {key: value})
    assert fault is not None and sentence in fault


def test_a_worker_with_another_program_refuses_a_piece_of_work() -> None:
    other = provenance().data() | {"version": "0.0.1"}
    sender = type(provenance())(**other)
    with pytest.raises(ClusterError, match=r"and here it is 0\.0\.1"):
        cluster.run(sender, divmod, (1, 1))
