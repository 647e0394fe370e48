"""Decides what the options of a table allow its players."""

from .errors import Refused
from .table import Table


def allows_hints(table: Table) -> bool:
    """Checks whether players may ask for hints: by default only against bots alone.

    Never if the game is rated, part of a cup or a daily deal, or if hands are closed, because the
    judge would see them.
    """
    if table.is_rated or table.options.daily or table.options.cup or table.hands_closed:
        return False
    wanted = table.options.hints
    return table.is_solo if wanted == "auto" else wanted == "on"


def is_sealed(table: Table) -> bool:
    """Checks whether only players may watch, because other tables still play with the same bag."""
    return table.options.duplicate and table.secret is None


def expect_public(table: Table) -> None:
    """Raises `Refused` while only the players may watch a table."""
    if is_sealed(table):
        raise Refused("sealed")
