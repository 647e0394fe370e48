"""Checks names of people: visible, without hidden characters, distinguishable at one table."""

import re
import secrets
import unicodedata

from industry.texts.sanitize import UNPRINTABLE

from .errors import Refused
from .protocol.base import MAX_PLAYER_NAME

JOINERS = "\u200c\u200d\ufe0f"
"""Some scripts and emoji need these between their characters."""
BLANK = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]"
)
"""Invisible characters of any category."""
ALIAS_LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
"""No vowels, and nothing that looks like something else."""
MOST_MARKS = 3
"""Accents on one letter."""

_LIKE = str.maketrans(
    {
        **dict(zip("АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ", "abeslJkmhopctyxaeslJopcyxhdqw", strict=True)),
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ", "abezhlkmnoptyxalkvopu", strict=True)),
        **dict.fromkeys("Ii1l|ıℓǀ", "l"),
        "0": "o",
    }
)
"""Letters of other alphabets, and digits, that look like a Latin letter."""


class BadName(ValueError):
    """A name that cannot be shown."""


def clean(name: str, most: int = MAX_PLAYER_NAME) -> str:
    """Normalizes a name or another short text for one line; raises `BadName`."""
    name = unicodedata.normalize("NFC", name.strip())
    if len(name) > most or UNPRINTABLE.search(name) or BLANK.search(name):
        raise BadName(name)
    kinds = [unicodedata.category(letter) for letter in name]
    if not any(kind[0] not in "CZM" for kind in kinds) or "Co" in kinds or "Cn" in kinds:
        raise BadName(name)
    marks = 0
    for place, kind in enumerate(kinds):
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        hidden = kind == "Cf" and name[place] not in JOINERS
        if hidden or marks > MOST_MARKS or (place == 0 and name[0] in JOINERS):
            raise BadName(name)
    return name


def likeness(name: str) -> str:
    """Returns a key for what people see of a name: names with the same key look the same."""
    seen = unicodedata.normalize("NFKC", name)
    seen = "".join(letter for letter in seen if letter not in JOINERS and not letter.isspace())
    return unicodedata.normalize("NFKC", seen.translate(_LIKE).casefold()).translate(_LIKE)


def new_alias() -> str:
    """Returns the name that a log uses for a person's seat; it reveals nothing about them."""
    return f"Player {''.join(secrets.choice(ALIAS_LETTERS) for _ in range(5))}"


def clean_name(name: str) -> str:
    """Normalizes a player's name; raises `Refused`."""
    try:
        return clean(name)
    except BadName:
        raise Refused("bad_name") from None
