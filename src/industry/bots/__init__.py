"""Players that choose a move."""

from .base import Bot
from .registry import BotError, bot_maker, bot_names

__all__ = ["Bot", "BotError", "bot_maker", "bot_names"]
