"""`industry tournament`: bots against each other on equal seats, with a table to be trusted."""

import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from industry.arena.executor import interrupts_blocked
from industry.arena.journal import Journal, create_journal, open_journal, read_header
from industry.arena.schedule import ArenaError, Entrant, Tournament, read_entrants
from industry.arena.sprt import Sprt
from industry.arena.standings import Standings
from industry.arena.tournament import deal_score, deals_for, play_deals
from industry.boards import BOARDS
from industry.boards.spec import EDITIONS
from industry.bots import BotError, bot_maker

from .app import describe, json_option
from .faultfiles import FaultFiles
from .files import Failure
from .recordfile import STDOUT, RecordFile
from .running import (
    arena_failures,
    board_and_options,
    cluster_at,
    cluster_option,
    cluster_progress,
    progress_bar,
)
from .standings_view import Report, print_report

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster

DEFAULT_TIME = 20
"""Milliseconds per decision, as in the published ladder."""
DEFAULT_GAMES = 1000
DEFAULT_SPRT = "0.50:0.55"


@dataclass(frozen=True)
class Request:
    """What the command line asks for; None is what it leaves open."""

    bots: str | None
    games: int | None
    players: str | None
    edition: str | None
    board: str | None
    options: tuple[str, ...]
    seed: str | None
    time: float | None

    def tournament(self) -> tuple[Tournament, int]:
        """A new tournament and its number of games."""
        if self.bots is None:
            raise Failure("name the bots with --bots A,B; `industry bots` lists them.")
        spec, options = board_and_options(self.board, self.edition, self.options)
        seed = self.seed if self.seed is not None else str(secrets.randbits(32))
        found = Tournament(spec, int(self.players or 4), options, seed, self._entrants(self.bots))
        return found, self.games or DEFAULT_GAMES

    def resumed(self, path: Path) -> tuple[Tournament, int]:
        """The tournament of a file, changed by what is asked for; `open_journal` compares."""
        games, known = read_header(path)
        board = self.board or known["board"]
        if board not in BOARDS and self.board is None:
            raise Failure(f"the tournament is played on the board {board}: name it with --board.")
        options = self.options or tuple(f"{k}={v}" for k, v in known["options"].items())
        spec, chosen = board_and_options(board, self.edition, options)
        entrants = tuple(
            Entrant(bot["name"], bot["bot"], bot["time_ms"] / 1000) for bot in known["bots"]
        )
        if self.bots is not None or self.time is not None:
            entrants = self._entrants(self.bots or ",".join(entry.bot for entry in entrants))
        seed = known["seed"] if self.seed is None else self.seed
        found = Tournament(spec, int(self.players or known["players"]), chosen, seed, entrants)
        return found, self.games or games

    def _entrants(self, bots: str) -> tuple[Entrant, ...]:
        names = [name.strip() for name in bots.split(",")]
        return read_entrants(names, (self.time or DEFAULT_TIME) / 1000)


@dataclass
class Run:
    """A tournament on its way: where its games go and what has come out so far."""

    tournament: Tournament
    deals: int
    processes: int | None
    journal: Journal | None
    output: RecordFile
    faults: FaultFiles
    test: Sprt | None
    cluster: "Cluster | None" = None
    standings: Standings = field(init=False)

    def __post_init__(self) -> None:
        self.standings = Standings(self.tournament)

    def play(self) -> str:
        """Play until the end or a decision; returns why it ended before that, if it did."""
        known = len(self.journal.deals) if self.journal else 0
        with progress_bar() as progress:
            task = progress.add_task("Preparing", total=self.deals * self.tournament.games_per_deal)
            where = cluster_progress(self.cluster, progress, task)
            try:
                with closing(
                    play_deals(
                        self.tournament, self.deals, self.processes, self.journal, self.cluster
                    )
                ) as played:
                    for number, deal in enumerate(played):
                        with interrupts_blocked():
                            self.output.write([game.record for game in deal if game.record])
                            self.standings.add(deal)
                            self.faults.add(deal, progress.console)
                        doing = "Playing" if number >= known - 1 else "Reading"
                        progress.update(
                            task, completed=self.standings.games, description=f"{doing}{where()}"
                        )
                        if self._is_decided(deal_score(deal, 0)):
                            break
            except KeyboardInterrupt:
                return "Stopped"
            except OSError as error:
                return f"Error: {describe(error)} Ended"
            except (ArenaError, BotError) as error:
                return f"Error: {error} Ended"
        return ""

    def _is_decided(self, score: float) -> bool:
        if self.test is None:
            return False
        self.test.add(score)
        return self.test.decision is not None


