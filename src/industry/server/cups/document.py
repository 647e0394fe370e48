"""A cup as the database keeps it: one JSON document without anything personal."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from industry.cups import Cup, Entrant, Game, Result, Round, Rules

Json = dict[str, Any]
HOUR = 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Terms:
    """What the creator has decided, besides the rules of the core."""

    name: str
    edition: str
    clock: str
    places: int
    hours: int
    starts: int | None
    house: str
    after: str | None
    ended: bool = False
    """No further round begins."""


@dataclass(frozen=True, slots=True)
class StoredCup:
    """A cup with its row in the database."""

    id: str
    status: str
    created: int
    revision: int
    secret: str
    """Hexadecimal digits; published when the cup is over."""
    owner: str | None
    """The person who created it, unless they were deleted."""
    terms: Terms
    cup: Cup

    @property
    def commitment(self) -> str:
        return commitment_of(bytes.fromhex(self.secret))

    def bag_secret(self, number: int) -> bytes:
        """Returns the secret of the bag of a duplicate round."""
        return round_secret(self.secret, number, self.cup.entrants)

    @property
    def is_full(self) -> bool:
        return len(self.cup.active()) >= self.terms.places

    def due(self, held: Round) -> int | None:
        """Returns when a round must be over and the next one begins; None without a schedule."""
        if not self.terms.hours or self.cup.rules.format == "evening":
            return None
        return held.begun + self.terms.hours * HOUR

    def document(self) -> str:
        """Returns what is stored besides the columns."""
        body = {
            "terms": asdict(self.terms),
            "rules": asdict(self.cup.rules),
            "entrants": [asdict(one) for one in self.cup.entrants],
            "rounds": [asdict(held) for held in self.cup.rounds],
            "plan": [[asdict(game) for game in games] for games in self.cup.plan],
        }
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class CupRound:
    """What a table of a cup belongs to, for people."""

    cup: str
    """The name of the cup."""
    number: int | None
    """Of the round; None in an evening, which has none."""


def stored_cup(row: Any) -> StoredCup:
    """Reads a row of the database."""
    body = json.loads(row.document)
    entrants = tuple(Entrant(**one) for one in body["entrants"])
    cup = Cup(
        Rules(**body["rules"]),
        seating_seed(row.secret, entrants),
        entrants,
        tuple(_round(held) for held in body["rounds"]),
        tuple(tuple(_game(game) for game in games) for games in body["plan"]),
    )
    terms = Terms(**body["terms"])
    fixed = (row.id, row.status, row.created, row.revision, row.secret, row.owner)
    return StoredCup(*fixed, terms, cup)


def _round(data: Json) -> Round:
    return Round(data["number"], tuple(_game(game) for game in data["games"]), data["begun"])


def _game(data: Json) -> Game:
    found = data["result"]
    result = found and Result(**{name: tuple(values) for name, values in found.items()})
    return replace(Game(**(data | {"seats": tuple(data["seats"])})), result=result)


# What follows from the secret of a cup and what its players have added


def commitment_of(secret: bytes) -> str:
    """Returns what is published of a secret in advance."""
    return f"sha256:{hashlib.sha256(secret).hexdigest()}"


def seating_seed(secret: str, entrants: Sequence[Entrant]) -> str:
    """Returns the seed of all seatings; it changes with each entrant until a cup starts."""
    return _derived(secret, "seating", entrants).hex()


def round_secret(secret: str, number: int, entrants: Sequence[Entrant]) -> bytes:
    """Returns the secret of the bag that all tables of a duplicate round have."""
    return _derived(secret, f"round {number}", entrants)


def _derived(secret: str, purpose: str, entrants: Sequence[Entrant]) -> bytes:
    lines = [f"industry-cup-1 {purpose}", *(one.addition for one in entrants)]
    return hmac.digest(bytes.fromhex(secret), "\n".join(lines).encode(), "sha256")
