"""A recorded game dropped into the folder is a test: README.md says how to add one."""

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from industry.engine import Cash, Kind, Phase, Status, Token
from industry.engine.constants import BANK, COLUMNS, FIELDS
from industry.engine.events import TalersMoved
from industry.notation import record_from_toml, verify, write_move
from industry.notation.options import CHOICES, OF_EDITION
from tests.independent import referee
from tests.support import proof

from .replays import (
    BOARDS,
    GAMES,
    ReplayedMove,
    board_path,
    frozen_board,
    golden_names,
    golden_replay,
    golden_text,
)
from .situations import SITUATIONS, Situation
from .situations.register import is_joker, sources
from .transcripts import DIGESTS, SHOWN, first_shown, shown_text, transcript, transcript_path

ROOT = Path(__file__).parents[2]

each_game = pytest.mark.parametrize("name", golden_names())


def stored(path: Path) -> str:
    """What `make golden` wrote last."""
    assert path.exists(), f"{path.name} is missing: run `make golden` and review what it writes"
    return path.read_text(encoding="utf-8")


@each_game
def test_a_golden_game_is_complete_and_right_in_everything_it_claims(name: str) -> None:
    record = record_from_toml(golden_text(name))
    assert record.result is not None
    assert verify(record, frozen_board(record.board)) is None


@each_game
def test_the_independent_referee_finds_nothing_wrong(name: str) -> None:
    record = tomllib.loads(golden_text(name))
    board = referee.load_board(board_path(record["board"]))
    assert referee.check_record(record, board) is None


@each_game
def test_the_independent_referee_sees_the_same_game_after_every_line(name: str) -> None:
    replay = golden_replay(name)
    record = replay.record
    other = referee.Game(
        referee.load_board(board_path(record.board)),
        len(record.players),
        record.starting_player,
        dict(record.options),
    )
    for step in replay.steps:
        legal = sorted(write_move(move, replay.board) for move in step.before.legal_moves)
        assert legal == other.legal(), f"before line {step.number}"
        other.play(step.line)
        state, seats = step.after.state, range(step.after.state.players)
        seen = other.state()
        assert [state.talers[seat] for seat in seats] == seen["talers"], step.number
        assert [state.points[seat] for seat in seats] == seen["points"], step.number
        assert state.era + 1 == seen["era"], step.number
        assert (step.after.actor + 1 or None) == seen["actor"], step.number


@each_game
def test_talers_are_conserved_after_every_move(name: str) -> None:
    replay = golden_replay(name)
    for step in replay.steps:
        state = step.after.state
        assert sum(state.talers) + state.bank == 0, step.number
        assert min(state.talers) >= 0, step.number


@each_game
def test_events_tell_of_every_taler_that_moves(name: str) -> None:
    replay = golden_replay(name)
    purses = Counter({BANK: 0})
    for event in replay.events:
        if isinstance(event, TalersMoved):
            purses[event.source] -= event.amount
            purses[event.target] += event.amount
    state = replay.end.state
    assert [purses[seat] for seat in range(state.players)] == state.talers[: state.players]
    assert purses[BANK] == state.bank


@each_game
def test_a_field_once_won_keeps_its_owner(name: str) -> None:
    for step in golden_replay(name).steps:
        before, after = step.before.state, step.after.state
        for field in range(FIELDS):
            assert (after.owner[field] < 0) == (after.status[field] == Status.FREE), step.number
            if before.owner[field] >= 0:
                assert after.owner[field] == before.owner[field], step.number


@each_game
def test_tokens_are_in_the_bag_face_up_or_face_down_with_their_field_gone(name: str) -> None:
    for step in golden_replay(name).steps:
        state = step.after.state
        for field in range(FIELDS):
            era, column = divmod(field, COLUMNS)
            gone = state.tokens[column] == Token.FACE_DOWN if era == state.era else era < state.era
            assert gone == (state.owner[field] >= 0), step.number
        if state.phase in (Phase.DRAW, Phase.DEVELOP, Phase.OVER):
            assert Token.FACE_UP not in state.tokens, step.number


@each_game
def test_jokers_leave_the_game_only_by_being_used_or_cashed(name: str) -> None:
    used = 0
    for step in golden_replay(name).steps:
        board, state = step.after.board, step.after.state
        used += jokers_used(step)
        assert state.status.count(Status.SPENT) == used, step.number
        for field in range(FIELDS):
            on_hand = state.status[field] in (Status.HELD, Status.SPENT)
            owned = state.owner[field] >= 0
            assert on_hand == (owned and board.kind[field] == Kind.JOKER), step.number


def jokers_used(step: ReplayedMove) -> int:
    return isinstance(step.move, Cash) + sum(map(is_joker, sources(step)))


@each_game
def test_the_transcript_is_the_one_that_was_reviewed(name: str) -> None:
    assert transcript(golden_replay(name)) == stored(transcript_path(name))


def test_every_transcript_has_its_game() -> None:
    assert [path.stem for path in sorted(GAMES.glob("*.txt"))] == golden_names()


def test_every_golden_board_is_played_on() -> None:
    played = {golden_replay(name).record.board for name in golden_names()}
    assert {path.stem for path in BOARDS.iterdir()} == played


def test_each_combination_of_edition_players_and_rule_options_has_a_game() -> None:
    played = {
        (record.edition, len(record.players), tuple(record.options.values()))
        for record in (golden_replay(name).record for name in golden_names())
    }
    for edition, names in OF_EDITION.items():
        for players, *values in product((3, 4), *(CHOICES[name] for name in names)):
            assert (edition, players, tuple(values)) in played


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_some_golden_game_shows(situation: Situation) -> None:
    assert any(first_shown(situation, name) for name in golden_names()), situation.sentence


def test_the_list_of_situations_says_where_they_are() -> None:
    assert shown_text() == stored(SHOWN)


@each_game
def test_every_position_is_the_one_that_was_reached_before(name: str) -> None:
    assert golden_replay(name).digest() == json.loads(stored(DIGESTS))[name]


@pytest.mark.parametrize("hash_seed", proof.cases(["random", "0", "1"]))
def test_a_replay_is_exact_in_another_process_and_with_any_hash_seed(hash_seed: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.golden.transcripts", "--digests"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == stored(DIGESTS)
