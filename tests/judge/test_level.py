"""The level of a player: losses over many games, placed between bots measured in the same way."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from industry.arena import reviews
from industry.arena.reviews import journal_path
from industry.boards import load_board
from industry.bots.opinions import policy_version
from industry.cli.app import cli
from industry.judge import DEFAULT_LINES, level
from industry.judge.level import (
    LEAST_GAMES,
    BotLoss,
    GameLosses,
    in_order_of_strength,
    level_of,
    losses_of,
)
from industry.judge.review import review
from industry.judge.words import level_text
from industry.texts import LANGUAGES

from .games import TABLES, begun, finished_game

BOTS = {
    "apprentice": [30.0, 2.0],
    "foreman": [20.0, 1.0],
    "engineer": [12.0, 1.0],
    "director": [8.0, 0.6],
    "magnate": [4.0, 0.6],
}
HALF = {bot: [mean / 2, error] for bot, (mean, error) in BOTS.items()}


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots that lose known amounts at two tables, at the second one half as much."""
    tables = {
        "industry 4": {"values": "v", "bots": BOTS},
        "industria 3": {"values": "w", "bots": HALF},
    }
    path = tmp_path / "levels.json"
    path.write_text(json.dumps({"tables": tables}), encoding="utf-8")
    monkeypatch.setattr(level, "FILE", path)
    level._measured.cache_clear()
    yield
    level._measured.cache_clear()


def games(
    thousandths: float, count: int = LEAST_GAMES, table: str = "industry 4"
) -> list[GameLosses]:
    values = {"industry 4": "v", "industria 3": "w"}[table]
    return [
        GameLosses(table, DEFAULT_LINES, values, thousandths * (50 + n) / 1000, 50 + n)
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("thousandths", "better", "worse"),
    [
        (2.0, None, "magnate"),
        (6.0, "magnate", "director"),
        (10.0, "director", "engineer"),
        (25.0, "foreman", "apprentice"),
        (40.0, "apprentice", None),
    ],
)
def test_a_level_is_placed_between_the_bots_on_either_side(
    measured: None, thousandths: float, better: str | None, worse: str | None
) -> None:
    found = level_of(games(thousandths))
    assert found.mean == pytest.approx(thousandths)
    assert (found.better, found.worse) == (better, worse)


def test_below_ten_games_there_is_a_mean_and_no_level(measured: None) -> None:
    found = level_of(games(10.0, LEAST_GAMES - 1))
    assert found.mean == pytest.approx(10)
    assert found.bots == () and found.better is None and found.worse is None
    assert level_of(games(10.0, 1)).half is None


def test_bots_are_mixed_as_the_tables_of_the_player_are(measured: None) -> None:
    """Three quarters of the decisions at one table, one quarter at the other."""
    one = [GameLosses("industry 4", DEFAULT_LINES, "v", 0.6, 60)] * 10
    other = [GameLosses("industria 3", DEFAULT_LINES, "w", 0.2, 20)] * 10
    found = {bot.bot: bot.mean for bot in level_of([*one, *other]).bots}
    for bot, (mean, _) in BOTS.items():
        assert found[bot] == pytest.approx(0.75 * mean + 0.25 * mean / 2)


def test_bots_whose_measured_losses_contradict_their_strength_share_a_mean() -> None:
    """It is as precise as their measurements together, and nearer to the more precise one."""
    measured = [
        BotLoss("apprentice", 13.0, 4.0),
        BotLoss("foreman", 9.0, 1.0),
        BotLoss("engineer", 12.0, 2.0),
        BotLoss("director", 3.0, 0.5),
    ]
    apprentice, foreman, engineer, director = in_order_of_strength(measured)
    assert (apprentice.mean, director.mean) == (13.0, 3.0)
    assert foreman.mean == engineer.mean == pytest.approx((4 * 9 + 12) / 5)
    assert foreman.error == pytest.approx((1 + 1 / 4) ** -0.5)


