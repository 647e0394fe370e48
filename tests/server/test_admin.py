"""`industry admin`: tables leave a database and come back whole, or not at all (P15)."""

import asyncio
import gzip
import json
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from industry.boards import BoardSpec
from industry.notation import Record, record_from_json
from industry.server.archive import ArchivedTable, archive_lines
from industry.server.bot_process import ChosenMove
from tests.cli.running import Outcome, run, start
from tests.support.waiting import wait_until

from .conftest import STORES, copy_of, new_postgres
from .playing import RandomPool, Server, play_on, served

BOTS = ("random", "random", "random")


def admin(*args: object) -> Outcome:
    return run("admin", *args)


def new_database(folder: Path, name: str = "other.db") -> str:
    return f"sqlite:///{folder / name}"


def logs_of(server: Server, tables: list[str]) -> dict[str, list[Any]]:
    return {table: server.get(f"/api/tables/{table}/log")["entries"] for table in tables}


def until_over(server: Server, table: str) -> None:
    wait_until(
        lambda: server.get(f"/api/tables/{table}")["status"] == "over", "the game has no end"
    )


@pytest.fixture(scope="module", params=STORES)
def first_club(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[str]]:
    """A database with a finished game, one under way and one that nobody has started."""
    if request.param == "sqlite":
        database = new_database(tmp_path_factory.mktemp("club"), "tables.db")
    else:
        database = new_postgres(request.getfixturevalue("postgres"))
    with served(database, RandomPool()) as server:
        over = server.make(*BOTS, edition="industria")
        runs = server.make("human", "human", "human", listed=True)
        waits = server.make("human", "open", "open")
        until_over(server, over["table"])
        with server.client(runs, 1, 2, 3) as client:
            play_on(client.ready(), Random(7), 60)
    return database, [made["table"] for made in (over, runs, waits)]


@pytest.fixture
def club(first_club: tuple[str, list[str]], tmp_path: Path) -> tuple[str, list[str]]:
    """A database of each kind, as above; yours to change."""
    database, tables = first_club
    return copy_of(database, tmp_path), tables


