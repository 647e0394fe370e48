"""Golden games as people read them: written by `make golden`, compared by the test.

    python -m tests.golden.transcripts [--digests]

rewrites the transcript beside every game, `digests.json` and `situations.txt`; with `--digests` it
writes nothing and prints what `digests.json` should hold. A line of a transcript begins with the
number of the first line of the record that it tells.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from industry.engine import (
    Bid,
    Cash,
    Done,
    Event,
    Offer,
    Pass,
    Phase,
    Reason,
    Status,
    Subsidy,
    field_id,
)
from industry.engine.constants import BANK, FIELDS
from industry.engine.events import (
    EraChanged,
    FieldDeveloped,
    GameEnded,
    RoundStarted,
    StartingPlayerChanged,
    TalersMoved,
    TechnologyLapsed,
)
from industry.notation import sentence
from industry.notation.record import SCORE_PARTS
from industry.texts import say

from .replays import GAMES, HERE, Replay, ReplayedMove, golden_names, golden_replay
from .situations import SITUATIONS, Situation

DIGESTS = HERE / "digests.json"
SHOWN = HERE / "situations.txt"

_BETWEEN_ROUNDS = (StartingPlayerChanged, TechnologyLapsed, EraChanged, GameEnded)


class Transcript:
    """Tells a game from its events alone: purses and score track are what the events add up to."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.lines: list[str] = []
        self.purses = [0] * len(replay.record.players)
        self.track = [0] * len(replay.record.players)
        self.round = 0

    def text(self) -> str:
        self._head()
        self._tell_round(self.replay.opening)
        for step in self.replay.steps:
            self._tell_step(step)
        self._final_scoring()
        return "\n".join(self.lines) + "\n"

    def _head(self) -> None:
        record = self.replay.record
        seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(record.players, start=1))
        options = ", ".join(f"{name} = {value}" for name, value in record.options.items())
        self.lines += [
            f"{say(f'edition.{record.edition}')} on the board {record.board}",
            f"Seats: {seats}. Starting Player: seat {record.starting_player}.",
            f"Options: {options}.",
            "",
        ]

    def _tell_step(self, step: ReplayedMove) -> None:
        ended = next((n for n, e in enumerate(step.events) if isinstance(e, _BETWEEN_ROUNDS)), None)
        told = self._sentences(step.events[:ended])
        if _opens_part(step):
            self.lines.append("")
        if _goes_on(step):
            self.lines[-1] = f"{self.lines[-1]} {told}"
        elif not _ends_development(step):
            self.lines.append(f"{step.number:5}  {told}")
        if ended is not None:
            self._tell_round(step.events[ended:])

    def _tell_round(self, events: tuple[Event, ...]) -> None:
        """What lies between two rounds: purses, new Starting Player, era, income."""
        starts = next((n for n, e in enumerate(events) if isinstance(e, RoundStarted)), len(events))
        if self.round:
            self.lines += [
                "",
                f"{'':7}Talers and points after round {self.round}: {self._purses()}.",
            ]
        between = self._sentences(events[:starts])
        if between:
            self.lines.append(f"{'':7}{between}")
        if events[starts:]:
            self.round += 1
            self.lines += ["", self._sentences(events[starts : starts + 1])]
            self.lines.append(f"{'':7}{self._sentences(events[starts + 1 :])}")

    def _sentences(self, events: tuple[Event, ...]) -> str:
        for event in events:
            self._book(event)
        seats = len(self.purses)
        told: list[str] = []
        for gift, group in groupby(events, _gift):
            same = list(group)
            if gift and len(same) == seats:
                told.append(gift)
            else:
                told += [sentence(e, self.replay.board) for e in same if not _is_told(e)]
        return " ".join(told)

    def _book(self, event: Event) -> None:
        if isinstance(event, TalersMoved):
            if event.source != BANK:
                self.purses[event.source] -= event.amount
            if event.target != BANK:
                self.purses[event.target] += event.amount
        elif isinstance(event, FieldDeveloped):
            self.track[event.seat] += event.points

    def _purses(self) -> str:
        held = zip(self.replay.record.players, self.purses, self.track, strict=True)
        return ", ".join(f"{name} {talers} and {points}" for name, talers, points in held)

    def _final_scoring(self) -> None:
        end = self.replay.end
        names = self.replay.record.players
        scores = [end.breakdown(seat) for seat in range(len(names))]
        rows = [[say(f"part.{part}"), *(getattr(s, part) for s in scores)] for part in SCORE_PARTS]
        rows.append([say("part.total"), *(score.points for score in scores)])
        rows.append(["Developed fields", *(len(self._fields(s)) for s in range(len(names)))])
        rows.append(["Talers", *self.purses])
        self.lines += ["", "Final scoring", ""]
        for label, *numbers in [["", *names], *rows]:
            self.lines.append(f"  {label:18}" + "".join(f"{number:>6}" for number in numbers))
        self.lines.append("")
        for seat, name in enumerate(names):
            self.lines += self._reasons(seat, name)
        winners = [names[seat] for seat in end.winners()]
        shared = " share the victory" if len(winners) > 1 else " wins"
        self.lines += ["", f"{' and '.join(winners)}{shared}."]

    def _fields(self, seat: int, status: Status = Status.DEVELOPED) -> list[int]:
        state = self.replay.end.state
        return [f for f in range(FIELDS) if (state.owner[f], state.status[f]) == (seat, status)]

    def _reasons(self, seat: int, name: str) -> Iterator[str]:
        """What the points of the final scoring rest on, so that a reader can add them up."""
        board = self.replay.board
        own = [board.field(field) for field in self._fields(seat)]
        ids = {field.id for field in own}
        yield f"  {name}: developed {_list(sorted(ids))}"
        yield f"    links {_list('–'.join(ends) for ends in board.links if ids.issuperset(ends))}"
        for field in own:
            if field.bonus is not None:
                network = field.bonus.network
                connected = [other.id for other in own if network in other.networks]
                yield f"    {field.id} {network} {field.bonus.points} × {_list(connected)}"
        jokers = [field_id(field) for field in self._fields(seat, Status.HELD)]
        yield f"    unused {_list(jokers)}"


