"""The review: everything adds up, for every seat, and every number comes back the same."""

import json
from typing import Any

import pytest

from industry.engine import Develop, Subsidy
from industry.judge import JudgeError
from industry.judge.account import Account, verdict_of
from industry.judge.review import FORMAT, assemble, check_finished, review, review_items
from industry.notation import Game, read_move
from tests.support import proof

from .games import TABLES, begun, finished_game

LINES = 2
TERMS = ("start", "luck", "own", "gifts", "unexplained")


def reviewed(game: Game, lines: int = LINES, seed: int = 1) -> dict[str, Any]:
    return review(game.board, game.record(), lines=lines, seed=seed)


@pytest.mark.parametrize(("edition", "players"), proof.cases((*TABLES[1:], TABLES[0])))
def test_the_account_adds_up_for_every_seat_of_whole_games(edition: str, players: int) -> None:
    for seed in range(1, proof.amount(2, 20)):
        game = finished_game(edition, players, seed)
        found = reviewed(game, seed=seed)
        winners = game.winners()
        for seat in found["seats"]:
            assert sum(seat[term] for term in TERMS) == pytest.approx(seat["result"], abs=1e-9)
            won = 1 / len(winners) if seat["seat"] in winners else 0
            assert seat["result"] == pytest.approx(won, abs=1e-9)
        assert sum(seat["luck"] for seat in found["seats"]) == pytest.approx(0, abs=1e-9)
        check_contents(found, game)


def check_contents(found: dict[str, Any], game: Game) -> None:
    """Every move has its event, every field its auction, every decision its entry."""
    lines = game.lines()
    assert [event["line"] for event in found["events"]] == lines
    assert all(sum(event["win"]) == pytest.approx(1, abs=1e-9) for event in found["events"])
    draws = [line for line in lines if line.startswith("draw")]
    assert len(found["decisions"]) == len(lines) - len(draws)
    fields = [auction["field"] for auction in found["auctions"]]
    count = 48 if (game.board.edition, len(game.players)) == ("industria", 3) else 60
    assert len(fields) == len(set(fields)) == count
    received = [0.0] * len(game.players)
    for gift in found["gifts"]:
        received[gift["to"] - 1] += gift["amount"]
    assert received == pytest.approx([seat["gifts"] for seat in found["seats"]], abs=1e-9)
    for decision in found["decisions"]:
        assert decision["loss"] >= 0
        if decision["loss"] > 0:
            assert decision["best"] != decision["line"]
    json.dumps(found)


def test_a_review_is_the_same_every_time_and_in_pieces() -> None:
    game = finished_game("industria", 3)
    record, total = game.record(), len(game.moves) + 1
    cut = total // 2
    items = [
        *review_items(game.board, record, 0, cut, LINES, 5),
        *review_items(game.board, record, cut, total, LINES, 5),
    ]
    assert assemble(game.board, record, items, LINES, 5) == reviewed(game, seed=5)
    assert json.loads(json.dumps(items)) == items


def test_an_auction_states_who_got_the_field_and_what_was_lost() -> None:
    game = finished_game("industry", 3)
    found = reviewed(game)
    losses = {decision["move"]: decision["loss"] for decision in found["decisions"]}
    total = sum(sum(auction["regret"]) for auction in found["auctions"])
    in_auctions = sum(
        decision["loss"] for decision in found["decisions"] if decision["kind"] != "develop"
    )
    assert total == pytest.approx(in_auctions)
    assert len(losses) == len(found["decisions"])
    state = game.position.state
    for auction in found["auctions"]:
        field = read_move(f"1 offer {auction['field']}", game.board).field  # type: ignore[union-attr]
        assert state.owner[field] == auction["owner"] - 1
        assert auction["surplus"] == pytest.approx(
            auction["talers"][auction["owner"] - 1] - auction["price"], abs=0.01
        )
        assert all(denied >= 0 for denied in auction["denial"])


def test_a_subsidy_out_of_turn_has_its_place_in_the_account() -> None:
    game = begun("industry", 3, 3)
    game = Game(game.board, game.players, 1, {"subsidy_timing": "any_time"}, game.bag)
    taken = False
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
            continue
        other = (game.position.actor + 1) % 3
        if not taken and game.position.legal_moves_of(other) == (Subsidy(other),):
            game.play(Subsidy(other))
            taken = True
            continue
        moves = [m for m in game.position.legal_moves if not isinstance(m, Subsidy | Develop)]
        game.play(moves[0])
    assert taken
    found = reviewed(game, lines=2)
    for seat in found["seats"]:
        assert sum(seat[term] for term in TERMS) == pytest.approx(seat["result"], abs=1e-9)


def test_a_running_game_cannot_be_reviewed() -> None:
    game = begun("industry", 4, 1)
    game.draw()
    with pytest.raises(JudgeError, match="only a finished game can be reviewed"):
        check_finished(game.record(), game.board)


@pytest.mark.parametrize(
    ("loss", "error", "verdict"),
    [
        (0.0, 0.0, "best"),
        (0.01, 0.0, "close"),
        (0.02, 0.0, "small"),
        (0.02, 0.006, "close"),
        (0.05, 0.0, "mistake"),
        (0.05, 0.013, "small"),
        (0.10, 0.0, "blunder"),
        (0.10, 0.03, "mistake"),
        (0.10, 0.05, "close"),
        (0.40, 0.01, "blunder"),
    ],
)
def test_a_verdict_needs_two_standard_errors(loss: float, error: float, verdict: str) -> None:
    assert verdict_of(loss, error) == verdict


def test_the_account_of_one_draw_and_one_decision() -> None:
    account = Account([0.5, 0.3, 0.2])
    account.draw([0.4, 0.3, 0.3])
    account.decision(1, [0.35, 0.4, 0.25], [0.45, 0.2, 0.35])
    assert account.luck == pytest.approx([-0.1, 0.0, 0.1])
    assert account.own == pytest.approx([0.0, -0.2, 0.0])
    assert account.gifts[1] == pytest.approx([0.1, 0.0, 0.1])
    assert account.unexplained == pytest.approx([-0.05, 0.1, -0.05])
    assert FORMAT == 1
