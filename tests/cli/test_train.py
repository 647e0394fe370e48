"""`industry train`: training that can be repeated, stopped and continued."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from industry.bots.features import WIDTH
from industry.bots.round_ends import net_size
from industry.bots.weights import weights_from
from industry.engine import ERAS

from .running import Outcome, run

SHORT = ("-p", "3", "--games", "60", "--trials", "60", "--compared", "6", "--processes", "1")


def train(out: Path, learns_from: str, generations: int, *more: str) -> Outcome:
    settings = ("--from", learns_from, "--generations", str(generations), "--out", out)
    return run("train", *SHORT, *settings, *more)


def learn_round_ends(out: Path, *more: str) -> Outcome:
    settings = ("--from", "judge", "--edition", "industria", "--games", "60", "--epochs", "2")
    return run("train", *settings, "-p", "3", "--processes", "1", "--out", out, *more)


@pytest.mark.proof
def test_values_are_learned_from_the_judge_and_the_same_seed_gives_the_same(tmp_path: Path) -> None:
    done = learn_round_ends(tmp_path / "one")
    assert done.code == 0
    assert "epoch 2: explains" in done.out
    assert (tmp_path / "one" / "curve.svg").read_text().startswith("<svg")
    with np.load(tmp_path / "one" / "values.npz") as kept:
        assert kept["rows"].shape == (ERAS, WIDTH)
        assert kept["net"].shape == (net_size(3),)
        facts = json.loads(str(kept["facts"]))
    assert (facts["edition"], facts["games"], facts["epochs"]) == ("industria", 60, 2)

    (tmp_path / "two").mkdir()  # goes on from the games that were made before a stop
    for name in ("course.json", "siblings-1-60.npz"):
        (tmp_path / "two" / name).write_bytes((tmp_path / "one" / name).read_bytes())
    made = (tmp_path / "two" / "siblings-1-60.npz").stat().st_mtime_ns
    assert learn_round_ends(tmp_path / "two").code == 0
    assert (tmp_path / "two" / "siblings-1-60.npz").stat().st_mtime_ns == made
    found = [(tmp_path / folder / "values.npz").read_bytes() for folder in ("one", "two")]
    assert found[0] == found[1]

    assert learn_round_ends(tmp_path / "two", "--epochs", "0").code == 0
    with np.load(tmp_path / "two" / "values.npz") as kept:
        assert len(kept["net"]) == 0


def test_the_siblings_of_another_course_are_not_mixed_in(tmp_path: Path) -> None:
    tmp_path.joinpath("course.json").write_text('{"edition": "industry"}')
    done = learn_round_ends(tmp_path)
    assert done.code == 1
    assert "belongs to another training run; choose another --out" in done.err


@pytest.mark.proof
def test_training_that_was_stopped_continues_as_if_it_had_not_been(tmp_path: Path) -> None:
    assert train(tmp_path / "whole", "points", 2).code == 0
    assert train(tmp_path / "parts", "points", 1).code == 0
    done = train(tmp_path / "parts", "points", 2)
    assert done.code == 0
    assert "generation 1:" not in done.out
    assert "generation 2: wins" in done.out
    for name in ("generation-1.json", "generation-2.json", "weights.json", "curve.svg"):
        assert (tmp_path / "parts" / name).read_text() == (tmp_path / "whole" / name).read_text()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one generation."""
    folder = tmp_path_factory.mktemp("first")
    assert train(folder, "victories", 1).code == 0
    return folder


@pytest.fixture
def trained(first: Path, tmp_path: Path) -> Path:
    """The same, yours to change."""
    return Path(shutil.copytree(first, tmp_path / "trained"))


def test_the_folder_has_weights_that_bots_can_read_and_says_how_they_came_about(
    trained: Path,
) -> None:
    text = (trained / "weights.json").read_text()
    weights_from(text)
    facts = json.loads(text)
    assert (facts["from"], facts["generation"], facts["trials"]) == ("victories", 1, 60)
    assert weights_from((trained / "generation-1.json").read_text()) != weights_from(text)

    before = (trained / "weights.json").stat().st_mtime_ns
    again = train(trained, "victories", 1)
    assert again.code == 0
    assert "Everything is done." in again.out
    assert (trained / "weights.json").stat().st_mtime_ns == before


def test_another_training_run_is_not_mixed_in(trained: Path) -> None:
    for other in (train(trained, "points", 2), train(trained, "victories", 2, "--seed", "b")):
        assert other.code == 1
        assert "belongs to another training run; choose another --out" in other.err


def test_training_without_trials_is_refused(tmp_path: Path) -> None:
    done = train(tmp_path, "victories", 1, "--trials", "0")
    assert done.code == 2
    assert "--trials" in done.err


def test_a_broken_checkpoint_is_named(tmp_path: Path) -> None:
    (tmp_path / "generation-1.json").write_text("{")
    done = train(tmp_path, "points", 2)
    assert done.code == 1
    assert "generation-1.json cannot be read" in done.err
