"""`industry terminal --against BOT`: the other seats are bots, also after a game is resumed."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from industry.boards import load_board
from industry.cli.app import cli
from industry.cli.terminal_game.opponents import CHANCE, bot_at
from industry.cli.terminal_game.saved_games import has_people_only, people_of
from industry.notation import new_game, record_from_toml, replay, verify
from industry.notation.record import record_from_data
from industry.texts import say
from tests.support import proof


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def play(*arguments: str, lines: int = 400) -> str:
    result = CliRunner().invoke(cli, ["terminal", *arguments], input="0\n1\n" * lines)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("edition", proof.cases(["industry", "industria"]))
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


def saved(folder: Path) -> Path:
    (kept,) = (folder / "data").rglob("*.toml")
    return kept


def test_a_person_with_the_name_of_a_bot_does_not_resume_as_a_bot(tmp_path: Path) -> None:
    play("--hotseat", "--players", "3", "--name", "Ana", "--name", "Foreman 2", lines=3)
    record = record_from_toml(saved(tmp_path).read_text(encoding="utf-8"))
    assert (record.players[1], record.bots) == ("Foreman 2", ("", "", ""))
    game = replay(record, load_board("industry"))
    assert bot_at(game, 1) is None
    assert people_of(game, everyone=has_people_only(game)) == {0, 1, 2}
    assert say("terminal.bot.foreman") not in play("--resume", lines=0)


@pytest.mark.parametrize(("language", "name"), [("en", "Foreman 2"), ("de", "Vorarbeiter 2")])
def test_a_bot_resumes_whatever_its_name_is(tmp_path: Path, language: str, name: str) -> None:
    play("--against", "foreman", "--players", "3", "--language", language, lines=3)
    path = saved(tmp_path)
    text = path.read_text(encoding="utf-8")
    record = record_from_toml(text)
    assert (record.players[1], record.bots) == (name, ("", "foreman", "foreman"))
    path.write_text(text.replace(name, "Bo"), encoding="utf-8")
    renamed = replay(record_from_toml(path.read_text(encoding="utf-8")), load_board("industry"))
    assert (renamed.players[1], bot_at(renamed, 1)) == ("Bo", "foreman")
    assert people_of(renamed) == {0}
    assert say("terminal.bot.foreman") in play("--resume", "--language", "en", lines=0)


def test_a_record_without_bots_is_continued_against_those_that_are_asked_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.toml"
    record = new_game(["Ana", "Foreman 2", "Cy"], seed=3).record()
    path.write_text(record.to_toml(), encoding="utf-8")
    assert "bots" not in record.data()
    assert say("terminal.bot.foreman") not in play("--load", str(path), lines=0)
    told = play("--load", str(path), "--against", "engineer", lines=0)
    assert say("terminal.bot.engineer") in told


@pytest.mark.parametrize("bots", [7, ["foreman"], ["", 1, ""], {"2": "foreman"}])
def test_a_key_of_another_meaning_is_ignored(bots: object) -> None:
    record = new_game(["Ana", "Bo", "Cy"]).record()
    assert record_from_data(record.data() | {"bots": bots}) == record


def test_a_bot_that_is_not_installed_here_is_replaced_by_chance() -> None:
    record = replace(new_game(["Ana", "Bo", "Cy"]).record(), bots=("", "goliath", "exec:sh"))
    game = replay(record_from_toml(record.to_toml()), load_board("industry"))
    assert [bot_at(game, seat) for seat in range(3)] == [None, CHANCE, CHANCE]


def test_the_story_calls_players_by_their_names() -> None:
    told = play("--against", "foreman", "--seed", "1", "--name", "Ana", lines=3)
    assert "Foreman 2 bids" in told or "Foreman 2 passes" in told
    assert "Seat 2" not in told
