"""Measures of the judge that go game by game, so that they can be stopped and continued."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.bots import bot_maker
from industry.bots.opinions import OPINIONS, reference_opinions
from industry.engine import Draw, Options, Phase, Position, play, player_move_of, start
from industry.judge import DEFAULT_LINES, Judge
from industry.judge.account import verdict_of
from industry.judge.comparison import Comparison, compare, lead
from industry.judge.judging import Floats, final_values
from industry.judge.over_games import ratio, share_of_variance
from industry.judge.review import review
from industry.notation import Game, SeededBag, new_game, read_move, replay_steps, write_move

FRESH = 2048
QUICK = 32
"""Lines of a review at its quick setting."""
BOTS = ("apprentice", "foreman", "engineer", "director:samples=32", "magnate:samples=32")
SAMPLE = 24
"""Decisions of each game that are judged to compare bots."""
Result = dict[str, Any]


def reference_game(spec: BoardSpec, players: int, seed: str) -> list[Position]:
    """Returns the positions of a fresh game of the reference policy."""
    judge = Judge(spec.rules, lines=2)
    opinions = reference_opinions(int(spec.rules.edition), players)
    rng = Random(seed)
    weights = opinions[rng.randrange(OPINIONS)]
    bag = SeededBag(seed)
    positions = [start(spec.rules, players, rng.randrange(players), Options())]
    while not (position := positions[-1]).is_over:
        if position.draw_due:
            move: Any = bag.draw(position)
        else:
            code = judge.runner.greedy_move(position, weights)
            move = player_move_of(spec.rules, position.actor, code)
        positions.append(play(position, move)[0])
    return positions


def calibration_row(spec: BoardSpec, players: int, number: int) -> list[list[list[float]]]:
    """Returns everyone's chances and final shares for one position of each era of a fresh game."""
    judge = Judge(spec.rules)
    positions = reference_game(spec, players, f"fresh {number}")
    winners = positions[-1].winners()
    won = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    rng = Random(number)
    row = []
    for era in range(int(positions[-1].state.era) + 1):
        here = [p for p in positions[:-1] if p.state.era == era and p.phase == Phase.OFFER]
        row.append([judge.outcomes(rng.choice(here)).win.tolist(), won])
    return row


def calibration(rows: list[list[list[list[float]]]]) -> Result:
    """Returns the expected calibration error by era in ten bins, and the diagram.

    Beside it is the error that chance alone gives a judge that is always right. The diagram has
    mean chance, mean result and count.
    """
    rng = np.random.default_rng(1)
    found: Result = {"ece": [], "ece_by_chance_alone": []}
    eras = [np.array(era) for era in zip(*rows, strict=True)]
    for chances, won in (era.swapaxes(0, 1) for era in eras):
        perfect = [calibration_error(chances, drawn(rng, chances)) for _ in range(100)]
        found["ece"].append(round(calibration_error(chances, won), 4))
        found["ece_by_chance_alone"].append(round(float(np.mean(perfect)), 4))
    chances, won = np.concatenate(eras).swapaxes(0, 1)
    found["diagram"] = [[round(value, 3) for value in row] for row in diagram(chances, won)]
    return found


def drawn(rng: np.random.Generator, chances: Floats) -> Floats:
    """Returns a winner for each row, by its chances."""
    return rng.multinomial(1, chances / chances.sum(axis=1, keepdims=True)).astype(np.float64)


def diagram(chances: Floats, won: Floats) -> list[list[float]]:
    """Returns for each tenth of the chances their mean, the mean result and the count."""
    bins = np.minimum((chances * 10).astype(int), 9)
    return [
        [float(chances[bins == place].mean()), float(won[bins == place].mean()), int(count)]
        for place, count in zip(*np.unique(bins, return_counts=True), strict=True)
    ]


def calibration_error(chances: Floats, won: Floats) -> float:
    rows = diagram(chances, won)
    return sum(count * abs(chance - result) for chance, result, count in rows) / chances.size


def signs_row(spec: BoardSpec, players: int, number: int) -> list[bool]:
    """Mistakes and blunders of a game between engineers: does the sign hold on other lines?"""
    played = bot_game(spec, players, ["engineer"] * players, number)
    fresh = Judge(spec.rules, seed=f"fresh {number}", lines=FRESH)
    row = []
    for decision in review(spec, played.record(), lines=DEFAULT_LINES)["decisions"]:
        if decision["verdict"] not in ("mistake", "blunder"):
            continue
        there = Game(spec, played.players, played.starting_player, played.options)
        for move in played.moves[: decision["move"]]:
            there.play(move)
        legal = {write_move(move, spec): move for move in there.position.legal_moves}
        best, worse = legal[decision["best"]], legal[decision["line"]]
        ends = [fresh.outcomes(there.position, move) for move in (best, worse)]
        row.append(bool(decision["exact"] or lead(ends[0], ends[1], decision["seat"] - 1)[0] > 0))
    return row


def signs(rows: list[list[bool]]) -> Result:
    return {"mistakes": sum(map(len, rows)), "sign_holds": sum(map(sum, rows))}


