"""Draws any playable board as a self-contained SVG file."""

from .cards import kind_words
from .draw import board_svg
from .frame import ROMAN
from .palette import THEMES

__all__ = ["ROMAN", "THEMES", "board_svg", "kind_words"]
