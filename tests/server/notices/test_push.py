"""Messages to devices: encrypted as RFC 8291 says, signed as RFC 8292 says."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from industry.server.notices.push import (
    BadSubscription,
    PushKeys,
    check_keys,
    decoded,
    encoded,
    encrypt,
    public_bytes,
    topic_of,
)

from .receiving import Device, Receiver, claims_of

RFC_8291 = {
    "text": "When I grow up, I want to be a watermelon",
    "own": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    "public": (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    ),
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "message": (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
        "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
        "lcy4a-fN"
    ),
}
"""The example in section 5 of the RFC."""
NOW = 1_800_000_000_000


def test_the_example_of_the_rfc_comes_out_byte_for_byte() -> None:
    number = int.from_bytes(decoded(RFC_8291["own"]), "big")
    message = encrypt(
        RFC_8291["text"].encode(),
        decoded(RFC_8291["public"]),
        decoded(RFC_8291["auth"]),
        own=ec.derive_private_key(number, ec.SECP256R1()),
        salt=decoded(RFC_8291["salt"]),
    )
    assert encoded(message) == RFC_8291["message"]


def test_no_two_messages_are_alike(web: Receiver) -> None:
    device, text = Device(web), json.dumps({"title": "Your turn"}).encode()
    one, other = (encrypt(text, device.public, device.auth) for _ in range(2))
    assert one != other
    assert device.read(one) == device.read(other) == {"title": "Your turn"}


def test_a_push_service_recognizes_the_server_and_whom_to_complain_to() -> None:
    keys = PushKeys(b"seed", "mailto:host@example.org")
    headers = keys.headers("https://push.example.com:8443/abc?d=e", "topic", 60, NOW)
    assert claims_of(headers["authorization"], keys.public) == {
        "aud": "https://push.example.com:8443",
        "exp": NOW // 1000 + 12 * 3600,
        "sub": "mailto:host@example.org",
    }
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["ttl"] == "60"


def test_all_processes_of_a_server_have_the_same_keys() -> None:
    assert PushKeys(b"seed", "").public == PushKeys(b"seed", "").public
    assert PushKeys(b"seed", "").public != PushKeys(b"other", "").public


def test_a_topic_fits_and_tells_nothing() -> None:
    topic = topic_of("abcdefghijkl", 1, "turn")
    assert len(topic) <= 32
    assert "abcdefghijkl" not in topic
    assert topic != topic_of("abcdefghijkl", 2, "turn")


@pytest.mark.parametrize("fault", ["short", "not on the curve", "auth", "letters"])
def test_keys_that_nothing_can_be_encrypted_with_are_refused(fault: str) -> None:
    public = encoded(public_bytes(ec.generate_private_key(ec.SECP256R1())))
    auth = encoded(bytes(16))
    check_keys(public, auth)
    bad = {
        "short": (public[:40], auth),
        "not on the curve": (encoded(b"\x04" + bytes(64)), auth),
        "auth": (public, encoded(bytes(8))),
        "letters": ("!" * 87, auth),
    }[fault]
    with pytest.raises(BadSubscription):
        check_keys(*bad)