def bot_game(spec: BoardSpec, players: int, names: list[str], number: int) -> Game:
    bots = [bot_maker(name)() for name in names]
    game = new_game([f"{name} {seat}" for seat, name in enumerate(names)], board=spec, seed=number)
    rngs = [Random(f"{number}/{seat}") for seat in range(players)]
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            seat = game.position.actor
            legal = game.position.legal_moves
            game.play(bots[seat].choose(game.position, legal, 0.02, rngs[seat]))
    return game


def bot_losses(spec: BoardSpec, players: int, number: int, lines: int) -> list[Any]:
    """Returns the decisions of a seat in a game between bots of all levels, and by bot what it
    would lose in a sample of them, with the number of its mistakes there.

    All bots face the same positions. Where each played games of its own, weak bots seemed strong:
    they soon had no chance left that they could lose.
    """
    rng = Random(f"level {spec.id} {players} {number}")
    game = bot_game(spec, players, [rng.choice(BOTS) for _ in range(players)], number)
    record = game.record()
    decisions = [
        step.position
        for line, step in zip(record.moves, replay_steps(record, spec), strict=False)
        if not isinstance(read_move(line, spec), Draw) and len(step.position.legal_moves) > 1
    ]
    judge = Judge(spec.rules, lines=lines)
    losses: list[list[float]] = [[] for _ in BOTS]
    mistakes = [0 for _ in BOTS]
    for place, position in enumerate(rng.sample(decisions, min(SAMPLE, len(decisions)))):
        found: dict[Any, Comparison] = {}
        for bot, name in enumerate(BOTS):
            chance = Random(f"{number} {place} {name}")
            move = bot_maker(name)().choose(position, position.legal_moves, 0.02, chance)
            if move not in found:
                found[move] = compare(judge, position, move, False)
            losses[bot].append(found[move].loss)
            word = verdict_of(found[move].loss, found[move].loss_se)
            mistakes[bot] += word in ("mistake", "blunder")
    return [len(decisions) / players, losses, mistakes]


def order_row(spec: BoardSpec, players: int, number: int) -> list[Any]:
    return bot_losses(spec, players, number, QUICK)


def level_row(spec: BoardSpec, players: int, number: int) -> list[Any]:
    return bot_losses(spec, players, number, DEFAULT_LINES)


def order(rows: list[list[Any]]) -> Result:
    """Returns by bot the mean loss in thousandths of a win, its standard error, and mistakes."""
    found = {}
    for bot, name in enumerate(BOTS):
        made = [row[1][bot] for row in rows]
        lost = ratio([sum(losses) for losses in made], [len(losses) for losses in made])
        often = [row[0] * row[2][bot] / len(row[1][bot]) for row in rows]
        found[name.partition(":")[0]] = {
            "thousandths": round(1000 * lost.value, 2),
            "error": round(1000 * lost.error, 2),
            "decisions": sum(map(len, made)),
            "mistakes_per_game": round(float(np.mean(often)), 2),
        }
    return found


def luck_row(spec: BoardSpec, players: int, number: int) -> list[list[float]]:
    """Returns luck by seat in a game of the reference policy, and the change from start to result.

    Only draws are judged.
    """
    judge = Judge(spec.rules, lines=64)
    total = np.zeros(players)
    positions = reference_game(spec, players, f"luck {number}")
    for before, after in pairwise(positions):
        if before.phase == Phase.DRAW:
            total += judge.outcomes(after).win - judge.outcomes(before).win
    result = np.array([value.win for value in final_values(positions[-1])])
    return [total.tolist(), (result - judge.outcomes(positions[0]).win).tolist()]


def luck(rows: list[list[list[float]]]) -> Result:
    """Returns mean luck by seat, and the share of the variance of results that luck explains."""
    values, changes = np.array(rows).swapaxes(0, 1)
    share = share_of_variance(values.tolist(), changes.tolist())
    return {
        "mean": values.mean(axis=0).round(4).tolist(),
        "error": (values.std(axis=0, ddof=1) / np.sqrt(len(rows))).round(4).tolist(),
        "share": round(share.value, 3),
        "share_error": round(share.error, 3),
    }


@dataclass(frozen=True)
class ByGame:
    """A measure that goes game by game: what one game says, and what all of them say together."""

    row: Callable[[BoardSpec, int, int], list[Any]]
    sum_up: Callable[[list[Any]], Result]

    def measure(self, spec: BoardSpec, players: int, amount: int, key: str, keep: Path) -> Result:
        """Plays the games that the file does not hold yet, and sums up."""
        rows = {}
        if keep.exists():
            kept = [json.loads(line) for line in keep.read_text().splitlines()]
            rows = {entry["game"]: entry["row"] for entry in kept if entry["key"] == key}
        for game in range(amount):
            if game not in rows:
                rows[game] = self.row(spec, players, game)
                with keep.open("a") as file:
                    file.write(json.dumps({"key": key, "game": game, "row": rows[game]}) + "\n")
        return self.sum_up([rows[game] for game in range(amount)])
