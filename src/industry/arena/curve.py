"""Draws a learning curve: share of games won by generation, with its interval."""

from html import escape

from .summary import wilson

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 48, 48


def curve_svg(title: str, shares: list[float], games: int) -> str:
    """Draws one point per generation; the dashed line marks the share before any learning."""

    def x(generation: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * generation / max(1, len(shares))

    def y(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    points = [(0, 0.5), *((k, share) for k, share in enumerate(shares, start=1))]
    line = " ".join(f"{x(k):.1f},{y(share):.1f}" for k, share in points)
    bars = "".join(
        f'<path d="M{x(k):.1f} {y(low):.1f}V{y(high):.1f}" stroke="#8a6a00" stroke-width="2"/>'
        f'<circle cx="{x(k):.1f}" cy="{y(share):.1f}" r="4" fill="#8a6a00"/>'
        for k, share in points[1:]
        for low, high in [wilson(share * games, games)]
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
        f'<path d="M{LEFT} {y(0.5):.1f}H{WIDTH - RIGHT}" stroke="#18242b" stroke-dasharray="5 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#8a6a00" stroke-width="2"/>{bars}'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">'
        f"generation (bars: Wilson 95 % interval of {games} games)</text></svg>\n"
    )
