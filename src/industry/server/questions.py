"""Answers clients' questions about the current position; they change nothing."""

from industry.notation import NotationError, read_move

from .client_socket import ClientSocket
from .errors import Refused
from .live_table import SHOWN, LiveTable
from .orders.previews import orders_preview
from .previews import field_report, wire_refusal
from .protocol.client import AskField, AskSteps, AskWhy
from .protocol.orders import AskOrders
from .seat_names import seat_names
from .table_view import encode

Question = AskWhy | AskField | AskSteps | AskOrders


def acting_place(socket: ClientSocket, live: LiveTable, seat: int) -> int:
    """Returns the place under which this socket may act for a seat (from 1); raises `Refused`."""
    for place in socket.places:
        if live.table.seat_of_place(place) == seat - 1:
            return place
    raise Refused("not_your_seat")


def answer_question(socket: ClientSocket, live: LiveTable, question: Question) -> None:
    """Answers a question about the current position; raises `Refused`."""
    table = live.table
    if isinstance(question, AskSteps):
        steps = live.steps_after(question.after, SHOWN)
        head = encode({"type": "steps", "id": question.id, "version": table.version})
        socket.answer(f'{head[:-1]},"steps":{steps}}}')
        return
    position = table.position
    if position is None:
        raise Refused("not_started")
    answer: dict[str, object] = {"id": question.id, "version": table.version}
    match question:
        case AskWhy(line=line):
            try:
                refusal = position.refusal(read_move(line, table.board))
            except NotationError:
                raise Refused("bad_line") from None
            mine = {table.seat_of_place(place) for place in socket.places}
            why = refusal and wire_refusal(
                refusal,
                table.board,
                socket.language,
                seat_names(table, socket.language),
                to_you=refusal.numbers.get("seat") in mine,
            )
            answer |= {"type": "why", "refusal": why}
        case AskField(field=field):
            seats = [table.seat_of_place(place) for place in socket.places]
            open_to = [seat for seat in seats if seat is not None] if table.hands_closed else None
            answer |= {"type": "field", "field": field}
            answer |= field_report(position, table.board, field, open_to)
        case AskOrders():
            acting_place(socket, live, question.seat)
            answer |= orders_preview(table, question)
    socket.answer(encode(answer))
