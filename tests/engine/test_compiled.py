"""One source of rules, run two ways: compiled and interpreted never differ."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import industry
from industry.arena import Plan, play_batch
from industry.boards import load_board
from industry.bots.loops import decide_greedy
from industry.engine import Position, State
from industry.engine.compiled import (
    CACHE_VARIABLE,
    Compiled,
    compiled_rules,
    from_record,
    generators,
    new_moves,
    record_of,
    sources,
)
from industry.engine.constants import NOBODY, Phase
from industry.engine.dispatch import apply_move, list_moves, new_move_list
from industry.engine.move_codes import ACTIONS, DRAW
from industry.engine.playout import random_draw, random_step
from industry.engine.rule import ENTRY_POINTS
from tests.support import proof

from .openings import TABLES, opening

PACKAGE = Path(industry.__file__).parent

pytestmark = pytest.mark.machine_code


def compare_games(rules: Compiled, edition: str, players: int, games: int) -> None:
    """Step through games both ways; every state, every list of moves, every score is equal."""
    board = load_board(edition).rules
    boards = record_of(board)
    words = generators(f"compare {edition} {players}", games)
    fast_moves = new_moves()[0]
    moves = new_move_list()
    for number in range(games):
        position = opening(edition, players, number)
        state = position.state.copy()
        records = record_of(state)
        columns = [(name, records[name]) for name, _, _ in State.layout]
        generator = words[number].tolist()
        while state.phase != Phase.OVER:
            actor = state.actor
            count = list_moves(board, state, actor, moves)
            assert rules.legal(boards, records, 0, actor, fast_moves) == count
            assert fast_moves[:count].tolist() == moves[:count]
            code = random_step(board, state, generator, moves)
            assert rules.fault_of(boards, records, 0, actor, code) == 0
            rules.apply(boards, records, 0, actor, code)
            for name, column in columns:
                assert column[0].tolist() == getattr(state, name), name
        compare_scores(rules, boards, records, Position(board, state), players)


def compare_scores(
    rules: Compiled, boards: np.ndarray, records: np.ndarray, end: Position, players: int
) -> None:
    parts = np.zeros((1, players, 6), dtype=np.int64)
    winners = np.zeros((1, players), dtype=np.bool_)
    rules.score_games(boards, records, parts, winners)
    for seat in range(players):
        assert parts[0, seat].sum() == end.breakdown(seat).points
    assert tuple(np.flatnonzero(winners[0])) == end.winners()


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_every_state_of_a_game_is_equal_compiled_and_interpreted(
    edition: str, players: int
) -> None:
    compare_games(compiled_rules(), edition, players, proof.amount(10, 200))


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_machine_code_reads_and_writes_no_array_out_of_its_bounds() -> None:
    """The compiler checks every index; it needs more than a minute for that, and keeps nothing."""
    rules = Compiled(boundscheck=True)
    for edition, players in TABLES:
        compare_games(rules, edition, players, 20)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_simulated_games_do_not_depend_on_the_way_the_rules_run(edition: str, players: int) -> None:
    plan = Plan(load_board(edition), players, {}, 7, 12, record=True, legal_counts=True)
    assert play_batch(plan, fast=True).records == play_batch(plan, fast=False).records


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_batch_step_plays_the_same_games_as_single_steps(edition: str, players: int) -> None:
    rules = compiled_rules()
    board = load_board(edition).rules
    boards = record_of(board)
    games = 16
    states = np.concatenate([record_of(opening(edition, players, n).state) for n in range(games)])
    plain = [opening(edition, players, n).state.copy() for n in range(games)]
    words = generators("batch", games)
    plain_words = [row.tolist() for row in words]
    for game in range(games):
        code = random_draw(board, plain[game], words[game].tolist())
        rules.apply(boards, states, game, NOBODY, code)
        apply_move(board, plain[game], NOBODY, code)
    moves, counts = new_moves(games), np.zeros(games, dtype=np.int64)
    masks = np.zeros((games, ACTIONS), dtype=np.int8)
    faults = np.zeros(games, dtype=np.int64)
    picker = np.random.default_rng(3)
    rules.batch_legal(boards, states, moves, counts)
    for _ in range(60):
        rules.batch_masks(moves, counts, masks)
        assert (masks.sum(axis=1) == counts).all()
        codes = np.array([moves[g, picker.integers(counts[g])] for g in range(games)])
        assert all(masks[g, codes[g]] for g in range(games))
        assert rules.batch_step(boards, states, codes, words, faults, moves, counts) == 0
        for game in range(games):
            state = plain[game]
            apply_move(board, state, state.actor, int(codes[game]))
            while state.phase == Phase.DRAW:
                apply_move(board, state, NOBODY, random_draw(board, state, plain_words[game]))
            assert from_record(State, states, game) == state


def test_batch_step_refuses_an_illegal_move_and_changes_nothing() -> None:
    rules = compiled_rules()
    board = load_board("industry").rules
    boards = record_of(board)
    states = record_of(opening("industry", 4, 0).state, 3)
    words = generators(1, 3)
    for game in range(3):
        rules.apply(boards, states, game, NOBODY, DRAW + 0b1111)
    before = states.copy()
    moves, counts = new_moves(3), np.zeros(3, dtype=np.int64)
    faults = np.zeros(3, dtype=np.int64)
    rules.batch_legal(boards, states, moves, counts)
    sell_without_a_bid = np.array([1, 1, 1])
    assert rules.batch_step(boards, states, sell_without_a_bid, words, faults, moves, counts) == 3
    assert (faults > 0).all()
    assert (states == before).all()


def test_playouts_from_a_position_leave_it_as_it_was_and_end_games() -> None:
    rules = compiled_rules()
    board = load_board("industry").rules
    first = record_of(opening("industry", 3, 0).state)
    before = first.copy()
    points, wins = np.zeros(4, dtype=np.int64), np.zeros(4)
    scratch = record_of(State())
    decisions = rules.play_out_from(
        record_of(board), first, scratch, generators(5, 50), new_moves()[0], points, wins
    )
    assert (first == before).all()
    assert wins.sum() == pytest.approx(50)
    assert wins[3] == 0
    assert decisions > 50 * 100


def test_a_copied_state_is_equal_and_independent() -> None:
    rules = compiled_rules()
    board = load_board("industria").rules
    states = record_of(opening("industria", 4, 0).state, 2)
    rules.apply(record_of(board), states, 0, NOBODY, DRAW + 0b1111)
    rules.copy_state(states, 1, 0)
    assert (states[0] == states[1]).all()
    rules.apply(record_of(board), states, 0, 0, 5)
    assert states["phase"][0] != states["phase"][1]


def test_machine_code_is_kept_by_the_sources_that_a_loop_reaches() -> None:
    def packages(name: str) -> set[str]:
        loop = next(loop for loop in ENTRY_POINTS if loop.__name__ == name)
        return {path.relative_to(PACKAGE).parts[0] for path in sources(loop)}

    assert packages("play_games") == {"engine"}
    assert packages(decide_greedy.__name__) == {"engine", "bots"}


def test_processes_with_other_packages_share_the_machine_code_of_the_rules(tmp_path: Path) -> None:
    def folders(*packages: str) -> dict[str, str]:
        script = "\n".join(
            [
                *(f"import industry.{package}.loops" for package in packages),
                "from industry.engine.compiled import ENTRY_POINTS, cache_folder",
                "for loop in ENTRY_POINTS: print(loop.__name__, cache_folder(loop))",
            ]
        )
        environment = {**os.environ, CACHE_VARIABLE: str(tmp_path)}
        command = [sys.executable, "-c", script]
        printed = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout
        return dict(line.split(" ", 1) for line in printed.splitlines())

    rules, more = folders(), folders("bots", "envs")
    assert rules.items() < more.items()
    assert more["decide_greedy"] != more["play_games"]
