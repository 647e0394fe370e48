"""The measures of the judge: games are kept, and the calibration error says what it should."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.judge_games import ByGame, calibration_error, drawn
from industry.boards import BoardSpec, load_board


def test_a_stopped_measure_plays_only_the_games_that_are_missing(tmp_path: Path) -> None:
    played: list[int] = []

    def row(spec: BoardSpec, players: int, number: int) -> list[Any]:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(number)
        return [number]

    spec, keep = load_board("industry"), tmp_path / "rows.jsonl"
    measure = ByGame(row, lambda rows: {"games": [number for (number,) in rows]})
    with pytest.raises(KeyboardInterrupt):
        measure.measure(spec, 3, 5, "some", keep)
    assert played == [0, 1, 2]
    played.clear()
    assert measure.measure(spec, 3, 5, "some", keep) == {"games": [0, 1, 2, 3, 4]}
    assert played == [3, 4]
    assert measure.measure(spec, 3, 2, "some", keep) == {"games": [0, 1]}
    assert played == [3, 4]


def test_the_calibration_error_is_near_zero_for_a_judge_that_is_right_and_large_for_others() -> (
    None
):
    rng = np.random.default_rng(1)
    chances = rng.dirichlet(np.ones(4), 20_000)
    won = drawn(rng, chances)
    assert calibration_error(chances, won) < 0.01
    certain = chances**3 / (chances**3).sum(axis=1, keepdims=True)
    assert calibration_error(certain, won) > 0.1
