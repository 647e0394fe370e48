"""What the judge reaches: `python -m benchmarks.judge WHAT [--amount N] [--keep FILE]`.

speed        lines per second from the beginning, the middle and the end of the game
variance     variance of plain independent lines over that of the judge's, for values and losses
inflation    losses of the reference policy's own moves: as reviews state them, as the best of all
             candidates on the same lines would have them, and both by fresh lines
calibration  chances against results on fresh games of the reference policy, by era and table
endings      how often the named best move of a solved ending is best
signs        how often a named mistake is one by 2,048 fresh lines
order        mean loss of the five bots, by table
luck         mean luck by seat, with its standard error

Results are printed as one line of JSON for each table. The last four measures go game by game. With
--keep each game is appended to a file and not played again: a stopped measure continues, and a
larger amount adds to a smaller one.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from industry.boards import BoardSpec, load_board
from industry.bots import bot_maker
from industry.engine import COLUMNS, ERAS, Options, Phase, Position, play, player_move_of, start
from industry.judge import DEFAULT_LINES, Judge
from industry.judge.comparison import compare, lead
from industry.judge.ending import NODES
from industry.judge.judging import Floats, Outcomes, candidates
from industry.judge.opinions import OPINIONS, reference_opinions, reference_weights
from industry.judge.review import review
from industry.notation import Game, SeededBag, new_game

TABLES = [("industry", 3), ("industry", 4), ("industria", 3), ("industria", 4)]
FRESH = 2048
QUICK = 32
"""Lines of a review at its quick setting."""
BOTS = ("apprentice", "foreman", "engineer", "director:samples=32", "magnate:samples=32")
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


def sampled(spec: BoardSpec, players: int, count: int) -> Iterator[Position]:
    """Yields decisions with a choice from many games, two from each."""
    for game in range((count + 1) // 2):
        positions = [
            position
            for position in reference_game(spec, players, f"sample {game}")
            if position.phase not in (Phase.DRAW, Phase.OVER) and len(candidates(position)) > 1
        ]
        yield from Random(game).sample(positions, 2)


def plain(judge: Judge, position: Position, seed: int, move: Any = None) -> Outcomes:
    """Plays lines whose draws and opinions are independent of each other."""
    rng = np.random.default_rng(seed)
    orders = judge._dealt(position, judge.lines)
    bag = sorted(field % COLUMNS for field in position.bag)
    for line in range(judge.lines):
        for era in range(position.state.era, ERAS):
            columns = bag if era == position.state.era else list(range(COLUMNS))
            if columns:
                order = rng.permutation(columns).tolist()
                orders[line, era] = [*order, *[order[0]] * (COLUMNS - len(order))]
    singles = []
    for line in range(judge.lines):
        turn = int(rng.integers(OPINIONS))
        judge._turn = lambda turn=turn, line=line: turn - line  # type: ignore[method-assign, misc]
        singles.append(judge.outcomes(position, move, line, line + 1))
    return Outcomes(
        np.concatenate([one.wins for one in singles]),
        np.concatenate([one.points for one in singles]),
    )


def speed(spec: BoardSpec, players: int, amount: int) -> Result:
    positions = reference_game(spec, players, "speed")
    judge = Judge(spec.rules, lines=amount)
    found = {}
    for name, share in (("beginning", 0.02), ("middle", 0.5), ("end", 0.9)):
        position = positions[int(share * len(positions))]
        judge.outcomes(position, None, 0, 2)
        begun = time.process_time()
        judge.outcomes(position)
        found[f"{name}_ms"] = round(1000 * (time.process_time() - begun) / amount, 3)
    return found


def variance(spec: BoardSpec, players: int, amount: int) -> Result:
    """Estimates by 64 lines, repeated with eight seeds each way."""
    values: list[tuple[float, float]] = []
    losses: list[tuple[float, float]] = []
    errors: list[tuple[float, float]] = []
    for position in sampled(spec, players, amount):
        seat = position.actor
        one, two = candidates(position)[:2]
        ours, theirs, stated = [], [], []
        for seed in range(8):
            judge = Judge(spec.rules, seed=seed, lines=64)
            first, second = judge.outcomes(position, one), judge.outcomes(position, two)
            ours.append((first.win[seat], first.win[seat] - second.win[seat]))
            stated.append(first.seats()[seat].win_se ** 2)
            free = [
                plain(Judge(spec.rules, seed=seed, lines=64), position, 2 * seed + n, move)
                for n, move in enumerate((one, two))
            ]
            theirs.append((free[0].win[seat], free[0].win[seat] - free[1].win[seat]))
        mine, plains = np.var(ours, axis=0, ddof=1), np.var(theirs, axis=0, ddof=1)
        values.append((plains[0], mine[0]))
        losses.append((plains[1], mine[1]))
        errors.append((float(np.mean(stated)), mine[0]))
    return {
        "positions": len(values),
        "factor_value": round(ratio(values), 2),
        "factor_loss": round(ratio(losses), 2),
        "stated_over_true_variance": round(ratio(errors), 2),
    }


def ratio(pairs: list[tuple[float, float]]) -> float:
    above, below = np.sum(pairs, axis=0)
    return float(above / below)


def inflation(spec: BoardSpec, players: int, amount: int) -> Result:
    """Sums of losses in thousandths of a win for each decision with a choice."""
    judge = Judge(spec.rules, lines=DEFAULT_LINES)
    fresh = Judge(spec.rules, seed="fresh", lines=FRESH // 4)
    weights = reference_weights(int(spec.rules.edition), players)
    sums = np.zeros(4)
    for position in sampled(spec, players, amount):
        seat = position.actor
        played = player_move_of(spec.rules, seat, judge.runner.greedy_move(position, weights))
        found = compare(judge, position, played, False)
        verdict = judge.judge(position)
        if verdict.exact:
            continue
        loss = {value.move: value.loss for value in verdict.moves}[played]
        for place, (best, stated) in enumerate(
            [(found.best_move, found.loss), (verdict.moves[0].move, loss)]
        ):
            if stated > 0:
                there = fresh.outcomes(position, best)
                truly = lead(there, fresh.outcomes(position, played), seat)[0]
                sums[2 * place : 2 * place + 2] += stated, truly
    names = ("stated", "stated_by_fresh_lines", "best_of_all", "best_of_all_by_fresh_lines")
    return dict(zip(names, (1000 * sums / amount).round(2).tolist(), strict=True))


def calibration_row(spec: BoardSpec, players: int, number: int) -> list[list[list[float]]]:
    """One position of each era of a fresh game: everyone's chances, and their final shares."""
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
    """Expected calibration error by era in ten bins, beside what chance alone makes of a judge
    that is always right; and the diagram: mean chance, mean result, count."""
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


