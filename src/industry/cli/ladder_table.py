"""Writes the measured ladder as Markdown, for docs and README."""

from collections.abc import Sequence
from typing import Any

from industry.arena.ladder import GOAL, level_of


def markdown(data: dict[str, Any]) -> str:
    """Returns two tables (steps and ratings) and how they were measured; names weak steps."""
    pieces = [_steps_table(data["steps"]), _ratings_table(data), _notes(data)]
    return "\n\n".join(pieces)


def _steps_table(steps: Sequence[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys((step["edition"], step["players"]) for step in steps))
    pairs = list(dict.fromkeys((step["upper"], step["lower"]) for step in steps))
    cells = {
        (step["upper"], step["lower"], step["edition"], step["players"]): _share(step)
        for step in steps
    }
    heads = [f"{edition.capitalize()}, {players} players" for edition, players in columns]
    rows = [
        [f"**{upper}** against {lower}"]
        + [cells.get((upper, lower, *column), "") for column in columns]
        for upper, lower in pairs
    ]
    return _table(["wins of", *heads], rows)


def _share(step: dict[str, Any]) -> str:
    low, high = step["wilson"]
    return f"{100 * step['win_share']:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _ratings_table(data: dict[str, Any]) -> str:
    rows = []
    ratings = data["ratings"]
    for name in sorted(ratings, key=lambda name: (level_of(name), name)):
        rating = ratings[name]
        times = [
            (bot["ms_median"], bot["ms_p99"])
            for step in data["steps"]
            for bot in step["bots"]
            if bot["name"] == name and bot["ms_median"] is not None
        ]
        slowest = max(times, default=(0.0, 0.0))
        rows.append(
            [
                str(level_of(name)),
                f"**{name}**",
                f"{rating['rating']:.1f} ± {rating['sigma']:.1f}",
                f"{slowest[0]:.2f}",
                f"{slowest[1]:.2f}",
            ]
        )
    return _table(["level", "bot", "rating", "ms, median", "ms, p99"], rows)


def _notes(data: dict[str, Any]) -> str:
    counts = sorted({step["games"] for step in data["steps"]})
    weak = [
        f"{step['upper']} against {step['lower']} ({step['edition'].capitalize()}, "
        f"{step['players']} players: {100 * step['win_share']:.1f} %)"
        for step in data["steps"]
        if step["win_share"] < GOAL
    ]
    lines = [
        f"Share of games whose winner belongs to the stronger bot, at equal seats, with the "
        f"95 % interval; {' or '.join(str(count) for count in counts)} games per cell, "
        f"{data['time_ms']:g} ms per decision, seed `{data['seed']}`. "
        f"To repeat: `{data['command']}`.",
    ]
    if weak:
        lines.append(f"Below {100 * GOAL:g} %: {'; '.join(weak)}.")
    return "\n\n".join(lines)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
