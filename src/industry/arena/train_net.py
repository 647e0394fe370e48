"""Learns values of positions between rounds from the judge's lines, shared among all cores."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from industry.boards import BoardSpec
from industry.bots.judged.gather import Siblings, gather_siblings, lesson_of
from industry.bots.judged.linear import Progress, train_round_ends
from industry.bots.learn_from_points import joined
from industry.bots.opinions import policy_version, reference_weights
from industry.bots.round_ends import Floats, Floats32
from industry.engine import State, dtype_of, expect_compiling

from .executor import Executor
from .one_thread import in_one_thread

PIECE = 250
"""Games per piece of work; every piece is a checkpoint."""
LOOPS = ("reach_root", "play_siblings", "deal_orders", "count_leaves")
Save = Callable[[Path, bytes], None]


class CourseError(ValueError):
    """A folder that belongs to another course; the message is a sentence."""


@dataclass(frozen=True)
class Course:
    """What to train and how much; the result depends on these values alone."""

    board: BoardSpec
    players: int
    games: int
    """Games of which one decision each gives a group of siblings."""
    epochs: int
    seed: str

    def facts(self) -> dict[str, object]:
        """Returns what the siblings depend on, and so what a folder must agree on."""
        return {
            "edition": self.board.edition,
            "players": self.players,
            "board_hash": self.board.hash,
            "policy": policy_version(int(self.board.rules.edition), self.players),
            "from": "judge",
            "seed": self.seed,
        }


def gather(course: Course, folder: Path, save: Save, executor: Executor) -> Siblings:
    """Returns the siblings of a course; those that the folder holds are not made again."""
    claim(course, folder, save)
    job = course.board, course.players, course.seed
    counts = {f: min(PIECE, course.games - f) for f in range(0, course.games, PIECE)}
    files = {f: folder / f"siblings-{f + 1}-{f + count}.npz" for f, count in counts.items()}
    missing = [first for first, file in files.items() if not file.exists()]
    if missing:
        expect_compiling(*LOOPS)
        executor.prepare(gather_siblings, *job, missing[0], 1)
        jobs = ((*job, first, counts[first]) for first in missing)
        for first, made in zip(missing, executor.map(gather_siblings, jobs), strict=True):
            save(files[first], packed(made))
    return joined([unpacked(file.read_bytes()) for file in files.values()])


def claim(course: Course, folder: Path, save: Save) -> None:
    """Writes what the folder is for; raises `CourseError` where it is for something else."""
    file = folder / "course.json"
    if not file.exists():
        save(file, json.dumps(course.facts(), indent=1).encode())
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CourseError(f"{file} cannot be read: {error}.") from None
    if found != course.facts():
        raise CourseError(f"{file} belongs to another training run; choose another --out.")


def packed(made: Siblings) -> bytes:
    """Returns siblings as the bytes of a file."""
    buffer = BytesIO()
    states = made.states.view(np.uint8).reshape(len(made.states), -1)
    np.savez_compressed(
        buffer, groups=made.groups, states=states, wins=made.wins, points=made.points
    )
    return buffer.getvalue()


def unpacked(data: bytes) -> Siblings:
    with np.load(BytesIO(data)) as kept:
        states = np.ascontiguousarray(kept["states"]).view(dtype_of(State)).reshape(-1)
        return Siblings(kept["groups"], states, kept["wins"], kept["points"])


def learn(course: Course, made: Siblings) -> Iterator[tuple[Progress, Floats, Floats32]]:
    """Yields what was reached, the rows of weights and the net: see `train_round_ends`."""
    lesson = lesson_of(course.board, made)
    weights = reference_weights(int(course.board.rules.edition), course.players)
    seed = int.from_bytes(course.seed.encode(), "little") % 2**32
    yield from in_one_thread(train_round_ends, lesson, weights, seed, course.epochs)


def values_bytes(course: Course, rows: Floats, net: Floats32, progress: Progress) -> bytes:
    """Returns the file of what was learned, with how it came about."""
    facts = course.facts() | {
        "games": course.games,
        "epochs": progress.epoch,
        "explained": round(progress.net, 4),
        "explained_by_fitted_weights": round(progress.linear, 4),
        "explained_by_included_weights": round(progress.included, 4),
    }
    buffer = BytesIO()
    np.savez_compressed(buffer, rows=rows, net=net, facts=np.array(json.dumps(facts)))
    return buffer.getvalue()
