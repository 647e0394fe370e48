"""`industry perft`: how many sequences of moves, in all and after each first move."""

import json
from pathlib import Path

import pytest

from tests.golden.replays import BOARDS
from tests.notation.samples import running
from tests.perft.test_perft import FILES

from .running import run


@pytest.mark.parametrize("case", FILES[:3], ids=lambda path: path.stem)
def test_the_counts_of_known_positions(case: Path, tmp_path: Path) -> None:
    data = json.loads(case.read_text(encoding="utf-8"))
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(data["record"]), encoding="utf-8")
    position = (path, "--board", BOARDS / f"{data['record']['board']}.toml", "--at", data["at"])
    outcome = run("perft", *position, "--depth", data["depth"])
    assert (outcome.code, outcome.out) == (0, f"{data['count']}\n")

    divided = run("perft", *position, "--depth", data["depth"], "--divide").lines
    first = {line.rpartition(": ")[0]: int(line.rpartition(": ")[2]) for line in divided[:-1]}
    assert list(first) == sorted(first)
    assert sum(first.values()) == int(divided[-1]) == data["count"]
    assert sorted(first) == run("legal", *position).lines

    told = run("perft", *position, "--depth", data["depth"], "--divide", "--json").json
    assert told == {
        "at": data["at"],
        "depth": data["depth"],
        "count": data["count"],
        "divide": first,
    }


def test_draws_are_sets_of_tokens(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(running(moves=0)), encoding="utf-8")
    assert run("perft", path, "--depth", 1).out == "220\n"
    assert run("perft", path, "--depth", 0).out == "1\n"
    assert run("perft", path, "--depth", 0, "--divide").out == "1\n"
    assert run("perft", path, "--depth", 1, "--divide").lines[0] == "draw 1A 1B 1C: 1"


@pytest.mark.parametrize("depth", [-1, 21, 10**30])
def test_a_depth_out_of_range_is_refused(depth: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(running(moves=0)), encoding="utf-8")
    outcome = run("perft", path, "--depth", depth)
    assert (outcome.code, outcome.out) == (1, "")
    assert "--depth must be a number from 0 to 20" in outcome.err
