"""What clients send through the socket of a table.

A socket belongs to one table. It begins with `hello`. Commands change the table: they carry an id
and the version that their author saw. Questions change nothing and are answered at once.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import (
    MAX_CHAT,
    MAX_LINE,
    CommandId,
    Emote,
    FieldId,
    Language,
    Model,
    SeatNumber,
    Token,
)
from .orders import AskOrders, SetOrders


class Hello(Model):
    """The first message. Without tokens the socket only watches."""

    type: Literal["hello"] = "hello"
    protocol: int
    tokens: Annotated[list[Token], Field(max_length=4)] = []
    """One per seat that is played at this screen."""
    version: int | None = None
    """The last version this client has; the answer then holds only what is missing."""
    language: Language = "en"
    choices: bool = False
    """Whether the private part should say what each legal move would bring."""


class Command(Model):
    """Base of all commands; a repeated id gets the first answer again."""

    id: CommandId
    seat: SeatNumber
    version: int
    """The version that the author saw; a command for an older one is refused as stale."""


class PlayMove(Command):
    type: Literal["move"] = "move"
    line: Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE)]


class Undo(Command):
    type: Literal["undo"] = "undo"


class Leave(Command):
    """Leave the seat: before the start it becomes open, later it is played for."""

    type: Literal["leave"] = "leave"


class Resign(Command):
    """Leave for good; the result will say so."""

    type: Literal["resign"] = "resign"


class Return(Command):
    """Take one's seat back from the stand-in."""

    type: Literal["return"] = "return"


class StandIn(Command):
    """Have a stand-in decide for somebody who has not for too long; the host or a majority does."""

    type: Literal["stand_in"] = "stand_in"
    target: SeatNumber


class AskWhy(Model):
    """Why a move is not allowed; answered by `why`."""

    type: Literal["ask_why"] = "ask_why"
    id: CommandId
    line: Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE)]


class AskField(Model):
    """What a field is, and what it is worth to each seat now; answered by `field`."""

    type: Literal["ask_field"] = "ask_field"
    id: CommandId
    field: FieldId


class AskSteps(Model):
    """The steps after a version, at most 500, from 0 on; answered by `steps`."""

    type: Literal["ask_steps"] = "ask_steps"
    id: CommandId
    after: int


class Say(Model):
    """A line of chat or an emote, for everyone at the table; not part of the log."""

    type: Literal["say"] = "say"
    id: CommandId
    seat: SeatNumber
    text: Annotated[str, StringConstraints(max_length=MAX_CHAT)] = ""
    emote: Emote | None = None
    """Instead of a text."""


class Hurry(Model):
    """Whether bots should answer at once here; not answered. They do where all who play wish it."""

    type: Literal["hurry"] = "hurry"
    on: bool


class Ping(Model):
    type: Literal["ping"] = "ping"
    id: CommandId


ClientMessage = Annotated[
    Hello
    | PlayMove
    | Undo
    | Leave
    | Resign
    | Return
    | StandIn
    | AskWhy
    | AskField
    | AskSteps
    | SetOrders
    | AskOrders
    | Say
    | Hurry
    | Ping,
    Field(discriminator="type"),
]
