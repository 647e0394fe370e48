"""Web Push messages: encrypted for one device (RFC 8291), signed by this server (RFC 8292)."""

import base64
import hashlib
import json
import os
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many private keys the curve has, and one more."""
RECORD = 4096
"""The size of a record; a message is a single one."""
SIGNED_FOR = 12 * 3600
"""Seconds for which a push service accepts a signature; at most a day."""


class BadSubscription(ValueError):
    """Keys of a device that no message can be encrypted with."""


def encoded(data: bytes) -> str:
    """Returns base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_keys(public: str, auth: str) -> None:
    """Raises `BadSubscription` unless these are the keys of a device."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(public))
        is_whole = len(decoded(auth)) == 16
    except ValueError:
        raise BadSubscription("not a point of the curve") from None
    if not is_whole:
        raise BadSubscription("not 16 bytes")


def encrypt(
    text: bytes,
    public: bytes,
    auth: bytes,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Returns a message that only the device with these keys can read.

    `own` and `salt` are new for each message, except in tests.
    """
    own, salt = own or ec.generate_private_key(CURVE), salt or os.urandom(16)
    device = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public)
    sender = public_bytes(own)
    shared = _derived(own.exchange(ec.ECDH(), device), auth, b"WebPush: info\0" + public + sender)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, text + b"\2", None)


def _derived(secret: bytes, salt: bytes, info: bytes, size: int = 32) -> bytes:
    return HKDF(hashes.SHA256(), size, salt, info).derive(secret)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class PushKeys:
    """The key pair by which push services recognize this server."""

    def __init__(self, seed: bytes, contact: str) -> None:
        """The same `seed` gives the same keys. `contact` is where push services can complain."""
        number = int.from_bytes(hashlib.sha512(b"push" + seed).digest(), "big")
        self._private = ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)
        self._contact = contact
        self.public = encoded(public_bytes(self._private))
        """What a browser needs in order to subscribe."""

    def headers(self, endpoint: str, topic: str, seconds: int, now: int) -> dict[str, str]:
        """Returns the headers of a message, which the service keeps for this many seconds.

        A newer message of the same topic replaces one that was not delivered yet.
        """
        return {
            "authorization": f"vapid t={self._signed(endpoint, now)}, k={self.public}",
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(seconds),
            "topic": topic,
            "urgency": "high",
        }

    def _signed(self, endpoint: str, now: int) -> str:
        parts = urlsplit(endpoint)
        claims: dict[str, object] = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": now // 1000 + SIGNED_FOR,
        }
        if self._contact:
            claims["sub"] = self._contact
        words = [{"typ": "JWT", "alg": "ES256"}, claims]
        text = ".".join(encoded(json.dumps(word).encode()) for word in words)
        signature = self._private.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(signature)
        return f"{text}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def topic_of(*words: object) -> str:
    """Returns a topic that tells the push service nothing."""
    return encoded(hashlib.sha256("/".join(map(str, words)).encode()).digest()[:18])
