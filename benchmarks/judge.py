"""Measures the judge: `python -m benchmarks.judge WHAT [--amount N] [--keep FILE]`.

review       CPU seconds of the review of a game between engineers, from so many of its pieces
speed        lines per second from the beginning, the middle and the end of the game
variance     variance of plain independent lines over that of the judge's, for values and losses
inflation    losses of the reference policy's own moves: as reviews state them, as the best of all
             candidates on the same lines would have them, and both by fresh lines
calibration  chances against results on fresh games of the reference policy, by era and table
endings      how often the named best move of a solved ending is best
signs        how often a named mistake is one by 2,048 fresh lines
order        mean loss of the five bots by table, at the same positions, at a quick setting
level        the same with as many lines as a review has: the bots between which levels are placed
luck         mean luck by seat, with its standard error

Results are printed as one line of JSON for each table. Calibration, signs, order, level and luck go
game by game. With --keep each game is appended to a file and not played again: a stopped measure
continues, and a larger amount adds to a smaller one. `level --write` makes the file of bots between
which the program places levels.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from industry.arena.reviews import PIECE
from industry.boards import BoardSpec, load_board
from industry.bots.opinions import OPINIONS, policy_version, reference_weights
from industry.engine import COLUMNS, ERAS, Phase, Position, player_move_of
from industry.judge import DEFAULT_LINES, Judge, level
from industry.judge.comparison import compare, lead
from industry.judge.ending import NODES
from industry.judge.judging import Outcomes, candidates
from industry.judge.review import review_items

from .judge_games import (
    FRESH,
    SAMPLE,
    ByGame,
    Result,
    bot_game,
    calibration,
    calibration_row,
    level_row,
    luck,
    luck_row,
    order,
    order_row,
    reference_game,
    signs,
    signs_row,
)

TABLES = [("industry", 3), ("industry", 4), ("industria", 3), ("industria", 4)]


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


def whole_review(spec: BoardSpec, players: int, amount: int) -> Result:
    """Reviews pieces of a game, spread evenly, as the command and the server compute them."""
    record = bot_game(spec, players, ["engineer"] * players, 0).record()
    total = len(record.moves) + 1
    firsts = range(0, total, PIECE)
    chosen = firsts[:: max(1, len(firsts) // amount)]
    review_items(spec, record, 0, 1, 2, 1)
    begun = time.process_time()
    for first in chosen:
        review_items(spec, record, first, min(first + PIECE, total), DEFAULT_LINES, 1)
    seconds = time.process_time() - begun
    return {
        "moves": total - 1,
        "pieces": [len(chosen), len(firsts)],
        "cpu_seconds": round(seconds, 1),
        "cpu_seconds_whole": round(seconds * len(firsts) / len(chosen), 1),
    }


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


MEASURES: dict[str, tuple[Callable[[BoardSpec, int, int], Result] | ByGame, int]] = {
    "review": (whole_review, 1000),
    "speed": (speed, 512),
    "variance": (variance, 50),
    "inflation": (inflation, 50),
    "endings": (endings, 10),
    "calibration": (ByGame(calibration_row, calibration), 500),
    "signs": (ByGame(signs_row, signs), 20),
    "order": (ByGame(order_row, order), 10),
    "level": (ByGame(level_row, order), 40),
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
    parser.add_argument("--write", action="store_true", help="level: write what was measured")
    args = parser.parse_args()
    if args.write and args.what != "level":
        parser.error("--write belongs to level")
    measure, usual = MEASURES[args.what]
    amount = args.amount or usual
    tables: dict[str, Any] = {}
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
        values = policy_version(int(spec.rules.edition), players)
        tables[table] = {"values": values, "games": amount, "bots": found}
    if args.write:
        write_levels(tables)


def write_levels(tables: dict[str, Any]) -> None:
    """Writes by table what each bot lost, in thousandths of a win, with its standard error."""
    for table in tables.values():
        table["bots"] = {
            bot: [lost["thousandths"], lost["error"]] for bot, lost in table["bots"].items()
        }
    data = {"lines": DEFAULT_LINES, "sample": SAMPLE, "tables": tables}
    level.FILE.write_text(f"{json.dumps(data, indent=2)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
