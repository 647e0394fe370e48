"""What people at a table are to be told, and whether it is still news."""

from ..live_table import HOST, LiveTable
from ..store.notices import Notice
from ..table import Table


def news_of(before: Table, live: LiveTable, now: int) -> list[Notice]:
    """Returns what people at a table might want to be told after a change."""
    table, news = live.table, []
    turn = turn_of(live, now)
    if turn is not None and table.turn_version != before.turn_version:
        news.append(turn)
    begins = before.status == "open" and table.status == "running"
    kind = "full" if begins else "over" if before.status == "running" != table.status else ""
    if kind and table.status in ("running", "over"):
        news += [
            Notice(table.id, place, kind, table.version, seat, now)
            for place, seat in _people(table)
            if turn is None or place != turn.place
        ]
    return news


def turn_of(live: LiveTable, now: int) -> Notice | None:
    """Returns the notice of a turn that waits for a person; None where a bot or an order plays."""
    table = live.table
    if table.status != "running" or table.actor is None or live.has_order_due:
        return None
    seat = table.seats[table.actor]
    if seat.kind != "human" or seat.absent is not None:
        return None
    return Notice(table.id, seat.place, "turn", table.turn_version, table.actor + 1, now)


def still_waits(table: Table, notice: Notice) -> bool:
    """Checks whether a notice is still news."""
    if notice.kind == "turn":
        return table.status == "running" and table.turn_version == notice.number
    return table.status == ("over" if notice.kind == "over" else "running")


def may_be_missed(live: LiveTable, notice: Notice) -> Notice | None:
    """Returns what somebody who leaves at once may have missed: at a table of a cup only a turn."""
    if notice.kind != "cup":
        return notice
    return turn_of(live, notice.created) if has_turn(live.table, notice) else None


def has_turn(table: Table, notice: Notice) -> bool:
    """Checks whether somebody who is told that their table of a cup is ready must decide there."""
    if notice.kind != "cup" or table.actor is None:
        return False
    return table.seats[table.actor].place == notice.place


def is_watched(live: LiveTable, place: int) -> bool:
    """Checks whether the holder of a place has the table open, as far as this process knows."""
    return any(place in watcher.places for watcher in live.watchers)


def _people(table: Table) -> list[tuple[int, int]]:
    """Returns the places of people with their seats, and that of the host."""
    seated = [
        (seat.place, number)
        for number, seat in enumerate(table.seats, start=1)
        if seat.kind == "human" and seat.absent is None
    ]
    return [(HOST, 0), *seated]
