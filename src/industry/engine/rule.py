"""Every rule is one function with one citation, and every function of the rules is registered here.

`rule` marks a function that states a rule of the game: it names the rulebook section, the rulings
and the faults that only this rule reports. `helper` marks a helper. Both leave the function
unchanged; `compiled` reads the registry when the compiled rules are first used.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .faults import Fault

Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Rule:
    """The citation of a rule: stable id, rulebook section, rulings, faults."""

    id: str
    section: str
    rulings: tuple[str, ...]
    faults: tuple[Fault, ...]
    promise: str


RULES: dict[str, Rule] = {}
RULE_OF_FAULT: dict[Fault, Rule] = {}
FUNCTIONS: list[Callable[..., object]] = []
COMPILED_BODIES: dict[Callable[..., object], Callable[..., object]] = {}
"""The function compiled in place of another, where they differ."""
ENTRY_POINTS: list[Callable[..., object]] = []


def rule(
    id: str, section: str, *rulings: str, faults: tuple[Fault, ...] = ()
) -> Callable[[Function], Function]:
    """Registers the function as the only place of a rule."""

    def register(function: Function) -> Function:
        if id in RULES:
            raise ValueError(f"rule {id} is written twice")
        promise = (function.__doc__ or "").strip().split("\n")[0]
        cited = Rule(id, section, rulings, faults, promise)
        RULES[id] = cited
        for fault in faults:
            if fault in RULE_OF_FAULT:
                raise ValueError(f"fault {fault.name} belongs to two rules")
            RULE_OF_FAULT[fault] = cited
        return helper(function)

    return register


def helper(function: Function) -> Function:
    """Registers a helper of the rules."""
    FUNCTIONS.append(function)
    return function


def compiled_as(body: Callable[..., object]) -> Callable[[Function], Function]:
    """Registers another function to replace this one in the compiled rules."""

    def register(function: Function) -> Function:
        COMPILED_BODIES[function] = body
        return helper(function)

    return register


def entry_point(function: Function) -> Function:
    """Registers a loop over arrays of records: an entry point of the compiled rules."""
    ENTRY_POINTS.append(function)
    return helper(function)
