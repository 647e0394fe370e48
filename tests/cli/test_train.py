"""`industry train`: training that can be repeated, stopped and continued."""

import json
import shutil
from pathlib import Path

import pytest

from industry.bots.weights import weights_from

from .running import Outcome, run

SHORT = ("-p", "3", "--games", "60", "--trials", "60", "--compared", "6", "--processes", "1")


def train(out: Path, learns_from: str, generations: int, *more: str) -> Outcome:
    settings = ("--from", learns_from, "--generations", str(generations), "--out", out)
    return run("train", *SHORT, *settings, *more)


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
