"""Writes records of positions in which bots failed, one file each."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console

from industry.arena.outcome import BotFault, Outcome
from industry.texts.sanitize import printable

from .files import write_whole

MOST = 20
"""Faults that are reported one by one; a bot that always fails would otherwise fill the disk."""


class FaultFiles:
    """Reports each fault when it happens and writes its record into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self.reported: list[dict[str, Any]] = []

    def add(self, deal: Iterable[Outcome], console: Console) -> None:
        for outcome in deal:
            if outcome.fault is not None:
                self.count += 1
                if self.count <= MOST:
                    self._report(outcome, outcome.fault, console)
                elif self.count == MOST + 1:
                    console.print("More faults are only counted.", highlight=False)

    def _report(self, outcome: Outcome, fault: BotFault, console: Console) -> None:
        seating = outcome.seating
        name = re.sub(r"[^\w.@-]+", "-", fault.bot)[:60]
        path = self.folder / f"{name}-deal{seating.deal}-game{seating.game}.toml"
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, fault.record, replace=True)
        console.print(
            printable(f"{fault.bot} {fault.detail} and loses the game; see {path}"),
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
        self.reported.append(
            {
                "bot": fault.bot,
                "kind": fault.kind,
                "detail": fault.detail,
                "deal": seating.deal,
                "game": seating.game,
                "seat": fault.seat + 1,
                "record": str(path),
            }
        )
