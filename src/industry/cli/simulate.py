"""`industry simulate`: play many games, write them as records or tables, and sum them up."""

import secrets
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import Progress

from industry.arena import Batch, Plan, Summary, interrupts_blocked, simulate
from industry.arena.optional_deps import optional_packages
from industry.arena.schedule import ArenaError, Entrant, read_entrants
from industry.bots import BotError, bot_maker
from industry.notation.record import MAX_NAME
from industry.texts.sanitize import printable

from ._arena import (
    arena_failures,
    board_and_options,
    check_review_lines,
    cluster_progress,
    connected_cluster,
    progress_bar,
)
from ._options import (
    ANY_FILE,
    Workers,
    board_option,
    edition_option,
    faults_option,
    option_group,
    players_option,
    record_option,
    review_option,
    rules_option,
    time_option,
    workers_options,
)
from .app import STOPPED, describe
from .fault_files import FaultFiles
from .files import Failure
from .record_file import RecordFile
from .simulate_view import plan_settings, print_summary

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster
    from industry.arena.dataset.files import DatasetFolder

CHANCE = "random"
"""The bot that plays at random; games of only this bot run as machine code."""
STOPPED_SHORT = "Stopped"
"""Why it ended after Ctrl-C; every other reason is an error."""


@dataclass
class SimulationRun:
    """A running simulation: where its games go and the results so far."""

    plan: Plan
    output: RecordFile
    folder: "DatasetFolder | None"
    faults: FaultFiles
    summary: Summary = field(init=False)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.summary = Summary(self.plan.players)
        if self.folder is not None and self.folder.games:
            from industry.arena.dataset.files import read_dataset
            from industry.arena.dataset.tables import tables_batch

            tables = read_dataset(self.folder.path).tables
            self.summary.add(tables_batch(tables, self.plan.players))
            self.summary.faults = self.folder.played - self.folder.games

    @property
    def done(self) -> int:
        """Counts the games that were played, including those already in the folder."""
        return self.summary.games + self.summary.faults

    @property
    def kept(self) -> int:
        """Counts the games that are on the disk."""
        return self.folder.games if self.folder is not None else self.output.games

    def play(self, processes: int | None, cluster: "Cluster | None") -> str:
        """Plays the remaining games; returns why it ended early, or nothing."""
        began = time.perf_counter()
        try:
            with progress_bar() as progress:
                self._play(processes, cluster, progress)
            self._flush()
        except KeyboardInterrupt:
            return self._finish_early(STOPPED_SHORT)
        except BrokenPipeError:
            raise
        except OSError as error:
            return self._finish_early(f"Error: {describe(error)}")
        except (ArenaError, BotError) as error:
            return self._finish_early(f"Error: {error}")
        finally:
            self.seconds = time.perf_counter() - began
        return ""

    def _play(self, processes: int | None, cluster: "Cluster | None", progress: Progress) -> None:
        left = replace(self.plan, first=self.done, games=max(0, self.plan.games - self.done))
        task = progress.add_task("Preparing", total=self.plan.games, completed=self.done)
        where = cluster_progress(cluster, progress, task)
        with closing(simulate(left, processes, cluster)) as batches:
            for batch in batches:
                with interrupts_blocked():
                    self._write_batch(batch)
                self.faults.add(batch.faults, progress.console)
                progress.update(task, completed=self.done, description=f"Playing{where()}")

    def _write_batch(self, batch: Batch) -> None:
        self.output.write([record.to_json() for record in batch.records])
        if self.folder is not None and batch.tables is not None:
            self.folder.add(batch.tables, batch.played)
        self.summary.add(batch)

    def _flush(self) -> None:
        if self.folder is not None:
            with interrupts_blocked():
                self.folder.flush()

    def _finish_early(self, why: str) -> str:
        """Keeps what is finished; a full disk has already been reported."""
        try:
            self._flush()
        except OSError as error:
            if why == STOPPED_SHORT:
                return f"Error: {describe(error)}"
        return why


@dataclass(frozen=True)
class Games:
    """Which games are played."""

    games: int
    players: str
    edition: str | None
    board: str | None
    options: tuple[str, ...]
    bots: str | None
    milliseconds: float
    seed: str | None

    def plan(self, output: "Output") -> Plan:
        """Returns the plan of the games, with its bots; raises `Failure`."""
        spec, chosen = board_and_options(self.board, self.edition, self.options)
        plan = Plan(
            spec,
            int(self.players),
            chosen,
            _seed(self.seed, output.parquet if output.resume else None),
            self.games,
            record=output.record is not None,
            legal_counts=output.legal_counts,
            tables=output.parquet is not None,
            review_lines=output.review,
        )
        return seated(plan, self.bots, self.milliseconds / 1000)