class Held(RandomPool):
    """Plays, but ends no game before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.may_end = threading.Event()

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        while len(record.moves) > 100 and not self.may_end.is_set():
            await asyncio.sleep(0.01)
        return await super().choose(bot, record, board, seed, share)


def test_tables_are_listed_with_players_and_status(club: tuple[str, list[str]]) -> None:
    database, (over, runs, waits) = club
    shown = admin("list", "--database", database)
    assert shown.code == 0
    assert all(table in shown.out for table in (over, runs, waits))
    assert "(open)" in shown.out
    assert shown.lines[-1] == "3 tables."
    as_json = admin("list", "--database", database, "--json", "--status", "running")
    assert [json.loads(line)["table"] for line in as_json.lines] == [runs]


@pytest.mark.both_stores
def test_every_table_of_a_database_replays(club: tuple[str, list[str]]) -> None:
    database, _ = club
    checked = admin("check", "--database", database)
    assert (checked.code, checked.lines) == (0, ["3 tables replayed: all right."])


@pytest.mark.parametrize("name", ["backup.jsonl", "backup.jsonl.gz"])
def test_a_backup_restores_everything_seat_links_included(
    club: tuple[str, list[str]], name: str, tmp_path: Path
) -> None:
    database, tables = club
    file = tmp_path / name
    assert admin("backup", file, "--database", database).lines == [f"3 tables written to {file}."]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    restored = new_database(tmp_path)
    done = admin("restore", file, "--database", restored)
    assert done.lines == [f"3 tables replayed and restored from {file}."]
    assert admin("check", "--database", restored).code == 0
    again = tmp_path / f"again-{name}"
    admin("backup", again, "--database", restored)
    read = gzip.open if name.endswith("gz") else open
    with read(file, "rb") as one, read(again, "rb") as two:
        assert sorted(one.read().splitlines()[1:-1]) == sorted(two.read().splitlines()[1:-1])
    with served(database, RandomPool()) as server:
        before = logs_of(server, tables)
    with served(restored, RandomPool()) as server:
        assert logs_of(server, tables) == before


def test_a_restored_game_goes_on_with_the_same_seat_links(tmp_path: Path) -> None:
    old, new = new_database(tmp_path, "old.db"), new_database(tmp_path, "new.db")
    with served(old, RandomPool()) as server:
        made = server.make("human", "human", "human")
        with server.client(made, 1, 2, 3) as client:
            play_on(client.ready(), Random(1), 20)
    file = tmp_path / "backup.jsonl"
    admin("backup", file, "--database", old)
    admin("restore", file, "--database", new)
    with served(new, RandomPool()) as server, server.client(made, 1, 2, 3) as client:
        play_on(client.ready(), Random(2))
        assert client.view["status"] == "over"
    assert admin("check", "--database", new).lines == ["1 table replayed: all right."]


@pytest.mark.proof
def test_a_backup_under_load_holds_a_moment_of_every_table(database: str, tmp_path: Path) -> None:
    """Each restored log is the beginning of the one that the server went on with."""
    bots = Held()
    with served(database, bots) as server:
        tables = [server.make(*BOTS)["table"] for _ in range(3)]
        files = [tmp_path / f"backup-{number}.jsonl" for number in range(2)]
        for file in files:
            assert admin("backup", file, "--database", database).code == 0
        bots.may_end.set()
        for table in tables:
            until_over(server, table)
        whole = logs_of(server, tables)
    for number, file in enumerate(files):
        restored = new_database(tmp_path, f"restored-{number}.db")
        assert admin("restore", file, "--database", restored).code == 0
        assert admin("check", "--database", restored).code == 0
        listed = admin("list", "--database", restored, "--json", "--status", "running")
        assert len(listed.lines) == len(tables)
        kept = [json.loads(line) for line in file.read_text().splitlines()[1:-1]]
        assert {table["table"] for table in kept} == set(tables)
        for table in kept:
            hashes = [row["hash"] for row in table["logs"]]
            assert hashes == [entry["hash"] for entry in whole[table["table"]]][: len(hashes)]
    with served(new_database(tmp_path, "restored-0.db"), RandomPool()) as server:
        for table in tables:
            until_over(server, table)  # what was under way goes on


def test_tables_move_from_one_kind_of_database_to_the_other(
    postgres_database: str, tmp_path: Path
) -> None:
    small = new_database(tmp_path)
    with served(small, RandomPool()) as server:
        table = server.make(*BOTS)["table"]
        until_over(server, table)
        before = logs_of(server, [table])
    file = tmp_path / "move.jsonl"
    assert admin("export", table, "--out", file, "--database", small).code == 0
    assert admin("import", file, "--database", postgres_database).code == 0
    with served(postgres_database, RandomPool()) as server:
        assert logs_of(server, [table]) == before


def test_exported_records_are_accepted_by_verify_with_their_proof(
    club: tuple[str, list[str]], tmp_path: Path
) -> None:
    database, _ = club
    file = tmp_path / "games.jsonl"
    admin("export", "--records", "--out", file, "--database", database)
    games = [record_from_json(line) for line in file.read_text().splitlines()]
    assert [game.result is not None for game in games] == [True, False]
    assert run("verify", file).lines == [
        "2 games checked: all right; the bag of 1 game is proven; "
        "the bag of 1 game is right so far, its secret not yet revealed."
    ]
    out = admin("export", "--records", "--out", "-", "--database", database)
    assert out.out == file.read_text()


def test_an_output_that_ends_early_is_not_blamed_on_the_database(tmp_path: Path) -> None:
    export = ("admin", "export", "--out", "-", "--database", new_database(tmp_path))
    reading, writing = os.pipe()
    os.close(reading)
    process = start(*export, stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")
    with Path("/dev/full").open("wb") as full:
        process = start(*export, stdout=full)
        _, err = process.communicate(timeout=60)
    no_space = b"Error: standard output cannot be written: No space left on device.\n"
    assert (process.returncode, err) == (1, no_space)


@pytest.mark.both_stores
def test_deleted_tables_are_gone_and_the_others_stay(club: tuple[str, list[str]]) -> None:
    database, (over, runs, waits) = club
    assert admin("delete", over, waits, "--yes", "--database", database).code == 0
    listed = admin("list", "--json", "--database", database)
    assert [json.loads(line)["table"] for line in listed.lines] == [runs]
    missing = admin("delete", over, "--yes", "--database", database)
    assert (missing.code, missing.err) == (1, f"Error: there is no table {over}.\n")
    assert admin("delete", "--database", database).code == 1


# What is refused


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of one finished game, and its backup."""
    folder = tmp_path_factory.mktemp("source")
    database = new_database(folder, "source.db")
    with served(database, RandomPool()) as server:
        until_over(server, server.make(*BOTS)["table"])
    admin("backup", folder / "archive.jsonl", "--database", database)
    return folder


