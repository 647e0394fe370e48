"""Machine code for all tests of bots: a minute after a change of the sources, then at once."""

import pytest

from industry.bots.runner import compile_runners


@pytest.fixture(scope="session", autouse=True)
def compiled_minds() -> None:
    compile_runners()
