"""Games that the fair bag drew, with their proof, as a server gives them away."""

from dataclasses import replace
from functools import lru_cache
from random import Random

from industry.boards import load_board
from industry.engine import Phase
from industry.notation import Game, Record
from industry.notation.proof import Game as BoundGame
from industry.notation.proof import Proof
from industry.notation.record import RULES_VERSION
from industry.server.bag import FairBag

SECRET = bytes.fromhex("5d" * 32)
TABLE = "abcdefghijkl"
CONTRIBUTIONS = ("c0ffee", "", "0123456789abcdef", "7")


@lru_cache
def fair_game(
    edition: str, players: int, moves: int | None = None, *, table: str | None = TABLE
) -> Record:
    """A game of random moves to its end, or broken off after this many moves.

    Without a table its bag is one of version 0.1.0.
    """
    joined = CONTRIBUTIONS[:players]
    people = tuple(f"Guest {place}" for place in range(1, players + 1))
    bound = None if table is None else BoundGame(table, RULES_VERSION, people)
    bag = FairBag(SECRET, joined, bound)
    seating = bag.seating(players)
    names = [people[place - 1] for place in seating]
    game = Game(load_board(edition), names, bag.starting_player(players))
    rng = Random(f"{edition} {players}")
    while not game.is_over and len(game.moves) != moves:
        position = game.position
        drawing = position.phase == Phase.DRAW
        game.play(bag.draw(position) if drawing else rng.choice(position.legal_moves))
    era = int(game.position.state.era) + 1
    proof = Proof(
        commitment=bag.commitment,
        contributions=tuple(joined[place - 1] for place in seating),
        era_keys=tuple(bag.era_key(n) for n in range(1, era + game.is_over)),
        secret=bag.revealed_secret if game.is_over else None,
        seating=tuple(seating),
        table=table,
    )
    return replace(game.record(), proof=proof)
