"""Promises of what is learned from siblings: the worth of positions between rounds."""

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from industry.arena.one_thread import VARIABLES, WorkError, in_one_thread
from industry.arena.train_net import Course, learn
from industry.boards import load_board
from industry.bots.features import SPREAD as SPREAD_PLACE
from industry.bots.features import STAGES, WIDTH, Stage
from industry.bots.judged import training
from industry.bots.judged.gather import SIBLINGS, Siblings, gather_siblings, lesson_of
from industry.bots.judged.linear import fitted_rows, revalued
from industry.bots.judged.training import (
    Lesson,
    Training,
    beside_siblings,
    explained,
    flattened,
    standardised,
    train_net,
)
from industry.bots.lookahead import SPREAD
from industry.bots.net import FIRST, OUTPUTS, SEAT_INPUTS, SECOND, SHARED_INPUTS, WIN
from industry.bots.opinions import reference_weights
from industry.bots.round_ends import (
    RoundEndsError,
    included_round_ends,
    judged_round_ends,
    net_size,
    with_rows,
)
from industry.bots.scratch import Scratch
from industry.engine import ERAS, Options, Phase, play, start
from industry.engine.compiled import compiled_rules, dtype_of, record_of
from industry.notation import SeededBag

from .test_bots import TABLES

BOARD = load_board("industria")
PLAYERS = 3
INPUTS = PLAYERS * SEAT_INPUTS + SHARED_INPUTS


def siblings(count: int = 12) -> Siblings:
    return gather_siblings(BOARD, PLAYERS, "siblings", 0, count)


def between_rounds(games: int) -> Siblings:
    """Positions between the rounds of random games, with results that mean nothing."""
    found = []
    for number in range(games):
        rng = Random(number)
        position = start(BOARD.rules, PLAYERS, 0, Options())
        while not position.is_over:
            if position.phase == Phase.DRAW:
                found.append(record_of(position.state))
                position = play(position, SeededBag(f"net {number}").draw(position))[0]
            else:
                position = play(position, rng.choice(position.legal_moves))[0]
    results = np.zeros((len(found), PLAYERS), dtype=np.float32)
    return Siblings(np.arange(len(found)), np.concatenate(found), results, results)


def imagined(groups: int) -> Lesson:
    """Siblings whose seats win more often the more of one thing they have."""
    rng = np.random.default_rng(1)
    inputs = rng.standard_normal((4 * groups, INPUTS)).astype(np.float32)
    strength = inputs[:, 5 : PLAYERS * SEAT_INPUTS : SEAT_INPUTS]
    return Lesson(
        np.repeat(np.arange(groups), 4),
        inputs,
        np.zeros((4 * groups, PLAYERS), dtype=np.float32),
        training.chances(2.0 * strength),
        10.0 * strength,
    )


@pytest.mark.proof
def test_the_same_seed_makes_the_same_siblings() -> None:
    one, two = siblings(), siblings()
    assert all(
        np.array_equal(one.states[name], two.states[name]) for name in one.states.dtype.names or ()
    )
    assert np.array_equal(one.wins, two.wins)
    later = gather_siblings(BOARD, PLAYERS, "siblings", 6, 6)
    assert np.array_equal(one.wins[one.groups >= 6], later.wins)


@pytest.mark.proof
def test_siblings_are_positions_between_rounds_of_which_some_differ() -> None:
    made = siblings()
    assert (made.states["phase"] == 0).all()
    assert np.allclose(made.wins.sum(axis=1), 1.0, atol=1e-5)
    counts = np.unique(made.groups, return_counts=True)[1]
    assert ((counts >= 2) & (counts <= SIBLINGS)).all()
    assert np.abs(beside_siblings(made.groups, made.points)).max() > 1.0
    totals = made.states["talers"].sum(axis=1) + made.states["bank"]
    assert (totals == 0).all()


