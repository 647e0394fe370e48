"""Tables of games: they say what the records say, and a folder of them is whole at all times."""

import json
import shutil
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import polars as pl
import pytest

from industry.arena import Plan, Summary, play_batch
from industry.arena.dataset.files import (
    MANIFEST,
    PART,
    DatasetError,
    create_folder,
    open_folder,
    part_path,
    read_dataset,
)
from industry.arena.dataset.rows import BrokenGame
from industry.arena.dataset.tables import (
    SCHEMA,
    NumberedRecord,
    Tables,
    batch_tables,
    joined_tables,
    replay_records,
    tables_batch,
)
from industry.arena.dataset.values import price_of
from industry.boards import load_board
from industry.notation import Game, Record, complete_options, replay
from industry.notation.record import SCORE_PARTS

KINDS = [("industry", 3), ("industry", 4), ("industria", 3), ("industria", 4)]


@lru_cache
def played(edition: str, players: int, games: int = 2) -> tuple[Plan, tuple[Record, ...], Tables]:
    """Some random games, as records and as tables."""
    board = load_board(edition)
    plan = Plan(board, players, complete_options(edition, {}), "tables", games, record=True)
    batch = play_batch(plan, fast=False)
    return plan, batch.records, batch_tables(plan, batch, fast=False)


def of_game(tables: Tables, name: str, game: int) -> pl.DataFrame:
    return tables[name].filter(pl.col("game") == game)


@pytest.mark.parametrize(("edition", "players"), KINDS)
def test_the_final_breakdown_is_that_of_the_record(edition: str, players: int) -> None:
    _, records, tables = played(edition, players)
    for game, record in enumerate(records, start=1):
        assert record.result is not None
        seats = of_game(tables, "seats", game).sort("seat")
        assert tuple(seats["points"]) == record.result.points
        winners = seats.filter(pl.col("won") > 0)
        assert tuple(winners["seat"]) == record.result.winners
        assert set(winners["rank"]) == {1}
        assert sum(seats["won"]) == pytest.approx(1)
        for part in SCORE_PARTS:
            stated = [getattr(entry, part) for entry in record.result.breakdown]
            assert seats[part].to_list() == stated
        starter = seats.filter(pl.col("turn") == 1)
        assert starter["seat"].to_list() == [record.starting_player]
        (row,) = of_game(tables, "games", game).iter_rows(named=True)
        assert row["winning_points"] == max(record.result.points)
        assert row["decisions"] == sum(not line.startswith("draw") for line in record.moves)
        assert row["rounds"] == sum(line.startswith("draw") for line in record.moves)
        assert {name: row[name] for name in record.options} == record.options


@pytest.mark.parametrize(("edition", "players"), KINDS)
def test_auctions_bids_and_developments_are_the_lines_of_the_record(
    edition: str, players: int
) -> None:
    _, records, tables = played(edition, players)
    for game, record in enumerate(records, start=1):
        words = [line.split(" ") for line in record.moves]
        auctions = of_game(tables, "auctions", game)
        offered = [line[2] for line in words if line[1] == "offer"]
        assert auctions["field"].to_list() == offered
        assert auctions["auction"].to_list() == list(range(1, len(offered) + 1))
        counts = {
            outcome: (auctions["outcome"] == outcome).sum() for outcome in ("sold", "claimed")
        }
        assert counts["sold"] == sum(line[1] == "sell" for line in words)
        assert counts["claimed"] == sum(line[1] == "claim" for line in words)
        bids = of_game(tables, "bids", game)
        stated = [int(line[2]) if line[1] == "bid" else None for line in words]
        asked = [bid for bid, line in zip(stated, words, strict=True) if line[1] in ("bid", "pass")]
        assert bids["bid"].to_list() == asked
        developed = of_game(tables, "developments", game)
        assert developed["field"].to_list() == [line[2] for line in words if line[1] == "develop"]


@pytest.mark.parametrize(("edition", "players"), KINDS)
def test_points_talers_and_holdings_agree_between_the_tables(edition: str, players: int) -> None:
    plan, records, tables = played(edition, players)
    for game, record in enumerate(records, start=1):
        end: Game = replay(record, plan.board)
        seats = of_game(tables, "seats", game).sort("seat")
        last = of_game(tables, "rounds", game).filter(pl.col("round") == pl.col("round").max())
        assert last.sort("seat")["talers"].to_list() == seats["talers"].to_list()
        assert last.sort("seat")["points"].to_list() == seats["development"].to_list()
        assert seats["talers"].to_list() == end.position.state.talers[:players]
        for seat in range(1, players + 1):
            mine = pl.col("seat") == seat
            developed = of_game(tables, "developments", game).filter(mine)
            row = seats.row(seat - 1, named=True)
            assert developed["points"].sum() == row["development"]
            assert developed.height == row["developed"]
            assert 3 * of_game(tables, "links", game).filter(mine).height == row["links"]


