"""Saved games: in a file of the player's choice, and an unfinished game when they leave."""

import contextlib
from datetime import datetime
from pathlib import Path

import platformdirs

from industry.boards import BoardSpec
from industry.engine import Draw
from industry.notation import Game, SeededBag
from industry.notation.verify import board_mismatch

from ..files import Failure, RecordedGame, board_for, read_one, write_whole
from .opponents import bot_at

SUFFIX = ".toml"


def named_file(name: str) -> Path:
    """Returns the file a player means; `~` is their home."""
    path = Path(name)
    with contextlib.suppress(RuntimeError):  # `~nobody` has no home and stays as it is
        path = path.expanduser()
    return path


def record_file(name: str) -> Path:
    """Returns the file a player wants to save to: a record ends in .toml."""
    path = named_file(name)
    return path if path.suffix == SUFFIX else Path(f"{path}{SUFFIX}")


def save(game: Game, path: Path, *, replace: bool = False) -> None:
    write_whole(path, game.record().to_toml(), replace=replace)


def load(path: Path, board: BoardSpec) -> Game:
    """Loads the game of a record, on this board if it was played on it; raises `Failure`."""
    entry = read_one(path)
    same = board.hash == entry.record.board_hash
    spec = board_for(entry.record, board if same else None)
    mismatch = board_mismatch(entry.record, spec)
    if mismatch is not None:
        raise Failure(f"{entry.place}: {mismatch.reason}")
    return RecordedGame(entry, spec).until(None)


def folder() -> Path:
    """Returns the folder of games that `--resume` continues."""
    return platformdirs.user_data_path("industry", appauthor=False)


def keep_unfinished(game: Game) -> Path:
    """Saves the game under a new name and returns it."""
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    stem = f"unfinished-{datetime.now():%Y%m%d-%H%M%S}"
    path = place / f"{stem}{SUFFIX}"
    number = 1
    while path.exists():
        number += 1
        path = place / f"{stem}-{number}{SUFFIX}"
    save(game, path)
    return path


def draws_fit(game: Game, bag: SeededBag) -> bool:
    """Checks whether every draw of the game is the one the bag would have given."""
    past = Game(game.board, game.players, game.starting_player, game.options)
    for move in game.moves:
        if isinstance(move, Draw) and move != bag.draw(past.position):
            return False
        past.play(move)
    return True


def people_of(
    game: Game, seat: int | None = None, *, everyone: bool = False, else_seat: int = 1
) -> frozenset[int]:
    """Returns the seats of people in a loaded game, from 0; `seat` and `else_seat` count from 1.

    If the record does not say which seat is a single person's, it is `else_seat`.
    """
    seats = range(len(game.players))
    if everyone:
        return frozenset(seats)
    if seat is None:
        found = [s for s in seats if bot_at(game, s) is None]
        seat = found[0] + 1 if len(found) == 1 else else_seat
    return frozenset([min(seat, len(seats)) - 1])


def has_people_only(game: Game) -> bool:
    """Checks that the record says that every seat is a person's."""
    return bool(game.bots) and not any(game.bots)


def last_unfinished() -> Path | None:
    """Returns the latest unfinished game."""
    kept = folder().glob(f"unfinished-*{SUFFIX}")
    for path in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True):
        with contextlib.suppress(Failure):
            if read_one(path).record.result is None:
                return path
    return None
