"""How a seat is told apart on the screen: by its number, its shape and its colour, all three."""

from rich.text import Text

from industry.engine import Status

COLOURS = ("dodger_blue2", "dark_orange", "medium_orchid", "green3")
FULL = "■●▲◆"
HOLLOW = "□○△◇"
GONE = "×"
FREE = "·"
ON_OFFER = "▸"
AVAILABLE = "•"

_PLAIN = str.maketrans(FULL + HOLLOW + GONE + FREE + ON_OFFER + AVAILABLE, "####oooox.>*")


def plain(text: str) -> str:
    """The same for an output that knows only ASCII."""
    return text.translate(_PLAIN)


def colour(seat: int) -> str:
    return COLOURS[seat]


def mark(seat: int, status: Status = Status.DEVELOPED) -> Text:
    """Filled when developed, hollow while it can still be used, crossed when it is past."""
    if status == Status.DEVELOPED:
        shape = FULL[seat]
    elif status in (Status.UNDEVELOPED, Status.HELD):
        shape = HOLLOW[seat]
    else:
        shape = GONE
    style = f"dim {colour(seat)}" if shape == GONE else colour(seat)
    return Text(f"{shape}{seat + 1}", style)
