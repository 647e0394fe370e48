"""Plays many games: simulations, tournaments, training and reports."""

from .executor import interrupts_blocked
from .games import Batch, Plan, play_batch
from .simulate import simulate
from .summary import Summary, wilson

__all__ = ["Batch", "Plan", "Summary", "interrupts_blocked", "play_batch", "simulate", "wilson"]
