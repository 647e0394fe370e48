"""SVG building blocks: elements, numbers and text that is always valid XML."""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from .text_fit import text_width

NARROW = 0.84
"""Labels are set in Arial's widths, condensed: the same everywhere, whatever fonts there are."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Returns the text without control characters that XML forbids."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def number(value: float) -> str:
    """Formats a coordinate with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, *content: str, **attributes: str | float) -> str:
    """Returns an element; `class_` and `text_anchor` become `class` and `text-anchor`."""
    parts = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(clean(text))}")
    opening = " ".join(parts)
    inner = "".join(content)
    return f"<{opening}>{inner}</{name}>" if inner else f"<{opening}/>"


def group(content: Iterable[str], **attributes: str | float) -> str:
    return tag("g", *content, **attributes)


def title(text: str) -> str:
    """Returns a title element: the tooltip of its group, and its text for screen readers."""
    return tag("title", escape(clean(text)))


def use(symbol: str, x: float, y: float, width: float, height: float, **more: str) -> str:
    return tag("use", href=f"#{symbol}", x=x, y=y, width=width, height=height, **more)


def label(x: float, y: float, text: str, size: float, class_: str, anchor: str = "middle") -> str:
    """Draws condensed bold text that keeps its measured width even in another font. It is always
    anchored at its left end, because not every viewer centres condensed text correctly.
    """
    width = text_width(text, size)
    left = x - width * NARROW * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    return tag(
        "text",
        escape(clean(text)),
        class_=class_,
        transform=f"translate({number(left)} {number(y)}) scale({NARROW} 1)",
        font_size=size,
        textLength=width,
        lengthAdjust="spacingAndGlyphs",
    )


def label_width(text: str, size: float) -> float:
    """Returns the width of the text as `label` draws it."""
    return text_width(text, size) * NARROW


def figure(x: float, y: float, value: str, size: float, class_: str) -> str:
    """Draws a number in the slab font, centred; long ones are smaller."""
    shown = size * min(1, 1.55 / len(value))
    return tag(
        "text",
        escape(value),
        class_=class_,
        x=x,
        y=y - (size - shown) * 0.32,
        font_size=shown,
        text_anchor="middle",
    )
