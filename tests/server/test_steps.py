"""What a client keeps is what the server would have shown: version by version, for everybody.

A second view is made from nothing after every entry of the log. It is what a client would have been
sent that came at that very moment.
"""

import json
from collections.abc import Iterator
from random import Random

import pytest

from industry.server.commands import Draft
from industry.server.live_table import SHOWN, LiveTable
from industry.server.steps import News, Shown
from industry.server.store import TokenRow
from industry.server.table import Table
from tests.support import proof

from .applying import applied
from .playing import Client, Json, Server
from .tables import BOARDS, NAME, SECRET, Play

OPEN: Json = {}
CLOSED = {"industria_hands": "closed"}
ALL_TABLES = [
    (edition, players, rules)
    for edition in ("industry", "industria")
    for players in (3, 4)
    for rules in ([OPEN, CLOSED] if edition == "industria" else [OPEN])
]
TABLES = proof.spread(ALL_TABLES, 3)
"""In `make test` Industry, and Industria with closed hands."""


class Watcher:
    """Somebody at a table who keeps the view of every version."""

    def __init__(self, live: LiveTable, places: frozenset[int], choices: bool) -> None:
        self.live, self.places, self.wants_choices = live, places, choices
        self.address, self.hurried = "", False
        self.views: dict[int, Json] = {}
        self.yours: list[Json] = []
        self.take(json.loads(live.snapshot(places, choices)))

    def push(self, news: object) -> None:
        self.take(json.loads(news.text_for(self.places, self.wants_choices)))  # type: ignore[attr-defined]

    def push_text(self, text: str) -> None:
        """What is said besides is of no interest here."""

    def dismiss(self) -> None:
        raise AssertionError("nobody has to go")

    def take(self, message: Json) -> None:
        if message["type"] == "snapshot":
            self.views[message["view"]["version"]] = message["view"]
        for step in message.get("steps", ()):
            before = self.views[step["entry"]["version"] - 1]
            self.views[step["entry"]["version"]] = applied(before, step["changed"])
        self.yours = message["yours"]


class Course(Play):
    """A table that is played at random and watched; it keeps what a newcomer would be shown."""

    def __init__(self, edition: str, players: int, rules: Json) -> None:
        self.shows: dict[int, Json] = {}
        super().__init__(("human",) * players, edition=edition, rules=rules)
        tokens = [TokenRow(str(place), NAME, place) for place in range(1, players + 1)]
        boards = {board.hash: board for board in BOARDS.values()}
        self.live = LiveTable(Table(NAME, boards), SECRET, tokens)
        self.live.table = self.table
        self.live.advance(News(self.table, self.steps, self.now_shown, ""))
        everyone = [frozenset({place}) for place in range(1, players + 1)]
        places = [frozenset[int](), *everyone, frozenset(range(1, players + 1))]
        self.watchers = [Watcher(self.live, held, bool(n % 2)) for n, held in enumerate(places)]
        self.live.watchers |= set(self.watchers)

    @property
    def now_shown(self) -> Shown:
        assert self.shown is not None
        return self.shown

    def keep(self, draft: Draft) -> None:
        """Takes a draft over, entry by entry; after each a new view is made from nothing."""
        before = self.table if self.steps else Table(NAME, draft.table.boards)
        again = before.copy()
        for step in draft.steps:
            again.apply(step.entry)
            self.shows[step.entry.version] = json.loads(json.dumps(Shown(again).view))
        super().keep(draft)
        if hasattr(self, "live"):
            self.live.tell(self.live.advance(News(draft.table, draft.steps, self.now_shown, "")))

    def run(self, rng: Random) -> int:
        """Plays to the end and takes back now and then; returns how often."""
        undone = 0
        while self.table.status == "running":
            seat = self.table.last_decision()[1]
            if seat is not None and rng.random() < 0.15:
                draft = self.draft(1000)
                if self.table.undos.get(seat, 0) < 5:
                    draft.undo(seat)
                    self.keep(draft)
                    undone += 1
                    continue
            self.move(rng.choice(self.legal()), after=1000)
            self.check_private_parts()
        return undone

    def check_private_parts(self) -> None:
        """Everybody is told about the own seats, and about no other."""
        for watcher in self.watchers:
            fresh = json.loads(self.live.snapshot(watcher.places, watcher.wants_choices))
            assert watcher.yours == fresh["yours"]
            assert {yours["seat"] for yours in watcher.yours} == watcher.places


@pytest.mark.parametrize(("edition", "players", "rules"), TABLES, ids=str)
def test_a_client_keeps_the_views_that_the_server_would_have_sent(
    edition: str, players: int, rules: Json
) -> None:
    course = Course(edition, players, rules)
    assert course.run(Random(players)) > 5
    assert course.table.status == "over"
    for watcher in course.watchers:
        assert len(watcher.views) > 100
        for version, view in watcher.views.items():
            assert view == course.shows[version], version
    if rules == CLOSED:
        views = course.watchers[1].views.values()
        hidden = [view["game"] for view in views if sum(view["game"]["hands"])]
        assert all(
            {"owner": None, "status": "hidden"} in game["fields"].values() for game in hidden
        )
        assert len(hidden) > 50


@pytest.mark.parametrize(("edition", "players", "rules"), TABLES, ids=str)
def test_who_comes_late_can_have_every_view_from_the_first(
    edition: str, players: int, rules: Json
) -> None:
    course = Course(edition, players, rules)
    course.run(Random(7))
    view: Json = {}
    after = 0
    while steps := json.loads(course.live.steps_after(after, SHOWN)):
        for step in steps:
            view = applied(view, step["changed"])
            after = step["entry"]["version"]
            assert view == course.shows[after]
    assert after == course.table.version


def test_views_are_the_same_through_sockets(shared_server: Server) -> None:
    """Of a player, of somebody who watches, and of somebody who asks for all steps at the end."""
    made = shared_server.make("human", "random", "random", auto_forced=True)
    with (
        shared_server.client(made, 1, choices=True).ready() as player,
        shared_server.client(made).ready() as watcher,
    ):
        rng = Random(5)
        for _ in range(12):
            seat = player.until_mine()
            assert seat is not None
            answer = player.move(rng.choice(player.yours[seat]["legal"]))
            player.until_version(answer["version"])
        player.until_mine()
        watcher.until_version(player.version)
        for version, view in history(watcher):
            assert player.views.get(version, view) == view
            assert watcher.views.get(version, view) == view
        assert len(player.views) > 10


def history(client: Client) -> Iterator[tuple[int, Json]]:
    """All views of a table from its first entry on, by version."""
    view: Json = {}
    for step in client.ask(type="ask_steps", after=0)["steps"]:
        view = applied(view, step["changed"])
        yield step["entry"]["version"], view
