"""A club that has been in use for a while, and the pages that show it.

Persons with long names and ratings, a cup in every state, tables, a finished game with its review:
what an empty server does not show.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.sync_api import Page

from tests.server.club.members import Member
from tests.server.club.rated import counted, game
from tests.server.club.test_club_authorisation import make_operator
from tests.server.cups.holding import new_cup, play_games, until, until_over
from tests.server.playing import QUICK, Client, Json, RandomPool, Server, play_on, served

from .screens import PATIENCE

PEOPLE = ("Ana Berg", "Maximiliane Hohenlohe-Öh", "Cy Weiß")
"""The second has the longest name that a person can have."""
RESULTS = ((1, 2, 3), (2, 1, 3), (1, 3, 2), (1, 2, 2), (3, 1, 2), (1, 2, 3), (2, 3, 1), (1, 2, 3))
DAY = 86_400_000
REVIEWED = 240_000
"""Milliseconds: how long the review of the game may take on a busy machine."""
TUNING = replace(QUICK, review_lines=4)


class Club(NamedTuple):
    """Where it is, how its first person signs in, and what its pages are about."""

    site: str
    link: str
    places: dict[str, str]


class Look(NamedTuple):
    """A page: its path, what is shown when it is there, and what is pressed then."""

    path: str
    shown: str = "main h1"
    press: tuple[str, ...] = ()
    is_guest: bool = False


PAGES = {
    "sign-in": Look("/me", "form", is_guest=True),
    "me": Look("/me", ".hello"),
    "notices": Look("/me", "dialog[open] h3", ("[aria-haspopup=dialog]", "dialog summary")),
    "person": Look("/person/{person}", "svg[role=img]"),
    "club": Look("/club", "#week"),
    "ratings": Look("/ratings", "#forecasts"),
    "operator": Look("/operator", "#persons"),
    "cups": Look("/cups", "#over"),
    "new-cup": Look("/cups", "form", (".head button",)),
    "cup-open": Look("/cup/{open}", "#players"),
    "cup-running": Look("/cup/{running}", "#standings"),
    "cup-over": Look("/cup/{over}", "#standings", ("summary",)),
    "lobby": Look("/lobby", ".list-row"),
    "daily": Look("/daily", "[data-portrait]"),
    "review": Look("/review/{table}", "a[download]"),
    "orders": Look("{seat}", "dialog[open] form", ("[data-key=r]",)),
}


@contextmanager
def lived_in(folder: Path) -> Iterator[Club]:
    """The club, on a server of its own."""
    database = f"sqlite:///{folder / 'tables.db'}"
    with served(database, RandomPool(), tuning=TUNING, persons="open") as server:
        people = [Member(server, name) for name in PEOPLE]
        ana = people[0]
        make_operator(server, ana)
        rate(server, people)
        places = {"person": ana.me["id"], **tables_of(ana), **cups_of(*people[:2])}
        yield Club(server.url, ana.link, places)


def rate(server: Server, people: list[Member]) -> None:
    """Games on past days, so that everybody has a curve."""
    ids = [one.me["id"] for one in people]
    first = people[0].me["created"] - len(RESULTS) * DAY
    for number, ranks in enumerate(RESULTS):
        counted(server, game(f"game{number:08}", ids, ranks, ended=first + number * DAY))


def tables_of(ana: Member) -> dict[str, str]:
    """A finished table, one at which she has to bid, and one that waits for others."""
    finished = ana.open_table("foreman", "engineer")
    with client_of(ana, finished) as client:
        play_on(client.ready(), Random(3))
    running = ana.open_table("foreman", "engineer", auto_forced=False)
    with client_of(ana, running) as client:
        client.ready()
        while (seat := client.until_mine()) and " bid " not in str(client.yours[seat]["legal"]):
            play_on(client, Random(1), 1)
    ana.open_table("open", "engineer", listed=True)
    link = f"/table/{running['table']}#{running['seats'][0]['token']}"
    return {"table": finished["table"], "seat": link}


def client_of(member: Member, made: Json) -> Client:
    return Client(member.server, made["table"], [made["seats"][0]["token"]])


def cups_of(ana: Member, bo: Member) -> dict[str, str]:
    """A cup that can be joined, one that is played, and one that is over."""
    bots = ["foreman", "engineer"]
    opened = new_cup(ana, name="Open winter cup", bots=bots, places=16, format="swiss")
    name = "League of the long evenings"
    league = new_cup(ana, name=name, format="league", bots=bots * 2, places=8)
    ana.post(f"cups/{league['id']}/start")
    short = new_cup(ana, name="Autumn cup", size=4, rounds=1, bots=bots, duplicate=True)
    bo.post(f"cups/{short['id']}/join")
    until(ana, short["id"], lambda cup: cup["status"] == "running" and cup["rounds"])
    play_games(short["id"], ana, bo)
    until_over(ana, short["id"])
    return {"open": opened["id"], "running": league["id"], "over": short["id"]}


def arrive(page: Page, club: Club, look: Look) -> None:
    """Opens a page of the club and presses what it shows on request."""
    page.goto(f"{club.site}{look.path.format(**club.places)}")
    for place in look.press:
        page.locator(place).first.click()
    page.locator(look.shown).first.wait_for(timeout=REVIEWED if "review" in look.path else PATIENCE)


def sign_in(page: Page, club: Club) -> None:
    """This browser is that of the club's first person from now on."""
    page.goto(f"{club.site}/me#{club.link}")
    page.locator(".hello").wait_for()
