"""What the options of a table allow its players."""

from .table import Table


def allows_hints(table: Table) -> bool:
    """Checks whether players may ask for hints: by default only against bots alone.

    Never where a game is rated, where everybody has the same deal, or where hands are closed, which
    the judge would look into.
    """
    if table.is_rated or table.options.daily or table.hands_closed:
        return False
    wanted = table.options.hints
    return table.is_solo if wanted == "auto" else wanted == "on"
