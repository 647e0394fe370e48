"""`industry board calibrate`: how a board plays, compared with real games."""

import time
from contextlib import closing
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from industry.arena.board_statistics import BoardStatistics, FieldUse, Measure, Wins
from industry.arena.observed_games import ObservedGames, values_of, watch
from industry.boards import BoardSpec
from industry.bots.learn_from_points import joined
from industry.bots.weights import Weights, weights_from

from ._arena import progress_bar
from .app import echo_json
from .files import Failure

SHOWN_FIELDS = 10


def calibrate(
    board: BoardSpec,
    players: int,
    games: int,
    seed: str,
    bot: str,
    weights: Path | None,
    as_json: bool,
) -> None:
    """Plays the games and prints the statistics."""
    values = values_of(bot, board, players) if weights is None else _read(weights)
    began = time.perf_counter()
    found = BoardStatistics(board, players, _watched(board, players, games, seed, bot, values))
    seconds = time.perf_counter() - began
    if as_json:
        facts = {"board": board.id, "edition": board.edition, "board_hash": board.hash}
        settings = {"players": players, "bot": bot, "seed": seed, "seconds": round(seconds, 1)}
        echo_json({**facts, **settings, **found.data()})
        return
    console = Console(highlight=False)
    console.print(f"{board.id} ({board.hash[:19]}…), {players} players", style="bold")
    kind = "learned" if bot == "magnate" else "handmade"
    console.print(
        f"{games} games of the bot {bot} with {kind} values, seed {seed}, {seconds:.0f} s"
    )
    _print(console, found)


def _read(weights: Path) -> Weights:
    try:
        return weights_from(weights.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure(f"{weights} cannot be read: {error}") from None


def _print(console: Console, found: BoardStatistics) -> None:
    console.print(_points(found))
    low, high = found.spread
    console.print(f"90 of 100 players end between {low:.0f} and {high:.0f} points.")
    console.print(_auctions(found))
    console.print(_wins("Victories by turn order", "", found.turn_order))
    console.print(_wins("Victories with a bonus and a factory of the network", "", found.networks))
    console.print(_wins("Victories with a link", "", _named_links(found)))
    console.print(_columns(found))
    rarest, ignored = found.rarest(SHOWN_FIELDS), found.ignored(SHOWN_FIELDS)
    console.print(_fields(f"The {SHOWN_FIELDS} fields that are developed least often", rarest))
    console.print(_fields(f"The {SHOWN_FIELDS} fields that are bid for least often", ignored))


def _watched(
    board: BoardSpec, players: int, games: int, seed: str, bot: str, values: Weights
) -> ObservedGames:
    pieces: list[ObservedGames] = []
    with progress_bar() as progress:
        task = progress.add_task("Preparing", total=games)
        with closing(watch(board, players, games, seed, bot, values)) as watching:
            for piece in watching:
                pieces.append(piece)
                progress.update(task, advance=piece.games, description="Playing")
    return joined(pieces)


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left", no_wrap=number > 0)
    return table


def _points(found: BoardStatistics) -> Table:
    headings = ["Points per player", "mean", "95 %", "95 of 100 games"]
    real = ["real", "distance", "inside"] if found.yardsticks else []
    table = _table("", *headings, *real)
    for measure in found.points:
        nested = "  " if measure.name in ("roads", "lines") else ""
        table.add_row(
            f"{nested}{measure.name}", *_numbers(measure), *_against(measure)[: len(real)]
        )
    return table


def _numbers(measure: Measure) -> tuple[str, str, str]:
    return (
        f"{measure.mean:.1f}",
        f"{measure.low:.1f} … {measure.high:.1f}",
        f"{measure.least:.1f} … {measure.most:.1f}",
    )


def _against(measure: Measure) -> tuple[str, str, str]:
    if measure.yardstick is None or measure.distance is None:
        return "", "", ""
    return f"{measure.yardstick:.1f}", f"{measure.distance:+.1f}", "yes" if measure.inside else "no"


def _auctions(found: BoardStatistics) -> Table:
    table = _table("", "Auctions", "mean", "95 %", "95 of 100 games")
    for measure in found.auctions:
        if measure.name.startswith("share"):
            numbers = (
                f"{measure.mean:.1%}",
                f"{100 * measure.low:.1f} … {100 * measure.high:.1f}",
                f"{100 * measure.least:.0f} … {100 * measure.most:.0f}",
            )
        else:
            numbers = (
                f"{measure.mean:.2f}",
                f"{measure.low:.2f} … {measure.high:.2f}",
                f"{measure.least:.1f} … {measure.most:.1f}",
            )
        table.add_row(measure.name, *numbers)
    return table


def _wins(title: str, heading: str, entries: list[Wins]) -> Table:
    table = _table(title, heading, "wins", "95 %", "in games")
    for wins in entries:
        table.add_row(wins.name, *_share(wins), f"{wins.frequency:.0%}")
    return table


def _share(wins: Wins) -> tuple[str, str]:
    return f"{wins.share:.1%}", f"{100 * wins.low:.1f} … {100 * wins.high:.1f}"


def _named_links(found: BoardStatistics) -> list[Wins]:
    board = found.board
    return [
        Wins(
            f"{' – '.join(board.field(end).name['en'] for end in ends)}",
            wins.share,
            wins.low,
            wins.high,
            wins.frequency,
        )
        for ends, wins in zip(board.links, found.links, strict=True)
    ]


def _columns(found: BoardStatistics) -> Table:
    title = "Columns" if found.board.edition == "industry" else "Letters of the tiles"
    table = _table(title, "", "price", "wins of those who took it", "95 %")
    for price, wins in found.columns:
        table.add_row(wins.name, f"{price:.2f}", *_share(wins))
    return table


def _fields(title: str, uses: list[FieldUse]) -> Table:
    table = _table(title, "", "developed", "no bid", "price", "owner wins", "95 %")
    for use in uses:
        table.add_row(
            f"{use.field.id} {use.field.name['en']}",
            f"{use.used:.0%}",
            f"{use.unwanted:.0%}",
            f"{use.price:.2f}",
            *_share(use.owner),
        )
    return table
