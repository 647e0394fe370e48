"""Reviewed games in tables and reports: accounts, luck by draw, losses, and the auction sheet."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from industry.arena import Plan, play_batch
from industry.arena.dataset.files import REVIEWED_PART, create_folder, is_reviewed, read_dataset
from industry.arena.dataset.reviewed import REVIEW_SCHEMA, REVIEW_SEED, TERMS
from industry.arena.dataset.tables import SCHEMA, Dataset, Tables, batch_tables
from industry.arena.report.build import report_page
from industry.arena.report.data import GameSource
from industry.arena.report.review_data import ACCOUNT_TERMS, ReviewStatistics
from industry.boards import load_board
from industry.judge.over_games import ratio, share_of_variance
from industry.judge.review import review
from industry.notation import Record, complete_options
from industry.texts import LANGUAGES, say

LINES = 2
GAMES = 3


@lru_cache
def played() -> tuple[Plan, tuple[Record, ...], Tables]:
    """Some random games with their reviews."""
    board = load_board("industria")
    options = complete_options("industria", {})
    plan = Plan(board, 3, options, "reviewed", GAMES, record=True, review_lines=LINES)
    batch = play_batch(plan, fast=False)
    return plan, batch.records, batch_tables(plan, batch, fast=False)


def test_the_tables_say_what_the_review_says() -> None:
    plan, records, tables = played()
    found = review(plan.board, records[1], lines=LINES, seed=REVIEW_SEED)
    mine = {name: tables[name].filter(pl.col("game") == 2) for name in REVIEW_SCHEMA}
    for row, seat in zip(mine["accounts"].iter_rows(named=True), found["seats"], strict=True):
        assert {key: row[key] for key in ("seat", *TERMS)} == seat
    for row, made in zip(mine["decisions"].iter_rows(named=True), found["decisions"], strict=True):
        for key in ("seat", "kind", "line", "best", "verdict", "loss", "loss_se"):
            assert row[key] == made[key]
        assert records[1].moves[row["move"] - 1] == row["line"]
    assert mine["sheet"]["field"].to_list() == [one["field"] for one in found["auctions"]]
    regrets = [one["regret"] for one in found["auctions"]]
    assert mine["stakes"]["regret"].to_list() == [value for row in regrets for value in row]


def test_the_luck_of_all_draws_is_the_luck_of_the_account() -> None:
    _, _, tables = played()
    summed = tables["draws"].group_by("game", "seat").agg(pl.col("luck").sum().alias("drawn"))
    joined = tables["accounts"].join(summed, on=["game", "seat"])
    assert joined["drawn"].to_numpy() == pytest.approx(joined["luck"].to_numpy(), abs=1e-9)


def test_round_and_era_of_a_decision_are_those_of_the_game() -> None:
    _, _, tables = played()
    decisions = tables["decisions"].filter(pl.col("kind") == "offer")
    known = tables["auctions"].sort("game", "auction")
    for column in ("round", "era"):
        assert decisions.sort("game", "move")[column].to_list() == known[column].to_list()


def test_a_folder_of_reviewed_games_is_read_back_and_never_mixed_with_others(
    tmp_path: Path,
) -> None:
    plan, _, tables = played()
    path = tmp_path / "tables"
    settings = {"seed": "reviewed", "review_lines": LINES}
    folder = create_folder(path, plan.board, settings)
    folder.add(tables, REVIEWED_PART)  # written at once, not after hundreds of games
    found = read_dataset(path)
    assert is_reviewed(found.settings)
    assert all(found.tables[name].equals(tables[name]) for name in (*SCHEMA, *REVIEW_SCHEMA))
    plain = {name: tables[name] for name in SCHEMA}
    folder = create_folder(path, plan.board, {"seed": "plain"}, replace=True)
    folder.add(plain, GAMES)
    folder.flush()
    assert set(read_dataset(path).tables) == set(SCHEMA)
    assert not (path / "accounts").exists()


def test_games_that_nobody_reviewed_have_no_such_tables() -> None:
    plan, _, _ = played()
    plain = replace(plan, review_lines=None)
    assert set(batch_tables(plain, play_batch(plain, fast=False), fast=False)) == set(SCHEMA)


def test_the_shares_of_all_parts_add_up_to_one() -> None:
    _, _, tables = played()
    shares = ReviewStatistics(tables).shares
    assert list(shares) == list(ACCOUNT_TERMS)
    assert sum(share.value for share in shares.values()) == pytest.approx(1)


def test_the_share_of_luck_is_found_again_and_noise_does_not_change_it() -> None:
    """Luck makes 9 of 10 parts of the variance; its estimate has as much noise again."""
    rng = np.random.default_rng(1)
    luck, skill, noise = (rng.normal(0, spread, (4000, 4)) for spread in (3, 1, 3))
    found = share_of_variance((luck + noise).tolist(), (luck + skill).tolist())
    assert found.value == pytest.approx(0.9, abs=0.03)
    assert abs(found.value - 0.9) < 3 * found.error
    fewer = share_of_variance(luck[:40].tolist(), (luck + skill)[:40].tolist())
    assert fewer.error > 3 * found.error
    assert not share_of_variance([[1.0]], [[2.0]]).is_known


def test_the_error_of_a_ratio_covers_the_truth_as_often_as_it_says() -> None:
    """Games of few and of many decisions; 0.3 is lost by each of them on average."""
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(400):
        counts = rng.integers(20, 60, 30)
        sums = [float(rng.normal(0.3, 1, count).sum()) for count in counts]
        found = ratio(sums, counts.tolist())
        hits += abs(found.value - 0.3) < found.half
    assert 0.91 < hits / 400 < 0.98


def test_losses_are_counted_by_player_and_per_decision_with_a_choice() -> None:
    _, _, tables = played()
    (found,) = ReviewStatistics(tables).losses
    made = tables["decisions"].filter(pl.col("verdict") != "forced")
    assert found.name == "Random"
    assert found.decisions == made.height
    assert found.loss.value == pytest.approx(made["loss"].sum() / made.height)
    blunders = made.filter(pl.col("verdict") == "blunder").height
    assert found.blunders == pytest.approx(blunders / (3 * GAMES))
    assert blunders > 0, "random moves lose much"


def test_the_sheet_has_every_field_with_the_means_of_its_auctions() -> None:
    _, _, tables = played()
    found = ReviewStatistics(tables).sheet
    assert len(found) == 48
    one = found[7]
    keys = ["game", "auction"]
    mine = tables["auctions"].filter(pl.col("field") == one.field)
    assert one.price == pytest.approx(mine["price"].mean())
    surplus = tables["sheet"].filter(pl.col("field") == one.field)["surplus"].mean()
    assert one.surplus.value == pytest.approx(surplus)
    regret = mine.join(tables["stakes"], on=keys)["regret"].sum()
    assert one.regret == pytest.approx(regret / mine.height)
    owned = mine.join(tables["stakes"], left_on=[*keys, "owner"], right_on=[*keys, "seat"])
    assert one.win == pytest.approx(owned["win"].mean())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_on_reviewed_games_has_luck_losses_and_the_sheet(language: str) -> None:
    plan, _, tables = played()
    text = report_page([GameSource("a", Dataset(plan.board, tables))], language)
    for card in ("luck", "losses", "sheet"):
        heading = say(f"lab.card.{card}", language)
        (article,) = [part for part in text.split("<article") if f"<h3>{heading}</h3>" in part]
        assert "<svg" in article
        rows = article.count("<tr>") - 1
        assert rows == {"luck": 4, "losses": 1, "sheet": 48}[card]


def test_one_reviewed_game_is_reported_without_an_interval() -> None:
    plan, _, tables = played()
    one = {name: frame.filter(pl.col("game") == 1) for name, frame in tables.items()}
    text = report_page([GameSource("a", Dataset(plan.board, one))])
    assert "nan" not in text and "inf" not in text.replace("info", "")
    assert "explains" not in text


def test_a_report_on_other_games_says_nothing_of_luck() -> None:
    plan, _, tables = played()
    plain = {name: tables[name] for name in SCHEMA}
    text = report_page([GameSource("a", Dataset(plan.board, plain))])
    assert say("lab.card.luck") not in text


def test_the_page_of_the_data_explains_the_tables_of_reviewed_games() -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    for name, columns in REVIEW_SCHEMA.items():
        section = text.split(f"\n**`{name}`**")[1].split("\n**`")[0]
        missing = [column for column in columns if f"`{column}`" not in section]
        assert missing == ["game"], name
