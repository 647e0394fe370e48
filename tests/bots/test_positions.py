"""The published positions: complete, legal, small, and repeatable line by line."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.positions import HERE, KINDS, TABLES, Question, file_of, questions
from benchmarks.positions.__main__ import losses, mean_with_interval, report
from benchmarks.positions.make import GAMES, Truth
from industry.judge import Judge


@pytest.fixture(scope="module")
def tables() -> dict[tuple[str, int], list[Question]]:
    return {table: list(questions(*table)) for table in TABLES}


def test_every_table_has_a_hundred_positions_spread_over_kinds_and_eras(
    tables: dict[tuple[str, int], list[Question]],
) -> None:
    for asked in tables.values():
        assert Counter(question.kind for question in asked) == dict.fromkeys(KINDS, GAMES)
        assert min(Counter(question.era for question in asked).values()) >= 5


def test_every_candidate_is_legal_and_only_the_best_loses_nothing(
    tables: dict[tuple[str, int], list[Question]],
) -> None:
    for asked in tables.values():
        for question in asked:
            assert set(question.losses) <= set(question.position.legal_moves)
            assert len(question.losses) > 1
            assert min(question.losses.values()) == 0.0


def test_the_files_stay_small() -> None:
    assert sum(file_of(*table).stat().st_size for table in TABLES) < 1_000_000


def test_the_judge_says_the_same_again(
    tables: dict[tuple[str, int], list[Question]], tmp_path: Path
) -> None:
    """For the position of Industria with three players that took the fewest lines."""
    lines = file_of("industria", 3, HERE).read_text(encoding="utf-8").splitlines()
    entries = [entry for line in lines for entry in json.loads(line)["positions"]]
    late = [
        number
        for number, entry in enumerate(entries)
        if entry["era"] == 4
        and all(row[2] > 0 for row in list(entry["candidates"].values())[1:])
        and len({row[3] for row in entry["candidates"].values()}) == 1
    ]
    number = min(late, key=lambda n: sum(row[3] for row in entries[n]["candidates"].values()))
    question = tables["industria", 3][number]
    truth = Truth(question.board, question.position, tmp_path / "truth.npz")
    most = max(row[3] for row in entries[number]["candidates"].values())
    judge = Judge(question.board.rules, seed="positions", lines=most)
    for move in truth.moves:
        found = judge.outcomes(question.position, move).wins[:, question.position.actor]
        truth.wins[move] = np.asarray(found)
    assert truth.data() == {
        name: [*row[:3], most] for name, row in entries[number]["candidates"].items()
    }


def test_a_bot_is_measured_by_what_its_moves_lose(
    tables: dict[tuple[str, int], list[Question]],
) -> None:
    asked = tables["industria", 3][:40]
    lost = losses("foreman", asked, 0.02, 1)
    worst = [max(question.losses.values()) for question in asked]
    assert all(0.0 <= own <= most for own, most in zip(lost, worst, strict=True))
    assert 0.0 < sum(lost) < sum(worst)
    assert mean_with_interval(lost) in report("foreman", asked, lost)
