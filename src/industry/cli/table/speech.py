"""The table's words: one language, one board."""

from collections.abc import Iterable
from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import Event, Refusal
from industry.engine.vocabulary import ANY_RESOURCE
from industry.notation import explain, sentence
from industry.notation.explain import field_name, listing, source_name, what_is_wrong
from industry.texts import say

from .paper import hold

SHORT = 3
"""A resource or network is shortened to so many letters where room is scarce."""


@dataclass(frozen=True)
class Speech:
    """What is said about a board in one language. Seats, fields and resources count from 0."""

    board: BoardSpec
    language: str

    def say(self, key: str, /, **values: object) -> str:
        return hold(say(key, self.language, **values))

    def talers(self, count: int) -> str:
        return self.say("talers", count=count)

    def points(self, count: int) -> str:
        return self.say("points", count=count)

    def seat(self, seat: int) -> str:
        return self.say("seat", seat=seat + 1)

    def field(self, field: int) -> str:
        """Id and name."""
        return hold(field_name(self.board, field, self.language))

    def kind(self, field: int) -> str:
        """The kind of a field; Industria has raw materials where Industry has jokers."""
        kind = self.board.field(field).kind
        if kind == "joker" and self.board.edition == "industria":
            return self.say("picture.raw_material")
        return self.say(f"kind.{kind}")

    def name(self, field: int) -> str:
        return hold(self.board.field(field).name[self.language])

    def resource(self, resource: int) -> str:
        name = "any" if resource == ANY_RESOURCE else self.board.resources[resource]
        return self.say(f"resource.{name}")

    def short_resource(self, resource: int) -> str:
        """`Sto` for stone; the «?» joker is `?`."""
        return "?" if resource == ANY_RESOURCE else shortened(self.resource(resource))

    def network(self, name: str) -> str:
        return self.say(f"network.{name}")

    def listing(self, items: Iterable[str], joint: str = "and") -> str:
        return hold(listing(items, self.language, joint))

    def sentence(self, event: Event) -> str:
        """What happened."""
        return hold(sentence(event, self.board, self.language))

    def explain(self, refusal: Refusal) -> str:
        """Why a move is refused."""
        return hold(explain(refusal, self.board, self.language))

    def what_is_wrong(self, refusal: Refusal) -> str:
        """The refusal without remedy and rule."""
        return hold(what_is_wrong(refusal, self.board, self.language))

    def source(self, source: int) -> str:
        return hold(source_name(source, self.language))


def shortened(word: str) -> str:
    return word[:SHORT].capitalize()
