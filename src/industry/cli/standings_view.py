"""Prints the result of a tournament for people (a table) and for scripts (JSON)."""

from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from industry import __version__
from industry.arena.sprt import ACCEPTED, REJECTED, Sprt
from industry.arena.standings import Row, Standings
from industry.texts.sanitize import printable

from .app import echo_json


@dataclass(frozen=True)
class Report:
    """The results of a tournament."""

    standings: Standings
    wanted: int
    seconds: float
    test: Sprt | None
    faults: list[dict[str, Any]]
    is_complete: bool

    def data(self) -> dict[str, Any]:
        tournament = self.standings.tournament
        settings = tournament.settings() | {
            "games_asked": self.wanted,
            "games_per_deal": tournament.games_per_deal,
            "version": __version__,
        }
        data: dict[str, Any] = {
            "settings": settings,
            "games": self.standings.games,
            "complete": self.is_complete,
            "seconds": round(self.seconds, 3),
            "fair_share": round(tournament.fair_share, 5),
            "bots": self.standings.data(),
            "faults": self.faults,
        }
        if self.test is not None:
            data["sprt"] = sprt_data(self.test)
        return data


def sprt_data(test: Sprt) -> dict[str, Any]:
    low, high = test.bounds
    return {
        "p0": test.p0,
        "p1": test.p1,
        "alpha": test.alpha,
        "beta": test.beta,
        "deals": test.deals,
        "llr": round(test.llr, 4),
        "bounds": [round(low, 4), round(high, 4)],
        "decision": test.decision,
    }


def print_report(report: Report, *, as_json: bool, to_stderr: bool) -> None:
    """Prints the results; on standard error if the records use standard output."""
    if as_json:
        echo_json(report.data(), err=to_stderr)
        return
    console = Console(stderr=to_stderr)
    console.print(_table(report.standings))
    for line in _notes(report):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _table(standings: Standings) -> Table:
    """Builds the table, best first, without columns that say nothing."""
    tournament = standings.tournament
    title = f"{tournament.board.edition.capitalize()}, {tournament.players} players"
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=0, show_edge=False
    )
    with_games = len({row.games for row in standings.rows}) > 1
    with_games = with_games or len(standings.rows) > tournament.players
    with_faults = any(row.faults for row in standings.rows)
    table.add_column("Bot", min_width=12, overflow="fold")
    headings = ["Games"] * with_games
    headings += ["Wins %", "95 %", "Rank", "Points", "Margin", "Rating", "ms", "p99"]
    headings += ["Faults"] * with_faults
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    numbers = range(len(standings.rows))
    for number in sorted(numbers, key=lambda n: -standings.rows[n].win_share):
        row, label = standings.rows[number], tournament.entrants[number].label
        cells = [f"{row.games:,}"] * with_games + _cells(row, *standings.ratings.of(label))
        cells += [str(row.faults)] * with_faults
        table.add_row(printable(label), *cells)
    return table


def _cells(row: Row, rating: float, sigma: float) -> list[str]:
    low, high = row.wilson
    return [
        f"{100 * row.win_share:.1f}",
        f"{100 * low:.1f}–{100 * high:.1f}",
        f"{row.mean_rank:.2f}",
        _number(row.mean_points, ".1f"),
        _number(row.mean_margin, "+.1f"),
        f"{rating:.1f} ± {sigma:.1f}",
        _time(row.milliseconds(0.5)),
        _time(row.milliseconds(0.99)),
    ]


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _time(milliseconds: float | None) -> str:
    """Returns a time with two or three significant digits."""
    if milliseconds is None:
        return "–"
    decimals = 0 if milliseconds >= 100 else 1 if milliseconds >= 10 else 2
    decimals += milliseconds < 0.1
    return f"{milliseconds:.{decimals}f}"


def _notes(report: Report) -> list[str]:
    tournament, games = report.standings.tournament, report.standings.games
    budgets = sorted({1000 * entrant.seconds for entrant in tournament.entrants})
    notes = [
        f"{games:,} games, {tournament.games_per_deal} to a deal; equal bots would win "
        f"{100 * tournament.fair_share:.1f} %.",
        f"Budget {' or '.join(f'{budget:g}' for budget in budgets)} ms per decision; "
        f"seed {printable(tournament.seed)}; {report.seconds:.0f} s.",
    ]
    notes += _adjusted_notes(report.standings)
    if report.test is not None:
        notes.append(_sprt_note(report))
    return notes


def _adjusted_notes(standings: Standings) -> list[str]:
    """Describes the results adjusted for the luck of the draws, if requested."""
    notes = []
    for entrant, row in zip(standings.tournament.entrants, standings.rows, strict=True):
        if row.adjusted_share is not None:
            share, low, high = (f"{100 * value:.1f}" for value in row.adjusted_share)
            notes.append(f"{printable(entrant.label)} without luck: {share} % ({low}–{high}).")
    if notes and (factor := standings.rows[0].variance_factor) is not None:
        notes.append(f"Deals vary {factor:.2f} times as much with the luck of the draws.")
    return notes


def _sprt_note(report: Report) -> str:
    test = report.test
    assert test is not None
    low, high = test.bounds
    name = printable(report.standings.tournament.entrants[0].label)
    p0, p1 = f"{100 * test.p0:g} %", f"{100 * test.p1:g} %"
    decided = {
        ACCEPTED: f"accepted: {name} wins {p1} rather than {p0}",
        REJECTED: f"rejected: {name} wins {p0} rather than {p1}",
        None: f"between {p0} and {p1} is not decided yet",
    }[test.decision]
    return f"SPRT {decided} (LLR {test.llr:+.2f}, bounds {low:+.2f} and {high:+.2f})."
