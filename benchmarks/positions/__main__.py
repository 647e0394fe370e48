"""What bots lose in the published positions: `python -m benchmarks.positions BOT… [--seconds S]`.

Prints for each bot the mean loss per decision, in percentage points of the chance of winning, with
its 95 % interval: over all positions, by table and by kind of decision. Moves outside the
candidates (far too high bids, needless subsidies) count as the worst candidate.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np

from industry.bots import BotError, bot_maker
from industry.bots.base import Bot
from industry.bots.clock import Clock

from . import HERE, KINDS, TABLES, Question, questions


def losses(bot: str, asked: Sequence[Question], seconds: float, repeats: int) -> list[float]:
    """Returns the mean loss of a bot in each position; it is asked `repeats` times."""
    make = bot_maker(bot)
    bots: dict[str, Bot] = {}
    found = []
    for number, question in enumerate(asked):
        player = bots.setdefault(question.table, make())
        lost = [
            question.loss(
                player.choose(
                    question.position,
                    question.position.legal_moves,
                    seconds,
                    Random(f"{number}/{repeat}"),
                )
            )
            for repeat in range(repeats)
        ]
        found.append(sum(lost) / repeats)
        if sys.stderr.isatty():
            print(f"\r{bot}: {number + 1} of {len(asked)}", end="\r", file=sys.stderr)
    return found


def mean_with_interval(values: Iterable[float]) -> str:
    """Returns a mean in percentage points with half the width of its 95 % interval."""
    lost = 100 * np.array(list(values))
    half = 1.96 * lost.std(ddof=1) / np.sqrt(len(lost)) if len(lost) > 1 else float("nan")
    return f"{lost.mean():5.2f} ± {half:4.2f}"


def report(bot: str, asked: Sequence[Question], lost: Sequence[float]) -> str:
    """Returns the lines about one bot."""
    pairs = list(zip(asked, lost, strict=True))
    rows = [("all", mean_with_interval(lost))]
    for edition, players in TABLES:
        table = f"{edition} {players}"
        if here := [loss for question, loss in pairs if question.table == table]:
            rows.append((table, mean_with_interval(here)))
    for kind in KINDS:
        rows.append((kind, mean_with_interval(loss for one, loss in pairs if one.kind == kind)))
    return "\n".join(f"{bot:24} {name:12} {value}" for name, value in rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.positions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bots", nargs="+", metavar="BOT", help="NAME or NAME:samples=N")
    parser.add_argument("--seconds", type=float, default=0.02, help="per decision (default 0.02)")
    parser.add_argument("--repeats", type=int, default=1, help="how often each position is asked")
    parser.add_argument("--folder", type=Path, default=HERE, help="other positions than these")
    parser.add_argument("--json", action="store_true", help="print the loss in every position")
    args = parser.parse_args()
    if args.repeats < 1 or not args.seconds > 0:
        parser.error("--repeats and --seconds must be above zero.")
    try:
        makers = [bot_maker(bot) for bot in args.bots]
    except BotError as error:
        parser.error(str(error))
    Clock.PATIENCE = 1000  # budgets count processor time alone, however busy the machine is
    for make in makers:
        warm_up = getattr(make(), "warm_up", None)
        if warm_up is not None:
            warm_up()
    asked = [question for table in TABLES for question in questions(*table, args.folder)]
    for bot in args.bots:
        lost = losses(bot, asked, args.seconds, args.repeats)
        print(json.dumps({"bot": bot, "losses": lost}) if args.json else report(bot, asked, lost))


if __name__ == "__main__":
    main()
