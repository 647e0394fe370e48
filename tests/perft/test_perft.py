"""Counts of move sequences from given positions, by the engine and by the independent referee."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from industry.boards import load_board
from industry.engine import Done, Draw, play
from industry.notation import Game, new_game, record_from_data, replay, write_move
from industry.notation.perft import divide, perft
from tests.golden.replays import BOARDS
from tests.independent import referee

from .counting import referee_divide

FILES = sorted(Path(__file__).parent.glob("*.json"))


@dataclass(frozen=True)
class Case:
    """A position, its count, and the same position as the referee has it."""

    game: Game
    referee: referee.Game
    depth: int
    count: int

    def by_first_move(self) -> dict[str, int]:
        counts = divide(self.game.position, self.depth)
        return {write_move(move, self.game.board): count for move, count in counts}


@cache
def case(path: Path) -> Case:
    data = json.loads(path.read_text(encoding="utf-8"))
    record = record_from_data(data["record"])
    board = BOARDS / f"{record.board}.toml"
    game = replay(record, load_board(board), data["at"])
    other = referee.Game(
        referee.load_board(board), len(record.players), record.starting_player, game.options
    )
    for line in record.moves[: data["at"]]:
        other.play(line)
    return Case(game, other, data["depth"], data["count"])


def difference(ours: dict[str, int], theirs: dict[str, int]) -> str:
    """First moves whose counts differ, with the engine's and the referee's side by side."""
    return "\n".join(
        f"{line}: {ours.get(line, 'none')}, referee {theirs.get(line, 'none')}"
        for line in sorted(ours.keys() | theirs.keys())
        if ours.get(line) != theirs.get(line)
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_engine_counts_the_sequences_of_moves(path: Path) -> None:
    counted = perft(case(path).game.position, case(path).depth)
    if counted != case(path).count:
        split = "\n".join(f"{line}: {n}" for line, n in sorted(case(path).by_first_move().items()))
        pytest.fail(f"{counted} sequences instead of {case(path).count}:\n{split}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_programs_agree_after_each_first_move(path: Path) -> None:
    ours = case(path).by_first_move()
    theirs = referee_divide(case(path).referee, case(path).depth)
    assert not (found := difference(ours, theirs)), found
    assert sum(ours.values()) == case(path).count


def test_both_editions_are_counted() -> None:
    assert {case(path).game.board.edition for path in FILES} == {"industry", "industria"}


def test_a_sequence_of_no_moves_is_one() -> None:
    assert perft(new_game(["a", "b", "c"]).position, 0) == 1


@pytest.mark.parametrize(("players", "sets"), [(3, 220), (4, 495)])
def test_each_set_of_drawn_tokens_is_one_move_in_whatever_order(players: int, sets: int) -> None:
    position = new_game(["a", "b", "c", "d"][:players]).position
    draws = [frozenset(move.fields) for move, _ in divide(position, 1) if isinstance(move, Draw)]
    assert perft(position, 1) == len(draws) == len(set(draws)) == sets


def test_nothing_follows_the_end_of_the_game() -> None:
    position = case(Path(__file__).parent / "industry-last-moves.json").game.position
    turns = 0
    while not position.is_over:
        position, _ = play(position, Done(position.actor))
        turns += 1
    assert turns > 1
    assert [perft(position, depth) for depth in (0, 1, 2)] == [1, 0, 0]


def test_counting_changes_nothing() -> None:
    position = case(FILES[0]).game.position
    before = position.digest()
    perft(position, 2)
    assert position.digest() == before
