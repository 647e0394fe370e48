"""A language that is 40 % longer than English, only for tests: it is served in place of French.

The texts of the client and the names of the fields are replaced on their way to the browser.
"""

import json
import math
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Route

TEXTS = Path(__file__).parents[2] / "src" / "industry" / "texts"
FIXTURES = Path(__file__).parents[2] / "web" / "src" / "fixtures"
LONGER = 0.4
ACCENTED = str.maketrans("aeiouAEIOUc", "âéîöüÂÉÎÖÜç")


def lengthened(text: str) -> str:
    """The text with every word longer; names of values in braces stay as they are."""
    parts = re.split(r"(\{\w+\})", text)
    return "".join(part if part.startswith("{") else _longer(part) for part in parts)


def _longer(part: str) -> str:
    return re.sub(r"[^\W\d_]{2,}", lambda found: _longer_word(found[0]), part)


def _longer_word(word: str) -> str:
    if word.isupper():
        return word  # a Roman number or a code
    more = math.ceil(len(word) * LONGER)
    step = max(1, len(word) // more)
    letters = []
    for index, letter in enumerate(word):
        letters.append(letter)
        if more and index % step == step - 1:
            letters.append(letter.lower().translate(ACCENTED))
            more -= 1
    return "".join(letters)


def catalogue(name: str) -> Any:
    """The English texts of this file, lengthened."""

    def walked(value: Any) -> Any:
        if isinstance(value, str):
            return lengthened(value)
        return {key: walked(inner) for key, inner in value.items()}

    return walked(json.loads((TEXTS / "en" / f"{name}.json").read_text(encoding="utf-8")))


def _distinctive(name: str) -> str:
    """A French sentence that only this catalogue contains, as far as it has no special letters."""
    texts: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, str):
            texts.append(value)
        else:
            for inner in value.values():
                walk(inner)

    walk(json.loads((TEXTS / "fr" / f"{name}.json").read_text(encoding="utf-8")))
    plain = [text for text in texts if re.fullmatch(r"[^\"\\`\n\xa0\u202f]+", text)]
    return max(plain, key=len)


def _renamed(text: str) -> str:
    """An answer with a board: the French names of its fields are the lengthened English ones."""

    def walked(value: Any) -> Any:
        if isinstance(value, dict) and {"en", "fr"} <= value.keys():
            return value | {"fr": lengthened(value["en"])}
        if isinstance(value, dict):
            return {key: walked(inner) for key, inner in value.items()}
        return [walked(inner) for inner in value] if isinstance(value, list) else value

    return json.dumps(walked(json.loads(text)))


def speak_longer(context: BrowserContext, static: Path) -> None:
    """From now on French is the longer English, in the pages of this folder."""
    chunks: dict[str, str] = {}
    scripts = {path.name: path.read_text(encoding="utf-8") for path in static.rglob("*.js")}
    for texts in sorted((TEXTS / "fr").glob("*.json")):
        sign = _distinctive(texts.stem)
        holders = [
            name for name, script in scripts.items() if sign in script and len(script) < 60_000
        ]
        if holders:
            words = catalogue(texts.stem)
            lines = [f"export default {json.dumps(words)}"]
            if len(words) == 1:  # one whole catalogue may be imported by its name
                lines += [f"export const {key} = {json.dumps(words[key])}" for key in words]
            chunks[holders[0]] = ";\n".join(lines)
    for fixture in FIXTURES.glob("board-*.json"):
        for name in scripts:
            if name.startswith(f"{fixture.stem}-"):
                board = _renamed(fixture.read_text(encoding="utf-8"))
                chunks[name] = f"export default {board}"

    def replaced(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1].split("?")[0]
        if name in chunks:
            route.fulfill(body=chunks[name], content_type="text/javascript")
        else:
            route.continue_()

    def renamed(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=_renamed(answer.text()))

    context.route("**/assets/*.js", replaced)
    context.route("**/api/boards/**", renamed)
