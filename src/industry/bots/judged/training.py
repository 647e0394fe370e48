"""Trains the net that corrects the linear value of positions between rounds.

What counts are the differences between siblings: positions of one group that chance made differ.
How good a group is as a whole counts a little, so that the answers stay chances of winning. A
second output, final points, takes part because points scatter less than victories.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from industry.bots.features import COUNT
from industry.bots.lookahead import SPREAD
from industry.bots.net import FIRST, OUTPUTS, POINTS, SEAT_INPUTS, SECOND, SHARED_INPUTS, WIN
from industry.engine import ERAS

Scalar = TypeVar("Scalar", np.float32, np.float64)
Floats32 = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

EPOCHS = 20
BATCH = 128
"""Groups of one step."""
RATE = 0.004
DECAY = 3.0
"""Pull of the weights towards nothing, relative to the rate."""
DIFFERENCES, LEVEL = 20.0, 1.0
"""Weights in the loss: differences between siblings, squared, and the level, as cross-entropy."""
POINT_DIFFERENCES, POINT_LEVEL = 0.3, 0.01
HELD = 8
"""One of so many groups is held back."""


@dataclass(frozen=True)
class Lesson:
    """Inputs and linear values of positions, and what lines made of them; groups are numbered."""

    groups: Ints
    inputs: Floats32
    linear: Floats32
    wins: Floats32
    points: Floats32

    @property
    def players(self) -> int:
        return int(self.wins.shape[1])

    @property
    def is_held(self) -> npt.NDArray[np.bool_]:
        """Says which positions are not learned from, but measure what was learned."""
        return np.asarray(self.groups % HELD == 0)

    @property
    def eras(self) -> Ints:
        first = self.players * SEAT_INPUTS
        return np.asarray(self.inputs[:, first : first + ERAS].argmax(axis=1))

    @property
    def features(self) -> Floats32:
        """Returns by position and seat what the linear value counts."""
        seats = self.inputs[:, : self.players * SEAT_INPUTS]
        return seats.reshape(-1, self.players, SEAT_INPUTS)[:, :, :COUNT]

    def part(self, chosen: npt.NDArray[np.bool_] | Ints) -> "Lesson":
        return Lesson(
            self.groups[chosen],
            self.inputs[chosen],
            self.linear[chosen],
            self.wins[chosen],
            self.points[chosen],
        )


def views(inputs: Floats32, players: int) -> Floats32:
    """Returns the inputs as seen from each seat: its own, its left neighbours', the shared ones."""
    own = players * SEAT_INPUTS
    seats = inputs[:, :own].reshape(-1, players, SEAT_INPUTS)
    shared = np.repeat(inputs[:, None, own:], players, axis=1)
    turned = [np.roll(seats, -step, axis=1) for step in range(players)]
    return np.concatenate([*turned, shared], axis=2)


