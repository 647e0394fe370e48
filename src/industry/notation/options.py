"""The options that stand in a game record, by edition (rulings, table L)."""

from collections.abc import Mapping

from industry.engine import Options
from industry.texts import say
from industry.texts.sanitize import quoted

CHOICES: dict[str, tuple[str, str]] = {
    "late_draws": ("recommended", "plain"),
    "claim_afford": ("net", "full_price"),
    "subsidy_timing": ("own_decision", "any_time"),
    "industria_hands": ("open", "closed"),
    "industria_resource_cash": ("off", "on"),
}
"""The values of every rule option, the default first."""

OF_EDITION: dict[str, tuple[str, ...]] = {
    "industry": ("late_draws", "claim_afford", "subsidy_timing"),
    "industria": ("industria_hands", "industria_resource_cash"),
}


class OptionError(ValueError):
    """An option is unknown, of the other edition, or has an unknown value."""


def complete_options(edition: str, given: Mapping[str, object]) -> dict[str, str]:
    """Returns all options of the edition: the given ones, checked, and defaults for the rest."""
    names = OF_EDITION[edition]
    for name, value in given.items():
        if name not in CHOICES:
            raise OptionError(say("option.unknown", option=quoted(name), known=", ".join(names)))
        if name not in names:
            raise OptionError(
                say("option.edition", option=name, edition=edition, known=", ".join(names))
            )
        if value not in CHOICES[name]:
            allowed = ", ".join(CHOICES[name])
            raise OptionError(
                say("option.value", option=name, value=quoted(value), allowed=allowed)
            )
    return {name: str(given.get(name, CHOICES[name][0])) for name in names}


def rule_options(options: Mapping[str, str]) -> Options:
    """Returns the options that the engine takes. Closed hands change only what people see."""
    return Options(
        plain_draws=options.get("late_draws") == "plain",
        full_price=options.get("claim_afford") == "full_price",
        any_time=options.get("subsidy_timing") == "any_time",
        resource_cash=options.get("industria_resource_cash") == "on",
    )
