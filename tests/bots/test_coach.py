"""The coach: what a move gives away by the values that the bots decide with."""

from random import Random

import pytest

from industry.bots.coach import BAD_MISTAKE, judge_move, move_chances
from industry.bots.levels import Engineer
from industry.engine import Bid, Pass, Phase, Position, code_of, player_move_of
from industry.notation import new_game


def decisions(edition: str, seed: str, rounds: int = 4) -> list[Position]:
    """All positions of a game between engineers in which there is a choice."""
    game = new_game(("A", "B", "C"), edition=edition, seed=seed)
    bot, rng, found = Engineer(), Random(seed), []
    while not game.is_over and game.position.state.round_number <= rounds:
        if game.to_move is None:
            game.draw()
            continue
        position = game.position
        if len(position.legal_moves) > 1:
            found.append(position)
        game.play(bot.choose(position, position.legal_moves, 1.0, rng))
    return found


@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_the_best_move_of_the_coach_is_that_of_the_engineer(edition: str) -> None:
    phases = set()
    for position in decisions(edition, "coach"):
        move = Engineer().choose(position, position.legal_moves, 1.0, Random(1))
        chances = move_chances(position)
        assert chances[code_of(move)] == pytest.approx(max(chances.values()), abs=1e-9)
        assert judge_move(position, move).better is None
        phases.add(position.phase)
    assert phases == {Phase.OFFER, Phase.BID, Phase.SETTLE, Phase.DEVELOP}


def test_the_coach_speaks_only_before_a_bad_mistake_and_names_the_best_move() -> None:
    spoken = silent = 0
    for position in decisions("industry", "mistakes"):
        chances = move_chances(position)
        best = max(chances.values())
        for move in position.legal_moves:
            judged = judge_move(position, move)
            loss = best - chances.get(code_of(move), best)
            assert judged.loss == pytest.approx(loss)
            assert (judged.better is not None) == (loss >= BAD_MISTAKE)
            if judged.better is not None:
                assert chances[code_of(judged.better)] == pytest.approx(best)
                spoken += 1
            else:
                silent += 1
    assert 0 < spoken < silent


def test_the_whole_purse_for_a_joker_is_a_bad_mistake() -> None:
    game = new_game(("A", "B", "C"), seed="joker")
    game.play("draw 1A 1C 1E")
    game.play(f"{game.to_move} offer 1A")
    position = game.position
    everything = Bid(position.actor, int(position.state.talers[position.actor]))
    judged = judge_move(position, everything)
    assert judged.better is not None
    assert judge_move(position, Pass(position.actor)).better is None


def test_moves_beside_the_decision_are_not_judged() -> None:
    game = new_game(("A", "B", "C"), seed="beside")
    game.play("draw 1A 1C 1E")
    position = game.position
    subsidy = next(m for m in position.legal_moves if code_of(m) not in move_chances(position))
    assert judge_move(position, subsidy).loss == 0.0
    assert player_move_of(position.board, position.actor, code_of(subsidy)) == subsidy
