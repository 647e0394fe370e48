"""The players in the other seats: the bots that the game names, or random players."""

from random import Random

from industry.bots import (
    BoardAndRecord,
    Bot,
    BotError,
    BotTooSlow,
    ask,
    bot_maker,
    bot_title,
    installed_bots,
)
from industry.bots.external_engine import EngineError
from industry.bots.registry import EXEC
from industry.engine import PlayerMove
from industry.notation import Game, write_move
from industry.texts import has, say

from .chance import random_move

SECONDS = 0.4
"""How long a bot that uses its time may think about one decision."""
CHANCE = "random"
ENGINE_STAND_IN = "engineer"
"""The bot that replaces an engine that failed."""


def seat_name(bot: str, seat: int, language: str) -> str:
    """Returns the name that players see for a bot at a seat (from 0)."""
    if bot == CHANCE:
        return say("terminal.name.random", language, seat=seat + 1)
    if bot.startswith(EXEC):
        return say("terminal.name.engine", language, seat=seat + 1)
    key = f"pages.bot.{bot}.name"
    name = say(key, language) if has(key) else bot_title(bot)
    return f"{name} {seat + 1}"


def bot_at(game: Game, seat: int) -> str | None:
    """Returns the bot at a seat; None for a person, or where the record does not say.

    A record may come from anywhere: a bot that is not installed is replaced by random moves.
    """
    bot = game.bots[seat] if game.bots else ""
    if not bot:
        return None
    return bot if bot in installed_bots() else CHANCE


class Opponents:
    """Chooses for every seat without a person; a seat without a bot moves at random."""

    def __init__(self) -> None:
        self._bots: dict[tuple[int, str], Bot] = {}
        self._failed: set[int] = set()
        """Seats (from 0) whose engine failed and was replaced by a built-in bot."""
        self._failure: tuple[int, str] | None = None

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
        so_far = BoardAndRecord(game.board, game.record)
        try:
            move = ask(bot, position, position.legal_moves, SECONDS, chance, so_far)
            if move in position.legal_moves:
                return move
            reason = f"“{write_move(move, game.board)}” is not a legal move"
        except (EngineError, BotTooSlow, BotError) as error:
            reason = str(error)
        self._failed.add(position.actor)
        self._failure = position.actor, reason
        return self.choose(game, key)

    def new_failure(self, game: Game, language: str) -> str:
        """Returns a sentence about an engine that failed since the last call, or nothing."""
        failure, self._failure = self._failure, None
        if failure is None:
            return ""
        seat, reason = failure
        return say("terminal.engine_failed", language, player=game.players[seat], reason=reason)

    def _bot(self, game: Game, seat: int) -> Bot | None:
        bot = ENGINE_STAND_IN if seat in self._failed else bot_at(game, seat)
        if bot is None or bot == CHANCE:
            return None
        if (seat, bot) not in self._bots:
            self._bots[seat, bot] = bot_maker(bot)()
        return self._bots[seat, bot]
