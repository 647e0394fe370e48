"""A board measured by games: the games are watched truly, and the numbers follow from them."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from industry.arena.board_statistics import YARDSTICKS, BoardStatistics
from industry.arena.observed_games import AuctionOutcome, ObservedGames, observe_some, values_of
from industry.boards import load_board
from industry.boards.spec import FIELD_INDEX
from industry.bots.learn_from_points import joined
from industry.bots.weights import handmade_weights, weights_text
from industry.cli.app import cli
from industry.engine.constants import NOBODY, Status
from industry.notation.record import SCORE_PARTS

INDUSTRIA = load_board("industria")
GAMES = 6


def watched(
    players: int, seed: str = "watched", first: int = 0, games: int = GAMES, bot: str = "engineer"
) -> ObservedGames:
    values = values_of(bot, INDUSTRIA, players)
    return observe_some(INDUSTRIA, players, seed, first, games, bot, values)


@pytest.fixture(scope="module")
def seen() -> ObservedGames:
    return watched(4)


def staged(games: int = 4, players: int = 3) -> ObservedGames:
    """Games of which nothing is known yet but that seat 0 won them all."""
    winners = np.zeros((games, players), dtype=np.bool_)
    winners[:, 0] = True
    return ObservedGames(
        starters=np.arange(games) % players,
        parts=np.zeros((games, players, len(SCORE_PARTS)), dtype=np.int64),
        winners=winners,
        outcomes=np.full((games, 60), AuctionOutcome.UNWANTED),
        prices=np.zeros((games, 60), dtype=np.int64),
        owners=np.full((games, 60), NOBODY),
        statuses=np.zeros((games, 60), dtype=np.int64),
    )


def develop(games: ObservedGames, seat: int, *fields: str) -> None:
    for field in fields:
        games.owners[:, FIELD_INDEX[field]] = seat
        games.statuses[:, FIELD_INDEX[field]] = Status.DEVELOPED


# watching


def test_every_field_is_offered_once_and_only_bids_have_a_price(seen: ObservedGames) -> None:
    assert (seen.outcomes != AuctionOutcome.NOT_OFFERED).all()
    assert (seen.prices[seen.outcomes == AuctionOutcome.UNWANTED] == 0).all()
    assert (seen.prices[seen.outcomes > AuctionOutcome.UNWANTED] >= 1).all()
    assert {AuctionOutcome.UNWANTED, AuctionOutcome.SOLD, AuctionOutcome.CLAIMED} <= set(
        seen.outcomes.ravel().tolist()
    )


def test_three_players_of_industria_never_see_era_5() -> None:
    games = watched(3, games=2)
    assert (games.outcomes[:, 48:] == AuctionOutcome.NOT_OFFERED).all()
    assert (games.outcomes[:, :48] != AuctionOutcome.NOT_OFFERED).all()
    assert max(int(use.field.id[0]) for use in BoardStatistics(INDUSTRIA, 3, games).fields) == 4


def test_a_game_depends_on_seed_and_number_alone(seen: ObservedGames) -> None:
    pieces = [watched(4, first=first, games=3) for first in (0, 3)]
    again = joined(pieces)
    assert (again.parts == seen.parts).all()
    assert (again.prices == seen.prices).all()
    other = watched(4, "another seed")
    assert not (other.prices == seen.prices).all()


@pytest.mark.parametrize("bot", ["foreman", "magnate"])
def test_another_kind_of_player_plays_other_games(seen: ObservedGames, bot: str) -> None:
    other = watched(4, bot=bot)
    assert (other.starters == seen.starters).all()
    assert not (other.prices == seen.prices).all()


def test_link_points_counted_from_the_fields_are_those_of_the_scoring(seen: ObservedGames) -> None:
    points = {measure.name: measure.mean for measure in BoardStatistics(INDUSTRIA, 4, seen).points}
    assert points["roads"] + points["lines"] == pytest.approx(points["links"])
    parts = ("development", "links", "bonuses", "money")
    assert sum(points[part] for part in parts) == pytest.approx(points["total"])


# measuring


def test_the_owner_of_a_link_is_who_developed_both_ends() -> None:
    games = staged()
    develop(games, 0, "3J", "4J")
    develop(games, 1, "1F")
    develop(games, 2, "2F")
    links = {wins.name: wins for wins in BoardStatistics(INDUSTRIA, 3, games).links}
    assert (links["3J–4J"].share, links["3J–4J"].frequency) == (1.0, 1.0)
    assert links["1F–2F"].frequency == 0.0


def test_a_network_counts_with_a_bonus_and_a_factory_of_the_same_player() -> None:
    games = staged()
    pipeline = next(f.id for f in INDUSTRIA.fields if f.bonus and f.bonus.network == "pipeline")
    develop(games, 1, pipeline, "3J")
    networks = {wins.name: wins for wins in BoardStatistics(INDUSTRIA, 3, games).networks}
    assert (networks["pipeline"].share, networks["pipeline"].frequency) == (0.0, 1.0)
    assert networks["port"].frequency == 0.0, "the factory lies on it, but nobody has the bonus"


def test_turn_order_is_counted_from_the_starting_player() -> None:
    order = BoardStatistics(INDUSTRIA, 3, staged(games=3)).turn_order
    assert [wins.share for wins in order] == pytest.approx([1 / 3] * 3)
    always_first = staged(games=3)
    always_first.starters[:] = 0
    order = BoardStatistics(INDUSTRIA, 3, always_first).turn_order
    assert [wins.share for wins in order] == [1.0, 0.0, 0.0]
    assert order[0].low < 1.0 < order[0].high + 1e-9


def test_a_yardstick_inside_the_games_is_said_to_be_so() -> None:
    games = staged()
    games.parts[:, :, SCORE_PARTS.index("development")] = np.array([[10], [18], [22], [30]])
    development = next(
        m for m in BoardStatistics(INDUSTRIA, 3, games).points if m.name == "development"
    )
    assert development.yardstick == 20.0
    assert (development.mean, development.distance) == (20.0, 0.0)
    assert development.inside
    money = next(m for m in BoardStatistics(INDUSTRIA, 3, games).points if m.name == "money")
    assert (money.distance, money.inside) == (-1.0, False)


def test_the_rarest_fields_are_those_developed_least() -> None:
    games = staged()
    develop(games, 0, *(f.id for f in INDUSTRIA.fields if f.id != "2G"))
    rarest = BoardStatistics(INDUSTRIA, 3, games).rarest(2)
    assert (rarest[0].field.id, rarest[0].used) == ("2G", 0.0)
    assert rarest[1].used == 1.0


def test_the_ignored_fields_are_those_that_got_no_bid() -> None:
    games = staged()
    games.outcomes[:] = AuctionOutcome.SOLD
    games.outcomes[:3, FIELD_INDEX["3H"]] = AuctionOutcome.UNWANTED
    ignored = BoardStatistics(INDUSTRIA, 3, games).ignored(2)
    assert (ignored[0].field.id, ignored[0].unwanted) == ("3H", 0.75)
    assert ignored[1].unwanted == 0.0


def test_parts_of_the_real_games_add_up_to_their_totals() -> None:
    """The parts of four players are those of the game with 24, 34, 39 and 45 points."""
    for players, total in ((3, 38.7), (4, 35.5)):
        real = YARDSTICKS["industria", players]
        parts = ("development", "links", "bonuses", "money")
        assert sum(real[part] for part in parts) == pytest.approx(total, abs=0.15)
        assert real["roads"] + real["lines"] == pytest.approx(real["links"], abs=0.15)
        places = [real[f"place {place + 1}"] for place in range(players)]
        assert sum(places) / players == pytest.approx(real["total"], abs=0.15)


# the command


def test_the_command_prints_yardsticks_of_industria_and_none_of_industry() -> None:
    run = CliRunner().invoke
    shown = run(cli, ["board", "calibrate", "--games", "2"], env={"COLUMNS": "100"}).output
    assert "distance" in shown
    assert "Victories by turn order" in shown
    assert "Oil field – Refinery" in shown
    shown = run(cli, ["board", "calibrate", "industry", "-n", "2"], env={"COLUMNS": "100"}).output
    assert "distance" not in shown
    assert "subsidy" in shown


def test_the_same_seed_gives_the_same_measurement_as_json() -> None:
    command = ["board", "calibrate", "industria", "-p", "3", "-n", "4", "--seed", "x", "--json"]
    first, second = (json.loads(CliRunner().invoke(cli, command).stdout) for _ in range(2))
    for data in (first, second):
        assert data.pop("seconds") >= 0
    assert first == second
    assert first["board_hash"] == INDUSTRIA.hash
    assert (first["games"], first["players"], len(first["fields"])) == (4, 3, 48)


def test_a_board_that_does_not_exist_is_named() -> None:
    result = CliRunner().invoke(cli, ["board", "calibrate", "nowhere"])
    assert result.exit_code == 1
    assert "nowhere" in result.output


def test_the_magnate_measures_with_values_from_a_file_and_others_with_none(tmp_path: Path) -> None:
    def measured(*more: str) -> Result:
        command = ["board", "calibrate", "industria", "-n", "2", "--json", *more]
        return CliRunner().invoke(cli, command)

    file = tmp_path / "weights.json"
    file.write_text(weights_text(handmade_weights()), encoding="utf-8")
    handmade = measured("--bot", "magnate", "--weights", str(file))
    assert json.loads(handmade.stdout)["points"] == json.loads(measured().stdout)["points"]
    refused = measured("--bot", "foreman", "--weights", str(file))
    assert refused.exit_code == 2
    file.write_text("{}", encoding="utf-8")
    unreadable = measured("--bot", "magnate", "--weights", str(file))
    assert unreadable.exit_code == 1
    assert str(file) in unreadable.output
