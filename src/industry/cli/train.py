"""`industry train`: learn the weights of the strongest bot from nothing, by self-play."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.status import Status

from industry.arena.curve import curve_svg
from industry.arena.executor import Processes, WithProgress
from industry.arena.summary import wilson
from industry.arena.train import POINTS, VICTORIES, Generation, TrainingPlan, complete, train
from industry.arena.train_net import Course
from industry.boards import BoardError, BoardSpec, load_board
from industry.boards.spec import EDITIONS
from industry.bots.judged.training import EPOCHS
from industry.bots.learn_from_points import weights_array
from industry.bots.weights import WeightsError, weights_text
from industry.engine import CompileListener, watch_compiling

from ._arena import (
    COMPILING,
    COMPILING_SENTENCE,
    arena_failures,
    connected_cluster,
)
from ._options import Workers, board_option, option_group, players_option, workers_options
from .files import Failure, write_whole
from .train_net import train_course

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster


JUDGE = "judge"
"""The third way to learn: values between rounds learn from the judge's lines."""
DEFAULT_GAMES = {POINTS: 1500, VICTORIES: 1500, JUDGE: 20_000}
TRIALS = 7
"""Branching games for each game of a generation: a single Taler has a small effect."""


@dataclass(frozen=True)
class TrainingOptions:
    """The requested plan of training."""

    edition: str
    players: str
    board: str | None
    learns_from: str
    generations: int
    games: int | None
    trials: int | None
    compared: int
    epochs: int
    seed: str

    def plan(self) -> TrainingPlan:
        """Returns the plan on its board; raises `Failure`."""
        games = self.games or DEFAULT_GAMES[self.learns_from]
        trials = TRIALS * games if self.trials is None else self.trials
        numbers = self.generations, games, trials, self.compared
        return TrainingPlan(self._board(), int(self.players), self.learns_from, *numbers, self.seed)

    def course(self) -> Course:
        """Returns the course from the judge's lines on its board; raises `Failure`."""
        games = self.games or DEFAULT_GAMES[JUDGE]
        return Course(self._board(), int(self.players), games, self.epochs, self.seed)

    def _board(self) -> BoardSpec:
        try:
            return load_board(self.board or self.edition)
        except BoardError as error:
            raise Failure(str(error)) from None


training_options = option_group(
    "request",
    TrainingOptions,
    click.option(
        "--edition",
        type=click.Choice(list(EDITIONS)),
        default="industry",
        show_default=True,
        help="The rules.",
    ),
    players_option,
    board_option,
    click.option(
        "--from",
        "learns_from",
        type=click.Choice([POINTS, VICTORIES, JUDGE]),
        default=POINTS,
        show_default=True,
        help="Learn from the points that followed each position, from which weights win, or, for "
        "positions between rounds only, from the judge's lines.",
    ),
    click.option(
        "--generations",
        type=click.IntRange(1, 100),
        default=5,
        show_default=True,
        help="How often to play, learn and compare.",
    ),
    click.option(
        "--games",
        type=click.IntRange(60),
        help="Games per generation; default 1500. From the judge: games in all; default 20,000.",
    ),
    click.option(
        "--trials",
        type=click.IntRange(1),
        help="Branching games at the end; default: seven times --games.",
    ),
    click.option(
        "--compared",
        type=click.IntRange(6),
        default=600,
        show_default=True,
        help="Games against the handmade weights, per generation.",
    ),
    click.option(
        "--epochs",
        type=click.IntRange(0, 1000),
        default=EPOCHS,
        show_default=True,
        help="How often a net goes through its games; 0: fitted weights without a net.",
    ),
    click.option("--seed", default="industry", show_default=True, help="Any text."),
)


@click.command()
@training_options
@workers_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False, readable=False),
    required=True,
    help="Folder for weights, checkpoints and the learning curve; training continues from there.",
)
def command(request: TrainingOptions, workers: Workers, out: Path) -> None:
    """Learn the weights of the strongest bot by self-play.

    Every generation plays --games games, learns from them, and is compared with the handmade
    weights in --compared games. Its weights are written to the folder, so training can be stopped
    at any time and continued by the same command. At the end, --trials branching games estimate
    the value of positions between two rounds. The same settings give the same weights.

    With --from judge, weights are fitted to what positions between rounds are worth by the lines of
    the judge, and a net learns what they miss; --generations, --trials and --compared then mean
    nothing.
    """
    if request.learns_from == JUDGE:
        _learn_round_ends(request.course(), workers, out)
        return
    plan = request.plan()
    out.mkdir(parents=True, exist_ok=True)
    done = _read(out, plan)
    console = Console(highlight=False)
    console.print(f"Training {plan.board.edition} for {request.players} players in {out}")
    end = f"Weights: {out / 'weights.json'}; learning curve: {out / 'curve.svg'}"
    if len(done) >= request.generations and _is_complete(out, plan, done[-1]):
        console.print(f"Everything is done. {end}")
        return
    with _at_work(console, workers) as (executor, _):
        with closing(train(plan, done, executor=executor)) as new:
            for generation in new:
                done.append(generation)
                _write(out, plan, done)
                console.print(_sentence(plan, generation))
        weights = complete(plan, done[-1], executor=executor)
    text = _text(plan, replace(done[-1], weights=weights), trials=plan.trials)
    write_whole(out / "weights.json", text, replace=True)
    console.print(end)


