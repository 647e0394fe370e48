"""Small tournaments for tests."""

from industry.arena.schedule import Tournament, read_entrants
from industry.boards import load_board
from industry.notation import complete_options


def tournament(
    *bots: str,
    edition: str = "industry",
    players: int = 4,
    seed: str = "test",
    ms: float = 20,
    record: bool = True,
    patience: float = 0.3,
) -> Tournament:
    """A tournament of these bots with the usual rules."""
    options = complete_options(edition, {})
    entrants = read_entrants(bots, ms / 1000)
    return Tournament(
        load_board(edition), players, options, seed, entrants, record, patience=patience
    )
