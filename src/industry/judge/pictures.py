"""Draws the pictures of a review as SVG: the waterfall of a seat, and chances over time."""

from collections.abc import Sequence
from html import escape
from typing import Any

from industry.texts import say

from .words import percent, signed

TERMS = ("start", "luck", "own", "gifts", "unexplained", "result")
WIDTH, ROW, LEFT = 300, 24, 92
CHART_WIDTH, CHART_HEIGHT = 900, 300
MARKS = ("■", "●", "▲", "◆")
"""The symbol of each seat, so that nobody has to rely on colour."""


def waterfall(seat: dict[str, Any], label: str, language: str) -> str:
    """Draws how a seat's chances went from the start to the result; the label says the same."""
    level = 0.0
    steps = []
    for term in TERMS:
        if term in ("start", "result"):
            steps.append((0.0, seat[term]))
            level = seat[term] if term == "start" else level
        else:
            steps.append((level, level + seat[term]))
            level += seat[term]
    low = min(0.0, *(min(step) for step in steps))
    high = max(1.0, *(max(step) for step in steps))
    scale = (WIDTH - LEFT - 64) / (high - low)
    rows = [
        _step(number, term, step, low, scale, seat[term], language)
        for number, (term, step) in enumerate(zip(TERMS, steps, strict=True))
    ]
    zero = LEFT - low * scale
    height = ROW * len(TERMS)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">'
        f'<line class="rule" x1="{zero:.1f}" x2="{zero:.1f}" y1="0" y2="{height}"/>'
        f"{''.join(rows)}</svg>"
    )


def _step(
    number: int,
    term: str,
    step: tuple[float, float],
    low: float,
    scale: float,
    amount: float,
    language: str,
) -> str:
    is_total = term in ("start", "result")
    colour = "fm" if is_total else "fg" if amount >= 0 else "fb"
    left, right = sorted(LEFT + (end - low) * scale for end in step)
    text = percent(amount, language) if is_total else signed(amount, language)
    middle = ROW * number + ROW / 2
    name = escape(say(f"review.term.{term}", language))
    return (
        f'<text x="0" y="{middle + 4:.0f}">{name}</text>'
        f'<rect class="{colour}" x="{left:.1f}" y="{middle - 8:.0f}" height="16" '
        f'width="{max(right - left, 1):.1f}"/>'
        f'<text x="{right + 4:.1f}" y="{middle + 4:.0f}">{text}</text>'
    )


def chart(
    chances: Sequence[Sequence[float]], eras: dict[int, int], label: str, language: str
) -> str:
    """Draws everyone's chance before each move and at the end; eras begin at these moves."""
    across = (CHART_WIDTH - 70) / max(1, len(chances) - 1)
    down = CHART_HEIGHT - 40
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = 20 + down * (1 - share)
        parts.append(
            f'<line class="rule" x1="40" x2="{CHART_WIDTH - 30}" y1="{y:.0f}" y2="{y:.0f}"/>'
            f'<text x="0" y="{y + 4:.0f}">{percent(share, language)}</text>'
        )
    for move, era in eras.items():
        x = 40 + across * move
        name = escape(say("review.page.era", language, era=era))
        parts.append(
            f'<line class="rule" x1="{x:.1f}" x2="{x:.1f}" y1="14" y2="{20 + down}"/>'
            f'<text x="{x + 3:.1f}" y="12">{name}</text>'
        )
    for seat in range(len(chances[0])):
        points = [(40 + across * n, 20 + down * (1 - row[seat])) for n, row in enumerate(chances)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = points[-1]
        parts.append(
            f'<polyline class="f{seat}" style="fill:none;stroke-width:2" points="{path}"/>'
            f'<text class="f{seat}" style="stroke:none" x="{x + 6:.1f}" y="{y + 4:.1f}">'
            f"{MARKS[seat]}</text>"
        )
    return (
        f'<svg viewBox="0 0 {CHART_WIDTH} {CHART_HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )
