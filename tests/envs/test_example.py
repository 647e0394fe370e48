"""The training run of the documents learns: after a moment it beats random players clearly."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from industry.engine.codes import ACTIONS

PROGRAM = Path(__file__).parents[2] / "examples" / "ppo.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program on one core: several would get into each other's way here."""
    return subprocess.run(
        [sys.executable, str(PROGRAM), *arguments],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )


def test_a_short_training_run_beats_random_players(tmp_path: Path) -> None:
    weights = tmp_path / "policy.npz"
    done = run("--games", "32", "--iterations", "10", "--save", str(weights))
    assert done.returncode == 0, done.stderr
    shares = [float(share) for share in re.findall(r"wins ([\d.]+)%", done.stdout)]
    assert abs(shares[0] - 25) < 5  # it begins as a random player among four
    assert shares[-1] > 40
    assert np.load(weights)["actions"].shape[1] == ACTIONS


def test_a_table_that_cannot_be_is_refused_in_a_sentence() -> None:
    done = run("--players", "5")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "ppo.py: error: 3 or 4 players can play, not 5"
