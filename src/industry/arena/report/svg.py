"""Plots as parts of a page: matplotlib draws them, the page's stylesheet colours them.

Every role has a colour of its own that stands for it while matplotlib draws; in the finished SVG it
becomes a variable of the stylesheet. So one picture serves the light and the dark theme.
"""

import re
from collections.abc import Callable
from html import escape
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

WIDTH = 380
"""Width of a picture in units: that of a phone, so that letters keep their size there."""
DPI = 72
"""One point is one unit."""
SMALL, PLAIN = 10.5, 11.5
GROWN = 1.16
"""Factor for letters: the page's font is narrower than matplotlib's."""

ROLES = (
    "ink",
    "quiet",
    "rule",
    "card",
    "now",
    *(f"era{number}" for number in range(1, 6)),
    "development",
    "money",
    "links",
    "bonuses",
    "jokers",
    "subsidy",
    "onpart",
    "winner",
    "other",
    "better2",
    "better1",
    "even",
    "worse1",
    "worse2",
    "onstrong",
)
_COLOURS = {role: f"#0a{number:02x}a0" for number, role in enumerate(ROLES)}
_ROLE_OF = {colour: role for role, colour in _COLOURS.items()}


def colour(role: str) -> str:
    """Returns the matplotlib colour for a role."""
    return _COLOURS[role]


SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "industry",
    "font.size": PLAIN,
    "text.color": colour("ink"),
    "axes.facecolor": "none",
    "axes.edgecolor": colour("rule"),
    "axes.labelcolor": colour("quiet"),
    "axes.labelsize": PLAIN,
    "axes.titlesize": PLAIN,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.axisbelow": True,
    "axes.linewidth": 1.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.color": colour("rule"),
    "ytick.color": colour("rule"),
    "xtick.labelcolor": colour("quiet"),
    "ytick.labelcolor": colour("ink"),
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "grid.color": colour("rule"),
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    "lines.solid_capstyle": "butt",
}


def draw(height: float, paint: Callable[[Figure], None], label: str, number: int) -> str:
    """Draws a picture of this height as inline SVG; screen readers read its label."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(WIDTH / DPI, height / DPI), dpi=DPI, layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure)
        output = StringIO()
        figure.savefig(output, format="svg", transparent=True, metadata={"Date": None})
    return _inline(output.getvalue(), label, number)


def grid(axes: Axes, axis: str) -> None:
    """Draws faint lines along one axis only."""
    axes.grid(axis="x" if axis == "x" else "y")
    for side in ("left", "right", "top", "bottom"):
        axes.spines[side].set_visible(False)


def _inline(text: str, label: str, number: int) -> str:
    """Returns the SVG for a page, without head, fonts and colours, and with ids of its own."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', text)
    assert box is not None
    head = f'<svg {box[0]} role="img" aria-label="{escape(label)}">'
    text = head + text[text.index(">") + 1 :]
    text = re.sub(r"#0a[0-9a-f]{2}a0", lambda found: f"var(--{_ROLE_OF[found[0]]})", text)
    text = re.sub(r"font-family: [^;\"]*", "font-family: var(--font-condensed)", text)
    text = re.sub(r"font-size: ([\d.]+)px", _enlarged, text)
    text = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", text)
    return re.sub(r"\s*\n\s*", "\n", _own_ids(text, number))


def _enlarged(found: re.Match[str]) -> str:
    return f"font-size: {GROWN * float(found[1]):.1f}px"


def _own_ids(text: str, number: int) -> str:
    used = set(re.findall(r'(?:href="#|url\(#)([\w.-]+)', text))
    text = re.sub(
        r' id="([\w.-]+)"',
        lambda found: f' id="p{number}-{found[1]}"' if found[1] in used else "",
        text,
    )
    text = re.sub(r'xlink:href="#', f'href="#p{number}-', text)
    return re.sub(r"url\(#", f"url(#p{number}-", text)
