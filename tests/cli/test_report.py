"""`industry report`: any games in, one page out, and a sentence for anything that is not a game."""

import json
from pathlib import Path
from typing import Any

import pytest

from industry.notation import record_from_data
from industry.texts import say

from .running import run, write_jsonl


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few recorded games."""
    path = tmp_path_factory.mktemp("report") / "games.jsonl"
    done = run("simulate", "-n", 3, "-p", 3, "--seed", "report", "--record", path)
    assert done.code == 0, done.err
    return path


def first(games: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(games.read_text(encoding="utf-8").splitlines()[0])
    return data


def test_records_and_tables_make_one_page(games: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    assert run("simulate", "-n", 2, "-p", 3, "--seed", "1", "--parquet", tables).code == 0
    single = tmp_path / "single.toml"
    single.write_text(record_from_data(first(games)).to_toml(), encoding="utf-8")
    out = tmp_path / "page.html"
    done = run("report", tables, games, single, "--out", out, "--language", "de")
    assert done.code == 0, done.err
    assert done.out == f"Report on 6 games in {out}\n"
    page = out.read_text(encoding="utf-8")
    assert "<h1>Bericht über 6 Partien</h1>" in page
    assert "tables" in page and "games.jsonl" in page
    again = run("report", games, "--out", out)
    assert again.code == 1
    assert "already exists" in again.err
    assert out.read_text(encoding="utf-8") == page


def test_records_are_reviewed_on_request(tmp_path: Path) -> None:
    games, out = tmp_path / "games.jsonl", tmp_path / "page.html"
    arguments = ("-n", 2, "-p", 3, "--edition", "industria", "--seed", "1", "--record", games)
    assert run("simulate", *arguments).code == 0
    refused = run("report", games, "--out", out, "--review", 0)
    assert refused.code == 1
    assert "the number of lines must be from 2" in refused.err
    done = run("report", games, "--out", out, "--review", 2, "--processes", 1)
    assert done.code == 0, done.err
    assert say("lab.card.luck") in out.read_text(encoding="utf-8")


def test_games_on_a_board_of_your_own_need_its_file(tmp_path: Path) -> None:
    shown = run("board", "show", "industry", "--toml")
    mine = tmp_path / "mine.toml"
    text = shown.out.replace('id = "industry"', 'id = "mine"', 1)
    text = text.replace('id      = "industry"', 'id      = "mine"', 1)
    mine.write_text(text, encoding="utf-8")
    record = tmp_path / "mine.jsonl"
    arguments = ("simulate", "-n", 1, "--board", mine, "--seed", "1", "--record", record)
    assert run(*arguments).code == 0
    out = tmp_path / "page.html"
    refused = run("report", record, "--out", out)
    assert refused.code == 1
    assert "name its file with --board FILE" in refused.err
    done = run("report", record, "--board", mine, "--out", out)
    assert done.code == 0, done.err
    assert "Report on 1 game in" in done.out


def test_unfinished_games_are_left_out_and_reported(games: Path, tmp_path: Path) -> None:
    running = first(games)
    running["moves"] = running["moves"][:30]
    del running["result"]
    both = write_jsonl(tmp_path / "both.jsonl", [running, first(games)])
    done = run("report", both, "--out", tmp_path / "page.html")
    assert done.code == 0, done.err
    assert "Left out: 1 unfinished game." in done.err
    only = write_jsonl(tmp_path / "only.jsonl", [running])
    done = run("report", only, "--out", tmp_path / "none.html")
    assert done.code == 1
    assert "there is no finished game to report on" in done.err
    assert not (tmp_path / "none.html").exists()


def other_text(path: Path, _: Path) -> None:
    path.write_text("Dear Sir,\nthank you for your letter.\n", encoding="utf-8")


def other_json(path: Path, _: Path) -> None:
    path.write_text('{"name": "something else"}\n', encoding="utf-8")


def illegal_game(path: Path, games: Path) -> None:
    wrong = first(games)
    wrong["moves"][1] = "1 claim"
    write_jsonl(path, [first(games), wrong])


def another_board(path: Path, games: Path) -> None:
    write_jsonl(path, [first(games) | {"board_hash": "sha256:0"}])


def nothing(path: Path, _: Path) -> None:
    path.touch()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (other_text, "file.jsonl, game 1: "),
        (other_json, "file.jsonl, game 1: "),
        (illegal_game, "game 2, move 2 (1 claim): "),
        (another_board, "file.jsonl, game 1: "),
        (nothing, "contains no game"),
    ],
)
def test_a_wrong_file_is_reported_by_game_and_reason(
    make: object, sentence: str, games: Path, tmp_path: Path
) -> None:
    path = tmp_path / "file.jsonl"
    assert callable(make)
    make(path, games)
    done = run("report", path, "--out", tmp_path / "page.html")
    assert done.code == 1
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing.jsonl", "cannot be read: No such file"),
        (".", "is not a dataset: its dataset.json cannot be read"),
        ("games.parquet", "name the folder that --parquet made"),
    ],
)
def test_what_is_not_a_source_is_reported(name: str, sentence: str, tmp_path: Path) -> None:
    done = run("report", tmp_path / name, "--out", tmp_path / "page.html")
    assert done.code == 1
    assert sentence in done.err


def test_a_full_disk_is_reported_and_leaves_nothing_half_written(games: Path) -> None:
    done = run("report", games, "--out", "/dev/full", "--force")
    assert done.code == 1
    assert "cannot be written: No space left on device" in done.err
