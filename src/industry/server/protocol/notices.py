"""Requests and answers about notices: where somebody wants to be told that it is their turn.

Only the holder of a seat's link, or the person, sees any of it.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import Language, Millis, Model
from .club import Label

ChannelKind = Literal["push", "mail", "webhook", "discord", "slack"]
ChannelId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{16}$")]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{16,120}=*$")]
Address = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Minute = Annotated[int, Field(ge=0, le=1439)]


class NoticeWays(Model):
    """What this server can do."""

    key: str
    """The server's public key, for subscribing a device."""
    mail: bool


class NewDevice(Model):
    """A browser that has subscribed to push messages."""

    kind: Literal["push"]
    endpoint: Address
    p256dh: Key
    auth: Key
    label: Label = "browser"
    """What the person calls the device."""
    language: Language = "en"
    spare: bool = False
    """Told only if another channel has failed, or there is none."""


class NewMail(Model):
    """A mail address; it is used once its reader has confirmed the code that is sent there."""

    kind: Literal["mail"]
    address: Address
    language: Language = "en"
    spare: bool = True


class NewCall(Model):
    """A webhook: our own form, which is signed, or what Discord or Slack read."""

    kind: Literal["webhook", "discord", "slack"]
    url: Address
    language: Language = "en"
    spare: bool = False


NewChannel = Annotated[NewDevice | NewMail | NewCall, Field(discriminator="kind")]


class ConfirmMail(Model):
    code: Annotated[str, StringConstraints(pattern=r"^[0-9]{6}$")]


class Channel(Model):
    """A device, a mail address or a webhook of the person who asks."""

    id: ChannelId
    kind: ChannelKind
    label: str
    """The name of a device, a mail address, or the host of a webhook."""
    digest: str
    """SHA-256 of the address, by which a browser recognizes itself."""
    spare: bool
    confirmed: bool
    created: Millis


class NightHours(Model):
    """No notices from `begin` to `end`, in minutes after midnight; both the same: always told."""

    begin: Minute
    end: Minute
    zone: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_+/-]{1,64}$")]
    """A time zone such as `Europe/Berlin`."""


class OwnNotices(Model):
    """All that somebody has subscribed."""

    channels: list[Channel]
    night: NightHours | None = None


class ChannelAdded(Model):
    channel: Channel
    secret: str | None = None
    """Signs the calls of a webhook in our own form; only this answer has it."""


class TestSent(Model):
    """Whether the channel took a test message; one that is gone was removed."""

    outcome: Literal["told", "gone", "failed"]
