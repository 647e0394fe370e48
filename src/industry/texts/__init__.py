"""The texts for players in each language: sentences under stable keys, with named values.

A catalogue is the folder of its language: JSON files that are read as one tree; the browser's build
reads the same files. An entry is a sentence with `{names}` in it, or a table of plural forms chosen
by the value of `count`.
"""

import json
from functools import lru_cache
from importlib.resources import files

LANGUAGES = ("en", "de", "fr")
DEFAULT = "en"


class UnknownText(KeyError):
    """No catalogue entry has this key."""


@lru_cache
def catalogue(language: str) -> dict[str, str | dict[str, str]]:
    """Returns all entries of a language by dotted key."""
    if language not in LANGUAGES:
        raise UnknownText(f"there is no language {language}; known: {', '.join(LANGUAGES)}")
    found: dict[str, str | dict[str, str]] = {}
    for file in files(__package__).joinpath(language).iterdir():
        if file.name.endswith(".json"):
            _flatten(json.loads(file.read_text(encoding="utf-8")), "", found)
    return found


def _flatten(node: dict[str, object], prefix: str, found: dict[str, str | dict[str, str]]) -> None:
    for key, value in node.items():
        path = f"{prefix}{key}"
        if isinstance(value, str):
            found[path] = value
        elif isinstance(value, dict) and set(value) == {"one", "other"}:
            found[path] = {form: str(text) for form, text in value.items()}
        elif isinstance(value, dict):
            _flatten(value, f"{path}.", found)


def plural_form(language: str, count: int) -> str:
    """Returns `one` or `other`: French counts 0 as one, English and German do not."""
    if language == "fr":
        return "one" if abs(count) < 2 else "other"
    return "one" if abs(count) == 1 else "other"


def say(key: str, language: str = DEFAULT, /, **values: object) -> str:
    """Returns the sentence for a key, with its values filled in."""
    entry = catalogue(language).get(key)
    if entry is None:
        raise UnknownText(key)
    if isinstance(entry, dict):
        count = values.get("count")
        entry = entry[plural_form(language, count if isinstance(count, int) else 0)]
    return entry.format(**values)


def has(key: str, language: str = DEFAULT) -> bool:
    """Returns whether the catalogue has an entry for the key."""
    return key in catalogue(language)
