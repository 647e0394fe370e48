"""Draws learning curves: what was reached by generation or epoch, as a share from 0 to 1."""

from collections.abc import Sequence
from html import escape

from .summary import wilson

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 48, 48


def curve_svg(title: str, shares: list[float], games: int) -> str:
    """Draws the share of games won by generation with its interval; before any learning, 0.5."""
    intervals = [wilson(share * games, games) for share in shares]
    caption = f"generation (bars: Wilson 95 % interval of {games} games)"
    return _curve(title, 0.5, shares, intervals, caption)


def explained_svg(title: str, linear: float, shares: list[float]) -> str:
    """Draws what share of the differences between siblings a net explains after each epoch; at 0
    is what the fitted weights explain.
    """
    caption = "epoch (share of the differences between held-back siblings that is explained)"
    return _curve(title, linear, shares, [], caption)


def _curve(
    title: str,
    start: float,
    shares: list[float],
    intervals: Sequence[tuple[float, float]],
    caption: str,
) -> str:
    """Draws one point per step; the dashed line marks the share before any learning.

    The parts of one picture, one after the other, make this longer than 40 lines.
    """

    def x(step: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * step / max(1, len(shares))

    def y(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    base = f"M{LEFT} {y(start):.1f}H{WIDTH - RIGHT}"
    points = [(0, start), *enumerate(shares, start=1)]
    line = " ".join(f"{x(k):.1f},{y(share):.1f}" for k, share in points)
    bars = "".join(
        f'<path d="M{x(k):.1f} {y(low):.1f}V{y(high):.1f}" stroke="#8a6a00" stroke-width="2"/>'
        for k, (low, high) in enumerate(intervals, start=1)
    )
    dots = "".join(
        f'<circle cx="{x(k):.1f}" cy="{y(share):.1f}" r="4" fill="#8a6a00"/>'
        for k, share in points[1:]
    )
    grid = "".join(
        f'<path d="M{LEFT} {y(s):.1f}H{WIDTH - RIGHT}" stroke="#d9d4c3"/>'
        f'<text x="{LEFT - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s:.0%}</text>'
        for s in (0, 0.25, 0.5, 0.75, 1)
    )
    numbers = "".join(
        f'<text x="{x(k):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{k}</text>'
        for k, _ in points
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#18242b">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f4f1e7"/>'
        f'<text x="{LEFT}" y="28" font-size="16" font-weight="bold">{escape(title)}</text>'
        f"{grid}{numbers}"
        f'<path d="{base}" stroke="#18242b" stroke-dasharray="5 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#8a6a00" stroke-width="2"/>{bars}{dots}'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">'
        f"{caption}</text></svg>\n"
    )
