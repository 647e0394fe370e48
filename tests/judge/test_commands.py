"""`industry judge` and `industry review` on the command line: output, bad input, resuming."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from industry.arena import executor, reviews
from industry.arena.executor import InProcess
from industry.arena.reviews import journal_path, run_review
from industry.cli.app import STOPPED, cli
from industry.judge.review import Item

from .games import begun, finished_game


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    path = tmp_path / "game.toml"
    path.write_text(finished_game("industria", 3).record().to_toml(), encoding="utf-8")
    return path


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Journals of their own; machine code stays where it is."""
    root = tmp_path / "cache"
    real = journal_path
    monkeypatch.setattr(reviews, "journal_path", lambda *args: root / "reviews" / real(*args).name)
    return root


def test_judge_prints_the_json_that_is_promised(finished: Path) -> None:
    done = run("judge", finished, "--at", "150", "--lines", "4", "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert set(data) == {"lines", "seed", "exact", "seats", "moves"}
    assert set(data["seats"][0]) == {"win", "win_se", "points", "points_se"}
    assert data["lines"] == 4 and data["seed"] == 1
    for move in data["moves"]:
        assert set(move) == {"line", "win", "win_se", "loss", "loss_se"}


def test_judge_prints_a_table(finished: Path) -> None:
    done = run("judge", finished, "--at", "1", "--lines", "4", "--language", "de")
    assert done.exit_code == 0, done.output
    assert "Siegchance" in done.stdout or "Sieg" in done.stdout
    assert "Player 2 (2)" in done.stdout and "offer" in done.stdout


@pytest.mark.parametrize("command", ["judge", "review"])
def test_zero_lines_are_refused_with_a_sentence(command: str, finished: Path) -> None:
    done = run(command, finished, "--lines", "0")
    assert done.exit_code == 1
    assert "the number of lines must be from 2" in done.output


def test_an_unfinished_game_is_refused_with_a_sentence(tmp_path: Path) -> None:
    game = begun("industry", 4, 1)
    game.draw()
    path = tmp_path / "running.toml"
    path.write_text(game.record().to_toml(), encoding="utf-8")
    done = run("review", path, "--lines", "2")
    assert done.exit_code == 1
    assert "only a finished game can be reviewed" in done.output


@pytest.mark.parametrize("command", ["judge", "review"])
def test_foreign_and_damaged_records_are_refused_with_a_sentence(
    command: str, finished: Path, tmp_path: Path
) -> None:
    text = finished.read_text("utf-8")
    other = tmp_path / "other.toml"
    other.write_text(text.replace('board = "industria"', 'board = "elsewhere"'), encoding="utf-8")
    assert "name its file with --board FILE" in run(command, other).output
    other.write_text(text.replace("1 pass", "1 bid 99", 1), encoding="utf-8")
    done = run(command, other)
    assert done.exit_code == 1 and "move" in done.output and "Traceback" not in done.output
    other.write_text("not a record", encoding="utf-8")
    assert run(command, other).exit_code == 1
    assert run(command, tmp_path / "missing.toml").exit_code == 1


def test_review_prints_json_and_writes_the_page(
    finished: Path, tmp_path: Path, own_cache: Path
) -> None:
    html = tmp_path / "review.html"
    args = ("review", finished, "--lines", "2", "--processes", "1", "--html", html)
    done = run(*args, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert len(data["auctions"]) == 48
    assert html.read_text("utf-8").startswith("<!doctype html>")
    again = run(*args)
    assert again.exit_code == 1 and "--force" in again.output
    told = run(*args, "--force")
    assert told.exit_code == 0 and "Luck" in told.stdout


class Stopped(InProcess):
    """Is interrupted after two pieces."""

    def map(self, work: Any, jobs: Any) -> Any:
        for number, job in enumerate(jobs):
            if number == 2:
                raise KeyboardInterrupt
            yield work(*job)


def test_ctrl_c_says_how_far_the_review_is_and_how_to_continue(
    finished: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = ("review", finished, "--lines", "2", "--jobs", "1")
    with monkeypatch.context() as patched:
        patched.setattr(executor, "executor_for", lambda *_: Stopped())
        done = run(*args)
    assert done.exit_code == STOPPED
    assert f"Stopped at {2 * reviews.PIECE} of" in done.output
    assert "The same command continues." in done.output
    assert run(*args).exit_code == 0


def test_a_stopped_review_is_continued_where_it_was(own_cache: Path) -> None:
    game = finished_game("industria", 3)
    told: list[tuple[int, int]] = []
    with pytest.raises(KeyboardInterrupt):
        run_review(game.board, game.record(), 2, 9, Stopped())
    asked: list[int] = []

    class Counting(InProcess):
        def map(self, work: Any, jobs: Any) -> Any:
            for job in jobs:
                asked.append(job[2])
                yield work(*job)

    found = run_review(
        game.board, game.record(), 2, 9, Counting(), lambda done, total: told.append((done, total))
    )
    assert asked[0] == 2 * reviews.PIECE
    assert told[0][0] == 2 * reviews.PIECE and told[-1][0] == told[-1][1]
    journal = next((own_cache / "reviews").glob("*.jsonl"))
    with journal.open("ab") as file:
        file.write(b'{"first": 3, "ite')
    asked.clear()
    assert run_review(game.board, game.record(), 2, 9, Counting()) == found
    assert asked == []
    items: list[Item] = found["decisions"]
    assert items
