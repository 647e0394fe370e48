"""Sends one notice through one channel."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

import httpx

from ..hooks import PER_HOST, signature
from ..logs import log_event
from ..outgoing import TIMEOUT, BadHook, PublicClient, SparedHosts, check_hook
from ..store.notices import Channel, Notice
from ..tokens import TokenKeys
from .mail import Mail, MailFailed, MailGone, MailServer
from .push import PushKeys, decoded, encrypt, topic_of
from .words import Words, mail_text, webhook_body

Outcome = Literal["told", "gone", "failed"]
"""Told; never again, because the channel does not exist any more; not this time."""
KEPT = 7 * 24 * 3600
"""Seconds for which a push service keeps a message for a device that is off."""
PUSHES_PER_HOST = 600
"""Messages per minute to one push service: there are few of them, and each serves many people."""
MAIL_TIMEOUT = 45.0
GONE = (404, 410)
HOOK_GONE = {"webhook": (410,), "discord": GONE, "slack": GONE}


@dataclass(frozen=True, slots=True)
class Ways:
    """How this server can reach people, as its operator has set it."""

    mail: MailServer = field(default_factory=MailServer)
    contact: str = ""
    public_url: str = ""
    private: bool = False
    """Whether push services and webhooks may be in private networks."""

    @property
    def push_contact(self) -> str:
        """What push services are told, as a URL."""
        contact = self.contact or self.public_url
        return f"mailto:{contact}" if "@" in contact else contact


@dataclass(frozen=True, slots=True)
class Message:
    """A notice in words, and how many turns wait for its reader."""

    notice: Notice
    words: Words
    waiting: int | None = None


class Sender:
    """The ways out of this server."""

    def __init__(self, ways: Ways, keys: TokenKeys) -> None:
        self.ways = ways
        self.keys = PushKeys(keys.push_seed(), ways.push_contact)
        self._tokens = keys
        self._client = PublicClient(private=ways.private)
        self._hooks = SparedHosts(PER_HOST)
        self._pushes = SparedHosts(PUSHES_PER_HOST)

    async def close(self) -> None:
        await self._client.close()

    async def send(self, channel: Channel, message: Message, now: int) -> Outcome:
        """Sends a message; what goes wrong is logged without saying whose channel it is."""
        try:
            if channel.kind == "mail":
                return await self._mail(channel, message, now)
            return await self._post(channel, message, now)
        except MailGone:
            return self._failed("gone", channel, "mailbox")
        except (BadHook, MailFailed) as error:
            return self._failed("failed", channel, str(error))
        except (httpx.HTTPError, OSError, TimeoutError, ValueError) as error:
            return self._failed("failed", channel, type(error).__name__)

    async def _mail(self, channel: Channel, message: Message, now: int) -> Outcome:
        words = message.words
        subject = f"{words.title}: {words.body}" if message.notice.table else words.title
        url, proof = self.ways.public_url, self._tokens.unsubscribing(channel.id)
        page = f"{url}/unsubscribe/{channel.id}#{proof}" if url else ""
        route = f"{url}/api/notices/unsubscribe/{channel.id}/{proof}" if url else ""
        text = mail_text(words, channel.language, page)
        async with asyncio.timeout(MAIL_TIMEOUT):
            await self.ways.mail.send(Mail(channel.address, subject, text, route), now / 1000)
        return "told"

    async def _post(self, channel: Channel, message: Message, now: int) -> Outcome:
        check_hook(channel.address)
        is_push = channel.kind == "push"
        spared = self._pushes if is_push else self._hooks
        if spared.is_spared(urlsplit(channel.address).hostname or "", now):
            return self._failed("failed", channel, "too many at once")
        body, headers = (self._push if is_push else self._hook)(channel, message, now)
        async with asyncio.timeout(2 * TIMEOUT):
            status = await self._client.post(channel.address, body, headers)
        if 200 <= status < 300:
            return "told"
        is_gone = status in HOOK_GONE.get(channel.kind, GONE)
        return self._failed("gone" if is_gone else "failed", channel, str(status))

    def _push(self, channel: Channel, message: Message, now: int) -> tuple[bytes, dict[str, str]]:
        notice, words = message.notice, message.words
        topic = topic_of(notice.table, notice.place, notice.kind)
        content = {
            "title": words.title,
            "body": words.body,
            "tag": topic,
            "path": f"/table/{notice.table}" if notice.table else "/",
            "waiting": message.waiting,
        }
        keys = json.loads(channel.secret)
        text = json.dumps(content).encode()
        body = encrypt(text, decoded(keys["p256dh"]), decoded(keys["auth"]))
        return body, self.keys.headers(channel.address, topic, KEPT, now)

    def _hook(self, channel: Channel, message: Message, now: int) -> tuple[bytes, dict[str, str]]:
        notice = message.notice
        body = webhook_body(notice, channel, message.words)
        headers = {"content-type": "application/json"}
        if channel.kind == "webhook":
            delivery = f"{notice.table}-{notice.place}-{notice.kind}-{notice.number}"
            headers["industry-signature"] = signature(channel.secret, body)
            headers["industry-delivery"] = delivery
        return body, headers

    def _failed(self, outcome: Outcome, channel: Channel, why: str) -> Outcome:
        log_event("notice_failed", channel=channel.kind, outcome=outcome, cause=why)
        return outcome
