"""The engine takes nothing from outside: no clock, no chance, no machine; equal games are equal."""

import os
import random
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from industry.engine import Develop, Position, play, start
from industry.notation import read_move, record_from_toml
from industry.notation.options import rule_options
from tests.golden.replays import Replay, golden_names, golden_replay, golden_text

OUTSIDE: dict[object, tuple[str, ...]] = {
    random: ("random", "randrange", "randint", "choice", "choices", "shuffle", "sample", "seed"),
    random.Random: ("random", "randrange", "randint", "choice", "shuffle", "sample", "seed"),
    time: ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "sleep", "localtime"),
    uuid: ("uuid1", "uuid4"),
    os: ("urandom", "getpid", "getrandom", "getenv"),
    secrets: ("token_bytes", "token_hex", "randbelow", "choice"),
}


class Outside(AssertionError):
    """The engine asked the clock, chance or the machine."""


@contextmanager
def trapped() -> Iterator[None]:
    """Asking for the time, a random number or the machine raises `Outside`."""

    def trap(*_: object, **__: object) -> None:
        raise Outside

    with pytest.MonkeyPatch.context() as patch:
        for place, names in OUTSIDE.items():
            for name in names:
                original = getattr(place, name, None)
                if original is None:
                    continue  # os.getrandom is not there on every system
                patch.setattr(place, name, trap)
                for module, alias in aliases(original):
                    patch.setattr(module, alias, trap)
        yield


def aliases(original: object) -> list[tuple[object, str]]:
    """Where engine modules hold the function under a name of their own."""
    return [
        (module, alias)
        for name, module in list(sys.modules.items())
        if name.startswith("industry.engine")
        for alias, value in vars(module).items()
        if value is original
    ]


def digests(replay: Replay) -> list[str]:
    """Play the game by the engine alone, asking it everything that it answers on the way."""
    record = replay.record
    position = start(
        replay.board.rules,
        len(record.players),
        record.starting_player - 1,
        rule_options(record.options),
    )
    found = [position.digest()]
    for line in record.moves:
        ask(position)
        position, _ = play(position, read_move(line, replay.board))
        found.append(position.digest())
    return found


def ask(position: Position) -> None:
    for seat in range(position.state.players):
        position.legal_moves_of(seat)
        position.breakdown(seat)
        position.refusal(Develop(seat, 0))
    position.winners()


@pytest.mark.parametrize(
    "ask_outside",
    [
        lambda: random.random(),
        lambda: random.Random(1),
        lambda: time.time(),
        lambda: uuid.uuid4(),
        lambda: os.urandom(1),
        lambda: secrets.token_hex(),
    ],
)
def test_the_trap_catches_every_question(ask_outside: Callable[[], object]) -> None:
    with trapped(), pytest.raises(Outside):
        ask_outside()


def one_per_board_and_table() -> list[str]:
    """A golden game for each board and number of players."""
    found: dict[tuple[str, int], str] = {}
    for name in golden_names():
        record = record_from_toml(golden_text(name))
        found.setdefault((record.board, len(record.players)), name)
    return list(found.values())


@pytest.mark.parametrize("name", one_per_board_and_table())
def test_a_whole_game_asks_neither_clock_nor_chance_nor_machine(name: str) -> None:
    replay = golden_replay(name)
    before = [replay.start.digest(), *(step.after.digest() for step in replay.steps)]
    with trapped():
        assert digests(replay) == before
