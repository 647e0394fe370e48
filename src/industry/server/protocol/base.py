"""What all messages share: strict, frozen models, and the small vocabulary of tables."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PROTOCOL = 2
"""Raised when a client of the version before would misunderstand something."""
MAX_PLAYER_NAME = 24
MAX_LINE = 80
"""The longest line of a record that a player can send."""
MAX_ID = 64
MAX_CHAT = 160
"""Characters of one line of the table's chat."""

SeatNumber = Annotated[int, Field(ge=1, le=4)]
PlayerName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PLAYER_NAME)]
FieldId = Annotated[str, StringConstraints(pattern=r"^[1-5][A-L]$")]
TableId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{12}$")]
PersonId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{12}$")]
CommandId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""Chosen by the client, new for every command; a repeated one gets the first answer again."""
Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22,64}$")]
"""The secret of a seat (or of the table's host): its holder may act for it."""
Randomness = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,64}$")]
"""What a seat adds to the shuffling of the bag."""
DateText = Annotated[str, StringConstraints(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""A date in UTC such as `2026-11-18`, or empty."""
Millis = Annotated[int, Field(ge=0)]
"""Milliseconds; points of time count from 1970 in UTC."""

Language = Literal["en", "de", "fr"]
Edition = Literal["industry", "industria"]
Status = Literal["open", "running", "over", "closed"]
"""A table is open while seats are free or it has not started, then running, then over; it is closed
if nobody came back to it."""
Clock = Literal["none", "live", "days"]
Emote = Literal["hello", "thinking", "well_played", "ouch", "thanks", "good_game"]
"""What can be said at one press; everyone reads it in their own language."""
Zombie = Literal["passive", "bot"]
"""Who plays for an absent seat."""
Patience = Literal["2m", "10m", "1h", "1d", "never"]
"""Without a clock: how long a decision may take before others may seat a stand-in."""


class Model(BaseModel):
    """Unknown keys are refused: a misspelt one would otherwise be ignored in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True)
