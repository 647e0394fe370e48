"""The training run of the documents learns: after a moment it beats random players clearly."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from industry.engine.move_codes import ACTIONS

TRAINING = Path(__file__).parents[2] / "examples" / "ppo.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program on one core: several would get into each other's way here."""
    return subprocess.run(
        [sys.executable, str(TRAINING), *arguments],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )


def shares_of(done: subprocess.CompletedProcess[str]) -> list[float]:
    assert done.returncode == 0, done.stderr
    return [float(share) for share in re.findall(r"wins ([\d.]+)%", done.stdout)]


@pytest.mark.proof
def test_a_training_run_begins_as_a_random_player_and_saves_its_weights(tmp_path: Path) -> None:
    weights = tmp_path / "policy.npz"
    shares = shares_of(run("--games", "32", "--iterations", "1", "--save", str(weights)))
    assert abs(shares[0] - 25) < 5  # among four
    assert np.load(weights)["actions"].shape[1] == ACTIONS


@pytest.mark.proof
def test_a_short_training_run_beats_random_players() -> None:
    shares = shares_of(run("--games", "32", "--iterations", "10"))
    assert shares[-1] > 40


def test_a_table_that_cannot_be_is_refused_in_a_sentence() -> None:
    done = run("--players", "5")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "ppo.py: error: 3 or 4 players can play, not 5"
