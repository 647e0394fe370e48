"""Two programs that never saw each other agree on every move of every game."""

import json
import random
from typing import Any

import pytest

from industry.arena import Plan, play_batch
from industry.boards import load_board
from industry.boards.store import board_text
from industry.engine import Status, field_id
from industry.engine.constants import NOBODY
from industry.notation import Game, complete_options, record_from_data, replay_steps, verify
from industry.notation.options import CHOICES, OF_EDITION
from tests.independent import referee
from tests.support import proof

PHASES = ("draw", "offer", "bid", "settle", "develop", "over")
TABLES = [(edition, players) for edition in OF_EDITION for players in (3, 4)]


@pytest.fixture(scope="module")
def referee_boards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, referee.Board]:
    folder = tmp_path_factory.mktemp("boards")
    boards = {}
    for edition in OF_EDITION:
        path = folder / f"{edition}.toml"
        path.write_text(board_text(edition), encoding="utf-8")
        boards[edition] = referee.load_board(path)
    return boards


def facts(game: Game) -> dict[str, Any]:
    """What the referee says about a state, read from ours."""
    state = game.position.state
    seats = range(len(game.players))
    board = game.board.rules
    owned = [f for f in range(60) if state.owner[f] != NOBODY and board.joker[f] < 0]
    return {
        "era": state.era + 1,
        "phase": PHASES[state.phase],
        "actor": game.to_move,
        "auctioneer": state.auctioneer + 1 or None,
        "starting_player": state.starting_player + 1,
        "talers": state.talers[: len(seats)],
        "points": state.points[: len(seats)],
        "owner": {field_id(f): state.owner[f] + 1 for f in owned},
        "developed": [field_id(f) for f in owned if state.status[f] == Status.DEVELOPED],
        "jokers": [
            [
                field_id(f)
                for f in range(60)
                if state.owner[f] == seat and state.status[f] == Status.HELD
            ]
            for seat in seats
        ],
        "subsidies": [bool(state.subsidies[seat]) for seat in seats],
    }


def random_options(edition: str, rng: random.Random) -> dict[str, str]:
    return {name: rng.choice(CHOICES[name]) for name in OF_EDITION[edition]}


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_both_see_the_same_state_and_the_same_legal_moves_after_every_line(
    edition: str, players: int, referee_boards: dict[str, referee.Board]
) -> None:
    rng = random.Random(f"{edition} {players}")
    for _ in range(proof.amount(4, 40)):
        options = random_options(edition, rng)
        data = referee.random_record(referee_boards[edition], players, options, rng)
        record = record_from_data(data)
        other = referee.Game(
            referee_boards[edition], players, record.starting_player, dict(record.options)
        )
        lines = iter(record.moves)
        for game in replay_steps(record, load_board(edition)):
            told = other.state()
            assert facts(game) == {key: told[key] for key in facts(game)}
            assert game.legal_moves() == other.legal()
            for seat in range(1, players + 1):
                assert game.legal_moves(seat) == other.legal_for(seat)
            if (line := next(lines, None)) is not None:
                other.play(line)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_its_random_games_pass_our_verification(
    edition: str, players: int, referee_boards: dict[str, referee.Board]
) -> None:
    rng = random.Random(f"verify {edition} {players}")
    for _ in range(proof.amount(8, 100)):
        options = random_options(edition, rng)
        data = referee.random_record(referee_boards[edition], players, options, rng)
        assert verify(record_from_data(data), load_board(edition)) is None


@pytest.mark.machine_code
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_our_simulated_games_pass_its_check(
    edition: str, players: int, referee_boards: dict[str, referee.Board]
) -> None:
    rng = random.Random(f"simulated {edition} {players}")
    for number in range(proof.amount(4, 40)):
        options = complete_options(edition, random_options(edition, rng))
        plan = Plan(
            load_board(edition), players, options, number, 4, record=True, legal_counts=True
        )
        for record in play_batch(plan).records:
            data = json.loads(record.to_json())
            assert referee.check_record(data, referee_boards[edition]) is None
