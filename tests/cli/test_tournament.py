"""`industry tournament`, `ladder` and `bots`: a table to rely on, whatever the bots do."""

import json
import os
import signal
import subprocess
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from industry.boards import load_board
from industry.cli.app import cli
from industry.notation import record_from_json, verify
from tests.support.packages import announce
from tests.support.waiting import wait_until

from .running import PROGRAM
from .running import run as run_here

KEYS = {"name", "games", "wins", "win_share", "wilson", "mean_points", "rating"}
KEYS |= {"ms_median", "ms_p99"}


def start(folder: Path, *arguments: str, path: Path | None = None) -> "subprocess.Popen[str]":
    """The program in a folder, with a package on its path."""
    environment = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(folder: Path, *arguments: str, path: Path | None = None) -> tuple[int, str, str]:
    """The command inside this process, in a folder and with a package on its path."""
    with chdir(folder), pytest.MonkeyPatch.context() as patch:
        if path is not None:
            patch.syspath_prepend(path)
        done = run_here(*arguments)
    return done.code, done.out, done.err


def without_times(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [{k: v for k, v in bot.items() if "ms_" not in k} for bot in data["bots"]]


def test_foreign_bots_are_named_and_misbehave_without_stopping_the_tournament(
    package: Path, tmp_path: Path
) -> None:
    with start(
        tmp_path,
        *("tournament", "--bots", "talker,raises,illegal", "--games", "5", "--players", "3"),
        *("--seed", "1", "--json"),
        path=package,
    ) as process:
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "6 games instead of 5" in errors
    assert "raises raised ValueError: no idea and loses the game" in errors
    data = json.loads(output)  # although one of them prints all the time
    assert data["games"] == 6
    assert data["settings"]["seed"] == "1"
    assert [bot["name"] for bot in data["bots"]] == ["talker", "raises", "illegal"]
    assert all(bot.keys() >= KEYS for bot in data["bots"])
    assert data["bots"][0]["faults"] == 0
    shares = [bot["win_share"] for bot in data["bots"]]
    assert shares[0] == max(shares)
    assert sum(shares) == pytest.approx(1, abs=1e-4)
    assert sum(bot["faults"] for bot in data["bots"]) == len(data["faults"]) == 6
    for fault in data["faults"]:
        found = CliRunner().invoke(cli, ["legal", str(tmp_path / fault["record"])])
        assert found.exit_code == 0, found.output
        assert all(line.startswith(f"{fault['seat']} ") for line in found.output.splitlines())


def test_the_table_for_people_says_who_won_and_how_sure_that_is(
    package: Path, tmp_path: Path
) -> None:
    code, output, errors = run(
        tmp_path,
        *("tournament", "--bots", "builder,random", "-n", "600", "--seed", "1"),
        *("--sprt", "0.5:0.6", "--record", "games.jsonl"),
        path=package,
    )
    assert code == 0, errors
    assert "builder" in output
    assert "100.0 92.6–100.0" in output
    assert "SPRT accepted: builder wins 60 % rather than 50 %" in output
    assert "48 games" in output  # eight deals are enough
    records = (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(records) == 48
    assert all(verify(record_from_json(line), load_board("industry")) is None for line in records)


def wait_for_deals(path: Path, process: "subprocess.Popen[str]") -> None:
    """Until two deals are kept."""

    def are_kept() -> bool:
        assert process.poll() is None
        return path.exists() and path.read_bytes().count(b"\n") >= 3

    wait_until(are_kept, "no two deals were kept")


def children(process: "subprocess.Popen[str]") -> list[Path]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
    return [Path(f"/proc/{number}") for number in listed.split()]


def has_ended(process: Path) -> bool:
    """Whether a process is gone, or only waits to be noticed by its parent."""
    try:
        state = (process / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return True
    return state.rpartition(")")[2].split()[0] == "Z"


def test_a_killed_tournament_is_resumed_to_the_same_table(tmp_path: Path) -> None:
    setting = ("--bots", "random,random", "-p", "3", "--seed", "kill", "--edition", "industria")
    kept = tmp_path / "kept.jsonl"
    with start(tmp_path, "tournament", *setting, "-n", "3000", "--save", str(kept)) as process:
        wait_for_deals(kept, process)
        workers = children(process)
        process.send_signal(signal.SIGKILL)
    games = 6 * kept.read_bytes().count(b"\n")  # two deals more than those that are kept
    code, output, errors = run(
        tmp_path, "tournament", "--resume", str(kept), "-n", str(games), "--json"
    )
    assert code == 0, errors
    resumed = json.loads(output)
    assert resumed["games"] == games
    code, output, errors = run(tmp_path, "tournament", *setting, "-n", str(games), "--json")
    assert code == 0, errors
    assert without_times(resumed) == without_times(json.loads(output))
    assert workers
    wait_until(lambda: all(map(has_ended, workers)), "workers outlived their tournament")


def test_interrupting_keeps_what_is_finished(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    arguments = ("--bots", "random,random", "-p", "3", "-n", "3000", "--save", str(kept))
    with start(tmp_path, "tournament", *arguments, "--json") as process:
        wait_for_deals(kept, process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    data = json.loads(output)
    assert data["complete"] is False
    assert data["games"] == 6 * (kept.read_bytes().count(b"\n") - 1)
    assert f"Stopped after {data['games']} of 3000 games." in errors
    assert f"--resume {kept}" in errors


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name the bots with --bots"),
        (["--bots", "random"], "needs at least two bots"),
        (["--bots", "random,enginer"], "Did you mean “engineer”?"),
        (["--bots", "random,nobody"], "there is no bot nobody"),
        (["--bots", "random,"], "a bot has no name"),
        (["--bots", "random@soon,random"], "the time per decision in ms"),
        (["--bots", "random,random,random", "--sprt"], "--sprt compares two bots"),
        (["--bots", "random,random", "--sprt", "0.6:0.5"], "the smaller one first"),
        (["--bots", "random,random", "--sprt", "much"], "two win shares like 0.50:0.55"),
        (["--bots", "random,random", "--alpha", "0.7", "--sprt"], "risks between 0 and 0.5"),
        (["--bots", "random,random", "--option", "late_draws=often"], "not a value of the option"),
        (["--bots", "random,random", "--save", "a", "--resume", __file__], "use only one of them"),
        (["--resume", __file__], "not a file of a tournament"),
        (["--bots", "random,random", "--save", __file__], "already exists"),
    ],
)
def test_what_cannot_be_played_is_reported_in_a_sentence(
    arguments: list[str], sentence: str
) -> None:
    result = CliRunner().invoke(cli, ["tournament", *arguments])
    assert result.exit_code == 1
    assert sentence in result.output


def test_a_file_is_resumed_only_with_the_settings_it_was_begun_with(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept.jsonl")
    arguments = ["tournament", "--bots", "random,random", "-p", "3", "-n", "6", "--seed", "1"]
    result = CliRunner().invoke(cli, [*arguments, "--save", kept])
    assert result.exit_code == 0, result.output
    for changed, sentence in (
        (["--seed", "2"], "Its seed: 1; asked for: 2."),
        (["--players", "4"], "Its players: 3; asked for: 4."),
        (["--time", "50"], "random (50 ms)"),
        (["--record", str(tmp_path / "games.jsonl")], "started without --record"),
    ):
        result = CliRunner().invoke(cli, ["tournament", "--resume", kept, *changed])
        assert result.exit_code == 1
        assert sentence in result.output


def test_bots_are_listed_weakest_first_with_level_description_and_rating() -> None:
    result = CliRunner().invoke(cli, ["bots", "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert rows[0]["name"] == "random"
    assert [row["level"] for row in rows] == sorted(row["level"] for row in rows)
    assert all(row["description"] and "rating" in row for row in rows)
    result = CliRunner().invoke(cli, ["bots"])
    assert result.exit_code == 0
    assert "Plays any legal move, each equally likely." in result.output
    assert "Ratings are OpenSkill points" in result.output


def test_the_ladder_is_measured_reported_and_not_played_twice(tmp_path: Path) -> None:
    twin = announce(tmp_path / "path", {"twin": "industry.bots.random_bot:RandomBot"})
    arguments = ("ladder", "--level", "0", "--edition", "industry", "--games", "6", "--seed", "s")
    code, output, errors = run(tmp_path, *arguments, path=twin)
    assert code == 0, errors
    assert "| **twin** against random |" in output
    assert "Industry, 3 players | Industry, 4 players |" in output
    data = json.loads((tmp_path / "ladder.json").read_text(encoding="utf-8"))
    assert data["command"] == (
        "industry ladder --seed s --time 20 --games 6 --edition industry --level 0"
    )
    assert [(step["players"], step["games"]) for step in data["steps"]] == [(3, 6), (4, 6)]
    assert data["complete"] is True
    assert data["ratings"].keys() == {"random", "twin"}
    code, again, errors = run(tmp_path, *arguments, path=twin)
    assert code == 0
    assert again == output  # times included: nothing was measured again
    assert "--fresh plays them again" in errors


def test_adjusted_results_are_shown_beside_the_plain_ones_and_sprt_uses_them(
    tmp_path: Path,
) -> None:
    asked = ["--bots", "foreman,random", "--games", "48", "--players", "3", "--seed", "luck"]
    asked += ["--edition", "industria", "--sprt", "0.50:0.55", "--json"]
    code, plain, _ = run(tmp_path, "tournament", *asked)
    assert code == 0
    code, adjusted, _ = run(tmp_path, "tournament", *asked, "--adjusted")
    assert code == 0
    before, after = json.loads(plain), json.loads(adjusted)
    first, second = before["bots"][0], after["bots"][0]
    assert first["win_share"] == second["win_share"]
    assert "adjusted_share" not in first
    low, high = second["adjusted_interval"]
    assert low < second["adjusted_share"] < high
    assert before["sprt"]["llr"] != after["sprt"]["llr"]


def test_a_tournament_without_measured_luck_cannot_continue_adjusted(
    tmp_path: Path,
) -> None:
    kept = str(tmp_path / "kept.jsonl")
    asked = ("--bots", "random,random", "--games", "6", "--players", "3", "--save", kept)
    assert run(tmp_path, "tournament", *asked)[0] == 0
    code, _, told = run(tmp_path, "tournament", "--resume", kept, "--adjusted")
    assert code != 0
    assert "without --adjusted" in told
