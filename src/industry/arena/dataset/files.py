"""A dataset as a folder of Parquet files that grows part by part and is always consistent.

`dataset.json` says what was played and how many parts count; it is replaced in one step after the
files of a part are written. However the work ends, the folder contains exactly the parts it names.
"""

import contextlib
import json
import os
import shutil
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from industry.boards import BoardSpec, FieldSpec
from industry.boards.provenance import REPORT, Source, Statement
from industry.boards.spec import Bonus

from ..schedule import ArenaError
from .tables import FORMAT, Dataset, Tables, joined_tables, schema_of

KIND = "industry dataset"
MANIFEST = "dataset.json"
PART = 500
"""Games per file: little to lose, and still few files."""
REVIEWED_PART = 10
"""The same where games are reviewed, which takes thousands of times as long."""


class DatasetError(ArenaError):
    """The folder does not contain a dataset that this program understands."""


class DatasetFolder:
    """Collects tables and writes them as parts of about PART games."""

    def __init__(self, path: Path, board: BoardSpec, settings: dict[str, Any]) -> None:
        self.path = path
        self.board = board
        self.settings = settings
        self.parts = 0
        self.played = 0
        """Games that were played, including those without an end."""
        self.games = 0
        """Games whose tables are written."""
        self._waiting: list[Tables] = []
        self._counted = 0

    def add(self, tables: Tables, played: int) -> None:
        """Adds the tables of `played` games; raises `OSError` if the disk is full."""
        self._waiting.append(tables)
        self._counted += played
        if self._counted >= (REVIEWED_PART if is_reviewed(self.settings) else PART):
            self.flush()

    def flush(self) -> None:
        """Writes what is pending; on failure drops it and leaves the folder as it was."""
        if not self._counted:
            return
        tables, counted = joined_tables(self._waiting), self._counted
        self._waiting, self._counted = [], 0
        number = self.parts + 1
        written: list[Path] = []
        try:
            for name, frame in tables.items():
                written.append(path := part_path(self.path, name, number))
                path.parent.mkdir(exist_ok=True)
                _write(path, frame)
            self._commit(number, self.played + counted, self.games + tables["games"].height)
        except OSError:
            for path in written:
                with contextlib.suppress(OSError):
                    path.unlink()
            raise

    def _commit(self, parts: int, played: int, games: int) -> None:
        data = {
            "format": FORMAT,
            "kind": KIND,
            "parts": parts,
            "played": played,
            "games": games,
            "settings": self.settings,
            "board": board_data(self.board),
        }
        temporary = self.path / f".{MANIFEST}"
        temporary.write_text(f"{json.dumps(data, ensure_ascii=False)}\n", encoding="utf-8")
        temporary.replace(self.path / MANIFEST)
        self.parts, self.played, self.games = parts, played, games


def create_folder(
    path: Path, board: BoardSpec, settings: dict[str, Any], *, replace: bool = False
) -> DatasetFolder:
    """Creates a dataset; replaces an existing one only with `replace`, but no other folder."""
    if path.exists():
        if not path.is_dir():
            raise DatasetError(f"{path} is a file, and a dataset is a folder.")
        if any(path.iterdir()):
            if not (path / MANIFEST).exists():
                raise DatasetError(f"{path} contains other files; choose an empty or a new folder.")
            if not replace:
                raise DatasetError(
                    f"{path} already exists; continue it with --resume or add --force."
                )
            _clear(path)
    folder = DatasetFolder(path, board, settings)
    try:
        path.mkdir(parents=True, exist_ok=True)
        folder._commit(0, 0, 0)
    except OSError as error:
        raise DatasetError(f"{path} cannot be written: {error.strerror}.") from None
    return folder


def open_folder(path: Path, board: BoardSpec, settings: dict[str, Any]) -> DatasetFolder:
    """Opens the dataset with exactly these settings, to continue it."""
    data = _manifest(path)
    for key, value in settings.items():
        if data["settings"].get(key) != value:
            raise DatasetError(
                f"{path} belongs to other games. Its {key}: {data['settings'].get(key)}; "
                f"asked for: {value}."
            )
    folder = DatasetFolder(path, board, settings)
    folder.parts, folder.played, folder.games = data["parts"], data["played"], data["games"]
    return folder


def read_dataset(path: Path) -> Dataset:
    """Reads the games of a folder; raises `DatasetError` if it is not a dataset of this program."""
    data = _manifest(path)
    schema = schema_of(is_reviewed=is_reviewed(data["settings"]))
    parts = [_read_part(path, number, schema) for number in range(1, data["parts"] + 1)]
    if not data["games"]:
        raise DatasetError(f"{path} contains no game.")
    return Dataset(board_from_data(data["board"]), joined_tables(parts), data["settings"])


