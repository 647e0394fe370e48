"""Checks how deep the tables of a TOML text go before it is parsed. `tomllib` keeps every prefix of
every dotted key: a key of 32,000 parts, which fits into 64 KB, takes gigabytes. A record needs at
most three parts, so a text with more is not a record.
"""

import re

MOST_PARTS = 3
"""Of a key, such as `result.breakdown.links`."""
MOST_HEADER_PARTS = 2
"""Of a header, such as `[[result.breakdown]]`."""

_PLAIN = re.compile(r"""[^"'#.\n\[\]{},=]+""")
_STRINGS = {  # without possessive repeats, in which Python 3.11.2 overlooks matches
    '"""': re.compile(r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5}', re.DOTALL),
    "'''": re.compile(r"'''[^']*(?:'(?!'')[^']*)*'{3,5}"),
    '"': re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'),
    "'": re.compile(r"'[^'\n]*'"),
}
_COMMENT = re.compile(r"#[^\n]*")


def is_too_deep(text: str) -> bool:
    """Returns whether some key or header has more parts than any key of a record.

    Reads every character once. A string that has no end ends the search too: the parser goes no
    further either.
    """
    place, dots, is_header, line_begins = 0, 0, False, True
    while place < len(text):
        letter = text[place]
        if letter in "\"'":
            kind = text[place : place + 3] if text[place : place + 3] in _STRINGS else letter
            found = _STRINGS[kind].match(text, place)
            if found is None:
                return False
            place = found.end()
        elif letter == "#":
            place = _COMMENT.match(text, place).end()  # type: ignore[union-attr]
            continue
        elif letter == ".":
            dots += 1
            if dots >= (MOST_HEADER_PARTS if is_header else MOST_PARTS):
                return True
            place += 1
        elif plain := _PLAIN.match(text, place):
            place = plain.end()
            line_begins = line_begins and plain[0].isspace()
            continue
        else:
            is_header = letter == "[" and (line_begins or is_header)
            dots, place = 0, place + 1
            line_begins = letter == "\n" or is_header
            continue
        line_begins = False
    return False