def chances(logits: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: npt.NDArray[Scalar] = powers / powers.sum(axis=1, keepdims=True)
    return found


def beside_siblings(groups: Ints, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Subtracts from each position the mean of its group."""
    _, places, counts = np.unique(groups, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), *values.shape[1:]), dtype=values.dtype)
    np.add.at(sums, places, values)
    shape = (-1, *[1] * (values.ndim - 1))
    means = sums / counts.reshape(shape).astype(values.dtype)
    return np.asarray(values - means[places], dtype=values.dtype)


class Training:
    """The weights of a net, and the moments by which Adam changes them."""

    def __init__(self, players: int, seed: int) -> None:
        self.players = players
        rng = np.random.default_rng(seed)
        width = players * SEAT_INPUTS + SHARED_INPUTS
        shapes = ((width, FIRST), (FIRST, SECOND), (SECOND, OUTPUTS))
        self.weights: list[Floats32] = []
        for (rows, columns), scale in zip(shapes, (1.0, 2.0, 0.0), strict=True):
            factors = rng.standard_normal((rows, columns)) * np.sqrt(scale / rows)
            self.weights += [factors.astype(np.float32), np.zeros(columns, dtype=np.float32)]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def answers(self, seen: Floats32) -> tuple[Floats32, Floats32, Floats32]:
        """Returns both hidden layers and the outputs."""
        one, add_one, two, add_two, three, add_three = self.weights
        first = np.maximum(seen @ one + add_one, 0.0)
        second = np.maximum(first @ two + add_two, 0.0)
        return first, second, second @ three + add_three

    def gradients(
        self, seen: Floats32, first: Floats32, second: Floats32, outputs: Floats32
    ) -> list[Floats32]:
        """Returns by weight how the loss changes, from how it changes with the outputs."""
        to_second = (outputs @ self.weights[4].T) * (second > 0.0)
        to_first = (to_second @ self.weights[2].T) * (first > 0.0)
        return [
            seen.T @ to_first,
            to_first.sum(axis=0),
            first.T @ to_second,
            to_second.sum(axis=0),
            second.T @ outputs,
            outputs.sum(axis=0),
        ]

    def change(self, gradients: list[Floats32], rate: float) -> None:
        """Takes one step of Adam, with decay of the matrices."""
        self._steps += 1
        for place, gradient in enumerate(gradients):
            self._means[place] = 0.9 * self._means[place] + 0.1 * gradient
            self._squares[place] = 0.999 * self._squares[place] + 0.001 * gradient**2
            mean = self._means[place] / (1 - 0.9**self._steps)
            square = self._squares[place] / (1 - 0.999**self._steps)
            weight = self.weights[place]
            weight -= rate * mean / (np.sqrt(square) + 1e-8)
            if weight.ndim == 2:
                weight -= rate * DECAY * weight

    def learn(self, lesson: Lesson, rate: float) -> None:
        """Takes one step from the groups of a lesson."""
        seats = len(lesson.groups) * self.players
        seen = views(lesson.inputs, self.players).reshape(seats, -1)
        first, second, flat = self.answers(seen)
        outputs = flat.reshape(-1, self.players, OUTPUTS)
        won = chances(lesson.linear / SPREAD + outputs[:, :, WIN])
        ahead = DIFFERENCES * beside_siblings(lesson.groups, won - lesson.wins)
        slopes = np.empty_like(outputs)
        slopes[:, :, WIN] = won * (ahead - (ahead * won).sum(axis=1, keepdims=True))
        slopes[:, :, WIN] += LEVEL * (won - lesson.wins)
        off = lesson.linear + SPREAD * outputs[:, :, POINTS] - lesson.points
        slopes[:, :, POINTS] = POINT_DIFFERENCES * beside_siblings(lesson.groups, off)
        slopes[:, :, POINTS] += POINT_LEVEL * off
        flat_slopes = slopes.reshape(seats, OUTPUTS) / np.float32(len(lesson.groups))
        self.change(self.gradients(seen, first, second, flat_slopes), rate)

    def won(self, lesson: Lesson) -> Floats32:
        """Returns everyone's chances of winning as the net sees them."""
        seen = views(lesson.inputs, self.players).reshape(len(lesson.groups) * self.players, -1)
        outputs = self.answers(seen)[2].reshape(-1, self.players, OUTPUTS)
        return chances(lesson.linear / SPREAD + outputs[:, :, WIN])


def explained(lesson: Lesson, won: Floats32) -> float:
    """Returns the share of the variance of differences between siblings that is explained."""
    truth = beside_siblings(lesson.groups, lesson.wins)
    rest = truth - beside_siblings(lesson.groups, won)
    return float(1.0 - (rest**2).sum() / (truth**2).sum())


def standardised(lesson: Lesson) -> tuple[Lesson, Floats32, Floats32]:
    """Returns the lesson with inputs of mean 0 and deviation 1, and what was subtracted and
    divided: the same for all seats. Inputs that never change become 0.
    """
    players = lesson.players
    own = players * SEAT_INPUTS
    seats = lesson.inputs[:, :own].reshape(-1, SEAT_INPUTS)
    shared = lesson.inputs[:, own:]
    means = np.concatenate([*[seats.mean(axis=0)] * players, shared.mean(axis=0)])
    scatters = np.concatenate([*[seats.std(axis=0)] * players, shared.std(axis=0)])
    divisors = np.where(scatters > 1e-6, scatters, np.inf).astype(np.float32)
    inputs = ((lesson.inputs - means) / divisors).astype(np.float32)
    whole = Lesson(lesson.groups, inputs, lesson.linear, lesson.wins, lesson.points)
    return whole, means.astype(np.float32), divisors


def train_net(
    lesson: Lesson, seed: int, epochs: int = EPOCHS, batch: int = BATCH
) -> Iterator[tuple[float, Floats32]]:
    """Yields after every epoch what share of the differences between held-back siblings is
    explained, and the net as one array of weights.
    """
    lesson, means, divisors = standardised(lesson)
    held, kept = lesson.part(lesson.is_held), lesson.part(~lesson.is_held)
    training = Training(lesson.players, seed)
    rng = np.random.default_rng(seed)
    starts = np.flatnonzero(np.diff(kept.groups, prepend=-1))
    members = np.split(np.arange(len(kept.groups)), starts[1:])
    batches = max(1, len(members) // batch)
    for epoch in range(epochs):
        order = rng.permutation(len(members))
        for number in range(batches):
            begin = number * batch
            chosen = order[begin : begin + batch]
            done = (epoch + number / batches) / epochs
            rate = RATE * 0.5 * (1.0 + np.cos(np.pi * done))
            training.learn(kept.part(np.concatenate([members[place] for place in chosen])), rate)
        reached = explained(held, training.won(held))
        yield reached, flattened(training.weights, means, divisors)


def flattened(weights: list[Floats32], means: Floats32, divisors: Floats32) -> Floats32:
    """Returns the weights as `net.seat_answer` reads them, for inputs that are not standardised."""
    first, add = weights[0] / divisors[:, None], weights[1]
    add = add - means @ first
    parts = [add, first, weights[3], weights[2], weights[5], weights[4]]
    return np.concatenate([part.reshape(-1) for part in parts]).astype(np.float32)
