"""The magnate of version 0.1.0 stays as it was, so that later bots can be compared with it."""

from hashlib import sha256
from importlib.resources import files

import pytest

from industry.bots import bot_maker, bot_names, installed_bots
from tests.support import proof

from .test_bots import whole_game

WEIGHTS = {
    "industry-3": "6491a78f6c23cd30",
    "industry-4": "2c7e0afb99dcf1a4",
    "industria-3": "a176686ac161bed9",
    "industria-4": "b4bfd0fbd4966ff2",
}
GAMES = {
    ("industria", 3): "079e4fe9c830e329",
    ("industry", 4): "074181239a6976a5",
    ("industry", 3): "4c03b6d429d06c39",
    ("industria", 4): "e61f9485d74827ea",
}


@pytest.mark.parametrize("table", WEIGHTS)
def test_its_weights_have_not_changed(table: str) -> None:
    text = files("industry.bots").joinpath("learned", f"{table}.json").read_bytes()
    assert sha256(text).hexdigest()[:16] == WEIGHTS[table]


@pytest.mark.parametrize(("edition", "players"), proof.cases(list(GAMES), 2))
def test_it_plays_the_same_games_as_ever(edition: str, players: int) -> None:
    game = whole_game("magnate-0.1:samples=8", edition, players, "first")
    text = "\n".join(game.lines())
    assert sha256(text.encode()).hexdigest()[:16] == GAMES[edition, players]


def test_it_can_be_called_by_name_but_is_not_offered_as_an_opponent() -> None:
    assert "magnate-0.1" in installed_bots()
    assert "magnate-0.1" not in bot_names()
    assert "0.1.0" in bot_maker("magnate-0.1")().description
