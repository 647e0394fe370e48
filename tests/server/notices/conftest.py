"""A club whose notices reach the receivers of the tests."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from industry.server.notices import notices as notices_module
from industry.server.notices.mail import MailServer
from industry.server.notices.sending import Ways
from industry.server.tuning import wall_clock

from ..playing import RandomPool, Server, served
from .receiving import Mailbox, Receiver, receiving

SITE = "https://games.example.org"
SENDER = "games@example.org"


@dataclass
class Clock:
    """The server's clock, which tests can turn on."""

    ahead: int = 0

    def __call__(self) -> int:
        return wall_clock() + self.ahead


@dataclass
class Scene:
    """A server, and all that its notices can reach."""

    server: Server
    web: Receiver
    post: Mailbox
    clock: Clock = field(default_factory=Clock)

    def sample(self, name: str, **labels: str) -> float:
        return self.server.service.metrics.registry.get_sample_value(name, labels) or 0.0

    def count(self, channel: str, outcome: str = "told") -> float:
        return self.sample("industry_notices_total", channel=channel, outcome=outcome)


def ways_to(post: Mailbox) -> Ways:
    mail = MailServer("127.0.0.1", post.port, "off", sender=SENDER)
    return Ways(mail, contact="host@example.org", public_url=SITE, private=True)


@pytest.fixture
def web() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def post() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    yield mailbox
    mailbox.stop()


def opened(
    database: str, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    monkeypatch.setattr(notices_module, "SCAN", 0.1)
    monkeypatch.setattr(notices_module, "GLANCE", 0.3)
    clock = Clock()
    with served(database, RandomPool(), persons="open", clock=clock, ways=ways_to(post)) as server:
        yield Scene(server, web, post, clock)


@pytest.fixture
def scenes(
    database: str, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    """A running club on each kind of store."""
    yield from opened(database, web, post, monkeypatch)


@pytest.fixture
def scene(
    tmp_path: Path, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    """A running club, for promises in which the store plays no part."""
    yield from opened(f"sqlite:///{tmp_path / 'tables.db'}", web, post, monkeypatch)
