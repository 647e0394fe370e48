"""Requests and answers about persons: signing in, the own data, profiles.

A request says who is signed in by a cookie that no script can read.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from .base import Millis, Model, PersonId, PlayerName, SeatNumber, TableId, Token
from .http import LobbyTable

PersonsMode = Literal["off", "open", "invitation"]
"""Whether people can have a name of their own here: nobody, everybody, or those invited."""
Secret = Token
"""Of a personal link, of an invitation, or of a ceremony under way."""
Label = Annotated[str, StringConstraints(min_length=1, max_length=40)]
KeyId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,1400}$")]


class NewPerson(Model):
    """A name for oneself; `invitation` where the club asks for one."""

    name: PlayerName
    invitation: Secret | None = None


class Ceremony(Model):
    """What a browser needs for a passkey, and the name under which the answer is expected."""

    ceremony: Secret
    options: dict[str, Any]


class PasskeyAnswer(Model):
    """What the browser says at the end of a ceremony."""

    ceremony: Secret
    credential: Annotated[dict[str, Any], Field(max_length=20)]
    label: Label = "passkey"
    """What the person calls the device."""


class LinkAnswer(Model):
    """Sign in by the secret of one's personal link."""

    secret: Secret


class Rename(Model):
    name: PlayerName


class Passkey(Model):
    id: KeyId
    label: str
    created: Millis


class Me(Model):
    """The person who is signed in."""

    id: PersonId
    name: str
    created: Millis
    operator: bool
    has_link: bool
    passkeys: list[Passkey]


class SignedIn(Model):
    """Who is signed in; `link` is the new secret of the personal link, shown only once."""

    me: Me
    link: Secret | None = None


class ClubState(Model):
    """What a page must know before anybody signs in."""

    persons: PersonsMode
    cups: bool = False
    """Whether there are cups."""
    passkeys: bool
    """Whether this address can have passkeys: they belong to a name, never to a number."""
    me: Me | None = None


class OwnTable(Model):
    """A seat of the person who asks, with the token to play there from this device."""

    seat: SeatNumber | None
    token: Token
    your_turn: bool
    table: LobbyTable


class OwnTables(Model):
    tables: list[OwnTable]


class Opponent(Model):
    """Somebody the person has often played with."""

    id: PersonId
    name: str
    games: int


class PastGame(Model):
    """A finished game of a person."""

    table: TableId
    ended: Millis
    edition: str
    players: int
    rated: bool
    rank: int
    points: int


class Profile(Model):
    """What everybody may know about a person."""

    id: PersonId
    name: str
    created: Millis
    games: int
    won: int
    opponents: list[Opponent]
    past: list[PastGame]
    """The latest public ones; the person also sees the others."""


class PersonRow(Model):
    """A person as operators see them: no keys, no links."""

    id: PersonId
    name: str
    created: Millis
    seen: Millis
    banned: bool
    operator: bool
    passkeys: int
    has_link: bool
    tables: int


class PersonRows(Model):
    persons: list[PersonRow]


class OperatorWish(Model):
    """What an operator does about a person, or an invitation for a new one."""

    what: Literal["rename", "merge", "ban", "unban", "link", "invite", "delete"]
    person: Annotated[str, StringConstraints(pattern=r"^([a-z0-9]{12})?$")] = ""
    name: Annotated[str, StringConstraints(max_length=24)] = ""
    """The new name."""
    into: Annotated[str, StringConstraints(pattern=r"^([a-z0-9]{12})?$")] = ""
    """Who gets everything of the person."""


class OperatorAnswer(Model):
    """A secret, where one was made; it is shown only once."""

    link: Secret | None = None
    invitation: Secret | None = None
