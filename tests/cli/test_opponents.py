"""`industry terminal --against BOT`: the other seats are bots, also after a game is resumed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from industry.boards import load_board
from industry.cli.app import cli
from industry.cli.table.opponents import CHANCE, bot_at, seat_name
from industry.notation import record_from_toml, verify
from industry.texts import LANGUAGES


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def play(*arguments: str, lines: int = 400) -> str:
    result = CliRunner().invoke(cli, ["terminal", *arguments], input="0\n1\n" * lines)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_a_game_against_bots_comes_to_its_end(edition: str) -> None:
    told = play("--against", "foreman", "--players", "3", "--seed", "1", "--edition", edition)
    assert "Foreman 2" in told
    assert "wins with" in told or "share" in told


def test_a_game_that_was_left_is_resumed_with_the_same_opponents(tmp_path: Path) -> None:
    play("--against", "apprentice", "--players", "4", "--seed", "2", lines=3)
    (kept,) = (tmp_path / "data").rglob("*.toml")
    record = record_from_toml(kept.read_text(encoding="utf-8"))
    assert record.players[1:] == ("Apprentice 2", "Apprentice 3", "Apprentice 4")
    assert verify(record, load_board("industry")) is None
    assert "a beginner" in play("--resume", lines=0)


def test_an_unknown_opponent_is_refused_with_the_names_of_the_known() -> None:
    result = CliRunner().invoke(cli, ["terminal", "--against", "goliath"])
    assert result.exit_code == 1
    assert "goliath" in result.output
    assert "engineer" in result.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_seats_are_known_by_the_names_of_their_players(language: str) -> None:
    assert bot_at(seat_name("engineer", 2, language), 2) == "engineer"
    assert bot_at(seat_name(CHANCE, 1, language), 1) == CHANCE
    assert bot_at("Ana", 0) is None
    assert bot_at(seat_name("engineer", 2, language), 1) is None
