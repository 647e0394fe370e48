"""What notices reach in the tests: a push service with devices, a mail server, webhooks."""

import base64
import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.ports import free_port
from tests.support.waiting import wait_until

from ..playing import Json


@dataclass
class Call:
    path: str
    headers: dict[str, str]
    body: bytes
    status: int

    def json(self) -> Json:
        found: Json = json.loads(self.body)
        return found


class Receiver:
    """A web server that answers with 201, or as it is told for a path."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.statuses: dict[str, int] = {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status = receiver.statuses.get(self.path, 201)
                receiver.calls.append(Call(self.path, headers, body, status))
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Nobody reads it."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def at(self, path: str) -> list[Call]:
        return [call for call in self.calls if call.path == path]

    def taken(self, path: str) -> list[Call]:
        """The calls that were answered with yes."""
        return [call for call in self.at(path) if call.status < 300]

    def wait_for(self, path: str, count: int = 1) -> list[Call]:
        wait_until(lambda: len(self.at(path)) >= count, lambda: f"{len(self.at(path))} calls came")
        return self.at(path)


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.http.shutdown()
        receiver.http.server_close()


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Device:
    """A browser with keys of its own, as RFC 8291 describes it; the service only stores."""

    service: Receiver
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: uuid.uuid4().bytes)
    path: str = field(default_factory=lambda: f"/push/{uuid.uuid4().hex}")

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def wish(self, **more: Any) -> Json:
        """What the page sends of a `PushSubscription`."""
        return {
            "kind": "push",
            "endpoint": self.service.url + self.path,
            "p256dh": encoded(self.public),
            "auth": encoded(self.auth),
            **more,
        }

    def read(self, body: bytes) -> Json:
        """Decrypts a message: section 3.4 of RFC 8291 and section 2 of RFC 8188, read backwards."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, text = body[21 : 21 + length], body[21 + length :]
        assert len(text) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\x00" + self.public + sender
        secret = derived(self.private.exchange(ec.ECDH(), point), self.auth, info, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\x00", 12)
        plain = AESGCM(key).decrypt(nonce, text, None)
        assert plain.endswith(b"\x02")
        found: Json = json.loads(plain[:-1])
        return found

    @property
    def messages(self) -> list[Json]:
        return [self.read(call.body) for call in self.service.taken(self.path)]

    def wait_for(self, count: int = 1) -> list[Json]:
        wait_until(lambda: len(self.messages) >= count, lambda: f"{len(self.messages)} came")
        return self.messages


def derived(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    return HKDF(hashes.SHA256(), size, salt, info).derive(secret)


def claims_of(authorization: str, key: str) -> Json:
    """Checks the signature of a message's sender as a push service does; its claims."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid" and parts["k"] == key
    head, body, signature = parts["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = decoded(signature)
    numbers = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    signed = encode_dss_signature(*numbers)
    point.verify(signed, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    found: Json = json.loads(decoded(body))
    return found


class Mailbox:
    """A mail server that keeps what it gets; it knows no mailbox of the given names."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.unknown: set[str] = set()
        self.busy: set[str] = set()
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_RCPT(  # noqa: N802 -- the library's name
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if address in self.unknown:
            return "550 5.1.1 no such mailbox"
        if address in self.busy:
            return "450 4.2.1 later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.mails += [(address, message) for address in envelope.rcpt_tos]
        return "250 OK"

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for to, mail in self.mails if to == address]

    def wait_for(self, address: str, count: int = 1) -> list[EmailMessage]:
        wait_until(lambda: len(self.to(address)) >= count, "no mail came")
        return self.to(address)

    def code(self, address: str) -> str:
        """The code in the first mail to an address."""
        return str(self.wait_for(address)[0]["subject"])[:6]

    def stop(self) -> None:
        self._controller.stop()
