"""`industry terminal`: a game in the terminal, against bots or players who move at random."""

import io
import locale
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TextIO, cast

import click
from rich.console import Console

from industry.bots import bot_maker, installed_bots
from industry.bots.external_engine import split_command
from industry.bots.registry import EXEC, add_engine
from industry.notation import Game, SeededBag, new_game
from industry.notation.record import MAX_NAME
from industry.texts import DEFAULT, LANGUAGES, say
from industry.texts.suggest import did_you_mean

from ._arena import arena_failures
from ._options import ANY_FILE, board_option, edition_option, option_group, rules_option
from .files import Failure, open_game
from .terminal_game import saved_games
from .terminal_game.encoding_output import EncodedOutput
from .terminal_game.keyboard import Keyboard
from .terminal_game.opponents import CHANCE, seat_name
from .terminal_game.session import LeaveGame, Session, new_seed


@dataclass(frozen=True)
class NewGame:
    """The requested game; everything but the board applies only to a new one."""

    edition: str | None
    players: str | None
    board: str | None
    seat: int | None
    names: tuple[str, ...]
    seed: str | None
    language: str | None
    options: tuple[str, ...]
    opponent: str
    hotseat: bool

    def started(self, bag: SeededBag, language: str) -> tuple[Game, frozenset[int]]:
        """Returns a new game and the seats of people; raises `Failure`."""
        count = int(self.players or 4)
        people = _people(count, self.seat, self.hotseat)
        self._check_opponent()
        seated = _names(count, people, self.names, self.opponent, language)
        game = _new(seated, self.edition, self.board, bag, self.options)
        game.bots = self._bots(count, people)
        return game, people

    def loaded(self, path: Path, *, resume: bool) -> tuple[Game, frozenset[int]]:
        """Returns the game of a record and the seats of people; raises `Failure`."""
        game = open_game(path, 1, self.board).until(None)
        everyone = self.hotseat or (resume and saved_games.has_people_only(game))
        people = saved_games.people_of(game, self.seat, everyone=everyone)
        if not game.bots or self.opponent in game.bots:
            self._check_opponent()
        if not game.bots:
            game.bots = self._bots(len(game.players), people)
        return game, people

    def _check_opponent(self) -> None:
        if self.opponent.startswith(EXEC):
            with arena_failures():
                add_engine(self.opponent, split_command(self.opponent.removeprefix(EXEC)))
                bot_maker(self.opponent)()
        if self.opponent not in installed_bots():
            known = ", ".join(sorted(installed_bots()))
            meant = did_you_mean(self.opponent, installed_bots())
            raise Failure(f"there is no bot {self.opponent}; installed are {known}.{meant}")

    def _bots(self, players: int, people: frozenset[int]) -> tuple[str, ...]:
        return tuple("" if seat in people else self.opponent for seat in range(players))

    @property
    def is_described(self) -> bool:
        """Returns whether an option was given that a record decides."""
        return bool(self.edition or self.players or self.options or self.names)


game_options = option_group(
    "request",
    NewGame,
    edition_option,
    click.option(
        "--players", "-p", type=click.Choice(["3", "4"]), help="Number of players; default: 4."
    ),
    board_option,
    click.option("--seat", type=click.IntRange(1, 4), help="Your seat; default: 1."),
    click.option(
        "--name", "names", multiple=True, help="Your name; with --hotseat, once per seat."
    ),
    click.option("--seed", help="Any text; the same seed gives the same draws. Default: random."),
    click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        help="Language of the game; default: the system's, or English.",
    ),
    rules_option,
    click.option(
        "--against",
        "opponent",
        default=CHANCE,
        show_default=True,
        help="Who plays the other seats: a bot of `industry bots`, or exec:COMMAND.",
    ),
    click.option(
        "--hotseat", is_flag=True, help="People in all seats, taking turns at this terminal."
    ),
)


@click.command()
@game_options
@click.option("--load", "path", type=ANY_FILE, help="Continue a game record.")
@click.option("--resume", is_flag=True, help="Continue the last unfinished game.")
def command(request: NewGame, path: Path | None, resume: bool) -> int:
    """Play a whole game in the terminal.

    The other seats play random legal moves; with --against they are bots, from the apprentice
    (weakest) to the magnate (strongest). An unfinished game is saved; --resume continues it against
    the same opponents.
    """
    language = request.language or system_language(os.environ)
    bag = SeededBag(new_seed() if request.seed is None else request.seed)
    note = ""
    if path or resume:
        if (path and resume) or request.is_described:
            raise Failure("--load and --resume cannot be combined: each names one record.")
        path = path or saved_games.last_unfinished()
        if path is None:
            raise Failure(say("terminal.leave.nothing_kept", language))
        game, people = request.loaded(path, resume=resume)
        if request.seed is None and not game.is_over:
            note = say("terminal.welcome.fresh_seed", language)
    else:
        game, people = request.started(bag, language)
    game.bag = bag
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    output = EncodedOutput(sys.stdout)
    console = Screen(output)
    keyboard = Keyboard(console, output)
    session = Session(game, people, language, console, keyboard, kept=path if resume else None)
    session.prepare()
    with _hangup_as_leaving(session):
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
    """Returns the given names for people's seats, and default names for the rest."""
    if len(names) > len(people):
        raise Failure("there are more names than people; use --hotseat for people in all seats.")
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
    """Returns German or French if the system uses it, otherwise English."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next((name for name in names if name), None) or locale.getlocale()[0] or DEFAULT
    code = {"german": "de", "french": "fr"}.get(name.split("_")[0].lower(), name[:2].lower())
    return code if code in LANGUAGES else DEFAULT


class Screen(Console):
    """A console for plain text: names of players and files are never read as markup."""

    def __init__(self, paper: EncodedOutput) -> None:
        super().__init__(file=cast(TextIO, paper), markup=False, highlight=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Ends this command like every other if the reader of the output has gone."""
        raise BrokenPipeError


@contextmanager
def _hangup_as_leaving(session: Session) -> Iterator[None]:
    """Treats a closed window or a stopped process as a player who leaves: the game is kept."""

    def leave(number: int, frame: FrameType | None) -> None:
        if not session.leaving:
            raise LeaveGame

    signals = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {number: signal.signal(number, leave) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
