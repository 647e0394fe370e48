"""`industry bots`: the installed opponents."""

import click
from rich import box
from rich.console import Console
from rich.table import Table

from industry.arena.ladder import shipped_ratings
from industry.bots import bot_maker, bot_names, broken_bots
from industry.bots.registry import FOR_COMPARISON
from industry.texts.sanitize import printable

from ._arena import arena_failures
from .app import echo_json, json_option

SCALE = (
    "Ratings are OpenSkill points (Plackett-Luce) with their uncertainty (sigma); an unknown bot\n"
    "starts at 25.0 ± 8.3. `industry ladder` measures them."
)


@click.command()
@json_option
def command(as_json: bool) -> None:
    """List the installed bots, weakest first, with the ratings that `industry ladder` measured."""
    with arena_failures():
        bots = {name: bot_maker(name)() for name in bot_names()}
    ratings = shipped_ratings()
    rows = [
        {
            "name": name,
            "level": bot.level,
            "description": bot.description,
            "rating": ratings.get(name, {}).get("rating"),
            "sigma": ratings.get(name, {}).get("sigma"),
        }
        for name, bot in bots.items()
    ]
    if as_json:
        echo_json(rows)
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("Bot", no_wrap=True)
    table.add_column("Level", justify="right")
    table.add_column("Rating", justify="right", no_wrap=True)
    table.add_column("Description")
    for row in rows:
        rating = "not measured"
        if row["rating"] is not None:
            rating = f"{row['rating']:.1f} ± {row['sigma']:.1f}"
        cells = (row["name"], row["level"], rating, row["description"])
        table.add_row(*(printable(str(cell)) for cell in cells))
    Console().print(table, markup=False)
    click.echo(SCALE)
    click.echo(f"For comparison, not as opponents: {', '.join(FOR_COMPARISON)}.")
    for sentence in broken_bots().values():
        click.echo(printable(sentence), err=True)
