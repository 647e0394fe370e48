"""The bot that docs/bots.md shows is a bot, and plays whole games."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from industry.bots import Bot
from industry.notation import new_game

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.fixture
def example() -> Any:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    space: dict[str, Any] = {}
    exec(code, space)
    return space["Miser"]()


@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_the_example_of_the_page_plays_a_whole_game(example: Any, edition: str) -> None:
    assert isinstance(example, Bot)
    game = new_game(["A", "B", "C"], edition=edition, seed="example")
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            legal = game.position.legal_moves
            game.play(example.choose(game.position, legal, 1.0, Random(1)))
    assert game.record().result is not None
