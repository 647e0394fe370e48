"""A board as a picture: one SVG file that needs nothing else, for any board that can be played."""

from .cards import kind_words
from .draw import board_svg
from .frame import ROMAN
from .palette import THEMES

__all__ = ["ROMAN", "THEMES", "board_svg", "kind_words"]
