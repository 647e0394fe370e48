"""Takes connections from a parent process, in one of several server processes."""

import asyncio
import contextlib
import socket
from collections.abc import Callable

from ..background import BackgroundTask
from .router import BEAT, HEARTBEAT

AT_ONCE = 16
"""Connections that are taken in one go."""

MakeProtocol = Callable[[], asyncio.Protocol]


class Handover:
    """The channel to the parent process."""

    def __init__(self, descriptor: int, when_gone: Callable[[], None]) -> None:
        """`when_gone` is called when the parent has ended."""
        self._channel = socket.socket(fileno=descriptor)
        self._channel.setblocking(False)
        self._when_gone = when_gone
        self._beating = BackgroundTask()
        self._tasks: set[asyncio.Task[object]] = set()

    def start(self, make_protocol: MakeProtocol) -> None:
        """Takes connections from now on, and says so to the parent."""
        self._make_protocol = make_protocol
        asyncio.get_running_loop().add_reader(self._channel.fileno(), self._take)
        self._beating.start(self._beat())

    async def stop(self) -> None:
        """Takes no more connections; the parent then gives them to others."""
        asyncio.get_running_loop().remove_reader(self._channel.fileno())
        await self._beating.stop()
        self._channel.close()

    async def _beat(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                self._channel.send(BEAT)
            await asyncio.sleep(HEARTBEAT)

    def _take(self) -> None:
        try:
            said, descriptors, _, _ = socket.recv_fds(self._channel, AT_ONCE, AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            said, descriptors = b"", []
        if not said:
            asyncio.get_running_loop().remove_reader(self._channel.fileno())
            self._when_gone()
            return
        for descriptor in descriptors:
            task: asyncio.Task[object] = asyncio.create_task(self._serve(descriptor))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, descriptor: int) -> None:
        connection = socket.socket(fileno=descriptor)
        connection.setblocking(False)
        with contextlib.suppress(OSError):  # it has ended meanwhile
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(self._make_protocol, connection)
