"""The players at the other seats: bots, known by the names they sit under, or chance."""

from random import Random

from industry.bots import Bot, bot_maker, installed_bots
from industry.engine import PlayerMove
from industry.notation import Game
from industry.texts import LANGUAGES, say

from .chance import random_move

SECONDS = 0.4
"""What a bot that uses its time may think about one decision."""
CHANCE = "random"


def seat_name(bot: str, seat: int, language: str) -> str:
    """What the player of a seat (from 0) is called; records keep the name."""
    if bot == CHANCE:
        return say("terminal.name.random", language, seat=seat + 1)
    return f"{bot.capitalize()} {seat + 1}"


def bot_at(name: str, seat: int) -> str | None:
    """The bot that sits under this name; None for a person."""
    if name in (seat_name(CHANCE, seat, language) for language in LANGUAGES):
        return CHANCE
    found = (bot for bot in installed_bots() if seat_name(bot, seat, LANGUAGES[0]) == name)
    return next(found, None)


class Opponents:
    """Chooses for every seat that no person has; a name that is no bot's is played by chance."""

    def __init__(self) -> None:
        self._bots: dict[tuple[int, str], Bot] = {}

    def prepare(self, game: Game, seats: list[int]) -> None:
        """Load the bots of these seats and let them get ready; may take a minute the first time."""
        for seat in seats:
            bot = self._bot(game, seat)
            if bot is not None and bot.level > 3 and hasattr(bot, "warm_up"):
                bot.warm_up()

    def choose(self, game: Game, key: str) -> PlayerMove:
        """The move of the deciding seat; the same key gives the same chance."""
        position, chance = game.position, Random(key)
        bot = self._bot(game, position.actor)
        if bot is None:
            return random_move(position, chance)
        if len(position.legal_moves) == 1:
            return position.legal_moves[0]
        return bot.choose(position, position.legal_moves, SECONDS, chance)

    def _bot(self, game: Game, seat: int) -> Bot | None:
        name = game.players[seat]
        bot = bot_at(name, seat)
        if bot is None or bot == CHANCE:
            return None
        if (seat, name) not in self._bots:
            self._bots[seat, name] = bot_maker(bot)()
        return self._bots[seat, name]