@click.command()
@click.option("--bots", metavar="A,B,…", help="Names; A@200 gives A 200 ms per decision.")
@click.option("--games", "-n", type=click.IntRange(1), help=f"Default: {DEFAULT_GAMES}.")
@click.option("--players", "-p", type=click.Choice(["3", "4"]), help="Default: 4.")
@click.option("--edition", type=click.Choice(list(EDITIONS)), help="Default: that of the board.")
@click.option("--board", help="A board's name or file; default: that of the edition.")
@click.option("--option", "-o", "options", multiple=True, metavar="NAME=VALUE")
@click.option("--seed", help="Any text; the same seed gives the same deals. Default: random.")
@click.option(
    "--time",
    "milliseconds",
    type=click.FloatRange(0, 3_600_000, min_open=True),
    metavar="MS",
    help=f"Per decision; default: {DEFAULT_TIME}.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="Write the games as JSON lines; - is standard output.",
)
@click.option("--save", type=click.Path(path_type=Path), help="Keep finished deals in a new file.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Continue the tournament of a file that --save began.",
)
@click.option("--force", is_flag=True, help="Replace existing files.")
@click.option(
    "--sprt",
    metavar="P0:P1",
    is_flag=False,
    flag_value=DEFAULT_SPRT,
    help=f"Stop when the first bot's win share is decided; alone: {DEFAULT_SPRT}.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Risk to accept although P0 is true.",
)
@click.option(
    "--beta",
    type=float,
    default=0.05,
    show_default=True,
    help="Risk to reject although P1 is true.",
)
@click.option(
    "--faults",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("faults"),
    show_default=True,
    help="Folder for the positions in which bots misplayed.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0, 3600),
    default=30,
    show_default=True,
    help="Seconds beyond the limit before a silent bot is stopped.",
)
@click.option("--processes", type=click.IntRange(1), help="Default: one per core.")
@cluster_option
@json_option
def command(
    bots: str | None,
    games: int | None,
    players: str | None,
    edition: str | None,
    board: str | None,
    options: tuple[str, ...],
    seed: str | None,
    milliseconds: float | None,
    record: Path | None,
    save: Path | None,
    resume: Path | None,
    force: bool,
    sprt: str | None,
    alpha: float,
    beta: float,
    faults: Path,
    patience: float,
    processes: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Let bots play each other: every bot on every seat equally often, with the same draws.

    The games depend on the seed and the bots alone, wherever they are played. A bot that
    misplays loses its game and the tournament goes on. Ctrl-C keeps the deals that are finished.
    """
    asked = Request(bots, games, players, edition, board, options, seed, milliseconds)
    if save and resume:
        raise Failure("--save begins a file and --resume continues one: choose one of them.")
    with arena_failures():
        tournament, wanted = asked.resumed(resume) if resume else asked.tournament()
        tournament = replace(tournament, record=record is not None, patience=patience)
        test = _test(sprt, alpha, beta, tournament)
        for entrant in tournament.entrants:
            bot_maker(entrant.bot)
    deals = deals_for(tournament, wanted)
    began = time.perf_counter()
    with (
        arena_failures(),
        RecordFile(record, replace=force) as output,
        _journal(tournament, wanted, save, resume, force) as journal,
        cluster_at(cluster, processes) as executor,
    ):
        _say_rounding(tournament, wanted, deals)
        run = Run(tournament, deals, processes, journal, output, FaultFiles(faults), test, executor)
        stopped = run.play()
    aside = record is not None and str(record) == STDOUT
    report = Report(
        run.standings, wanted, time.perf_counter() - began, test, run.faults.told, stopped == ""
    )
    if run.standings.games:
        print_report(report, as_json=as_json, aside=aside)
        if output.games and not aside:
            click.echo(f"Recorded in {record}", err=as_json)
    if stopped:
        _say_stopped(stopped, report, deals, save or resume)


def _test(sprt: str | None, alpha: float, beta: float, tournament: Tournament) -> Sprt | None:
    if sprt is None:
        return None
    if len(tournament.entrants) != 2:
        raise Failure("--sprt compares two bots.")
    low, _, high = sprt.partition(":")
    try:
        return Sprt(float(low), float(high), alpha, beta)
    except ValueError as error:
        told = str(error) if "could not convert" not in str(error) else f"not {sprt}."
        raise Failure(f"--sprt takes two win shares like {DEFAULT_SPRT}: {told}") from None


@contextmanager
def _journal(
    tournament: Tournament, games: int, save: Path | None, resume: Path | None, force: bool
) -> Iterator[Journal | None]:
    """The file of the tournament, new or old, if one is asked for."""
    if save is not None:
        with create_journal(save, tournament, games, replace=force) as journal:
            yield journal
    elif resume is not None:
        with open_journal(resume, tournament) as journal:
            known = [game for deal in journal.deals for game in deal]
            if tournament.record and any(game.record is None for game in known):
                raise Failure(f"{resume} was begun without --record: its games have no moves.")
            yield journal
    else:
        yield None


def _say_rounding(tournament: Tournament, wanted: int, deals: int) -> None:
    games = deals * tournament.games_per_deal
    if games != wanted:
        click.echo(
            f"{games} games instead of {wanted}: a deal has {tournament.games_per_deal}, so that "
            "every bot plays every seat equally often.",
            err=True,
        )


def _say_stopped(stopped: str, report: Report, deals: int, kept: Path | None) -> None:
    tournament = report.standings.tournament
    games = deals * tournament.games_per_deal
    click.echo(f"{stopped} after {report.standings.games} of {games} games.", err=True)
    if kept is not None:
        click.echo(f"Continue with: industry tournament --resume {kept}", err=True)
    sys.exit(130 if stopped == "Stopped" else 1)
