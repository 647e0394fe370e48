"""Players that choose a move."""

from .base import Bot
from .registry import BotError, bot_maker, bot_names, bot_title, broken_bots, installed_bots

__all__ = [
    "Bot",
    "BotError",
    "bot_maker",
    "bot_names",
    "bot_title",
    "broken_bots",
    "installed_bots",
]
