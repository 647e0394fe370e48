"""Makes text from files safe to quote in a sentence: short, on one line, harmless to a terminal."""

import re

MAX_SHOWN = 60

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line ends, changes of the writing direction, unpaired surrogates.

The list is written out because `str.isprintable` changes with the version of Python.
"""


def printable(text: str) -> str:
    """Returns the text with every unprintable character escaped."""
    return UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def quoted(value: object) -> str:
    """Returns a value from a file, shortened to fit into a sentence."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, int) and value.bit_length() < 4 * MAX_SHOWN:
        text = str(value)
    else:
        text = f"({type(value).__name__})"
    text = printable(text[: MAX_SHOWN + 1])
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
