"""The file of a tournament: continued to the same end, cut where it was torn, refused elsewhere."""

from pathlib import Path

import pytest

from industry.arena.journal import create_journal, open_journal, read_header
from industry.arena.match import Match
from industry.arena.outcome import Outcome
from industry.arena.schedule import ArenaError, Tournament
from industry.arena.standings import Standings
from industry.arena.tournament import play_deals

from .plans import tournament

PLAN = tournament("random", "random", players=3)


def played(plan: Tournament, deal: int) -> tuple[Outcome, ...]:
    return tuple(Match(plan, seating).play() for seating in plan.deal(deal))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with two finished deals."""
    path = tmp_path / "games.jsonl"
    with create_journal(path, PLAN, 24) as journal:
        for deal in range(2):
            journal.add(played(PLAN, deal))
    return path


def test_a_resumed_tournament_ends_like_one_that_was_never_stopped(path: Path) -> None:
    with open_journal(path, PLAN) as journal:
        assert len(journal.deals) == 2
        resumed = list(play_deals(PLAN, 4, 1, journal))
    whole = [played(PLAN, deal) for deal in range(4)]
    for got, expected in zip(resumed, whole, strict=True):
        assert [game.record for game in got] == [game.record for game in expected]
    tables = []
    for deals in (resumed, whole):
        standings = Standings(PLAN)
        for deal in deals:
            standings.add(deal)
        tables.append([(row.wins, row.points, row.thinking.decisions) for row in standings.rows])
    assert tables[0] == tables[1]
    with open_journal(path, PLAN) as journal:
        assert len(journal.deals) == 4
        assert list(play_deals(PLAN, 3, 1, journal)) == journal.deals[:3]


def test_a_line_that_was_torn_by_a_kill_is_played_again(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    with open_journal(path, PLAN) as journal:
        assert len(journal.deals) == 1
        journal.add(played(PLAN, 1))
    with open_journal(path, PLAN) as journal:
        assert len(journal.deals) == 2


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (tournament("random", "random", players=3, seed="other"), "seed: test; asked for: other"),
        (tournament("random", "random", players=4), "players: 3"),
        (tournament("random", "random@50", players=3), "asked for: random .20 ms., random@50"),
        (tournament("random", "random", players=3, edition="industria"), "edition: industry"),
    ],
)
def test_the_file_of_another_tournament_is_refused(
    path: Path, other: Tournament, named: str
) -> None:
    before = path.read_bytes()
    with pytest.raises(ArenaError, match=named):
        open_journal(path, other)
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_tournament_or_is_damaged_is_refused(
    path: Path, tmp_path: Path
) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"games":[]}\n' + lines[2])
    with pytest.raises(ArenaError, match="line 2, is damaged"):
        open_journal(path, PLAN)
    for text in (b"", b"[1]\n", b'{"format":1}\n', lines[0].rstrip()):
        path.write_bytes(text)
        with pytest.raises(ArenaError, match="not a file of a tournament"):
            read_header(path)


def test_two_tournaments_never_write_the_same_file(path: Path) -> None:
    with open_journal(path, PLAN):
        with pytest.raises(ArenaError, match="another tournament"):
            open_journal(path, PLAN)
        with pytest.raises(ArenaError, match="already exists"):
            create_journal(path, PLAN, 24)
        with pytest.raises(ArenaError, match="being written"):
            create_journal(path, PLAN, 24, replace=True)
    with open_journal(path, PLAN) as journal:
        assert len(journal.deals) == 2


def test_a_link_to_the_file_is_the_same_tournament_and_no_lock_stays(path: Path) -> None:
    link = path.with_name("link.jsonl")
    link.symlink_to(path)
    with open_journal(path, PLAN), pytest.raises(ArenaError, match="being written"):
        open_journal(link, PLAN)
    assert {found.name for found in path.parent.iterdir()} == {path.name, link.name}
