"""The judge: the same numbers every time, honest errors, exact endings."""

import numpy as np
import pytest

from industry.bots.lines import BLOCK
from industry.bots.opinions import OPINIONS, reference_opinions, reference_weights
from industry.bots.runner import CompiledRunner
from industry.engine import Phase, Position, code_of, play
from industry.engine.playout import GENERATOR_WORDS
from industry.judge import Judge, JudgeError, judge
from industry.judge.ending import NODES
from industry.judge.judging import candidates
from tests.support import proof

from .games import TABLES, played_positions


def decisions(edition: str, players: int, phase: Phase) -> list[Position]:
    return [
        position
        for position in played_positions(edition, players)
        if position.phase == phase and len(position.legal_moves) > 1
    ]


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_same_question_gets_the_same_answer(edition: str, players: int) -> None:
    position = decisions(edition, players, Phase.SETTLE)[5]
    assert judge(position, lines=16, seed=3) == judge(position, lines=16, seed=3)
    assert judge(position, lines=16, seed=3) != judge(position, lines=16, seed=4)


def test_other_questions_in_between_change_no_answer() -> None:
    first, second = decisions("industry", 3, Phase.SETTLE)[3:5]
    asked = Judge(first.board, lines=8)
    before = asked.judge(first)
    asked.judge(second)
    assert asked.judge(first) == before


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_chances_add_up_to_one(edition: str, players: int) -> None:
    for position in played_positions(edition, players)[::60]:
        verdict = judge(position, lines=8)
        assert sum(seat.win for seat in verdict.seats) == pytest.approx(1, abs=1e-12)
        for move in verdict.moves:
            assert sum(move.win) == pytest.approx(1, abs=1e-12)


def test_moves_stand_from_best_to_worst_and_lose_against_the_first() -> None:
    for position in decisions("industry", 4, Phase.BID)[::40]:
        verdict = judge(position, lines=8)
        seat = position.actor
        assert {move.move for move in verdict.moves} == set(candidates(position))
        assert verdict.moves[0].loss == 0
        for move in verdict.moves:
            assert move.loss == pytest.approx(verdict.moves[0].win[seat] - move.win[seat])
        losses = [move.loss for move in verdict.moves]
        assert losses == sorted(losses)


def test_a_position_is_worth_what_it_was_after_the_move_that_led_to_it() -> None:
    """Within a round the lines of a move are those of the position after it."""
    position = decisions("industry", 3, Phase.SETTLE)[4]
    asked = Judge(position.board, lines=16)
    move = position.legal_moves[0]
    after, _ = play(position, move)
    assert np.array_equal(asked.outcomes(position, move).wins, asked.outcomes(after).wins)


def test_a_finished_game_is_worth_its_result() -> None:
    over = played_positions("industria", 3)[-1]
    verdict = judge(over, lines=8)
    assert verdict.exact and not verdict.moves
    winners = over.winners()
    assert [seat.win for seat in verdict.seats] == [
        1 / len(winners) if seat in winners else 0 for seat in range(3)
    ]
    assert [seat.points for seat in verdict.seats] == [
        over.breakdown(seat).points for seat in range(3)
    ]


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_solved_endings_are_exact_and_name_the_best_move(edition: str, players: int) -> None:
    """The judge and the solver of the bots agree on the best move of every solved ending."""
    asked = 0
    for position in played_positions(edition, players)[-40:]:
        if position.is_over or position.draw_due:
            continue
        runner = CompiledRunner(position.board)
        worths = runner.solve(position, NODES)
        verdict = judge(position, lines=2)
        assert verdict.exact == (worths is not None)
        if worths is not None:
            asked += 1
            seat = position.actor
            best = max(worth[seat] for worth in worths.values())
            named = verdict.moves[0]
            assert worths[code_of(named.move)][seat] == pytest.approx(best, abs=1e-9)
            assert all(move.loss_se == 0 for move in verdict.moves)
    assert asked >= 3


def test_within_a_block_every_token_comes_equally_often_at_every_place() -> None:
    start = played_positions("industry", 4)[0]
    orders = Judge(start.board, lines=2 * BLOCK)._dealt(start, 2 * BLOCK)
    for block in (orders[:BLOCK], orders[BLOCK:]):
        for era in range(5):
            for place in range(12):
                assert sorted(block[:, era, place].tolist()) == list(range(12))
    assert not np.array_equal(orders[:BLOCK], orders[BLOCK:])


def test_lines_draw_only_what_is_in_the_bag() -> None:
    position = next(p for p in played_positions("industry", 4) if 0 < len(p.bag) < 12)
    orders = Judge(position.board, lines=BLOCK)._dealt(position, BLOCK)
    era = position.state.era
    bag = {field % 12 for field in position.bag}
    assert {int(column) for column in orders[:, era].reshape(-1)} == bag


def test_opposite_opinions_cancel_out() -> None:
    opinions = reference_opinions(0, 4)
    weights = reference_weights(0, 4)
    assert len(opinions) == OPINIONS
    product = opinions[0::2] * opinions[1::2]
    assert np.allclose(product, weights[None] ** 2, rtol=1e-5)
    assert not np.allclose(opinions[0], weights)


def test_ordered_lines_are_unbiased() -> None:
    """Rotated draws and all opinions in turn give what independent lines give, within errors."""
    position = decisions("industria", 3, Phase.OFFER)[12]
    ordered = Judge(position.board, lines=768, seed=1).outcomes(position)
    asked = Judge(position.board, lines=768, seed=2)
    rng = np.random.default_rng(GENERATOR_WORDS)
    plain = asked._dealt(position, 768)
    bag = {field % 12 for field in position.bag}
    for line in range(768):
        for era in range(position.state.era, 5):
            columns = sorted(bag) if era == position.state.era else range(12)
            if columns:
                order = rng.permutation(columns)
                plain[line, era] = [*order, *[order[0]] * (12 - len(order))]
    free = asked.outcomes(position)
    error = np.hypot(ordered.wins.std(axis=0) / np.sqrt(768), free.wins.std(axis=0) / np.sqrt(768))
    assert (np.abs(ordered.win - free.win) <= 3 * error + 1e-9).all()


@pytest.mark.parametrize("lines", [0, 1, -5, 10**9])
def test_a_number_of_lines_that_proves_nothing_is_refused(lines: int) -> None:
    position = played_positions("industry", 3)[0]
    with pytest.raises(JudgeError, match="number of lines must be from 2"):
        judge(position, lines=lines)


@pytest.mark.parametrize(("edition", "players"), proof.cases(TABLES))
def test_lines_that_are_known_already_change_no_number(edition: str, players: int) -> None:
    """A line of a position whose policy makes a move is a line of that move: to the last bit."""
    used = 0
    for phase in (Phase.OFFER, Phase.BID, Phase.SETTLE, Phase.DEVELOP):
        for position in decisions(edition, players, phase)[5::40]:
            asked = Judge(position.board, lines=48, seed=3)
            known = asked.outcomes(position, None, 0, 40)
            for move in candidates(position):
                played = asked.outcomes(position, move, 16, 48)
                found = asked.outcomes(position, move, 16, 48, known)
                assert np.array_equal(found.wins, played.wins)
                assert np.array_equal(found.points, played.points)
            used += len(set(asked._choices(position, 64).tolist())) > 1
            assert np.array_equal(asked.outcomes(position, known=known).wins[:40], known.wins)
    assert used