def read_settings(path: Path) -> dict[str, Any]:
    """Returns the settings that determine the games of a folder."""
    settings: dict[str, Any] = _manifest(path)["settings"]
    return settings


def is_reviewed(settings: dict[str, Any]) -> bool:
    """Checks whether the games of a folder are reviewed."""
    return settings.get("review_lines") is not None


def is_dataset(path: Path) -> bool:
    """Returns whether the path looks like a dataset: a folder, or one of the files inside."""
    return path.is_dir() or path.suffix == ".parquet" or path.name == MANIFEST


def part_path(folder: Path, table: str, number: int) -> Path:
    return folder / table / f"{number:05}.parquet"


def board_data(board: BoardSpec) -> dict[str, Any]:
    """Returns the board as plain data; a field's provenance is its attested values and a text."""
    data = asdict(board)
    for key in ("sources", "provenance", "link_provenance"):
        del data[key]
    for field, entry in zip(board.fields, data["fields"], strict=True):
        del entry["provenance"]
        entry |= {"attested": field.attested, "source": field.source}
    return data


def board_from_data(data: dict[str, Any]) -> BoardSpec:
    """Returns the board from the result of `board_data`."""
    return BoardSpec(
        data["id"],
        data["edition"],
        data["status"],
        tuple(data["coin_columns"]),
        tuple(_field(entry) for entry in data["fields"]),
        tuple((first, second) for first, second in data["links"]),
    )


def _field(entry: dict[str, Any]) -> FieldSpec:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    attested, source = values.pop("attested"), values.pop("source")
    stated = Statement(Source(source, REPORT, source), attested)
    values["provenance"] = (stated,) if attested else ()
    values["bonus"] = Bonus(**entry["bonus"]) if entry["bonus"] else None
    return FieldSpec(**values)


def _manifest(path: Path) -> dict[str, Any]:
    if not path.is_dir():
        raise DatasetError(f"{path} is not a dataset: name the folder that --parquet made.")
    try:
        data: dict[str, Any] = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        if data["kind"] != KIND:
            raise ValueError
        if data["format"] != FORMAT:
            raise DatasetError(
                f"{path} has the format {data['format']}, and this program reads {FORMAT}."
            )
        data["parts"], data["played"], data["games"] = (
            int(data[key]) for key in ("parts", "played", "games")
        )
        board_from_data(data["board"])
    except OSError as error:
        raise DatasetError(
            f"{path} is not a dataset: its {MANIFEST} cannot be read ({error.strerror})."
        ) from None
    except DatasetError:
        raise
    except (ValueError, KeyError, TypeError):
        raise DatasetError(
            f"{path} is not a dataset of this program: its {MANIFEST} does not match."
        ) from None
    return data


def _read_part(folder: Path, number: int, schema: dict[str, dict[str, Any]]) -> Tables:
    tables = {}
    for name, columns in schema.items():
        path = part_path(folder, name, number)
        try:
            tables[name] = pl.read_parquet(path)
        except OSError as error:
            reason = error.strerror or "it is not there"
            raise DatasetError(f"{path} cannot be read: {reason}.") from None
        except pl.exceptions.PolarsError:
            raise DatasetError(f"{path} is damaged, or not a Parquet file.") from None
        if dict(tables[name].schema) != columns:
            raise DatasetError(f"{path} {_difference(tables[name], columns)}.")
    return tables


def _difference(frame: pl.DataFrame, columns: dict[str, Any]) -> str:
    """Describes what is wrong with the columns of a table, as the end of a sentence."""
    for name, kind in columns.items():
        if name not in frame.columns:
            return f"has no column {name}"
        if frame.schema[name] != kind:
            return f"has {frame.schema[name]} in the column {name}, and {kind} belongs there"
    extra = [name for name in frame.columns if name not in columns]
    if extra:
        return f"has a column {extra[0]} that does not belong there"
    return "has its columns in another order"


def _write(path: Path, frame: pl.DataFrame) -> None:
    """Writes through memory, so that a full disk raises an ordinary `OSError`."""
    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    with path.open("wb") as file:
        file.write(buffer.getbuffer())
        file.flush()
        os.fsync(file.fileno())


def _clear(path: Path) -> None:
    """Removes a dataset, the manifest first, so that leftovers of a failure do not count."""
    (path / MANIFEST).unlink()
    for name in schema_of(is_reviewed=True):
        if (path / name).is_dir():
            shutil.rmtree(path / name)
