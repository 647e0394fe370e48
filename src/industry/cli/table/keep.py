"""Games that are kept: saved where the player says, and an unfinished one when he leaves."""

import contextlib
from datetime import datetime
from pathlib import Path

import platformdirs

from industry.boards import BoardSpec
from industry.engine import Draw
from industry.notation import Game, SeededBag
from industry.notation.verify import board_mismatch

from ..files import Failure, Recorded, board_for, read_one, write_whole
from .opponents import bot_at

SUFFIX = ".toml"


def named_file(name: str) -> Path:
    """The file a player means; `~` is his home."""
    path = Path(name)
    with contextlib.suppress(RuntimeError):  # `~nobody` has no home and stays as it is
        path = path.expanduser()
    return path


def record_file(name: str) -> Path:
    """The file a player wants to save to: a record ends in .toml."""
    path = named_file(name)
    return path if path.suffix == SUFFIX else Path(f"{path}{SUFFIX}")


def save(game: Game, path: Path, *, replace: bool = False) -> None:
    write_whole(path, game.record().to_toml(), replace=replace)


def load(path: Path, board: BoardSpec) -> Game:
    """The game of a record, on this board where it was played on it. Raises `Failure`."""
    entry = read_one(path)
    same = board.hash == entry.record.board_hash
    spec = board_for(entry.record, board if same else None)
    mismatch = board_mismatch(entry.record, spec)
    if mismatch is not None:
        raise Failure(f"{entry.place}: {mismatch.reason}")
    return Recorded(entry, spec).until(None)


def folder() -> Path:
    """Where games wait for `--resume`."""
    return platformdirs.user_data_path("industry", appauthor=False)


def keep_unfinished(game: Game) -> Path:
    """Save the game under a name of its own and return it."""
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
    """Whether every draw of the game is the one that the bag would have given."""
    past = Game(game.board, game.players, game.starting_player, game.options)
    for move in game.moves:
        if isinstance(move, Draw) and move != bag.draw(past.position):
            return False
        past.play(move)
    return True


def people_of(
    game: Game, seat: int | None = None, *, everyone: bool = False, else_seat: int = 1
) -> frozenset[int]:
    """Which seats of a loaded game are people's, from 0; `seat` and `else_seat` count from 1.

    Other players are known by their names; where names do not tell, it is `else_seat`.
    """
    seats = range(len(game.players))
    if everyone:
        return frozenset(seats)
    if seat is None:
        named = [s for s in seats if bot_at(game.players[s], s) is None]
        seat = named[0] + 1 if len(named) == 1 else else_seat
    return frozenset([min(seat, len(seats)) - 1])


def all_named(game: Game) -> bool:
    """Whether no seat bears the name of a bot or of a random player."""
    return all(bot_at(name, seat) is None for seat, name in enumerate(game.players))


def last_unfinished() -> Path | None:
    """The game that was left last and is not over."""
    kept = folder().glob(f"unfinished-*{SUFFIX}")
    for path in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True):
        with contextlib.suppress(Failure):
            if read_one(path).record.result is None:
                return path
    return None
