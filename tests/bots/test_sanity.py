"""What no good player would do, no bot from the second level up does."""

from random import Random

import pytest

from industry.bots import bot_maker
from industry.notation import write_move

from .sanity import POSITIONS, Verdict, game_of, read_verdicts

VERDICTS = read_verdicts()
BOTS = ("foreman", "engineer", "director:samples=16", "magnate:samples=16")
"""By samples, about what 20 ms give: so the verdicts do not depend on the machine."""
SECONDS = 0.02


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.name)
def test_a_position_asks_a_real_question(verdict: Verdict) -> None:
    """The moves of the verdict are legal, and right and wrong ones both exist."""
    legal = game_of(verdict.name).legal_moves()
    assert {*verdict.must, *verdict.must_not} <= set(legal)
    refused = [line for line in legal if verdict.refuses(line)]
    assert 0 < len(refused) < len(legal)
    assert verdict.why.endswith(".")


def test_every_position_has_its_verdict() -> None:
    names = [verdict.name for verdict in VERDICTS]
    assert sorted(names) == sorted(path.stem for path in POSITIONS.glob("*.toml"))
    assert len(names) >= 30


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.name)
def test_the_bot_plays_what_a_good_player_would(verdict: Verdict, bot: str) -> None:
    game = game_of(verdict.name)
    position = game.position
    move = bot_maker(bot)().choose(position, position.legal_moves, SECONDS, Random(verdict.name))
    line = write_move(move, game.board)
    assert not verdict.refuses(line), f"{line}: {verdict.why}"
