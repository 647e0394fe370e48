"""Boards: files with the values of the 60 fields and the source of what is attested."""

from .problems import BoardError, Problem
from .read import parse_board
from .spec import BoardSpec, FieldSpec
from .store import BOARDS, board_text, load_board

__all__ = [
    "BOARDS",
    "BoardError",
    "BoardSpec",
    "FieldSpec",
    "Problem",
    "board_text",
    "load_board",
    "parse_board",
]