def test_bonuses_of_industria_are_two_points_per_factory_of_a_network_with_a_bonus() -> None:
    """I7: a second bonus of the same network adds nothing."""
    tables = played("industria", 4, 6)[2]
    seats = tables["seats"].filter(pl.col("bonuses") > 0)
    assert seats.height > 3
    for row in seats.iter_rows(named=True):
        mine = (pl.col("game") == row["game"]) & (pl.col("seat") == row["seat"])
        paying = tables["networks"].filter(mine & (pl.col("bonus_fields") > 0))
        assert 2 * paying["factories"].sum() == row["bonuses"]


def test_a_claim_in_industry_costs_less_than_its_price_and_none_in_industria() -> None:
    """C4 and C9: the Auctioneer keeps their own share of the price."""
    for edition, players in (("industry", 4), ("industria", 4)):
        claims = played(edition, players)[2]["auctions"].filter(pl.col("outcome") == "claimed")
        assert claims.height > 5
        for row in claims.iter_rows(named=True):
            price = row["price"] if edition == "industry" else 0
            assert row["paid"] == price - price // players


def test_a_sale_costs_its_price_and_an_unwanted_field_nothing() -> None:
    auctions = played("industry", 4)[2]["auctions"]
    sold = auctions.filter(pl.col("outcome") == "sold")
    assert sold["paid"].to_list() == sold["price"].to_list()
    taken = auctions.filter(pl.col("outcome") == "taken")
    assert set(taken["paid"]) | set(taken["price"]) == {0}
    assert (taken["owner"] == taken["auctioneer"]).all()


def test_the_summary_of_the_tables_is_that_of_the_games() -> None:
    plan, _, tables = played("industry", 4)
    from_tables, from_games = Summary(4), Summary(4)
    from_tables.add(tables_batch(tables, 4))
    from_games.add(play_batch(plan, fast=False))
    assert from_tables.data() == from_games.data()


def test_games_keep_their_numbers_whatever_piece_they_come_in() -> None:
    plan, _, whole = played("industry", 3, 4)
    pieces = []
    for first in (0, 2):
        piece = replace(plan, first=first, games=2)
        pieces.append(batch_tables(piece, play_batch(piece, fast=False), fast=False))
    joined = joined_tables(pieces)
    assert all(joined[name].equals(whole[name]) for name in SCHEMA)
    assert whole["games"]["game"].to_list() == [1, 2, 3, 4]


def test_a_worth_is_the_price_at_which_field_and_talers_are_equally_good() -> None:
    purse = [2.0 * talers if talers <= 4 else 8.0 + (talers - 4) for talers in range(20)]
    assert price_of(3.0, 6, purse) == pytest.approx(2.5)  # two Talers of 1 point, half of one of 2
    assert price_of(0.5, 6, purse) == pytest.approx(0.5)
    assert price_of(14.0, 6, purse) == pytest.approx(8.0)  # beyond the purse like its last Taler
    assert price_of(-1.0, 6, purse) == 0.0


def test_a_record_that_cannot_be_replayed_names_game_move_and_reason() -> None:
    plan, (record, _), _ = played("industry", 3)
    broken = replace(record, moves=(*record.moves[:5], "1 develop 5L", *record.moves[6:]))
    with pytest.raises(BrokenGame, match=r"game 7, move 6 \(1 develop 5L\): ."):
        replay_records([NumberedRecord(7, broken)], plan.board, fast=False)


def test_an_unfinished_game_is_left_out() -> None:
    plan, (first, second), tables = played("industry", 3)
    cut = replace(first, moves=first.moves[:-1], result=None)
    found = replay_records(
        [NumberedRecord(1, cut), NumberedRecord(2, second)], plan.board, fast=False
    )
    assert found.unfinished == 1
    assert found.tables["seats"].equals(of_game(tables, "seats", 2))


# the folder


SETTINGS = {"seed": "tables", "players": 3}


def written(path: Path) -> Path:
    plan, _, tables = played("industry", 3)
    folder = create_folder(path, plan.board, SETTINGS)
    folder.add(tables, 2)
    folder.flush()
    return path


