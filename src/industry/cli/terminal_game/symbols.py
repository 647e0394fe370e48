"""How seats are distinguished on the screen: by number, shape and colour."""

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
    """Returns the same for an output that only has ASCII."""
    return text.translate(_PLAIN)


def colour(seat: int) -> str:
    return COLOURS[seat]


def mark(seat: int, status: Status = Status.DEVELOPED) -> Text:
    """Returns a filled symbol if developed, hollow if still usable, crossed if past."""
    if status == Status.DEVELOPED:
        shape = FULL[seat]
    elif status in (Status.UNDEVELOPED, Status.HELD):
        shape = HOLLOW[seat]
    else:
        shape = GONE
    style = f"dim {colour(seat)}" if shape == GONE else colour(seat)
    return Text(f"{shape}{seat + 1}", style)
