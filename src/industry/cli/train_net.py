"""`industry train --from judge`: train a net on siblings that the judge's lines have measured."""

from pathlib import Path

import click
from rich.console import Console
from rich.status import Status

from industry.arena.curve import explained_svg
from industry.arena.executor import Executor
from industry.arena.train_net import Course, CourseError, gather, learn, net_bytes
from industry.bots.judged.training import Progress

from .files import Failure, replace_file


def train_course(
    course: Course, out: Path, console: Console, status: Status, executor: Executor
) -> None:
    """Makes what is missing in the folder: siblings piece by piece, then the net and its curve."""
    try:
        made = gather(course, out, replace_file, executor)
    except CourseError as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename or out} cannot be read or written: {error}.") from None
    curve: list[Progress] = []
    for progress, net in learn(course, made):
        curve.append(progress)
        status.update(sentence(progress))
        if not console.is_terminal:
            click.echo(sentence(progress), err=True)
        title = f"{course.board.edition.capitalize()}, {course.players} players"
        replace_file(out / "net.npz", net_bytes(course, net, progress))
        replace_file(
            out / "curve.svg",
            explained_svg(title, curve[0].linear, [p.net for p in curve]).encode(),
        )
    console.print(sentence(curve[-1]))
    console.print(f"Net: {out / 'net.npz'}; learning curve: {out / 'curve.svg'}")


def sentence(progress: Progress) -> str:
    return (
        f"epoch {progress.epoch}: explains {progress.net:.1%} of the differences between "
        f"siblings; the linear value {progress.linear:.1%}"
    )
