"""The words of a game: one language, one board."""

from collections.abc import Iterable
from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import ANY_RESOURCE, Event, Refusal
from industry.notation import explain, sentence
from industry.notation.explain import field_name, join_words, seat_name, source_name, what_is_wrong
from industry.texts import say

from .encoding_output import hold

SHORT = 3
"""Resources and networks are shortened to this many letters where space is scarce."""


@dataclass(frozen=True)
class Speech:
    """Everything said about a board in one language. Seats, fields and resources count from 0."""

    board: BoardSpec
    language: str
    names: tuple[str, ...] = ()
    """What the players are called; without names they are called by their seats."""

    def say(self, key: str, /, **values: object) -> str:
        return hold(say(key, self.language, **values))

    def talers(self, count: int) -> str:
        return self.say("talers", count=count)

    def points(self, count: int) -> str:
        return self.say("points", count=count)

    def seat(self, seat: int) -> str:
        return hold(seat_name(seat, self.language, self.names))

    def field(self, field: int) -> str:
        """Returns id and name."""
        return hold(field_name(self.board, field, self.language))

    def kind(self, field: int) -> str:
        """Returns the kind of a field; Industria has raw materials where Industry has jokers."""
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
        """Returns `Sto` for stone; the «?» joker is `?`."""
        return "?" if resource == ANY_RESOURCE else shortened(self.resource(resource))

    def network(self, name: str) -> str:
        return self.say(f"network.{name}")

    def join_words(self, items: Iterable[str], joint: str = "and") -> str:
        return hold(join_words(items, self.language, joint))

    def sentence(self, event: Event) -> str:
        """Says what happened."""
        return hold(sentence(event, self.board, self.language, self.names))

    def explain(self, refusal: Refusal) -> str:
        """Says why a move is refused."""
        return hold(explain(refusal, self.board, self.language, self.names, to_you=True))

    def what_is_wrong(self, refusal: Refusal) -> str:
        """Returns the refusal without remedy and rule."""
        return hold(what_is_wrong(refusal, self.board, self.language, self.names, to_you=True))

    def source(self, source: int) -> str:
        return hold(source_name(source, self.language, self.names))


def shortened(word: str) -> str:
    return word[:SHORT].capitalize()
