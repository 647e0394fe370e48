"""`industry score`: the points of a recorded game by their parts, and who wins by what."""

from dataclasses import asdict
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from industry.engine import developed_count
from industry.notation import Game
from industry.notation.explain import join_words
from industry.notation.record import SCORE_PARTS
from industry.texts import say
from industry.texts.sanitize import printable

from .app import echo_json, json_option, language_option, one_game
from .files import open_game


@click.command()
@one_game
@language_option
@json_option
def command(file: Path, game: int, board: str | None, language: str, as_json: bool) -> None:
    """Show the points of a recorded game; of a running one, as if it ended now."""
    recorded = open_game(file, game, board)
    played = recorded.until(None)
    stated = recorded.entry.record.result
    if as_json:
        echo_json(_data(played))
        return
    title = say("report.final" if played.is_over else "report.now", language, at=len(played.moves))
    click.echo(click.style(title, bold=True))
    console = Console()
    with console.capture() as table:
        console.print(_table(played, language))
    click.echo(table.get().rstrip())
    click.echo(verdict(played, language))
    if played.is_over and stated is not None and stated != played.result():
        click.echo(say("report.differs", language), err=True)


def player(game: Game, seat: int) -> str:
    """Returns a player's name and seat number; `seat` counts from 0."""
    return f"{printable(game.players[seat])} ({seat + 1})"


def _table(game: Game, language: str) -> Table:
    """Returns the six parts, their total, and what breaks ties; one column per seat."""
    seats = range(len(game.players))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column()
    for seat in seats:
        table.add_column(Text(player(game, seat)), justify="right")
    score = game.score()
    for part in SCORE_PARTS:
        values = [str(getattr(entry, part)) for entry in score]
        table.add_row(say(f"part.{part}", language), *values)
    table.add_section()
    totals = [str(entry.points) for entry in score]
    table.add_row(say("part.total", language), *totals, style="bold")
    table.add_section()
    table.add_row(say("report.developed_fields", language), *map(str, _developed(game)))
    table.add_row(say("report.talers", language), *map(str, in_hand(game)))
    return table


def verdict(game: Game, language: str) -> str:
    """Says who wins and by what (H8): points, developed fields, Talers in hand, or shared."""
    reason, tied = _decision(game)
    winners = [player(game, seat - 1) for seat in game.winners()]
    points = max(entry.points for entry in game.score())
    return say(
        {
            "points": "report.wins",
            "developed_fields": "report.wins_fields",
            "talers": "report.wins_talers",
            "shared": "report.shared",
        }[reason],
        language,
        winner=winners[0],
        winners=join_words(winners, language),
        tied=join_words([player(game, seat) for seat in tied], language),
        points=say("points", language, count=points),
    )


def _decision(game: Game) -> tuple[str, list[int]]:
    """Returns what decides, and the seats that were equal up to there."""
    points = [entry.points for entry in game.score()]
    tied = list(range(len(points)))
    measures = {"points": points, "developed_fields": _developed(game), "talers": in_hand(game)}
    for name, values in measures.items():
        best = max(values[seat] for seat in tied)
        ahead = [seat for seat in tied if values[seat] == best]
        if len(ahead) == 1:
            return name, tied
        tied = ahead
    return "shared", tied


def _developed(game: Game) -> list[int]:
    board, state = game.position.board, game.position.state
    return [developed_count(board, state, seat) for seat in range(len(game.players))]


def in_hand(game: Game) -> list[int]:
    """Returns every seat's Talers."""
    return [int(talers) for talers in game.position.state.talers[: len(game.players)]]


def _data(game: Game) -> dict[str, object]:
    score = game.score()
    return {
        "moves": len(game.moves),
        "over": game.is_over,
        "players": list(game.players),
        "points": [entry.points for entry in score],
        "winners": game.winners(),
        "decided_by": _decision(game)[0],
        "breakdown": [asdict(entry) for entry in score],
        "developed_fields": _developed(game),
        "talers": in_hand(game),
    }
