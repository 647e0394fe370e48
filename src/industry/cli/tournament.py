"""`industry tournament`: bots against each other with balanced seats."""

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
from industry.arena.journal import Deal, Journal, create_journal, open_journal, read_header
from industry.arena.schedule import ArenaError, Entrant, Tournament, read_entrants
from industry.arena.sprt import Sprt
from industry.arena.standings import Standings, deal_score
from industry.arena.tournament import deals_for, play_deals
from industry.boards import BOARDS
from industry.bots import BotError, bot_maker
from industry.bots.registry import EXEC

from ._arena import (
    arena_failures,
    board_and_options,
    cluster_progress,
    connected_cluster,
    progress_bar,
)
from ._options import (
    ANY_FILE,
    DEFAULT_TIME,
    Workers,
    board_option,
    edition_option,
    faults_option,
    option_group,
    record_option,
    rules_option,
    workers_options,
)
from .app import describe, json_option
from .fault_files import FaultFiles
from .files import Failure
from .record_file import STDOUT, RecordFile
from .standings_view import Report, print_report

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster

DEFAULT_GAMES = 1000
DEFAULT_SPRT = "0.50:0.55"


@dataclass(frozen=True)
class Request:
    """The requested tournament; None stands for what was not given."""

    bots: str | None
    games: int | None
    players: str | None
    edition: str | None
    board: str | None
    options: tuple[str, ...]
    seed: str | None
    milliseconds: float | None
    adjusted: bool

    def tournament(self) -> tuple[Tournament, int]:
        """Returns a new tournament and its number of games."""
        if self.bots is None:
            raise Failure("name the bots with --bots A,B; `industry bots` lists them.")
        spec, options = board_and_options(self.board, self.edition, self.options)
        seed = self.seed if self.seed is not None else str(secrets.randbits(32))
        found = Tournament(spec, int(self.players or 4), options, seed, self._entrants(self.bots))
        return replace(found, adjusted=self.adjusted), self.games or DEFAULT_GAMES

    def resumed(self, path: Path) -> tuple[Tournament, int]:
        """Returns a file's tournament, changed by what is requested; `open_journal` compares."""
        games, header = read_header(path)
        board = self.board or header["board"]
        if board not in BOARDS and self.board is None:
            raise Failure(f"the tournament is played on the board {board}: name it with --board.")
        options = self.options or tuple(f"{k}={v}" for k, v in header["options"].items())
        spec, chosen = board_and_options(board, self.edition, options)
        entrants = tuple(
            Entrant(bot["name"], bot["bot"], bot["time_ms"] / 1000) for bot in header["bots"]
        )
        if self.bots is None and any(entry.bot.startswith(EXEC) for entry in entrants):
            raise Failure(
                f"{path} names commands to run ({EXEC}…): name the bots again with --bots."
            )
        if self.bots is not None or self.milliseconds is not None:
            entrants = self._entrants(self.bots or ",".join(entry.bot for entry in entrants))
        seed = header["seed"] if self.seed is None else self.seed
        found = Tournament(spec, int(self.players or header["players"]), chosen, seed, entrants)
        return replace(found, adjusted=self.adjusted), self.games or games

    def _entrants(self, bots: str) -> tuple[Entrant, ...]:
        names = [name.strip() for name in bots.split(",")]
        if len(names) < 2:
            raise Failure("a tournament needs at least two bots: name them with --bots A,B.")
        return read_entrants(names, (self.milliseconds or DEFAULT_TIME) / 1000)


@dataclass
class TournamentRun:
    """A running tournament: where its games go and the results so far."""

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
        """Plays until the end or a decision; returns why it ended early, or nothing."""
        saved = len(self.journal.deals) if self.journal else 0
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
                        doing = "Playing" if number >= saved - 1 else "Reading"
                        progress.update(
                            task, completed=self.standings.games, description=f"{doing}{where()}"
                        )
                        if self._is_decided(deal):
                            break
            except KeyboardInterrupt:
                return "Stopped"
            except OSError as error:
                return f"Error: {describe(error)} Ended"
            except (ArenaError, BotError) as error:
                return f"Error: {error} Ended"
        return ""

    def _is_decided(self, deal: Deal) -> bool:
        if self.test is None:
            return False
        self.test.add(deal_score(deal, 0, adjusted=self.tournament.adjusted))
        return self.test.decision is not None


@dataclass(frozen=True)
class Files:
    """Which files are read and written."""

    record: Path | None
    save: Path | None
    resume: Path | None
    force: bool

    def __post_init__(self) -> None:
        if self.save and self.resume:
            raise Failure(
                "--save starts a new file and --resume continues one: use only one of them."
            )


@dataclass(frozen=True)
class EarlyStop:
    """A sequential test that ends the tournament once the first bot's strength is decided."""

    sprt: str | None
    alpha: float
    beta: float

    def test(self, tournament: Tournament) -> Sprt | None:
        """Returns the test, if requested; raises `Failure`."""
        if self.sprt is None:
            return None
        if len(tournament.entrants) != 2:
            raise Failure("--sprt compares two bots.")
        low, _, high = self.sprt.partition(":")
        try:
            return Sprt(float(low), float(high), self.alpha, self.beta)
        except ValueError as error:
            reason = str(error) if "could not convert" not in str(error) else f"not {self.sprt}."
            raise Failure(f"--sprt takes two win shares like {DEFAULT_SPRT}: {reason}") from None


