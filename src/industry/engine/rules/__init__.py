"""The rules, one module per rulebook section; importing this package registers them all."""

from . import auction, cash, development, draw, era, income, scoring, setup, subsidy, turn

__all__ = [
    "auction",
    "cash",
    "development",
    "draw",
    "era",
    "income",
    "scoring",
    "setup",
    "subsidy",
    "turn",
]