def test_the_compiled_net_answers_as_the_trained_one() -> None:
    made = between_rounds(3)
    lesson, means, divisors = standardised(lesson_of(BOARD, made))
    trained = Training(PLAYERS, 1)
    rng = np.random.default_rng(2)
    for weight in trained.weights:
        weight += 0.1 * rng.standard_normal(weight.shape).astype(np.float32)
    seen = training.views(lesson.inputs, PLAYERS).reshape(-1, INPUTS)
    wanted = trained.answers(seen)[2].reshape(-1, PLAYERS, OUTPUTS)
    net = flattened(trained.weights, means, divisors)
    assert net.shape == (net_size(PLAYERS),)
    answers = np.zeros((len(made.states), PLAYERS, OUTPUTS), dtype=np.float32)
    compiled_rules().answer_leaves(
        record_of(BOARD.rules),
        made.states,
        reference_weights(int(BOARD.rules.edition), PLAYERS),
        net,
        np.zeros(1, dtype=dtype_of(Scratch)),
        np.zeros(INPUTS, dtype=np.float32),
        np.zeros(OUTPUTS + FIRST + SECOND, dtype=np.float32),
        answers,
    )
    assert answers == pytest.approx(wanted, abs=1e-3)
    assert np.ptp(answers[:, :, WIN]) > 0.1


def test_fitted_weights_explain_what_features_cause() -> None:
    """With chances that follow the features exactly, held-back siblings are explained too."""
    lesson = imagined(300)
    truth = np.zeros((ERAS, WIDTH))
    truth[:, :SPREAD_PLACE] = np.random.default_rng(3).standard_normal((ERAS, SPREAD_PLACE)) / 2
    seen = revalued(lesson, truth)
    lesson = replace(lesson, wins=training.chances(seen.linear / SPREAD))
    weights = with_rows(np.zeros((ERAS * STAGES, WIDTH)), np.zeros((ERAS, WIDTH)))
    rows = fitted_rows(lesson, weights)
    held = lesson.part(lesson.is_held)
    won = training.chances(revalued(held, rows).linear / SPREAD)
    assert explained(held, won) > 0.99
    assert (rows[:, SPREAD_PLACE] == 0.0).all()


def test_a_net_learns_what_makes_siblings_differ() -> None:
    *_, (reached, _) = train_net(imagined(800), seed=1, epochs=12, batch=64)
    assert reached > 0.8


def test_the_same_seed_trains_the_same_net() -> None:
    nets = [net for _ in range(2) for _, net in train_net(imagined(100), 3, epochs=2, batch=16)]
    assert np.array_equal(nets[1], nets[3])
    assert not np.array_equal(nets[0], nets[1])


def test_the_number_of_threads_does_not_change_the_net(monkeypatch: pytest.MonkeyPatch) -> None:
    made = between_rounds(40)
    results = np.random.default_rng(1).random(made.wins.shape).astype(np.float32)
    made = Siblings(made.groups // 3, made.states, results, 50 * results)
    nets = []
    for threads in ("1", "2"):
        monkeypatch.setenv(VARIABLES[0], threads)
        *_, (_, _, net) = learn(Course(BOARD, PLAYERS, 0, 2, "threads"), made)
        nets.append(net)
        assert os.environ[VARIABLES[0]] == threads
    assert np.array_equal(nets[0], nets[1])


def fail_after(count: int) -> Iterator[int]:
    yield from range(count)
    os._exit(3)


def test_training_whose_process_dies_is_not_taken_for_done() -> None:
    found: list[int] = []
    with pytest.raises(WorkError, match="exit code 3"):
        found.extend(in_one_thread(fail_after, 2))


def test_what_siblings_have_in_common_explains_nothing() -> None:
    lesson = imagined(50)
    common = np.repeat(lesson.wins[::4], 4, axis=0)
    assert explained(lesson, common) == pytest.approx(0.0, abs=1e-6)
    assert explained(lesson, lesson.wins) == 1.0


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_every_table_has_values_from_the_judge_that_fit_it(edition: str, players: int) -> None:
    table = int(load_board(edition).rules.edition), players
    ends, included = judged_round_ends(*table), included_round_ends(*table)
    changed = (ends.weights != included.weights).any(axis=1)
    assert changed.any()
    assert {row % STAGES for row in np.flatnonzero(changed)} == {Stage.BETWEEN_ROUNDS}
    assert ends.net.shape in ((0,), (net_size(players),))
    assert np.isfinite(ends.weights).all() and np.isfinite(ends.net).all()
    assert len(judged_round_ends(*table, has_net=False).net) == 0


def test_values_for_other_features_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("industry.bots.round_ends.WIDTH", 7)
    with pytest.raises(RoundEndsError, match="train it again"):
        judged_round_ends.__wrapped__(1, 3)
