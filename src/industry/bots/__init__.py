"""Players that choose a move."""

from .base import BoardAndRecord, Bot, BotError, BotTooSlow, ask
from .registry import bot_maker, bot_names, bot_title, broken_bots, installed_bots

__all__ = [
    "BoardAndRecord",
    "Bot",
    "BotError",
    "BotTooSlow",
    "ask",
    "bot_maker",
    "bot_names",
    "bot_title",
    "broken_bots",
    "installed_bots",
]