@dataclass(frozen=True)
class Output:
    """What is written, and where."""

    record: Path | None
    legal_counts: bool
    parquet: Path | None
    review: int | None
    resume: bool
    force: bool
    faults: Path

    def __post_init__(self) -> None:
        if self.review is not None:
            if self.parquet is None:
                raise Failure("--review adds to the tables of --parquet; name a folder for them.")
            check_review_lines(self.review)
        if self.resume and (self.parquet is None or self.record is not None):
            raise Failure("--resume needs --parquet and cannot be combined with --record.")


games_options = option_group(
    "request",
    Games,
    click.option(
        "--games",
        "-n",
        type=click.IntRange(1),
        default=1000,
        show_default=True,
        help="Number of games.",
    ),
    players_option,
    edition_option,
    board_option,
    rules_option,
    click.option(
        "--bots",
        metavar="A,B,…",
        help="One bot for all seats, or one for each; A@200 gives A 200 ms per decision. "
        "Default: random moves.",
    ),
    time_option,
    click.option("--seed", help="Any text; the same seed gives the same games. Default: random."),
)
output_options = option_group(
    "output",
    Output,
    record_option,
    click.option(
        "--legal-counts", is_flag=True, help="Record the number of legal moves at each decision."
    ),
    click.option(
        "--parquet",
        type=ANY_FILE,
        metavar="FOLDER",
        help="Write the games as Parquet tables into a new folder.",
    ),
    review_option,
    click.option("--resume", is_flag=True, help="Continue the dataset in the folder of --parquet."),
    click.option("--force", is_flag=True, help="Replace an existing file or dataset."),
    faults_option,
)


@click.command()
@games_options
@output_options
@workers_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(request: Games, output: Output, workers: Workers, as_json: bool) -> None:
    """Play games between random players or bots.

    Every game depends only on the seed, the bots and its number, not on the number of processes or
    machines. Ctrl-C keeps the finished games.
    """
    with arena_failures():
        plan = request.plan(output)
        with RecordFile(output.record, replace=output.force) as records:
            folder = _folder(plan, output.parquet, output.resume, output.force)
            run = SimulationRun(plan, records, folder, FaultFiles(output.faults))
            with connected_cluster(workers) as executor:
                stopped = run.play(workers.processes, executor)
    if run.summary.games:
        recorded = output.record if records.games else None
        print_summary(run.summary, plan, run.seconds, recorded, output.parquet, as_json)
    if stopped:
        _say_stopped(stopped, run)


def seated(plan: Plan, bots: str | None, seconds: float) -> Plan:
    """Returns the plan with its bots; one name is for all seats."""
    names = [name.strip() for name in bots.split(",")] if bots is not None else [CHANCE]
    if len(names) == 1:
        names *= plan.players
    if len(names) != plan.players:
        raise Failure(
            f"--bots names one bot for all seats or one for each of the {plan.players} seats, "
            f"not {len(names)}."
        )
    entrants: tuple[Entrant, ...] = read_entrants(names, seconds)
    for entrant in entrants:
        bot_maker(entrant.bot, commands=True)
    if all(name == CHANCE for name in names):
        return plan
    labels = tuple(printable(entrant.label)[:MAX_NAME] for entrant in entrants)
    return replace(plan, bots=entrants, names=labels)


def _seed(given: str | None, resumed: Path | None) -> str:
    """Returns the given seed, that of the dataset to continue, or a new one."""
    if given is not None:
        return given
    if resumed is not None:
        with optional_packages("--parquet"):
            from industry.arena.dataset.files import read_settings
        return str(read_settings(resumed)["seed"])
    return str(secrets.randbits(32))


def _folder(plan: Plan, path: Path | None, resume: bool, force: bool) -> "DatasetFolder | None":
    """Opens the folder of the tables, new or existing, if one was given."""
    if path is None:
        return None
    with optional_packages("--parquet"):
        from industry.arena.dataset.files import create_folder, open_folder
    settings = plan_settings(plan)
    if resume:
        return open_folder(path, plan.board, settings)
    return create_folder(path, plan.board, settings, replace=force)


def _say_stopped(stopped: str, run: SimulationRun) -> None:
    games = run.plan.games
    if stopped == STOPPED_SHORT:
        stopped = f"{stopped} after {run.done} of {games} games."
        code = STOPPED
    else:
        kept = run.folder is not None or run.output.games > 0
        stopped += f" {run.kept} of {games} games are kept." if kept else ""
        code = 1
    click.echo(stopped, err=True)
    if run.folder is not None:
        click.echo("Add --resume to the same command to continue.", err=True)
    sys.exit(code)