def _learn_round_ends(course: Course, workers: Workers, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    console.print(f"Learning {course.board.edition} for {course.players} players in {out}")
    with _at_work(console, workers) as (executor, status):
        train_course(course, out, console, status, executor)


@contextmanager
def _at_work(console: Console, workers: Workers) -> Iterator[tuple[WithProgress, Status]]:
    """Yields an executor with its status line; what goes wrong becomes a `Failure`."""
    with (
        arena_failures(),
        console.status("preparing …") as status,
        watch_compiling(_compiling(console, status)),
        connected_cluster(workers) as cluster,
    ):
        yield _with_progress(cluster, workers.processes, status), status


def _compiling(console: Console, status: Status) -> CompileListener:
    """Shows the compiler's progress in the status line, or as a sentence if there is none."""

    def report(done: int, total: int) -> None:
        if console.is_terminal:
            status.update(f"{COMPILING}: {done} of {total} parts are ready …")
        elif done == 0:
            click.echo(COMPILING_SENTENCE, err=True)

    return report


def _with_progress(
    cluster: "Cluster | None", processes: int | None, status: Status
) -> WithProgress:
    """Returns an executor that shows its progress in the status line."""
    where = ""

    def work_is(place: str) -> None:
        nonlocal where
        where = f" {place}"

    def done(pieces: int) -> None:
        status.update(f"playing, learning, comparing{where}: {pieces} pieces of work done …")

    if cluster is not None:
        cluster.report = work_is
    return WithProgress(cluster or Processes(processes), done)


def _sentence(plan: TrainingPlan, generation: Generation) -> str:
    low, high = wilson(generation.win_share * plan.compared, plan.compared)
    return (
        f"generation {generation.number}: wins {generation.win_share:.1%} "
        f"({100 * low:.1f}–{100 * high:.1f}) against the handmade weights"
    )


def _facts(plan: TrainingPlan) -> dict[str, object]:
    return {
        "edition": plan.board.edition,
        "players": plan.players,
        "board_hash": plan.board.hash,
        "from": plan.learns_from,
        "games_per_generation": plan.games,
        "compared": plan.compared,
        "seed": plan.seed,
    }


def _text(plan: TrainingPlan, generation: Generation, **more: int) -> str:
    facts = {"generation": generation.number, "win_share": round(generation.win_share, 5)}
    return weights_text(generation.weights.tolist(), **(_facts(plan) | facts | more))


def _is_complete(out: Path, plan: TrainingPlan, last: Generation) -> bool:
    """Checks whether the folder has this generation's weights, with those between rounds."""
    try:
        data = json.loads((out / "weights.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    wanted = _facts(plan) | {"generation": last.number, "trials": plan.trials}
    return {key: data.get(key) for key in wanted} == wanted


def _write(out: Path, plan: TrainingPlan, done: list[Generation]) -> None:
    text = _text(plan, done[-1])
    write_whole(out / f"generation-{done[-1].number}.json", text, replace=True)
    write_whole(out / "weights.json", text, replace=True)
    title = f"{plan.board.edition.capitalize()}, {plan.players} players: wins against handmade"
    curve = curve_svg(title, [g.win_share for g in done], plan.compared)
    write_whole(out / "curve.svg", curve, replace=True)


def _read(out: Path, plan: TrainingPlan) -> list[Generation]:
    """Reads the generations in the folder; refuses those of another plan."""
    done: list[Generation] = []
    while (path := out / f"generation-{len(done) + 1}.json").exists():
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text)
            weights = weights_array(text)
        except (OSError, ValueError, KeyError, TypeError, WeightsError) as error:
            raise Failure(f"{path} cannot be read: {error}.") from None
        if {key: data.get(key) for key in _facts(plan)} != _facts(plan):
            raise Failure(f"{path} belongs to another training run; choose another --out.")
        done.append(Generation(len(done) + 1, weights, float(data["win_share"])))
    return done
