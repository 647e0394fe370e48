"""The players at the other seats: the bots that the game names, or random players."""

from random import Random

from industry.bots import Bot, bot_maker, bot_title, installed_bots
from industry.engine import PlayerMove
from industry.notation import Game
from industry.texts import has, say

from .chance import random_move

SECONDS = 0.4
"""How long a bot that uses its time may think about one decision."""
CHANCE = "random"


def seat_name(bot: str, seat: int, language: str) -> str:
    """Returns the name that players see for a bot at a seat (from 0)."""
    if bot == CHANCE:
        return say("terminal.name.random", language, seat=seat + 1)
    key = f"pages.bot.{bot}.name"
    name = say(key, language) if has(key) else bot_title(bot)
    return f"{name} {seat + 1}"


def bot_at(game: Game, seat: int) -> str | None:
    """Returns the bot at a seat; None for a person, or where the record does not say.

    A record may come from anywhere: a bot that is not installed here is replaced by chance.
    """
    bot = game.bots[seat] if game.bots else ""
    if not bot:
        return None
    return bot if bot in installed_bots() else CHANCE


class Opponents:
    """Chooses for every seat without a person; a seat without a bot moves at random."""

    def __init__(self) -> None:
        self._bots: dict[tuple[int, str], Bot] = {}

    def prepare(self, game: Game, seats: list[int]) -> None:
        """Loads and prepares the bots of these seats; may take a minute the first time."""
        for seat in seats:
            bot = self._bot(game, seat)
            if bot is not None and bot.level > 3 and hasattr(bot, "warm_up"):
                bot.warm_up()

    def choose(self, game: Game, key: str) -> PlayerMove:
        """Returns the deciding seat's move; the same key gives the same choice."""
        position, chance = game.position, Random(key)
        bot = self._bot(game, position.actor)
        if bot is None:
            return random_move(position, chance)
        if len(position.legal_moves) == 1:
            return position.legal_moves[0]
        return bot.choose(position, position.legal_moves, SECONDS, chance)

    def _bot(self, game: Game, seat: int) -> Bot | None:
        bot = bot_at(game, seat)
        if bot is None or bot == CHANCE:
            return None
        if (seat, bot) not in self._bots:
            self._bots[seat, bot] = bot_maker(bot)()
        return self._bots[seat, bot]
