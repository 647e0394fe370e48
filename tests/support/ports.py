"""Ports for servers that begin later."""

import secrets
import socket
from contextlib import suppress

PORTS = range(20_000, 32_000)
"""Systems take ports for outgoing connections from above these."""


def free_port() -> int:
    """Returns a port for a server that starts later, or again: no connection gets it meanwhile."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
