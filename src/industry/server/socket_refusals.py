"""Answers messages that are not carried out: with codes, and with what their authors missed."""

import json
import math
import re

from .client_socket import TRY_LATER, ClientSocket
from .errors import Refused
from .live_table import SHOWN
from .logs import log_error
from .metrics import Metrics
from .previews import wire_refusal
from .protocol.client import ClientMessage, Command, Hello
from .protocol.server import ErrorCode
from .seat_names import seat_names

_id = re.compile(r"[A-Za-z0-9_-]{1,64}")


class SocketRefusals:
    """Tells clients that a message was refused or failed, and counts it."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def refuse(
        self,
        socket: ClientSocket,
        code: ErrorCode,
        command: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Refuses a message with a code."""
        self._metrics.errors.labels(code).inc()
        more = {} if retry_after is None else {"retry_after": math.ceil(max(1.0, retry_after))}
        socket.refuse(code, command, **more)

    def refuse_command(
        self, socket: ClientSocket, message: ClientMessage, refused: Refused
    ) -> None:
        """Refuses a message, with the rule it breaks or the steps that its author missed."""
        self._metrics.errors.labels(refused.code).inc()
        live = socket.live
        more: dict[str, object] = {}
        if live is not None and refused.refusal is not None:
            table, language = live.table, socket.language
            more["refusal"] = wire_refusal(
                refused.refusal, table.board, language, seat_names(table, language)
            )
        if live is not None and refused.code == "stale":
            more["version"] = live.table.version
        if refused.retry_after is not None:
            more["retry_after"] = refused.retry_after
        socket.refuse(refused.code, getattr(message, "id", None), **more)
        if isinstance(message, Hello) and refused.retry_after is not None:
            socket.end(TRY_LATER)  # it must not count against its address until it is timed out
        if live is not None and refused.code == "stale" and isinstance(message, Command):
            seen = min(max(message.version, 0), live.table.version)
            if live.table.version - seen > SHOWN:
                socket.push_text(live.snapshot(socket.places, socket.wants_choices))
            else:
                socket.push(live.missing(seen))

    def fail(self, socket: ClientSocket, message: ClientMessage, error: Exception) -> None:
        """Answers a message with the error that it ended with."""
        if isinstance(error, Refused):
            self.refuse_command(socket, message, error)
        else:
            self.report(socket, message, error)

    def report(self, socket: ClientSocket, message: ClientMessage | None, error: Exception) -> None:
        """Answers a message on which the server failed."""
        log_error("message_failed", error, kind=message.type if message else "")
        self.refuse(socket, "internal", getattr(message, "id", None))


def id_in(text: str) -> str | None:
    """Returns the id of a malformed message, so that its author knows which one it was."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) and _id.fullmatch(found) else None