request_options = option_group(
    "request",
    Request,
    click.option(
        "--bots",
        metavar="A,B,…",
        help="Bots by name, or exec:COMMAND for an engine; A@200 gives A 200 ms per decision.",
    ),
    click.option(
        "--games", "-n", type=click.IntRange(1), help=f"Number of games; default: {DEFAULT_GAMES}."
    ),
    click.option(
        "--players", "-p", type=click.Choice(["3", "4"]), help="Number of players; default: 4."
    ),
    edition_option,
    board_option,
    rules_option,
    click.option("--seed", help="Any text; the same seed gives the same deals. Default: random."),
    click.option(
        "--time",
        "milliseconds",
        type=click.FloatRange(0, 3_600_000, min_open=True),
        metavar="MS",
        help=f"Milliseconds that a bot has for each decision; default: {DEFAULT_TIME}.",
    ),
    click.option(
        "--adjusted",
        is_flag=True,
        help="Also report results adjusted for the luck of the draws; --sprt then uses those.",
    ),
)
files_options = option_group(
    "files",
    Files,
    record_option,
    click.option("--save", type=ANY_FILE, help="Save finished deals to a new file, for --resume."),
    click.option(
        "--resume",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Continue a tournament from the file of --save.",
    ),
    click.option("--force", is_flag=True, help="Replace existing files."),
)
stop_options = option_group(
    "early_stop",
    EarlyStop,
    click.option(
        "--sprt",
        metavar="P0:P1",
        is_flag=False,
        flag_value=DEFAULT_SPRT,
        help="Stop once it is decided whether the first bot's win share is P0 or P1; without a "
        f"value: {DEFAULT_SPRT}.",
    ),
    click.option(
        "--alpha",
        type=float,
        default=0.05,
        show_default=True,
        help="Risk of accepting P1 although P0 is true.",
    ),
    click.option(
        "--beta",
        type=float,
        default=0.05,
        show_default=True,
        help="Risk of accepting P0 although P1 is true.",
    ),
)


@click.command()
@request_options
@files_options
@stop_options
@faults_option
@click.option(
    "--patience",
    type=click.FloatRange(0, 3600),
    default=30,
    show_default=True,
    help="Seconds beyond the time limit before a bot that does not answer is stopped.",
)
@workers_options
@json_option
def command(
    request: Request,
    files: Files,
    early_stop: EarlyStop,
    faults: Path,
    patience: float,
    workers: Workers,
    as_json: bool,
) -> None:
    """Let bots play each other: every bot in every seat equally often, with the same draws.

    The games depend only on the seed and the bots, wherever they are played. A bot that makes an
    illegal move, crashes or takes too long loses that game; the tournament continues. Ctrl-C keeps
    the finished deals.
    """
    record, resume = files.record, files.resume
    with arena_failures():
        tournament, wanted = request.resumed(resume) if resume else request.tournament()
        tournament = replace(tournament, record=record is not None, patience=patience)
        test = early_stop.test(tournament)
        for entrant in tournament.entrants:
            bot_maker(entrant.bot, commands=True)
    deals = deals_for(tournament, wanted)
    began = time.perf_counter()
    with (
        arena_failures(),
        RecordFile(record, replace=files.force) as output,
        _journal(tournament, wanted, files) as journal,
        connected_cluster(workers) as executor,
    ):
        _say_rounding(tournament, wanted, deals)
        parts = journal, output, FaultFiles(faults), test, executor
        run = TournamentRun(tournament, deals, workers.processes, *parts)
        stopped = run.play()
    seconds = time.perf_counter() - began
    report = Report(run.standings, wanted, seconds, test, run.faults.reported, stopped == "")
    _print(report, files, output, as_json)
    if stopped:
        _say_stopped(stopped, report, deals, files.save or resume)


def _print(report: Report, files: Files, output: RecordFile, as_json: bool) -> None:
    if report.standings.games:
        to_stderr = files.record is not None and str(files.record) == STDOUT
        print_report(report, as_json=as_json, to_stderr=to_stderr)
        if output.games and not to_stderr:
            click.echo(f"Recorded in {files.record}", err=as_json)


@contextmanager
def _journal(tournament: Tournament, games: int, files: Files) -> Iterator[Journal | None]:
    """Opens the file of the tournament, new or existing, if one was given."""
    if files.save is not None:
        with create_journal(files.save, tournament, games, replace=files.force) as journal:
            yield journal
    elif files.resume is not None:
        with open_journal(files.resume, tournament) as journal:
            saved = [game for deal in journal.deals for game in deal]
            if tournament.record and any(game.record is None for game in saved):
                raise Failure(
                    f"{files.resume} was started without --record: its games have no moves."
                )
            if tournament.adjusted and any(game.luck is None for game in saved):
                raise Failure(
                    f"{files.resume} was started without --adjusted: luck was not measured in its "
                    "games."
                )
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
