"""Learn the game by self-play: proximal policy optimisation with masked actions, in plain numpy.

    python examples/ppo.py --iterations 40 --save policy.npz

One small network plays all seats, 64 games at a time, and learns from each seat's point margin.
Between iterations it plays one seat against random players.
"""

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from industry.engine.move_codes import ACTIONS
from industry.envs.batch import BatchEnv
from industry.envs.config import ConfigArgs
from industry.envs.observation import SIZE

Array = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int64]

HIDDEN = 128
CLIP = 0.2
ENTROPY = 0.01
RATE = 2e-3
EPOCHS = 2
MINIBATCH = 512
POINTS = 20.0
"""A margin of this many points counts as a return of 1."""


class Network:
    """Two hidden layers, one output per action and one for the expected return; Adam learns it."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        shapes: dict[str, tuple[int, ...]] = {
            "w1": (SIZE, HIDDEN),
            "b1": (HIDDEN,),
            "w2": (HIDDEN, HIDDEN),
            "b2": (HIDDEN,),
            "actions": (HIDDEN, ACTIONS),
            "bias": (ACTIONS,),
            "value": (HIDDEN,),
        }
        self.weights: dict[str, Array] = {
            name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()
        }
        for name in ("w1", "w2"):
            drawn = rng.standard_normal(shapes[name], dtype=np.float32)
            self.weights[name] = drawn / np.float32(math.sqrt(shapes[name][0]))
        self._means = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._steps = 0

    def hidden(self, seen: Array) -> tuple[Array, Array]:
        first = np.tanh(seen @ self.weights["w1"] + self.weights["b1"])
        return first, np.tanh(first @ self.weights["w2"] + self.weights["b2"])

    def chances(self, hidden: Array, used: Whole, masks: npt.NDArray[np.bool_]) -> Array:
        """Returns the probability of each used action; masked ones have none."""
        logits = hidden @ self.weights["actions"][:, used] + self.weights["bias"][used]
        logits = np.where(masks, logits, -np.inf)
        logits -= logits.max(axis=1, keepdims=True)
        chances: Array = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        return chances

    def learn(self, gradients: dict[str, Array]) -> None:
        """Takes one step of Adam."""
        self._steps += 1
        size = math.sqrt(sum(float((g * g).sum()) for g in gradients.values()))
        scale = np.float32(min(1.0, 0.5 / (size + 1e-8)))
        rate = np.float32(RATE * math.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean += np.float32(0.1) * (scale * gradient - mean)
            square += np.float32(0.001) * ((scale * gradient) ** 2 - square)
            self.weights[name] -= rate * mean / (np.sqrt(square) + np.float32(1e-8))


@dataclass
class Decisions:
    """Decisions of finished games, one row each."""

    seen: Array
    masks: npt.NDArray[np.uint8]
    """Eight actions to a number, because most of them are never legal."""
    taken: Whole
    """The place of the action among the used ones."""
    chance: Array
    returns: Array
    used: Whole
    """All actions that were legal anywhere."""


def choose(
    network: Network, seen: Array, masks: npt.NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Whole, Array]:
    """Returns an action for every row, drawn by its probability, and that probability."""
    used = np.flatnonzero(masks.any(axis=0))
    chances = network.chances(network.hidden(seen)[1], used, masks[:, used])
    sums = chances.cumsum(axis=1)
    drawn = rng.random((len(sums), 1), dtype=np.float32) * sums[:, -1:]
    places = (sums <= drawn).sum(axis=1)
    return used[places], chances[np.arange(len(places)), places]


def self_play(network: Network, env: BatchEnv, seed: int) -> Decisions:
    """Plays every row to the end of its first game; returns the decisions that had a choice."""
    rng = np.random.default_rng(seed)
    turn = env.reset(seed)
    open_rows = np.ones(env.games, dtype=np.bool_)
    returns = np.zeros((env.games, env.players), dtype=np.float32)
    kept: list[tuple[npt.NDArray[Any], ...]] = []
    while open_rows.any():
        actions, chance = choose(network, turn.observations, turn.masks, rng)
        rows = np.flatnonzero(open_rows & (env.counts > 1))
        kept.append(
            (
                turn.observations[rows],
                np.packbits(turn.masks[rows], axis=1),
                actions[rows],
                chance[rows],
                rows,
                turn.seats[rows],
            )
        )
        turn = env.step(actions)
        ended = open_rows & turn.ended
        returns[ended] = turn.rewards[ended] / POINTS
        open_rows &= ~turn.ended
    seen, masks, taken, chances, rows, seats = (
        np.concatenate(part) for part in zip(*kept, strict=True)
    )
    used = np.flatnonzero(np.unpackbits(np.bitwise_or.reduce(masks), count=ACTIONS))
    places = np.searchsorted(used, taken)
    return Decisions(seen, masks, places, chances, returns[rows, seats], used)


def gradients(network: Network, batch: Decisions) -> dict[str, Array]:
    """Returns the gradients of the clipped surrogate, the entropy bonus and the value error."""
    weights, rows = network.weights, np.arange(len(batch.taken))
    first, hidden = network.hidden(batch.seen)
    masks = np.unpackbits(batch.masks, axis=1, count=ACTIONS)[:, batch.used].astype(np.bool_)
    chances = network.chances(hidden, batch.used, masks)
    values = hidden @ weights["value"]
    gain = batch.returns - values
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    ratio = chances[rows, batch.taken] / batch.chance
    clipped = ((gain > 0) & (ratio > 1 + CLIP)) | ((gain < 0) & (ratio < 1 - CLIP))
    push = np.where(clipped, 0, ratio * gain)[:, None]
    logs = np.log(np.maximum(chances, 1e-8))
    entropy = -(chances * logs).sum(axis=1, keepdims=True)
    d_logits = push * chances + ENTROPY * chances * (logs + entropy)
    d_logits[rows, batch.taken] -= push[:, 0]
    d_logits /= len(rows)
    d_values = (values - batch.returns) / len(rows)
    d_hidden = d_logits @ weights["actions"][:, batch.used].T + d_values[:, None] * weights["value"]
    d_hidden *= 1 - hidden**2
    d_first = (d_hidden @ weights["w2"].T) * (1 - first**2)
    d_actions, d_bias = np.zeros_like(weights["actions"]), np.zeros_like(weights["bias"])
    d_actions[:, batch.used] = hidden.T @ d_logits
    d_bias[batch.used] = d_logits.sum(axis=0)
    return {
        "w1": batch.seen.T @ d_first,
        "b1": d_first.sum(axis=0),
        "w2": first.T @ d_hidden,
        "b2": d_hidden.sum(axis=0),
        "actions": d_actions,
        "bias": d_bias,
        "value": hidden.T @ d_values,
    }


def minibatches(decisions: Decisions, rng: np.random.Generator) -> Iterator[Decisions]:
    order = rng.permutation(len(decisions.taken))
    for start in range(0, len(order), MINIBATCH):
        rows = order[start : start + MINIBATCH]
        yield Decisions(
            decisions.seen[rows],
            decisions.masks[rows],
            decisions.taken[rows],
            decisions.chance[rows],
            decisions.returns[rows],
            decisions.used,
        )


def train(network: Network, env: BatchEnv, iterations: int, seed: int) -> Iterator[int]:
    """Plays and learns; yields the number of decisions after each iteration."""
    rng = np.random.default_rng(seed)
    for iteration in range(iterations):
        decisions = self_play(network, env, seed + iteration)
        for _ in range(EPOCHS):
            for batch in minibatches(decisions, rng):
                network.learn(gradients(network, batch))
        yield len(decisions.taken)


def win_share(network: Network, games: int, seed: int, **choices: Unpack[ConfigArgs]) -> float:
    """Returns the network's share of victories in seat 1, with random players in the others."""
    env = BatchEnv(games, **choices)
    rng = np.random.default_rng(seed)
    turn = env.reset(f"against random {seed}")
    wins = np.full(games, np.nan)
    while np.isnan(wins).any():
        actions, mine = env.sample(), turn.seats == 0
        if mine.any():
            actions[mine], _ = choose(network, turn.observations[mine], turn.masks[mine], rng)
        turn = env.step(actions)
        first = turn.ended & np.isnan(wins)
        wins[first] = turn.rewards[first, 0]
    return float(wins.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="industry")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=64, help="games per iteration")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="file for the weights (.npz)")
    given = parser.parse_args()
    table: ConfigArgs = {"edition": given.edition, "players": given.players}
    try:
        env = BatchEnv(given.games, edition=given.edition, players=given.players, reward="margin")
        if given.save:
            Path(given.save).touch()
    except (ValueError, OSError) as error:
        parser.error(str(error))
    network = Network(given.seed)
    began, total = time.perf_counter(), 0
    share = win_share(network, 1000, given.seed, **table)
    print(f"before: wins {share:.1%} against random players")
    for number, learned in enumerate(train(network, env, given.iterations, given.seed), 1):
        total += learned
        if number % 5 == 0 or number == given.iterations:
            share = win_share(network, 1000, given.seed, **table)
            seconds = time.perf_counter() - began
            print(f"{number}: wins {share:.1%} after {total:,} decisions, {seconds:.0f} s")
    if given.save:
        with Path(given.save).open("wb") as file:
            np.savez(file, allow_pickle=False, **network.weights)


if __name__ == "__main__":
    main()