@pytest.mark.parametrize(
    ("thousandths", "better", "worse"),
    [(10.0, "director", "engineer"), (20.0, "foreman", "apprentice")],
)
def test_beside_bots_with_a_common_mean_a_level_names_those_next_in_strength(
    measured: None, thousandths: float, better: str, worse: str
) -> None:
    bots = BOTS | {"foreman": [12.0, 1.0], "engineer": [14.0, 1.0]}
    tables = {"industry 4": {"values": "v", "bots": bots}}
    level.FILE.write_text(json.dumps({"tables": tables}), encoding="utf-8")
    level._measured.cache_clear()
    found = level_of(games(thousandths))
    assert (found.better, found.worse) == (better, worse)


@pytest.mark.parametrize(
    "other",
    [
        GameLosses("industry 4", DEFAULT_LINES // 2, "v", 0.5, 50),
        GameLosses("industry 4", DEFAULT_LINES, "older", 0.5, 50),
        GameLosses("industria 4", DEFAULT_LINES, "v", 0.5, 50),
    ],
)
def test_games_that_were_judged_otherwise_are_not_compared(
    measured: None, other: GameLosses
) -> None:
    found = level_of([*games(10.0), other])
    assert found.bots == ()
    assert "not measured in this way" in level_text("Ana", found, "en")


def test_the_losses_of_a_seat_are_those_of_its_decisions_with_a_choice() -> None:
    game = finished_game("industria", 3)
    found = review(game.board, game.record(), lines=2)
    mine = losses_of(found, 2)
    own = [seat["own"] for seat in found["seats"]][1]
    assert mine.loss == pytest.approx(-own)
    choices = [d for d in found["decisions"] if d["seat"] == 2 and d["verdict"] != "forced"]
    assert mine.decisions == len(choices) > 0
    assert (mine.table, mine.lines) == ("industria 3", 2)
    assert mine.values == policy_version(int(game.board.rules.edition), 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_can_be_said(measured: None, language: str) -> None:
    told = [level_text("Ana", level_of(games(mean)), language) for mean in (2.0, 10.0, 40.0)]
    told.append(level_text("Ana", level_of(games(10.0, 3)), language))
    assert len(set(told)) == 4
    assert all(text.startswith("Ana") for text in told)


def test_what_was_measured_belongs_to_the_values_of_this_version() -> None:
    """New values of the bots need `python -m benchmarks.judge level --write` again."""
    data = json.loads(level.FILE.read_text(encoding="utf-8"))
    assert data["lines"] == DEFAULT_LINES
    tables = {f"{edition} {players}": (edition, players) for edition, players in TABLES}
    for name, table in data["tables"].items():
        edition, players = tables[name]
        assert table["values"] == policy_version(int(load_board(edition).rules.edition), players)
        assert set(table["bots"]) == set(BOTS)


def test_all_games_of_a_file_give_every_players_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = journal_path
    monkeypatch.setattr(reviews, "journal_path", lambda *args: tmp_path / real(*args).name)
    records = [finished_game("industria", 3, seed).record() for seed in (1, 2)]
    running = begun("industria", 3, 3)
    running.draw()
    path = tmp_path / "games.jsonl"
    lines = [record.to_json() for record in (*records, running.record())]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    args = ["review", str(path), "--all", "--lines", "2", "--processes", "1"]
    done = CliRunner().invoke(cli, [*args, "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["left_out"] == 1
    means = [player["mean"] for player in data["players"]]
    assert means == sorted(means) and len(means) == 3
    assert all(player["games"] == 2 for player in data["players"])
    told = CliRunner().invoke(cli, args)
    assert told.stdout.count("A level is given after 10 games.") == 3
    refused = CliRunner().invoke(cli, [*args, "--html", str(tmp_path / "page.html")])
    assert refused.exit_code == 1 and "leave out --html and --game" in refused.output