def _gift(event: Event) -> str:
    """One sentence for what the bank pays to everybody alike; nothing for other events."""
    if not isinstance(event, TalersMoved) or event.source != BANK:
        return ""
    return say(
        "event.talers_moved",
        source=say("event.bank"),
        target="every seat",
        talers=say("talers", count=event.amount),
        reason=say(f"reason.{event.reason.name.lower()}"),
    )


def _is_told(event: Event) -> bool:
    """Another sentence says it already: that of the sale, or the head of the next round."""
    if isinstance(event, TalersMoved):
        return event.reason == Reason.SALE
    return isinstance(event, StartingPlayerChanged)


def _goes_on(step: ReplayedMove) -> bool:
    """Bids (and money raised for them) stand in one line with the offer, idle turns in one."""
    if step.before.phase == Phase.BID:
        return isinstance(step.move, Bid | Pass | Subsidy | Cash)
    return isinstance(step.move, Done) and step.previous is not None and _is_idle(step.previous)


def _is_idle(step: ReplayedMove) -> bool:
    return isinstance(step.move, Done) and not _ends_development(step)


def _ends_development(step: ReplayedMove) -> bool:
    """The end of a turn in which something was developed: the development is enough to show."""
    return isinstance(step.move, Done) and sum(step.before.state.built) > 0


def _opens_part(step: ReplayedMove) -> bool:
    """Auctions and the development of a round are set apart by an empty line."""
    if step.previous is None:
        return False
    before = step.previous.before.phase
    return isinstance(step.move, Offer) or (
        step.before.phase == Phase.DEVELOP and before != Phase.DEVELOP
    )


def _list(items: Iterable[str]) -> str:
    return " ".join(items) or "nothing"


def transcript(replay: Replay) -> str:
    return Transcript(replay).text()


def transcript_path(name: str) -> Path:
    return GAMES / f"{name}.txt"


def digests_text() -> str:
    """Per game one hash over the digests of all its positions."""
    digests = {name: golden_replay(name).digest() for name in golden_names()}
    return json.dumps(digests, indent=2) + "\n"


def shown_text() -> str:
    """Where each situation is to be seen: the first game and line, and in how many games."""
    lines = ["Rare situations: the first golden game and line that shows each, and how many do."]
    for entry in SITUATIONS:
        found = [
            f"{name}, line {step.number}: {step.line}"
            for name in golden_names()
            if (step := first_shown(entry, name)) is not None
        ]
        place = f"  {len(found)}: {found[0]}" if found else "  NOWHERE"
        lines += ["", f"{entry.sentence} ({entry.ruling})", place]
    return "\n".join(lines) + "\n"


@cache
def first_shown(entry: Situation, name: str) -> ReplayedMove | None:
    """The first step of the game that shows the situation."""
    return next((step for step in golden_replay(name).steps if entry.shows(step)), None)


def main(arguments: list[str]) -> None:
    if arguments == ["--digests"]:
        print(digests_text(), end="")
        return
    for name in golden_names():
        transcript_path(name).write_text(transcript(golden_replay(name)), encoding="utf-8")
    DIGESTS.write_text(digests_text(), encoding="utf-8")
    SHOWN.write_text(shown_text(), encoding="utf-8")
    print(f"{len(golden_names())} transcripts, {DIGESTS.name} and {SHOWN.name} are written.")


if __name__ == "__main__":
    main(sys.argv[1:])