@pytest.fixture
def archive(source: Path, tmp_path: Path) -> Path:
    """An archive of one finished game; yours to change."""
    return Path(shutil.copy(source / "archive.jsonl", tmp_path))


def forged(file: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The archive with a table changed, as whole as if the program had written it so."""
    data = json.loads(file.read_text().splitlines()[1])
    change(data)
    table, board = data.pop("table"), data.pop("board")
    file.write_text(
        "".join(f"{line}\n" for line in archive_lines([ArchivedTable(table, data, board)]))
    )
    return file


def another_bid(data: dict[str, Any]) -> None:
    row = next(row for row in data["logs"] if " bid " in row["entry"])
    row["entry"] = row["entry"].replace(" bid ", " bid 9")


def another_secret(data: dict[str, Any]) -> None:
    data["secrets"][0]["bag"] = "0" * 64


def a_missing_entry(data: dict[str, Any]) -> None:
    del data["logs"][20]


def another_board(data: dict[str, Any]) -> None:
    data["board"] = (
        data["board"].replace("cost   = 1", "cost   = 2").replace("cost = 1", "cost = 2")
    )


def a_foreign_row(data: dict[str, Any]) -> None:
    data["tokens"].append({"hash": "0", "table_id": "abcdefghijkl", "place": 1})


def an_unknown_column(data: dict[str, Any]) -> None:
    data["logs"][0]["note"] = "x"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (another_bid, "its log was changed at entry"),
        (another_secret, "its bag does not give what was drawn (commitment)"),
        (a_missing_entry, "its log was changed at entry"),
        (another_board, "is damaged"),
        (a_foreign_row, "tokens cannot be read"),
        (an_unknown_column, "logs cannot be read"),
    ],
)
def test_a_damaged_table_is_refused_with_the_reason(
    change: Callable[[dict[str, Any]], None], said: str, archive: Path, tmp_path: Path
) -> None:
    target = new_database(tmp_path)
    for how in ("restore", "import"):
        refused = admin(how, forged(archive, change), "--database", target)
        assert refused.code == 1
        assert said in refused.err
        assert "Nothing was imported." in refused.err
    assert admin("list", "--database", target).lines == ["0 tables."]


@pytest.mark.parametrize("left", [0, 1, 2])
def test_an_archive_of_which_a_part_is_missing_is_refused(
    left: int, archive: Path, tmp_path: Path
) -> None:
    lines = archive.read_text().splitlines(keepends=True)
    archive.write_text("".join(lines[:left]))
    target = new_database(tmp_path)
    assert admin("restore", archive, "--database", target).code == 1
    assert admin("list", "--database", target).lines == ["0 tables."]


def test_a_compressed_archive_that_ends_too_early_is_refused(archive: Path, tmp_path: Path) -> None:
    packed = tmp_path / "archive.gz"
    packed.write_bytes(gzip.compress(archive.read_bytes())[:-100])
    refused = admin("restore", packed, "--database", new_database(tmp_path))
    assert refused.code == 1
    assert "cannot be read to its end" in refused.err


def test_a_line_that_is_nested_too_deeply_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """Version 0.1.0 showed a traceback."""
    deep = tmp_path / "deep.jsonl"
    deep.write_text("[" * 100_000 + "]" * 100_000 + "\n")
    refused = run("admin", "restore", deep, "--database", f"sqlite:///{tmp_path / 'new.db'}")
    assert refused.code == 1
    assert "not JSON" in refused.err
    assert "Traceback" not in refused.err


def test_an_archive_that_was_edited_is_refused(archive: Path, tmp_path: Path) -> None:
    archive.write_text(archive.read_text().replace('"place": 0', '"place": 1', 1))
    refused = admin("restore", archive, "--database", new_database(tmp_path))
    assert "changed after it was written" in refused.err


def test_nothing_is_restored_over_tables_or_imported_twice(archive: Path, tmp_path: Path) -> None:
    target = new_database(tmp_path)
    assert admin("restore", archive, "--database", target).code == 0
    assert "is not empty" in admin("restore", archive, "--database", target).err
    assert "is there already" in admin("import", archive, "--database", target).err
    assert admin("check", "--database", target).code == 0


def test_a_damaged_database_is_found(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "other.db"
    admin("restore", archive, "--database", f"sqlite:///{target}")
    with sqlite3.connect(target) as connection:
        connection.execute("UPDATE logs SET entry = replace(entry, 'pass', 'done')")
    checked = admin("check", "--database", f"sqlite:///{target}")
    assert checked.code == 1
    assert checked.lines[0].startswith("The table ")
    assert checked.lines[-1] == "1 table replayed: 1 damaged."
    assert admin("check", "--json", "--database", f"sqlite:///{target}").json["tables"] == 1


def test_existing_files_are_not_overwritten(source: Path, archive: Path, tmp_path: Path) -> None:
    database = new_database(source, "source.db")
    refused = admin("backup", archive, "--database", database)
    assert "add --force" in refused.err
    assert admin("backup", archive, "--force", "--database", database).code == 0
    nowhere = admin("backup", tmp_path / "none" / "x", "--database", database)
    assert (nowhere.code, "cannot be written" in nowhere.err) == (1, True)


# What is damaged does not take the rest with it


@pytest.fixture
def damaged_club(archive: Path, tmp_path: Path) -> tuple[Path, str, str]:
    """A database with two tables, the name of one that was damaged, and that of the other."""
    target = tmp_path / "club.db"
    database = f"sqlite:///{target}"
    admin("restore", archive, "--database", database)
    with served(database, RandomPool()) as server:
        whole = server.make("human", "open", "open")["table"]
    with sqlite3.connect(target) as connection:
        (bad,) = connection.execute("SELECT id FROM tables WHERE status = 'over'").fetchone()
        change = "UPDATE logs SET entry = ? WHERE table_id = ? AND version = 9"
        connection.execute(change, ('{"kind": "move"}', bad))
    return target, bad, whole


def test_a_backup_names_damaged_tables_and_keeps_everything(
    damaged_club: tuple[Path, str, str], tmp_path: Path
) -> None:
    target, bad, whole = damaged_club
    file = tmp_path / "backup.jsonl.gz"
    done = admin("backup", file, "--database", f"sqlite:///{target}")
    assert done.code == 3
    assert done.lines == [f"2 tables written to {file}."]
    assert f"The table {bad} is damaged" in done.err
    assert whole not in done.err
    restored = new_database(tmp_path, "restored.db")
    refused = admin("restore", file, "--database", restored)
    assert refused.code == 1
    assert "Nothing was imported. `--skip-damaged`" in refused.err
    assert admin("list", "--database", restored).lines == ["0 tables."]


def test_a_restore_can_leave_damaged_tables_out_and_keeps_their_lines(
    damaged_club: tuple[Path, str, str], tmp_path: Path
) -> None:
    target, bad, whole = damaged_club
    file = tmp_path / "backup.jsonl"
    admin("backup", file, "--database", f"sqlite:///{target}")
    restored = new_database(tmp_path, "restored.db")
    done = admin("restore", file, "--skip-damaged", "--database", restored)
    assert done.code == 3
    assert done.lines == [f"1 table replayed and restored from {file}."]
    assert f"The table {bad} is damaged" in done.err
    rest = tmp_path / "backup.jsonl.damaged"
    assert str(rest) in done.err
    assert stat.S_IMODE(rest.stat().st_mode) == 0o600
    assert rest.read_text().splitlines() == [
        line for line in file.read_text().splitlines() if f'"table": "{bad}"' in line
    ]
    listed = admin("list", "--json", "--database", restored)
    assert [json.loads(line)["table"] for line in listed.lines] == [whole]
    assert admin("check", "--database", restored).code == 0


def test_a_table_that_the_database_cannot_read_is_named_and_the_rest_backed_up(
    damaged_club: tuple[Path, str, str], tmp_path: Path
) -> None:
    target, bad, whole = damaged_club
    with sqlite3.connect(target) as connection:
        connection.execute("UPDATE logs SET entry = CAST(x'ff' AS TEXT) WHERE table_id = ?", [bad])
    file = tmp_path / "backup.jsonl"
    done = admin("backup", file, "--database", f"sqlite:///{target}")
    assert done.code == 3
    assert f"The table {bad} is damaged: the database cannot read it" in done.err
    assert [json.loads(line).get("table") for line in file.read_text().splitlines()[1:-1]] == [
        whole
    ]
    assert admin("restore", file, "--database", new_database(tmp_path, "restored.db")).code == 0


def test_a_log_without_a_row_in_the_index_is_backed_up_too(
    damaged_club: tuple[Path, str, str], tmp_path: Path
) -> None:
    target, _, whole = damaged_club
    with sqlite3.connect(target) as connection:
        connection.execute("DELETE FROM tables WHERE id = ?", [whole])
    admin("backup", tmp_path / "backup", "--database", f"sqlite:///{target}")
    restored = new_database(tmp_path, "restored.db")
    admin("restore", tmp_path / "backup", "--skip-damaged", "--database", restored)
    assert whole in admin("list", "--database", restored).out


def cut_off(text: str) -> bytes:
    return text.encode()[: -len(text.splitlines()[-1]) - 1000]


def packed_and_cut_off(text: str) -> bytes:
    return gzip.compress(text.encode())[:-100]


def spoilt_inside(text: str) -> bytes:
    return text.encode().replace(b'"version": 30,', b'"version": \xff0,')


def nested(text: str) -> bytes:
    lines = text.splitlines()
    lines[1] = "[" * 100_000
    return "\n".join(lines).encode()


@pytest.mark.parametrize("spoil", [cut_off, packed_and_cut_off, spoilt_inside, nested])
def test_what_is_whole_of_a_spoilt_archive_can_be_taken_in(
    spoil: Callable[[str], bytes], archive: Path, tmp_path: Path
) -> None:
    """The first line is kept, the table behind it is spoilt or cut off, a whole one is before."""
    database = new_database(tmp_path, "two.db")
    with served(database, RandomPool()) as server:
        whole = server.make("human", "open", "open")["table"]
    file = tmp_path / "two.jsonl"
    admin("import", archive, "--database", database)
    admin("backup", file, "--database", database)
    head, *tables, end = file.read_text().splitlines(keepends=True)
    tables.sort(key=len, reverse=spoil is nested)
    file.write_bytes(spoil("".join([head, *tables, end])))
    restored = new_database(tmp_path, "restored.db")
    assert admin("restore", file, "--database", restored).code == 1
    done = admin("restore", file, "--skip-damaged", "--database", restored)
    assert done.code == 3, done.err
    assert whole in admin("list", "--database", restored).out
    assert admin("check", "--database", restored).lines == ["1 table replayed: all right."]
