"""Commands that arrive through sockets: checked, made durable, acknowledged."""

import time

from .address_limits import AddressLimiter
from .client_socket import ClientSocket
from .commands import Draft
from .errors import Refused
from .live_table import HOST, LiveTable
from .protocol.client import Command, Leave, PlayMove, Resign, Return, StandIn, Undo
from .questions import acting_place
from .service import Service
from .store import Commit, TokenRow
from .table_view import encode
from .tokens import command_key


class SocketCommands:
    """Carries out the commands of all sockets."""

    def __init__(self, service: Service, limiter: AddressLimiter) -> None:
        self._service = service
        self._limiter = limiter

    async def carry_out(self, socket: ClientSocket, live: LiveTable, message: Command) -> None:
        begin = time.perf_counter()
        repeated = _answer_before(socket, live, message)
        if repeated is not None:
            socket.answer(encode({"type": "accepted", "id": message.id, "version": repeated}))
            return
        place = acting_place(socket, live, message.seat)

        if isinstance(message, Leave | Return | Resign):
            self._limiter.spend_at_table(socket.address, live.id)
        if _is_new(live, message) and await self._service.level() < 2:
            raise Refused("newer_version")

        def do(draft: Draft) -> int:
            seat = draft.table.seat_of_place(place)
            if seat is None or seat != message.seat - 1:
                raise Refused("not_your_seat")
            return _carry_out(draft, seat, message, HOST in socket.places)

        def attach(commit: Commit) -> None:
            if isinstance(message, Leave) and live.table.status == "open":
                commit.revoked.append(TokenRow("", live.id, place))

        def acknowledge(version: int) -> None:
            accepted = {"type": "accepted", "id": message.id, "version": version}
            socket.answer(encode(accepted))

        try:
            await self._service.change(
                live,
                command_key(str(place), message.id),
                do,
                seen=message.version,
                attach=attach,
                acknowledge=acknowledge,
            )
        finally:
            self._service.metrics.latency.observe(time.perf_counter() - begin)


def _answer_before(socket: ClientSocket, live: LiveTable, message: Command) -> int | None:
    """Returns the entry of a repeated command by which its author gave up the seat."""
    if not isinstance(message, Leave | Resign):
        return None
    keys = [command_key(str(place), message.id) for place in socket.greeted]
    return next((live.recent[key] for key in keys if key in live.recent), None)


def _is_new(live: LiveTable, message: Command) -> bool:
    """Checks whether a process of version 0.1.0 could not read this command's entry."""
    return isinstance(message, StandIn) or (isinstance(message, Undo) and live.table.is_solo)


def _carry_out(draft: Draft, seat: int, message: Command, is_host: bool) -> int:
    match message:
        case PlayMove():
            return draft.move(seat, message.line)
        case Undo():
            return draft.undo(seat)
        case Leave():
            return draft.leave(seat)
        case Resign():
            return draft.resign(seat)
        case Return():
            return draft.come_back(seat)
        case StandIn():
            return draft.stand_in(seat, message.target - 1, host=is_host)
    raise AssertionError(message.id)
