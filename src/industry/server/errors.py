"""The error by which every part of the server refuses a command or request."""

import math

from industry.engine import Refusal

from .protocol.server import ErrorCode


class Refused(Exception):
    """A command that is not carried out, with its stable code."""

    def __init__(
        self,
        code: ErrorCode,
        refusal: Refusal | None = None,
        detail: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal
        self.detail = detail
        self.retry_after = None if retry_after is None else math.ceil(max(1.0, retry_after))
        """Seconds after which trying again may succeed."""
