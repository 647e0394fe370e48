"""`industry verify`: right games, the first mismatch of each wrong one, and the exit code."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from industry.notation import Record
from tests.notation.samples import TABLES, board, finished, record, running
from tests.server.fair_games import fair_game

from .running import run, start, write_jsonl


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "games.jsonl", [finished(*table) for table in TABLES])


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Right, illegal, no record at all, wrong points, right."""
    illegal, points = finished(), finished()
    illegal["moves"][16] = "2 bid 99"
    points["result"]["points"][0] += 1
    return write_jsonl(tmp_path / "mixed.jsonl", [finished(), illegal, {}, points, running()])


def test_right_games_are_counted_and_the_exit_code_is_0(games: Path) -> None:
    outcome = run("verify", games)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.lines == ["4 games checked: all right."]


def test_every_wrong_game_is_reported_with_file_game_move_line_and_reason(mixed: Path) -> None:
    outcome = run("verify", mixed)
    assert outcome.code == 1
    first, second, third, summary = outcome.lines
    assert first.startswith(f"{mixed}, game 2, move 17 (2 bid 99): ")
    assert second.startswith(f"{mixed}, game 3: ")
    assert "format" in second
    assert third.startswith(f"{mixed}, game 4: ")
    assert summary == "5 games checked: 3 wrong."


def test_scripts_get_one_object_per_wrong_game_and_a_sum(mixed: Path) -> None:
    outcome = run("verify", mixed, "--json")
    found = [json.loads(line) for line in outcome.lines]
    assert [(f["game"], f["move"], f["line"]) for f in found[:-1]] == [
        (2, 17, "2 bid 99"),
        (3, None, None),
        (4, None, None),
    ]
    assert all(f["file"] == str(mixed) and f["reason"] for f in found[:-1])
    assert found[-1] == {"games": 5, "wrong": 3, "unread": 0, "proofs": 0, "unrevealed": 0}


def test_quiet_prints_nothing_and_only_sets_the_exit_code(games: Path, mixed: Path) -> None:
    assert run("verify", "--quiet", games) == run("verify", "-q", games, "--json")
    assert run("verify", "--quiet", games).code == 0
    quiet = run("verify", "--quiet", games, mixed)
    assert (quiet.code, quiet.out, quiet.err) == (1, "", "")


def test_many_files_are_checked_also_behind_one_that_cannot_be_read(
    games: Path, tmp_path: Path
) -> None:
    single = tmp_path / "single.toml"
    single.write_text(record(finished("industria")).to_toml(), encoding="utf-8")
    outcome = run("verify", tmp_path / "missing.jsonl", games, single)
    assert outcome.code == 1
    assert outcome.lines[0].startswith(f"{tmp_path / 'missing.jsonl'} cannot be read")
    assert outcome.lines[1] == "5 games checked: all right; 1 file could not be read."


def test_only_the_first_fifty_wrong_games_are_reported_in_full(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "bad.jsonl", [{}] * 60)
    outcome = run("verify", path)
    assert len(outcome.lines) == 52
    assert outcome.lines[-2:] == ["… and 10 more.", "60 games checked: 60 wrong."]
    assert len(run("verify", "--json", path).lines) == 61


def test_a_dash_reads_lines_from_standard_input(games: Path) -> None:
    with games.open("rb") as stream:
        done = start("verify", "-", stdin=stream)
        out, err = done.communicate(timeout=60)
    assert (done.returncode, err) == (0, b"")
    assert out.decode() == "4 games checked: all right.\n"


def test_the_last_line_may_be_half_written_and_the_games_before_it_still_count(games: Path) -> None:
    text = games.read_bytes()
    games.write_bytes(text[: len(text) - 500])
    outcome = run("verify", games)
    assert outcome.code == 1
    assert outcome.lines[0].startswith(f"{games}, game 4: ")
    assert outcome.lines[1] == "4 games checked: 1 wrong."


def test_blank_lines_and_an_unknown_ending_of_the_name_do_no_harm(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "games.txt", [running(), running()])
    path.write_text(path.read_text(encoding="utf-8").replace("\n", "\r\n\r\n"), encoding="utf-8")
    assert run("verify", path).lines == ["2 games checked: all right."]


def test_a_board_of_your_own_is_named_by_its_file(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "golden/boards/doubles.toml").read_text(encoding="utf-8")
    own = tmp_path / "doubles.toml"
    own.write_text(text, encoding="utf-8")
    game = Path(__file__).parents[1] / "golden/games/doubles-3.toml"
    refused = run("verify", game)
    assert refused.code == 1
    assert "--board" in refused.out
    assert run("verify", game, "--board", own).code == 0


