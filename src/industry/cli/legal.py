"""`industry legal`: the legal moves of a recorded position, one per line."""

from pathlib import Path

import click

from .app import at_option, echo_json, json_option, one_game
from .files import Failure, open_game


@click.command()
@one_game
@at_option
@click.option("--seat", type=int, help="The seat; default: the one that must decide.")
@json_option
def command(
    file: Path, game: int, board: str | None, at: int | None, seat: int | None, as_json: bool
) -> None:
    """List the legal moves of a recorded position, in plain character order.

    Prints nothing where a draw is due or the game is over. A seat that need not decide may at most
    take its subsidy, and only where the option subsidy_timing allows it at any time.
    """
    played = open_game(file, game, board).until(at)
    if seat is not None and not 1 <= seat <= len(played.players):
        raise Failure(f"--seat must be a number from 1 to {len(played.players)}, not {seat}.")
    moves = played.legal_moves(seat)
    if as_json:
        who = played.to_move if seat is None else seat
        echo_json({"at": len(played.moves), "seat": who, "moves": moves})
    elif moves:
        click.echo("\n".join(moves))
