"""Formats numbers and names in the reader's language."""

from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.notation.options import CHOICES
from industry.texts import say

from .data import Group

SHORT = 22
"""How many letters of a name fit into a picture."""


@dataclass(frozen=True)
class Words:
    """Formats numbers and names in one language."""

    language: str

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def number(self, value: float, decimals: int = 1, *, sign: bool = False) -> str:
        text = f"{value:{'+' if sign else ''},.{decimals}f}".replace("-", "−")
        if self.language == "de":
            return text.translate(str.maketrans(",.", ".,"))
        if self.language == "fr":
            return text.replace(",", "\u202f").replace(".", ",")
        return text

    def tick(self, value: float) -> str:
        """Returns a number for an axis, with no more decimals than it needs."""
        text = f"{value:.4f}".rstrip("0")
        return self.number(value, len(text.partition(".")[2]))

    def percent(self, share: float, decimals: int = 0, *, sign: bool = False) -> str:
        gap = {"en": "", "de": "\u00a0", "fr": "\u202f"}[self.language]
        return f"{self.number(100 * share, decimals, sign=sign)}{gap}%"

    def range(self, low: str, high: str) -> str:
        return say("lab.range", self.language, low=low, high=high)

    def field(self, board: BoardSpec, name: str, *, short: bool = True) -> str:
        """Returns id and name of a field."""
        text = f"{name} {board.field(name).name[self.language]}"
        return text if not short or len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"

    def group(self, group: Group, others: list[Group]) -> str:
        """Returns what distinguishes a group from the others: edition, players, and more."""
        parts = [
            say(f"edition.{group.board.edition}", self.language),
            say("report.players", self.language, count=group.players),
        ]
        if (
            len({other.board.hash for other in others}) > 1
            and group.board.id != group.board.edition
        ):
            parts.append(self.say("lab.board", name=group.board.id))
        parts += [
            f"{name} = {value}"
            for name, value in group.options.items()
            if value != CHOICES[name][0]
        ]
        if len({other.source for other in others}) > 1:
            parts.append(group.source)
        return ", ".join(parts)