def endings(spec: BoardSpec, players: int, amount: int) -> Result:
    asked = right = 0
    for number in range(amount):
        judge = Judge(spec.rules, lines=2)
        for position in reference_game(spec, players, f"ending {number}")[-40:]:
            if position.phase in (Phase.DRAW, Phase.OVER) or len(position.legal_moves) < 2:
                continue
            worths = judge.runner.solve(position, NODES)
            if worths is not None:
                seat = position.actor
                named = judge.judge(position).moves[0].move
                code = next(c for c in worths if player_move_of(spec.rules, seat, c) == named)
                best = max(worth[seat] for worth in worths.values())
                asked += 1
                right += worths[code][seat] >= best - 1e-9
    return {"endings": asked, "best_named": right}


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
        legal = dict(zip(*_named(there), strict=True))
        best, worse = legal[decision["best"]], legal[decision["line"]]
        ends = [fresh.outcomes(there.position, move) for move in (best, worse)]
        row.append(bool(decision["exact"] or lead(ends[0], ends[1], decision["seat"] - 1)[0] > 0))
    return row


def signs(rows: list[list[bool]]) -> Result:
    return {"mistakes": sum(map(len, rows)), "sign_holds": sum(map(sum, rows))}


def _named(game: Game) -> tuple[list[str], list[Any]]:
    from industry.notation import write_move

    moves = list(game.position.legal_moves)
    return [write_move(move, game.board) for move in moves], moves


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


def order_row(spec: BoardSpec, players: int, number: int) -> list[float]:
    """One seat by each bot in turn, the others by engineers: its losses in decisions with a
    choice, and how many mistakes are among them."""
    name, game = BOTS[number % len(BOTS)], number // len(BOTS)
    seat = game % players
    names = ["engineer"] * players
    names[seat] = name
    found = review(spec, bot_game(spec, players, names, game).record(), lines=QUICK)
    own = [d for d in found["decisions"] if d["seat"] == seat + 1 and d["verdict"] != "forced"]
    mistakes = sum(entry["verdict"] in ("mistake", "blunder") for entry in own)
    return [mistakes, *(entry["loss"] for entry in own)]


def order(rows: list[list[float]]) -> Result:
    found = {}
    for place, name in enumerate(BOTS):
        games = rows[place :: len(BOTS)]
        losses = np.array([loss for row in games for loss in row[1:]])
        found[name] = {
            "thousandths": round(1000 * float(losses.mean()), 2),
            "error": round(1000 * float(losses.std() / np.sqrt(len(losses))), 2),
            "mistakes_per_game": round(float(np.mean([row[0] for row in games])), 2),
        }
    return found


def luck_row(spec: BoardSpec, players: int, number: int) -> list[float]:
    """Luck by seat in a game of the reference policy: only draws are judged."""
    judge = Judge(spec.rules, lines=64)
    total = np.zeros(players)
    for before, after in pairwise(reference_game(spec, players, f"luck {number}")):
        if before.phase == Phase.DRAW:
            total += judge.outcomes(after).win - judge.outcomes(before).win
    return [float(value) for value in total]


def luck(rows: list[list[float]]) -> Result:
    values = np.array(rows)
    return {
        "mean": values.mean(axis=0).round(4).tolist(),
        "error": (values.std(axis=0, ddof=1) / np.sqrt(len(rows))).round(4).tolist(),
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


MEASURES: dict[str, tuple[Callable[[BoardSpec, int, int], Result] | ByGame, int]] = {
    "speed": (speed, 512),
    "variance": (variance, 50),
    "inflation": (inflation, 50),
    "endings": (endings, 10),
    "calibration": (ByGame(calibration_row, calibration), 500),
    "signs": (ByGame(signs_row, signs), 20),
    "order": (ByGame(order_row, order), 10 * len(BOTS)),
    "luck": (ByGame(luck_row, luck), 125),
}
"""Each measure, with its amount for each of the four tables."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("--amount", type=int, help="positions or games for each table")
    parser.add_argument("--keep", type=Path, default=Path(os.devnull), help="keep games in a file")
    args = parser.parse_args()
    measure, usual = MEASURES[args.what]
    amount = args.amount or usual
    for edition, players in TABLES:
        table = f"{edition} {players}"
        spec = load_board(edition)
        if isinstance(measure, ByGame):
            found = measure.measure(spec, players, amount, f"{args.what} {table}", args.keep)
        else:
            found = measure(spec, players, amount)
        print(
            json.dumps({"what": args.what, "table": table, "amount": amount, **found}), flush=True
        )


if __name__ == "__main__":
    main()
