"""Without the library of an adapter, an error says what to install; the batch needs none."""

import subprocess
import sys

import pytest

BLOCK = "import sys\nfor name in {names!r}: sys.modules[name] = None\n"
LIBRARIES = ("gymnasium", "pettingzoo", "pyspiel")


def run(code: str, *blocked: str) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that cannot find some libraries."""
    lines = BLOCK.format(names=blocked) + code
    return subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("module", "library", "told"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo is not installed: pip install 'industry[envs]'"),
        ("pettingzoo", "gymnasium", "Gymnasium is not installed: pip install 'industry[envs]'"),
        ("gymnasium", "gymnasium", "Gymnasium is not installed: pip install 'industry[envs]'"),
        ("openspiel", "pyspiel", "OpenSpiel is not installed: pip install 'industry[openspiel]'"),
    ],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    module: str, library: str, told: str
) -> None:
    done = run(f"import industry.envs.{module}", library)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ImportError: {told}"


def test_the_batch_environment_needs_no_library_of_others() -> None:
    done = run("from industry.envs.batch import BatchEnv; BatchEnv(games=2)", *LIBRARIES)
    assert done.returncode == 0, done.stderr