def test_the_board_decides_by_its_hash_and_not_by_its_name(games: Path) -> None:
    doubles = Path(__file__).parents[1] / "golden/boards/doubles.toml"
    outcome = run("verify", games, "--board", doubles)
    assert outcome.code == 1
    assert outcome.lines[-1] == "4 games checked: 4 wrong."
    assert board("industry").hash not in outcome.lines[0]


def test_the_proof_of_the_bag_is_checked_and_reported(tmp_path: Path) -> None:
    over, runs = tmp_path / "over.toml", tmp_path / "runs.toml"
    over.write_text(fair_game("industry", 4).to_toml(), encoding="utf-8")
    runs.write_text(fair_game("industry", 4, 150).to_toml(), encoding="utf-8")
    assert run("verify", over).lines == [
        "1 game checked: all right; the bag of 1 game is proven.",
    ]
    assert run("verify", runs).lines == [
        "1 game checked: all right; "
        "the bag of 1 game is right so far, its secret not yet revealed.",
    ]
    both = run("verify", "--json", over, runs).json
    assert (both["proofs"], both["unrevealed"]) == (1, 1)


def test_a_draw_that_the_bag_did_not_give_is_a_wrong_game(tmp_path: Path) -> None:
    data = fair_game("industry", 4).data()
    data["proof"]["contributions"][0] = "1"
    path = write_jsonl(tmp_path / "forged.jsonl", [data])
    outcome = run("verify", path)
    assert outcome.code == 1
    assert outcome.lines[0].startswith(f"{path}, game 1: The revealed key of era 1")
    assert outcome.lines[1] == "1 game checked: 1 wrong."


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    line = json.dumps(running(moves=0)) + "\n"
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    small.write_text(line * 10, encoding="utf-8")
    large.write_text((line[:-2] + ',"note":"' + "x" * 3_000_000 + '"}\n') * 30, encoding="utf-8")
    code = "import resource,sys; from industry.cli import main\ntry: main()\nfinally: "
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    peaks = []
    for path in (small, large):
        command = [sys.executable, "-c", code, "verify", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        peaks.append(int(done.stderr))
    assert peaks[1] - peaks[0] < 60_000  # kilobytes; the file has 90,000


# What only the player can compare


def fair_record(folder: Path) -> tuple[Path, Record]:
    record = fair_game("industry", 3)
    path = folder / "game.toml"
    path.write_text(record.to_toml(), encoding="utf-8")
    return path, record


def test_the_promise_and_ones_own_addition_are_compared(tmp_path: Path) -> None:
    path, record = fair_record(tmp_path)
    assert record.proof is not None
    kept = record.proof.commitment, next(filter(None, record.proof.contributions))
    checked = run("verify", path, "--commitment", kept[0], "--mine", kept[1])
    assert (checked.code, checked.lines) == (
        0,
        [
            "1 game checked: all right; the bag of 1 game is proven; "
            "it is the promised one and your addition is in it."
        ],
    )
    assert run("verify", path, "--commitment", kept[0].removeprefix("sha256:").upper()).code == 0


def test_a_server_that_replaced_what_a_guest_added_is_found_out(tmp_path: Path) -> None:
    """The record proves itself all the same: nobody else could know."""
    path, _ = fair_record(tmp_path)
    assert run("verify", path).code == 0
    replaced = run("verify", path, "--mine", "abcd" * 16)
    assert replaced.code == 1
    assert "somebody has replaced your addition" in replaced.lines[0]
    assert "promised one" not in replaced.out
    other = run("verify", path, "--commitment", "0" * 64)
    assert other.code == 1
    assert "not the one that you were promised" in other.lines[0]


def test_a_record_without_a_proof_does_not_pass_for_the_promised_game(tmp_path: Path) -> None:
    path, record = fair_record(tmp_path)
    path.write_text(replace(record, proof=None).to_toml(), encoding="utf-8")
    assert run("verify", path, "--commitment", "0" * 64).code == 1


@pytest.mark.parametrize("option", ["--commitment", "--mine"])
def test_what_is_not_hexadecimal_is_refused(option: str, tmp_path: Path) -> None:
    path, _ = fair_record(tmp_path)
    refused = run("verify", path, option, "xyz")
    assert (refused.code, "hexadecimal digits" in refused.err) == (1, True)
