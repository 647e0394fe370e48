"""Commands that arrive through sockets: checked, made durable, acknowledged."""

import time
from dataclasses import dataclass

from industry.notation.orders import write_orders
from industry.notation.orders.kinds import orders_of

from .address_limits import AddressLimiter
from .client_socket import ClientSocket
from .commands import Draft
from .errors import Refused
from .live_table import HOST, LiveTable
from .protocol.client import Command, Leave, PlayMove, Resign, Return, StandIn, Undo
from .protocol.orders import SetOrders
from .questions import acting_place
from .service import Service
from .store import Commit, OrdersRow, TokenRow
from .table_changes import Done, TableCommand
from .tokens import command_key


class SocketCommands:
    """Carries out the commands of all sockets."""

    def __init__(self, service: Service, limiter: AddressLimiter) -> None:
        self._service = service
        self._limiter = limiter

    def begin(self, socket: ClientSocket, live: LiveTable, message: PlayMove, done: Done) -> bool:
        """Begins a move if nothing must be waited for; `done` is called when it has ended.

        Returns False where `carry_out` must do it. Raises `Refused`.
        """
        begin = time.perf_counter()
        place = acting_place(socket, live, message.seat)

        def end(error: Exception | None) -> None:
            self._service.metrics.latency.observe(time.perf_counter() - begin)
            done(error)

        return self._service.changes.begin(live, _task(socket, live, place, message), end)

    async def carry_out(self, socket: ClientSocket, live: LiveTable, message: Command) -> None:
        begin = time.perf_counter()
        repeated = _answer_before(socket, live, message)
        if repeated is not None:
            socket.answer(_accepted(message.id, repeated))
            return
        place = acting_place(socket, live, message.seat)
        if isinstance(message, Leave | Return | Resign):
            self._limiter.spend_at_table(socket.address, live.id)
        if _is_new(live, message) and await self._service.level() < 2:
            raise Refused("newer_version")
        try:
            await self._service.changes.carry_out(live, _task(socket, live, place, message))
        finally:
            self._service.metrics.latency.observe(time.perf_counter() - begin)

    async def set_orders(self, socket: ClientSocket, live: LiveTable, message: SetOrders) -> None:
        """Replaces the standing orders of a seat; raises `Refused`."""
        place = acting_place(socket, live, message.seat)
        if live.table.status != "running":
            raise Refused("not_started" if live.table.status == "open" else "game_over")
        lines = [line.model_dump(exclude_none=True) for line in message.lines]
        key = command_key(str(place), message.id)
        text = write_orders(orders_of(lines))
        row = OrdersRow(live.id, place, message.revision + 1, key, text)

        def acknowledge(version: int) -> None:
            socket.answer(_accepted(message.id, version))

        await self._service.orders.set(live, place, row, acknowledge)


@dataclass(frozen=True, slots=True)
class SeatCommand:
    """A command of the holder of a place, to be applied to a draft."""

    place: int
    message: Command
    is_host: bool

    def __call__(self, draft: Draft) -> int:
        """Returns the version of the command's entry; raises `Refused`."""
        seat = draft.table.seat_of_place(self.place)
        if seat is None or seat != self.message.seat - 1:
            raise Refused("not_your_seat")
        return _carry_out(draft, seat, self.message, self.is_host)


def _task(socket: ClientSocket, live: LiveTable, place: int, message: Command) -> TableCommand:
    def revoke(commit: Commit) -> None:
        if live.table.status == "open":
            commit.revoked.append(TokenRow("", live.id, place))
            commit.unseated.append((live.id, place))

    return TableCommand(
        command_key(str(place), message.id),
        SeatCommand(place, message, HOST in socket.places),
        message.version,
        revoke if isinstance(message, Leave) else None,
        lambda version: socket.answer(_accepted(message.id, version)),
    )


def _accepted(command: str, version: int) -> str:
    """Returns a `protocol.server.Accepted` as JSON; ids need no escapes."""
    return f'{{"type":"accepted","id":"{command}","version":{version}}}'


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
