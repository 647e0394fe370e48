"""`industry train`: learn the values of the strongest bot from nothing, by self-play."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.status import Status

from industry.arena.curve import curve_svg
from industry.arena.executor import Processes, Told
from industry.arena.summary import wilson
from industry.arena.train import POINTS, VICTORIES, Course, Generation, complete, train
from industry.boards import BoardError, load_board
from industry.boards.spec import EDITIONS
from industry.bots.training import weights_array
from industry.bots.weights import WeightsError, weights_text

from .files import Failure, write_whole
from .running import arena_failures, cluster_at, cluster_option

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster


TRIALS = 7
"""Games that branch out, for each game of a generation: what one Taler causes is little."""


@click.command()
@click.option("--edition", type=click.Choice(list(EDITIONS)), default="industry", show_default=True)
@click.option("--players", "-p", type=click.Choice(["3", "4"]), default="4", show_default=True)
@click.option("--board", help="A board's name or file; default: that of the edition.")
@click.option(
    "--from",
    "learns_from",
    type=click.Choice([POINTS, VICTORIES]),
    default=POINTS,
    show_default=True,
    help="What games teach: how many points follow from what, or which opinions win.",
)
@click.option("--generations", type=click.IntRange(1, 100), default=5, show_default=True)
@click.option("--games", type=click.IntRange(60), default=1500, show_default=True, help="Each.")
@click.option("--trials", type=click.IntRange(1), help="Default: seven times as many as games.")
@click.option("--compared", type=click.IntRange(6), default=600, show_default=True)
@click.option("--seed", default="industry", show_default=True)
@click.option("--processes", type=click.IntRange(1), help="Default: one per core.")
@cluster_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for weights, checkpoints and the learning curve; training goes on from there.",
)
def command(
    edition: str,
    players: str,
    board: str | None,
    learns_from: str,
    generations: int,
    games: int,
    trials: int | None,
    compared: int,
    seed: str,
    processes: int | None,
    cluster: str | None,
    out: Path,
) -> None:
    """Learn what things are worth by playing against oneself.

    Every generation plays GAMES games, learns from them, and is compared with the handmade
    weights. After each, its weights are written to the folder, so that training can be stopped at
    any time and called again to go on. At the end, TRIALS games that branch out show what a
    position between two rounds is worth. The same settings give the same weights.
    """
    try:
        spec = load_board(board or edition)
    except BoardError as error:
        raise Failure(str(error)) from None
    trials = TRIALS * games if trials is None else trials
    course = Course(spec, int(players), learns_from, generations, games, trials, compared, seed)
    out.mkdir(parents=True, exist_ok=True)
    done = _read(out, course)
    console = Console(highlight=False)
    console.print(f"Training {spec.edition} for {players} players in {out}")
    end = f"Weights: {out / 'weights.json'}; learning curve: {out / 'curve.svg'}"
    if len(done) >= generations and _is_complete(out, course, done[-1]):
        console.print(f"All of it is done. {end}")
        return
    with (
        arena_failures(),
        console.status("compiling, the first time …") as status,
        cluster_at(cluster, processes) as there,
    ):
        executor = _told(there, processes, status)
        with closing(train(course, done, executor=executor)) as new:
            for generation in new:
                done.append(generation)
                _write(out, course, done)
                console.print(_sentence(course, generation))
        weights = complete(course, done[-1], executor=executor)
    text = _text(course, replace(done[-1], weights=weights), trials=trials)
    write_whole(out / "weights.json", text, replace=True)
    console.print(end)


def _told(cluster: "Cluster | None", processes: int | None, status: Status) -> Told:
    """Where the work is done, with its progress in the status line."""
    where = ""

    def work_is(place: str) -> None:
        nonlocal where
        where = f" {place}"

    def done(pieces: int) -> None:
        status.update(f"playing, learning, comparing{where}: {pieces} pieces of work done …")

    if cluster is not None:
        cluster.tell = work_is
    return Told(cluster or Processes(processes), done)


def _sentence(course: Course, generation: Generation) -> str:
    low, high = wilson(generation.win_share * course.compared, course.compared)
    return (
        f"generation {generation.number}: wins {generation.win_share:.1%} "
        f"({100 * low:.1f}–{100 * high:.1f}) against the handmade weights"
    )


def _facts(course: Course) -> dict[str, object]:
    return {
        "edition": course.board.edition,
        "players": course.players,
        "board_hash": course.board.hash,
        "from": course.learns_from,
        "games_per_generation": course.games,
        "compared": course.compared,
        "seed": course.seed,
    }


def _text(course: Course, generation: Generation, **more: int) -> str:
    facts = {"generation": generation.number, "win_share": round(generation.win_share, 5)}
    return weights_text(generation.weights.tolist(), **(_facts(course) | facts | more))


def _is_complete(out: Path, course: Course, last: Generation) -> bool:
    """Whether the folder has the weights after this generation, with those between rounds."""
    try:
        data = json.loads((out / "weights.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    wanted = _facts(course) | {"generation": last.number, "trials": course.trials}
    return {key: data.get(key) for key in wanted} == wanted


def _write(out: Path, course: Course, done: list[Generation]) -> None:
    text = _text(course, done[-1])
    write_whole(out / f"generation-{done[-1].number}.json", text, replace=True)
    write_whole(out / "weights.json", text, replace=True)
    title = f"{course.board.edition.capitalize()}, {course.players} players: wins against handmade"
    curve = curve_svg(title, [g.win_share for g in done], course.compared)
    write_whole(out / "curve.svg", curve, replace=True)


def _read(out: Path, course: Course) -> list[Generation]:
    """The generations that the folder already holds; those of another course are refused."""
    done: list[Generation] = []
    while (path := out / f"generation-{len(done) + 1}.json").exists():
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text)
            weights = weights_array(text)
        except (OSError, ValueError, KeyError, TypeError, WeightsError) as error:
            raise Failure(f"{path} cannot be read: {error}.") from None
        if {key: data.get(key) for key in _facts(course)} != _facts(course):
            raise Failure(f"{path} belongs to another course of training; choose another --out.")
        done.append(Generation(len(done) + 1, weights, float(data["win_share"])))
    return done
