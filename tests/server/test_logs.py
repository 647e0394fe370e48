"""Logs: one JSON object per line, and nothing in them that opens a door."""

import io
import json
import logging
import secrets
import time
from collections.abc import Iterator
from typing import Any

import pytest

from industry.server import logs
from industry.server.bag import FairBag, new_secret
from industry.server.logs import HIDDEN, log_error, log_event, without_secrets
from industry.server.tokens import TokenKeys

NAMES = ("", "industry", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What is logged; afterwards logging is as it was."""
    loggers = [logging.getLogger(name) for name in NAMES]
    before = [(log.handlers[:], log.level, log.propagate, log.disabled) for log in loggers]
    written = io.StringIO()
    logs.set_up("info", written)
    yield written
    logging.captureWarnings(False)
    for log, (handlers, level, propagate, disabled) in zip(loggers, before, strict=True):
        log.handlers[:] = handlers
        log.setLevel(level)
        log.propagate, log.disabled = propagate, disabled


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_line_with_time_level_name_and_values(stream: io.StringIO) -> None:
    log_event("table_made", table="abcdefghijkl", seats=4, attended=True, clock=None)
    (line,) = lines(stream)
    assert line["at"].endswith("Z")
    del line["at"]
    assert line == {
        "level": "info",
        "event": "table_made",
        "table": "abcdefghijkl",
        "seats": 4,
        "attended": True,
        "clock": None,
    }


def test_line_breaks_and_strange_letters_stay_in_one_line(stream: io.StringIO) -> None:
    log_event("name", name="Zoë\n{}\u2028\x1b[31m")
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().isascii()
    assert lines(stream)[0]["name"] == "Zoë\n{}\u2028\x1b[31m"


def test_an_error_tells_its_kind_and_places_but_no_values(stream: io.StringIO) -> None:
    token = TokenKeys(bytes(32)).token("abcdefghijkl", 1, "seed")
    try:
        raise ValueError(f"cannot read {token}")
    except ValueError as error:
        log_error("request_failed", error, table="abcdefghijkl")
    (line,) = lines(stream)
    assert (line["error"], line["text"]) == ("ValueError", f"cannot read {HIDDEN}")
    assert any(place.endswith("no_values") for place in line["places"])
    assert token not in stream.getvalue()


def secrets_of_a_server() -> Iterator[str]:
    key = TokenKeys(new_secret())
    for number in range(300):
        bag = FairBag(new_secret(), [secrets.token_hex(8)])
        yield key.token("abcdefghijkl", 1, str(number))
        yield bag.revealed_secret
        yield bag.era_key(1)
        yield secrets.token_urlsafe(16)


def test_no_token_and_no_key_survives_in_a_log(stream: io.StringIO) -> None:
    """Random texts of 22 letters and more; a few of the shortest kind may look like a name."""
    kept = [text for text in secrets_of_a_server() if text in without_secrets(f"got “{text}”")]
    assert len(kept) <= 1
    for secret in ("5d" * 32, "Zm9vYmFyYmF6cXV4MTIzNDU2"):
        logging.getLogger("uvicorn.error").warning("bad header %s", f"Bearer {secret}")
        logging.getLogger("sqlalchemy").error("%s", {"parameters": [secret]})
        assert secret not in stream.getvalue()


def test_passwords_of_databases_are_hidden_and_the_rest_stays() -> None:
    said = without_secrets("postgresql://bo:tiger@db.example.org/games is lost")
    assert said == f"postgresql://bo:{HIDDEN}@db.example.org/games is lost"


@pytest.mark.parametrize(
    "text",
    [
        "/usr/lib/python3.11/site-packages/industry/server/store/writer.py:77",
        "test_no_token_and_no_key_survives_in_a_log",
        "table abcdefghijkl, version 12",
        "seat 2 cannot bid 2: the highest bid is 3 (auction.bid.higher, Phase 3)",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert without_secrets(text) == text


def test_a_long_text_costs_no_time() -> None:
    begin = time.thread_time()
    for text in ("a" * 200_000, "-_" * 100_000, "://" * 70_000, "A1" * 100_000):
        without_secrets(text)
    assert time.thread_time() - begin < 5


def test_requests_are_not_logged_one_by_one(stream: io.StringIO) -> None:
    logging.getLogger("uvicorn.access").info("GET /table/abcdefghijkl")
    assert stream.getvalue() == ""
