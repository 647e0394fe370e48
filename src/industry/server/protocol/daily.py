"""The daily deal: what is played today, and the wish to play it."""

from .base import CommandId, DateText, Edition, Millis, Model, PlayerName


class Daily(Model):
    """The deal of a date. Everyone who plays it has this edition, these opponents and this bag."""

    date: DateText
    """In UTC, by the server's clock."""
    edition: Edition
    bots: list[str]
    ends: Millis
    """When the next deal takes its place."""


class DailyWish(Model):
    """Asks for a table with the deal of `date`, which must be today's."""

    id: CommandId
    date: DateText
    name: PlayerName
