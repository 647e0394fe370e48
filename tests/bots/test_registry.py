"""Bots of other packages: found by their entry point; a broken one harms only itself."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from industry.bots import BotError, bot_maker, bot_names, broken_bots
from industry.cli.app import cli


@pytest.fixture
def broken_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "broken_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[industry.bots]\nbroken = no_such_module:Bot\n")
    monkeypatch.syspath_prepend(str(tmp_path))


def test_the_levels_are_listed_from_the_weakest_to_the_strongest() -> None:
    names = bot_names()
    levels = [bot_maker(name)().level for name in names]
    assert levels == sorted(levels)
    assert names[:3] == ["random", "apprentice", "foreman"]


@pytest.mark.usefixtures("broken_package")
def test_a_bot_that_cannot_be_loaded_is_reported_and_does_not_hide_the_others() -> None:
    assert "broken" not in bot_names()
    assert "broken" in broken_bots()
    with pytest.raises(BotError, match="cannot be loaded"):
        bot_maker("broken")
    result = CliRunner().invoke(cli, ["bots"])
    assert result.exit_code == 0
    assert "engineer" in result.stdout
    assert "broken" in result.stderr


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BotError, match="installed are"):
        bot_maker("goliath")


def test_a_setting_is_named_behind_the_bot() -> None:
    director = bot_maker("director:samples=64")()
    assert getattr(director, "samples", None) == 64


@pytest.mark.parametrize("name", ["director:samples=many", "director:64", "director:"])
def test_what_is_not_a_setting_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(BotError, match="director:samples=64"):
        bot_maker(name)


def test_a_setting_that_the_bot_does_not_know_is_refused() -> None:
    with pytest.raises(BotError, match="depth"):
        bot_maker("director:depth=3")
