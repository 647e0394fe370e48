"""Whole recorded games to read, break and check; the independent referee played them."""

import json
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

import industry.boards
from industry.boards import BoardSpec, load_board
from industry.notation import Record, record_from_data
from tests.independent import referee

EDITIONS = ("industry", "industria")
TABLES = [(edition, players) for edition in EDITIONS for players in (3, 4)]


@lru_cache
def referee_board(edition: str) -> referee.Board:
    return referee.load_board(Path(industry.boards.__file__).parent / f"{edition}.toml")


def board(edition: str) -> BoardSpec:
    return load_board(edition)


@lru_cache
def _finished(edition: str, players: int, options: tuple[tuple[str, str], ...]) -> str:
    chosen = referee.default_options(edition) | dict(options)
    rng = random.Random(f"{edition} {players}")
    return json.dumps(referee.random_record(referee_board(edition), players, chosen, rng))


def finished(edition: str = "industry", players: int = 3, **options: str) -> dict[str, Any]:
    """The plain data of a finished game with counts of legal moves; yours to change."""
    data: dict[str, Any] = json.loads(_finished(edition, players, tuple(sorted(options.items()))))
    return data


def running(edition: str = "industry", players: int = 3, moves: int = 40) -> dict[str, Any]:
    """The same game, broken off after this many moves."""
    data = finished(edition, players)
    data["moves"] = data["moves"][:moves]
    del data["result"], data["legal_counts"]
    return data


def record(data: dict[str, Any]) -> Record:
    return record_from_data(data)