def test_a_folder_gives_back_its_games_and_its_board(tmp_path: Path) -> None:
    found = read_dataset(written(tmp_path / "tables"))
    plan, _, tables = played("industry", 3)
    assert found.board.hash == plan.board.hash
    for ours, theirs in zip(found.board.fields, plan.board.fields, strict=True):
        assert (ours.name, ours.attested, ours.source) == (
            theirs.name,
            theirs.attested,
            theirs.source,
        )
    assert found.settings == SETTINGS
    assert all(found.tables[name].equals(tables[name]) for name in SCHEMA)
    by_hand = pl.read_parquet(tmp_path / "tables" / "auctions" / "*.parquet")
    assert by_hand.equals(tables["auctions"])


def test_a_folder_grows_by_parts_and_continues_where_it_ended(tmp_path: Path) -> None:
    path = written(tmp_path / "tables")
    plan, _, tables = played("industry", 3)
    folder = open_folder(path, plan.board, SETTINGS)
    assert (folder.games, folder.played) == (2, 2)
    folder.add(tables, PART)  # as if all other games of the part had been lost by faults
    assert (folder.games, folder.played, folder.parts) == (4, PART + 2, 2)
    assert read_dataset(path).games == 4


def test_what_a_kill_leaves_of_a_part_counts_for_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "tables")
    for name in ("games", "seats"):
        shutil.copy(part_path(path, name, 1), part_path(path, name, 2))
    part_path(path, "auctions", 2).write_bytes(b"half of a fi")
    assert read_dataset(path).games == 2
    plan, _, tables = played("industry", 3)
    folder = open_folder(path, plan.board, SETTINGS)
    folder.add(tables, 2)
    folder.flush()
    assert read_dataset(path).games == 4


def test_games_of_other_settings_are_not_mixed(tmp_path: Path) -> None:
    path = written(tmp_path / "tables")
    board = load_board("industry")
    with pytest.raises(DatasetError, match="Its seed: tables; asked for: other"):
        open_folder(path, board, SETTINGS | {"seed": "other"})
    with pytest.raises(DatasetError, match="already exists; continue it with --resume"):
        create_folder(path, board, SETTINGS)
    assert create_folder(path, board, SETTINGS, replace=True).games == 0


def test_a_folder_of_something_else_is_never_cleared(tmp_path: Path) -> None:
    precious = tmp_path / "thesis.txt"
    precious.write_text("years of work", encoding="utf-8")
    for replaced in (False, True):
        with pytest.raises(DatasetError, match="contains other files"):
            create_folder(tmp_path, load_board("industry"), SETTINGS, replace=replaced)
    with pytest.raises(DatasetError, match="is a file"):
        create_folder(precious, load_board("industry"), SETTINGS)
    assert precious.read_text(encoding="utf-8") == "years of work"


def broken_manifest(path: Path) -> None:
    (path / MANIFEST).write_text('{"kind": "something else"}', encoding="utf-8")


def newer_format(path: Path) -> None:
    data = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    (path / MANIFEST).write_text(json.dumps(data | {"format": 99}), encoding="utf-8")


def missing_column(path: Path) -> None:
    file = part_path(path, "auctions", 1)
    pl.read_parquet(file).drop("price").write_parquet(file)


def another_type(path: Path) -> None:
    file = part_path(path, "seats", 1)
    pl.read_parquet(file).with_columns(pl.col("points").cast(pl.String)).write_parquet(file)


def one_more_column(path: Path) -> None:
    file = part_path(path, "bids", 1)
    pl.read_parquet(file).with_columns(mood=pl.lit("good")).write_parquet(file)


def no_parquet(path: Path) -> None:
    part_path(path, "rounds", 1).write_text("round,talers\n1,5\n", encoding="utf-8")


def missing_file(path: Path) -> None:
    part_path(path, "links", 1).unlink()


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (broken_manifest, "not a dataset of this program"),
        (newer_format, "has the format 99, and this program reads 1"),
        (missing_column, "auctions.*has no column price"),
        (another_type, "has String in the column points, and Int16 belongs there"),
        (one_more_column, "has a column mood that does not belong there"),
        (no_parquet, "is damaged, or not a Parquet file"),
        (missing_file, "links.*cannot be read"),
    ],
)
def test_a_folder_that_is_not_what_it_should_be_is_reported(
    harm: object, sentence: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "tables")
    assert callable(harm)
    harm(path)
    with pytest.raises(DatasetError, match=sentence):
        read_dataset(path)


def test_the_page_of_the_data_explains_every_table_and_column() -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    for name, columns in SCHEMA.items():
        section = text.split(f"\n**`{name}`**")[1].split("\n**`")[0]
        missing = [column for column in columns if f"`{column}`" not in section]
        assert missing == ["game"], name
