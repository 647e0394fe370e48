"""`industry terminal`: a game in the terminal, against bots or players who move at random."""

import io
import locale
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TextIO, cast

import click
from rich.console import Console

from industry.boards.spec import EDITIONS
from industry.bots import installed_bots
from industry.notation import Game, SeededBag, new_game
from industry.notation.record import MAX_NAME
from industry.texts import DEFAULT, LANGUAGES, say

from .files import Failure, open_game
from .table import keep
from .table.keyboard import Keyboard
from .table.opponents import CHANCE, seat_name
from .table.paper import Paper
from .table.session import Leave, Session, new_seed


@click.command()
@click.option("--edition", type=click.Choice(list(EDITIONS)), help="Default: that of the board.")
@click.option("--players", "-p", type=click.Choice(["3", "4"]), help="Default: 4.")
@click.option("--board", help="A board's name or file; default: that of the edition.")
@click.option("--seat", type=click.IntRange(1, 4), help="Your seat; default: 1.")
@click.option("--name", "names", multiple=True, help="Your name; with --hotseat one per seat.")
@click.option("--seed", help="Any text; the same seed gives the same draws. Default: random.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Default: the system's, or English.")
@click.option("--option", "-o", "options", multiple=True, metavar="NAME=VALUE")
@click.option("--load", "path", type=click.Path(path_type=Path), help="Continue a game record.")
@click.option("--resume", is_flag=True, help="Continue the game that was left last.")
@click.option(
    "--against",
    "opponent",
    default=CHANCE,
    show_default=True,
    help="Who sits at the other seats: a bot of `industry bots`.",
)
@click.option("--hotseat", is_flag=True, help="People at all seats; nobody moves at random.")
def command(
    edition: str | None,
    players: str | None,
    board: str | None,
    seat: int | None,
    names: tuple[str, ...],
    seed: str | None,
    language: str | None,
    options: tuple[str, ...],
    path: Path | None,
    resume: bool,
    opponent: str,
    hotseat: bool,
) -> int:
    """Play a whole game in the terminal.

    The other seats choose their moves at random among those that the rules allow; with --against
    they are bots, from the friendly apprentice to the magnate. A game that is left unfinished is
    kept; --resume continues it, with the same opponents.
    """
    language = language or system_language(os.environ)
    bag = SeededBag(new_seed() if seed is None else seed)
    note = ""
    if path or resume:
        if (path and resume) or edition or players or options or names:
            raise Failure("--load and --resume take everything from one record.")
        path = path or keep.last_unfinished()
        if path is None:
            raise Failure(say("terminal.leave.nothing_kept", language))
        game = open_game(path, 1, board).until(None)
        people = keep.people_of(game, seat, everyone=hotseat or (resume and keep.all_named(game)))
        if seed is None and not game.is_over:
            note = say("terminal.welcome.fresh_seed", language)
    else:
        count = int(players or 4)
        people = _people(count, seat, hotseat)
        if opponent not in installed_bots():
            known = ", ".join(sorted(installed_bots()))
            raise Failure(f"there is no bot {opponent}; installed are {known}.")
        seated = _names(count, people, names, opponent, language)
        game = _new(seated, edition, board, bag, options)
    game.bag = bag
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    paper = Paper(sys.stdout)
    console = Screen(paper)
    keyboard = Keyboard(console, paper)
    session = Session(game, people, language, console, keyboard, kept=path if resume else None)
    session.prepare()
    with _hanging_up(session):
        return session.run(note)


def _people(players: int, seat: int | None, hotseat: bool) -> frozenset[int]:
    if hotseat:
        return frozenset(range(players))
    if seat is not None and seat > players:
        raise Failure(f"there is no seat {seat} among {players} players.")
    return frozenset([(seat or 1) - 1])


def _names(
    players: int, people: frozenset[int], names: tuple[str, ...], opponent: str, language: str
) -> list[str]:
    """The given names for the seats of people, and our own for the rest."""
    if len(names) > len(people):
        raise Failure("there are more names than people; --hotseat seats people everywhere.")
    for name in names:
        if not (0 < len(name) <= MAX_NAME and name.isprintable()):
            raise Failure(f"a name has 1 to {MAX_NAME} printable characters.")
    given = dict(zip(sorted(people), names, strict=False))
    return [
        given.get(seat) or say("terminal.name.person", language, seat=seat + 1)
        if seat in people
        else seat_name(opponent, seat, language)
        for seat in range(players)
    ]


def _new(
    names: list[str],
    edition: str | None,
    board: str | None,
    bag: SeededBag,
    options: tuple[str, ...],
) -> Game:
    pairs = [option.partition("=") for option in options]
    try:
        return new_game(
            names,
            edition=edition,
            board=board,
            seed=bag.seed,
            options={name: value for name, _, value in pairs},
        )
    except ValueError as error:
        raise Failure(str(error)) from None


def system_language(environment: Mapping[str, str]) -> str:
    """German or French where the system speaks it, else English."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next((name for name in names if name), None) or locale.getlocale()[0] or DEFAULT
    code = {"german": "de", "french": "fr"}.get(name.split("_")[0].lower(), name[:2].lower())
    return code if code in LANGUAGES else DEFAULT


class Screen(Console):
    """Plain text only: what players and files are called is never read as markup."""

    def __init__(self, paper: Paper) -> None:
        super().__init__(file=cast(TextIO, paper), markup=False, highlight=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Where nobody reads any more, this command ends as every other does."""
        raise BrokenPipeError


@contextmanager
def _hanging_up(session: Session) -> Iterator[None]:
    """A closed window or a stopped process is a player who leaves: the game is kept."""

    def leave(number: int, frame: FrameType | None) -> None:
        if not session.leaving:
            raise Leave

    signals = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {number: signal.signal(number, leave) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
