"""Encodes and compresses a JSON answer once for many clients."""

import gzip

from starlette.requests import Request
from starlette.responses import Response

WORTH_IT = 1000
"""From this many bytes on, compression saves more than it costs."""


class CompressedJson:
    """JSON as bytes, plain and compressed."""

    def __init__(self, plain: bytes) -> None:
        self._plain = plain
        self._small = gzip.compress(plain, 5) if len(plain) >= WORTH_IT else None

    def response(self, request: Request) -> Response:
        headers = {"cache-control": "no-store", "vary": "accept-encoding"}
        body = self._plain
        if self._small is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"], body = "gzip", self._small
        return Response(body, headers=headers, media_type="application/json")
