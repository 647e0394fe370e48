"""Writes the operator's log: one JSON object per line, and never a secret.

Seat tokens, bag secrets and keys are long random texts. No code logs them on purpose; whatever
looks like one, such as a library error that repeats its input, is redacted here.
"""

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import IO, Any

LOGGER = "industry.server"
HIDDEN = "[hidden]"

_LONG = re.compile(r"[A-Za-z0-9_-]{20,}")
_PASSWORD = re.compile(r"(?<=://)([^/@\s:]*):[^/@\s]*@")


def without_secrets(text: str) -> str:
    """Redacts everything that might be a token, a key or a password."""
    return _LONG.sub(_blot, _PASSWORD.sub(rf"\1:{HIDDEN}@", text))


def _blot(long: re.Match[str]) -> str:
    """Redacts random text: names of functions and files have hardly any digits or capitals."""
    odd = sum(letter.isdigit() or letter.isupper() for letter in long[0])
    return HIDDEN if odd > 2 else long[0]


def log_event(event: str, level: int = logging.INFO, **values: object) -> None:
    """Logs an event under a stable name with its values."""
    logging.getLogger(LOGGER).log(level, event, extra={"values": values})


def log_error(event: str, error: BaseException, **values: object) -> None:
    """Logs an unexpected error with its traceback locations."""
    logging.getLogger(LOGGER).error(event, exc_info=error, extra={"values": values})


class JsonLines(logging.Formatter):
    """Formats a record as one line: time, level, event, values, and an error's origin."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": without_secrets(record.getMessage()),
        }
        if record.name != LOGGER:
            line["logger"] = record.name
        for name, value in getattr(record, "values", {}).items():
            plain = value if isinstance(value, int | float | bool | None) else str(value)
            line[name] = without_secrets(plain) if isinstance(plain, str) else plain
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line |= _described(error)
        return json.dumps(line, ensure_ascii=True)


def _described(error: BaseException) -> dict[str, object]:
    """Returns an error's type, text and locations, without variables or source lines."""
    places = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "text": without_secrets(str(error)),
        "places": [f"{place.filename}:{place.lineno} {place.name}" for place in places],
    }


def set_up(level: str = "info", stream: IO[str] | None = None) -> None:
    """Sends everything the server and its libraries log to one stream (standard error)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("industry").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    # request paths name private tables, and one line per request would drown the rest
    logging.getLogger("uvicorn.access").disabled = True
    # strangers could fill the log with malformed requests
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    logging.captureWarnings(True)
