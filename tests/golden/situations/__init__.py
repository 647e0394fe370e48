"""The coverage list: rare situations, each of which at least one golden game must show."""

from . import auction, course, development, ending, money, resources
from .register import SITUATIONS, Situation

__all__ = [
    "SITUATIONS",
    "Situation",
    "auction",
    "course",
    "development",
    "ending",
    "money",
    "resources",
]
