"""Games and positions for the tests of the judge."""

from functools import cache

from industry.bots.runner import CompiledRunner
from industry.bots.weights import handmade_weights
from industry.engine import Position, player_move_of
from industry.notation import Game, new_game

TABLES = [("industry", 3), ("industry", 4), ("industria", 3), ("industria", 4)]


@cache
def played_positions(edition: str, players: int, seed: int = 1) -> tuple[Position, ...]:
    """All positions of a game between engineers, the finished one included."""
    game = begun(edition, players, seed)
    runner = CompiledRunner(game.board.rules)
    positions = [game.position]
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            code = runner.greedy_move(game.position, handmade_weights())
            game.play(player_move_of(game.board.rules, game.position.actor, code))
        positions.append(game.position)
    return tuple(positions)


@cache
def finished_game(edition: str, players: int, seed: int = 1) -> Game:
    """A game in which everyone decides by rule of thumb, with worse values than the judge's."""
    game = begun(edition, players, seed)
    runner = CompiledRunner(game.board.rules)
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            code = runner.heuristic_move(game.position, handmade_weights())
            game.play(player_move_of(game.board.rules, game.position.actor, code))
    return game


def begun(edition: str, players: int, seed: int) -> Game:
    names = [f"Player {seat + 1}" for seat in range(players)]
    return new_game(names, edition=edition, seed=seed)
