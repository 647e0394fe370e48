"""`industry train --from judge`: learn from siblings that the judge's lines have measured."""

from pathlib import Path

import click
from rich.console import Console
from rich.status import Status

from industry.arena.curve import explained_svg
from industry.arena.executor import Executor
from industry.arena.train_net import Course, CourseError, gather, learn, values_bytes
from industry.bots.judged.linear import Progress

from .files import Failure, replace_file


def train_course(
    course: Course, out: Path, console: Console, status: Status, executor: Executor
) -> None:
    """Makes what is missing in the folder: siblings piece by piece, then values and their curve."""
    try:
        made = gather(course, out, replace_file, executor)
    except CourseError as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename or out} cannot be read or written: {error}.") from None
    curve: list[Progress] = []
    title = f"{course.board.edition.capitalize()}, {course.players} players"
    for progress, rows, net in learn(course, made):
        curve.append(progress)
        status.update(sentence(progress))
        if not console.is_terminal:
            click.echo(sentence(progress), err=True)
        replace_file(out / "values.npz", values_bytes(course, rows, net, progress))
        picture = explained_svg(title, progress.linear, [p.net for p in curve[1:]])
        replace_file(out / "curve.svg", picture.encode())
    console.print(sentence(curve[-1]))
    console.print(f"Values: {out / 'values.npz'}; learning curve: {out / 'curve.svg'}")


def sentence(progress: Progress) -> str:
    return (
        f"epoch {progress.epoch}: explains {progress.net:.1%} of the differences between "
        f"siblings; fitted weights {progress.linear:.1%}, included weights {progress.included:.1%}"
    )
