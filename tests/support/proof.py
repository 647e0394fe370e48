"""What `make proof` (pytest --proof) runs beyond `make test`: more cases, more games, more kills.

A test that takes long is marked with `@pytest.mark.proof` and left out of `make test`; a
representative of it stays there. A test that runs over many cases or many games takes a few of them
in `make test` and all of them in `make proof`: see `cases`, `spread` and `amount`.
"""

from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

_is_on = False


def turn_on() -> None:
    """Turns on everything; called before any test is imported."""
    global _is_on
    _is_on = True


def is_on() -> bool:
    return _is_on


def amount(daily: int, full: int) -> int:
    """Returns how much is done: the first number in `make test`, the second in `make proof`."""
    return full if _is_on else daily


def spread(full: Sequence[Case], step: int) -> Sequence[Case]:
    """Returns all cases in `make proof`, and every `step`-th in `make test`."""
    return full if _is_on else full[::step]


def cases(full: Sequence[Case], daily: int = 1) -> Sequence[Case]:
    """Returns all cases in `make proof`, and the first of them in `make test`."""
    return full if _is_on else full[:daily]
