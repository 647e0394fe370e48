"""Suggestions for misspelt words."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns a question to follow an error message: ` Did you mean “simulate”?`, or nothing."""
    found = get_close_matches(word.lower(), list(known), n=1, cutoff=0.7)
    return f" Did you mean “{found[0]}”?" if found else ""
