"""The words of the browser client: its catalogues hold what its sources say, and nothing else."""

import re
from functools import cache
from pathlib import Path

from industry.engine import RULES
from industry.server.clock import DAY, MINUTE, PRESETS, SECOND
from industry.texts import DEFAULT, catalogue

from .test_catalogues import BROWSER, files

SOURCES = Path(__file__).parents[2] / "web" / "src"
NOT_SHIPPED = {"fixtures", "gallery"}
KEY = re.compile(
    r"""(['`])((?:web|pages|rulebook|editor|lesson|daily|reviews|orders|ratings|club|cups|notices)"""
    r"""\.[^'`\s]+)\1"""
)
"""A key as the sources write it: whole, or with `${values}` in it."""
RULEBOOK_KEY = re.compile(r"""\btext\((['`])([^'`]+)\1\)""")
"""The rulebook's own function leaves out the name of its catalogue."""
VARIANTS = {"both", "industry", "industria"}


@cache
def named() -> frozenset[str]:
    """All keys in the sources; a value within a key is written `*`."""
    found = set()
    for path in SOURCES.rglob("*.*"):
        is_source = path.suffix in (".ts", ".svelte") and not path.name.endswith(".test.ts")
        if not is_source or NOT_SHIPPED & set(path.parts):
            continue
        text = path.read_text("utf-8")
        keys = {key for _, key in KEY.findall(text)}
        keys |= {f"rulebook.{key}" for _, key in RULEBOOK_KEY.findall(text)}
        found |= {re.sub(r"\$\{[^}]*\}", "*", key) for key in keys}
    return frozenset(found)


def matching(pattern: str) -> set[str]:
    expression = re.escape(pattern).replace(r"\*", r"[^.]+")
    return {key for key in browser_keys() if re.fullmatch(expression, key)}


@cache
def browser_keys() -> frozenset[str]:
    return frozenset(key for name in BROWSER for key in files(DEFAULT)[name])


def rule_keys() -> set[str]:
    return {key for key in browser_keys() if key.startswith("rulebook.rule.")}


def test_every_word_of_the_browser_is_used() -> None:
    used = {key for pattern in named() for key in matching(pattern)}
    assert browser_keys() - used - rule_keys() == set()


def test_every_key_that_the_browser_names_has_words() -> None:
    rules_of_all = {"rulebook.rule.*.*", "rulebook.rule.*.both"}
    assert {pattern for pattern in named() - rules_of_all if not matching(pattern)} == set()


def test_every_rule_of_the_engine_has_words_and_no_other_has() -> None:
    told: dict[str, set[str]] = {}
    for key in rule_keys():
        rule, variant = key.removeprefix("rulebook.rule.").rsplit(".", 1)
        told.setdefault(rule, set()).add(variant)
    assert set(told) == set(RULES)
    for rule, variants in told.items():
        assert variants <= VARIANTS, rule
        assert variants == {"both"} or "both" not in variants, rule


def test_the_documented_clock_presets_are_the_real_ones() -> None:
    live, days = PRESETS["live"], PRESETS["days"]
    assert live is not None and days is not None
    told = catalogue(DEFAULT)
    assert f"{live.allowance // SECOND} seconds" in told["pages.option.clock.live"]
    assert f"{live.reserve // MINUTE} minutes" in told["pages.option.clock.live"]
    assert f"{days.allowance // DAY} days" in told["pages.option.clock.days"]
