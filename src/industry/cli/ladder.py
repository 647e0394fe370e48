"""`industry ladder`: the published table of the bots' strength, repeatable by anyone."""

import json
import shlex
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress, TaskID

from industry import __version__
from industry.arena.ladder import (
    GAMES,
    SEARCHING,
    SEARCHING_GAMES,
    LadderStep,
    MeasuredStep,
    ladder_data,
    step_journal,
    steps,
)
from industry.arena.schedule import ArenaError
from industry.arena.tournament import deals_for, play_deals
from industry.boards.spec import EDITIONS
from industry.bots import BotError

from ._arena import arena_failures, progress_bar
from ._options import option_group, processes_option, time_option
from .app import describe
from .fault_files import FaultFiles
from .files import Failure, write_whole
from .ladder_table import markdown

PLAYERS = ("3", "4")


@dataclass
class Climb:
    """A ladder that is being measured: each finished step is written before the next one starts."""

    plan: list[LadderStep]
    seed: str
    seconds: float
    out: Path
    parts: Path
    settings: dict[str, Any]
    processes: int | None
    faults: FaultFiles
    measured: list[MeasuredStep] = field(default_factory=list)

    def play(self, progress: Progress) -> None:
        """Plays all steps; finished games are only counted."""
        sizes = [step.games for step in self.plan]
        whole = progress.add_task("All steps", total=sum(sizes))
        for number, step in enumerate(self.plan):
            task = progress.add_task(f"{step.upper} – {step.lower}", total=step.games)
            self._play_step(step, progress, task, whole, sum(sizes[:number]))
            progress.remove_task(task)
            progress.update(whole, completed=sum(sizes[: number + 1]))
            write_whole(self.out, f"{json.dumps(self.data(), indent=1)}\n", replace=True)

    def _play_step(
        self, step: LadderStep, progress: Progress, task: TaskID, whole: TaskID, before: int
    ) -> None:
        tournament = step.tournament(self.seed, self.seconds)
        deals = deals_for(tournament, step.games)
        played = []
        with (
            step_journal(self.parts, step, tournament) as journal,
            closing(play_deals(tournament, deals, self.processes, journal)) as games,
        ):
            for deal in games:
                played.append(deal)
                self.faults.add(deal, progress.console)
                done = min(step.games, len(played) * tournament.games_per_deal)
                progress.update(task, completed=done)
                progress.update(whole, completed=before + done)
        self.measured.append(MeasuredStep(step, tournament, tuple(played)))

    def data(self) -> dict[str, Any]:
        return ladder_data(self.measured, len(self.plan), self.settings)


@dataclass(frozen=True)
class Request:
    """Which steps are measured, and how; None stands for what was not given."""

    games: int | None
    milliseconds: float
    edition: str | None
    players: str | None
    levels: tuple[int, ...]
    seed: str

    def plan(self) -> list[LadderStep]:
        """Returns the steps to measure; raises `Failure` if there are none."""
        editions = [self.edition] if self.edition else list(EDITIONS)
        tables = [int(self.players)] if self.players else [int(number) for number in PLAYERS]
        with arena_failures():
            plan = steps(editions, tables, self.levels, self.games)
        if not plan:
            raise Failure("there is no step to measure: it needs two bots of this program.")
        return plan

    def command(self) -> str:
        """Returns the command that repeats the measurement, without the files."""
        words = ["industry", "ladder", "--seed", self.seed, "--time", f"{self.milliseconds:g}"]
        for name in ("games", "edition", "players"):
            value = getattr(self, name)
            if value is not None:
                words += [f"--{name}", str(value)]
        for level in self.levels:
            words += ["--level", str(level)]
        return shlex.join(words)


request_options = option_group(
    "request",
    Request,
    click.option(
        "--games",
        "-n",
        type=click.IntRange(1),
        help=f"Games per step; default: {GAMES}, and {SEARCHING_GAMES} from level {SEARCHING} on.",
    ),
    time_option,
    click.option(
        "--edition", type=click.Choice(list(EDITIONS)), help="The rules; default: both editions."
    ),
    click.option(
        "--players", "-p", type=click.Choice(PLAYERS), help="Number of players; default: both."
    ),
    click.option(
        "--level", "levels", type=int, multiple=True, help="Only the step up to this level."
    ),
    click.option("--seed", default="ladder", show_default=True, help="Any text."),
)


@click.command()
@request_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, readable=False),
    default=Path("ladder.json"),
    show_default=True,
    help="The file for the result.",
)
@click.option(
    "--parts",
    type=click.Path(path_type=Path, file_okay=False, readable=False),
    help="Folder for finished games; default: the name of --out, ending in .parts.",
)
@click.option("--fresh", is_flag=True, help="Play everything again, including finished steps.")
@processes_option
def command(
    request: Request, out: Path, parts: Path | None, fresh: bool, processes: int | None
) -> None:
    """Measure every level of the bots against the one below, in both editions with 3 and 4 players.

    Prints the table as Markdown. If it is interrupted, the same command continues.
    """
    plan = request.plan()
    parts = parts or out.with_suffix(".parts")
    _prepare(parts, plan, fresh)
    settings = {
        "version": __version__,
        "command": request.command(),
        "seed": request.seed,
        "time_ms": request.milliseconds,
    }
    seconds = request.milliseconds / 1000
    climb = Climb(plan, request.seed, seconds, out, parts, settings, processes, FaultFiles(parts))
    _climb(climb)
    click.echo(markdown(climb.data()))


def _climb(climb: Climb) -> None:
    """Plays, and says how to continue if it is interrupted."""
    try:
        with progress_bar() as progress:
            climb.play(progress)
        return
    except KeyboardInterrupt:
        code, why = 130, "Stopped"
    except OSError as error:
        code, why = 1, f"Error: {describe(error)} Ended"
    except (ArenaError, BotError) as error:
        code, why = 1, f"Error: {error} Ended"
    done, planned = len(climb.measured), len(climb.plan)
    click.echo(f"{why} after {done} of {planned} steps; the same command continues.", err=True)
    sys.exit(code)


def _prepare(parts: Path, plan: list[LadderStep], fresh: bool) -> None:
    """Creates the folder; says whether old games are used, and deletes them only with `--fresh`."""
    parts.mkdir(parents=True, exist_ok=True)
    finished = [path for step in plan if (path := parts / f"{step.name}.jsonl").exists()]
    if finished and fresh:
        for path in finished:
            path.unlink()
    elif finished:
        click.echo(f"Continuing with the games in {parts}; --fresh plays them again.", err=True)
