"""Reviews games on all cores or on a cluster; finished parts survive however the program ends."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import platformdirs

from industry.boards import BoardSpec
from industry.judge.review import Item, assemble, check_finished, review_items
from industry.notation import Record

from .executor import Executor
from .journal import LineFile, write_line

FORMAT = 2
PIECE = 12
"""How many items are computed together: within a round, each uses lines of the one before."""
KEPT = 100
"""How many journals are kept; older ones are deleted."""
CACHE_VARIABLE = "INDUSTRY_CACHE_DIR"


class ReviewJournal(LineFile):
    """The finished items of a review, one line of JSON per piece."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        super().__init__(path, "this review is being computed by another program.")
        self.items: dict[int, Item] = {}
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        whole = 0
        for line in self._file.read().split(b"\n")[:-1]:
            try:
                piece = json.loads(line)
                self.items |= dict(enumerate(piece["items"], start=piece["first"]))
            except (ValueError, KeyError, TypeError):
                break
            whole += len(line) + 1
        self.keep_first(whole)

    def add(self, first: int, items: list[Item]) -> None:
        """Keeps finished items; raises `OSError` where the disk is full."""
        write_line(self._file, json.dumps({"first": first, "items": items}, separators=(",", ":")))
        self.items |= dict(enumerate(items, start=first))


def journal_path(board: BoardSpec, record: Record, lines: int, seed: int | str) -> Path:
    """Returns where the items of exactly this review are kept, whatever the record's file."""
    from industry import __version__
    from industry.bots.opinions import policy_version

    versions = __version__, policy_version(int(board.rules.edition), len(record.players))
    text = json.dumps([FORMAT, record.data(), board.hash, lines, seed, *versions])
    root = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("industry")
    return Path(root) / "reviews" / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.jsonl"


def forget_old_journals(folder: Path) -> None:
    """Deletes all but the newest journals."""
    with suppress(OSError):
        files = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        for path in files[:-KEPT]:
            path.unlink(missing_ok=True)


def run_review(
    board: BoardSpec,
    record: Record,
    lines: int,
    seed: int | str,
    executor: Executor,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Reviews a game piece by piece; continues where an earlier call was stopped.

    `report` is called with how many moves are reviewed, and how many there are.
    """
    check_finished(record, board)
    total = len(record.moves) + 1
    path = journal_path(board, record, lines, seed)
    with ReviewJournal(path) as journal:
        report(len(journal.items), total)
        firsts = list(_open_pieces(journal, total))
        jobs = [(board, record, n, min(n + PIECE, total), lines, seed) for n in firsts]
        with closing(executor.map(review_items, jobs)) as results:
            for first, items in zip(firsts, results, strict=True):
                journal.add(first, items)
                report(len(journal.items), total)
        items = [journal.items[number] for number in range(total)]
    forget_old_journals(path.parent)
    return assemble(board, record, items, lines, seed)


def _open_pieces(journal: ReviewJournal, total: int) -> Iterator[int]:
    """Yields the starts of pieces that are not in the journal."""
    for first in range(0, total, PIECE):
        if any(number not in journal.items for number in range(first, min(first + PIECE, total))):
            yield first
