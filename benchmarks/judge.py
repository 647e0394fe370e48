"""What the judge reaches: `python -m benchmarks.judge WHAT [--amount N] [--out FILE]`.

speed        lines per second from the beginning, the middle and the end of the game
variance     variance of plain independent lines over that of the judge's, for values and losses
inflation    losses of the reference policy's own moves: as reviews state them, as the best of all
             candidates on the same lines would have them, and both by fresh lines
calibration  chances against results on fresh games of the reference policy, by era and table
endings      how often the named best move of a solved ending is best
signs        how often a named mistake is one by 2,048 fresh lines
order        mean loss of the five bots, by table
luck         mean luck by seat, with its standard error

Results are printed as one line of JSON for each table. With --out they are also appended to a file,
and what the file holds already is not measured again.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
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
from industry.judge.judging import Outcomes, candidates
from industry.judge.opinions import OPINIONS, reference_opinions, reference_weights
from industry.judge.review import review
from industry.notation import Game, SeededBag, new_game

TABLES = [("industry", 3), ("industry", 4), ("industria", 3), ("industria", 4)]
FRESH = 2048
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


def calibration(spec: BoardSpec, players: int, amount: int) -> Result:
    """Expected calibration error by era: one position of each era of each game, ten bins."""
    judge = Judge(spec.rules, lines=64)
    rows: dict[int, list[tuple[float, float]]] = {}
    for number in range(amount):
        positions = reference_game(spec, players, f"fresh {number}")
        winners = positions[-1].winners()
        rng = Random(number)
        for era in range(int(positions[-1].state.era) + 1):
            here = [p for p in positions[:-1] if p.state.era == era and p.phase == Phase.OFFER]
            seat = rng.randrange(players)
            chance = judge.outcomes(rng.choice(here)).win[seat]
            won = 1 / len(winners) if seat in winners else 0.0
            rows.setdefault(era + 1, []).append((float(chance), won))
    return {
        "games": amount,
        "ece": {era: round(calibration_error(found), 4) for era, found in rows.items()},
        "chance_minus_result": {
            era: round(float(np.mean([c - w for c, w in found])), 4) for era, found in rows.items()
        },
    }


def calibration_error(pairs: list[tuple[float, float]]) -> float:
    values = np.array(pairs)
    bins = np.minimum((values[:, 0] * 10).astype(int), 9)
    return float(
        sum(
            np.mean(bins == place) * abs(np.diff(values[bins == place].mean(axis=0))[0])
            for place in np.unique(bins)
        )
    )


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


def signs(spec: BoardSpec, players: int, amount: int) -> Result:
    """Mistakes and blunders of engineers' games, asked again with other lines."""
    asked = right = game = 0
    while asked < amount:
        played = bot_game(spec, players, ["engineer"] * players, game)
        found = review(spec, played.record(), lines=128)
        fresh = Judge(spec.rules, seed=f"fresh {game}", lines=FRESH)
        for decision in found["decisions"]:
            if decision["verdict"] not in ("mistake", "blunder") or asked >= amount:
                continue
            seat = decision["seat"] - 1
            there = Game(spec, played.players, played.starting_player, played.options)
            for move in played.moves[: decision["move"]]:
                there.play(move)
            legal = dict(zip(*_named(there), strict=True))
            best, worse = legal[decision["best"]], legal[decision["line"]]
            position = there.position
            lead = fresh.outcomes(position, best).win[seat]
            asked += 1
            right += bool(decision["exact"] or lead > fresh.outcomes(position, worse).win[seat])
        game += 1
    return {"games": game, "mistakes": asked, "sign_holds": right}


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


def order(spec: BoardSpec, players: int, amount: int) -> Result:
    """One seat by the bot, the others by engineers; its mean loss per decision with a choice."""
    found = {}
    for name in BOTS:
        losses: list[float] = []
        mistakes = 0
        for number in range(amount):
            seat = number % players
            names = ["engineer"] * players
            names[seat] = name
            told = review(spec, bot_game(spec, players, names, number).record(), lines=32)
            own = [
                entry
                for entry in told["decisions"]
                if entry["seat"] == seat + 1 and entry["verdict"] != "forced"
            ]
            losses += [entry["loss"] for entry in own]
            mistakes += sum(entry["verdict"] in ("mistake", "blunder") for entry in own)
        found[name] = {
            "thousandths": round(1000 * float(np.mean(losses)), 2),
            "error": round(1000 * float(np.std(losses) / np.sqrt(len(losses))), 2),
            "mistakes_per_game": round(mistakes / amount, 2),
        }
    return found


def luck(spec: BoardSpec, players: int, amount: int) -> Result:
    """Luck by seat over games of the reference policy: only draws are judged."""
    judge = Judge(spec.rules, lines=64)
    sums = []
    for number in range(amount):
        positions = reference_game(spec, players, f"luck {number}")
        total = np.zeros(players)
        for before, after in pairwise(positions):
            if before.phase == Phase.DRAW:
                total += judge.outcomes(after).win - judge.outcomes(before).win
        sums.append(total)
    values = np.array(sums)
    return {
        "games": amount,
        "mean": values.mean(axis=0).round(4).tolist(),
        "error": (values.std(axis=0, ddof=1) / np.sqrt(amount)).round(4).tolist(),
    }


MEASURES: dict[str, tuple[Callable[[BoardSpec, int, int], Result], int]] = {
    "speed": (speed, 512),
    "variance": (variance, 50),
    "inflation": (inflation, 50),
    "calibration": (calibration, 500),
    "endings": (endings, 10),
    "signs": (signs, 50),
    "order": (order, 10),
    "luck": (luck, 125),
}
"""Each measure, with its amount for each of the four tables."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("--amount", type=int, help="positions or games for each table")
    parser.add_argument("--out", type=Path, help="append results to this file and continue it")
    args = parser.parse_args()
    measure, usual = MEASURES[args.what]
    amount = args.amount or usual
    done = args.out.read_text().splitlines() if args.out and args.out.exists() else []
    known = [{k: json.loads(line)[k] for k in ("what", "table", "amount")} for line in done]
    for edition, players in TABLES:
        key = {"what": args.what, "table": f"{edition} {players}", "amount": amount}
        if key in known:
            continue
        line = json.dumps({**key, **measure(load_board(edition), players, amount)})
        print(line, flush=True)
        if args.out:
            with args.out.open("a") as file:
                file.write(f"{line}\n")


if __name__ == "__main__":
    main()
