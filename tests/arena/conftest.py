"""Bots of a foreign package, installed for the tests that ask for them."""

from pathlib import Path

import pytest

from .packages import install


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a package with bots; nothing finds it yet."""
    return install(tmp_path_factory.mktemp("foreign"))


@pytest.fixture
def foreign(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots of the foreign package can be named."""
    monkeypatch.syspath_prepend(package)
