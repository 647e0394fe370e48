"""`industry perft`: counts of move sequences, to compare programs that play by the same rules."""

from pathlib import Path

import click

from industry.notation import write_move
from industry.notation.perft import MAX_DEPTH, divide, perft
from industry.texts.sanitize import quoted

from .app import at_option, echo_json, json_option, one_game
from .files import Failure, open_game


@click.command()
@one_game
@at_option
@click.option("--depth", type=int, default=2, show_default=True, help="How many moves ahead.")
@click.option(
    "--divide", "by_move", is_flag=True, help="Also print the count after each first move."
)
@json_option
def command(
    file: Path,
    game: int,
    board: str | None,
    at: int | None,
    depth: int,
    by_move: bool,
    as_json: bool,
) -> None:
    """Count the sequences of DEPTH moves from a recorded position.

    Only moves of the seat that must decide are counted. Where a draw is due, each possible set of
    tokens is one move, whatever their order. Sequences that would go beyond the end of the game do
    not count.
    """
    if not 0 <= depth <= MAX_DEPTH:
        raise Failure(f"--depth must be a number from 0 to {MAX_DEPTH}, not {quoted(depth)}.")
    played = open_game(file, game, board).until(at)
    counts: dict[str, int] | None = None
    if by_move and depth > 0:
        pairs = divide(played.position, depth)
        counts = dict(sorted((write_move(move, played.board), count) for move, count in pairs))
    total = perft(played.position, depth) if counts is None else sum(counts.values())
    if as_json:
        data = {"at": len(played.moves), "depth": depth, "count": total}
        echo_json(data if counts is None else data | {"divide": counts})
        return
    lines = [f"{line}: {count}" for line, count in (counts or {}).items()]
    click.echo("\n".join([*lines, str(total)]))
