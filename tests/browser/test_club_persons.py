"""A person in a real browser: passkeys, a new phone, a deletion."""

import re
import subprocess
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cli.running import PROGRAM
from tests.support import proof

from .screens import Screens, barriers, overflow, until
from .serving import Serving

TABLE = re.compile(r"/table/[a-z0-9]{12}")


@pytest.fixture(scope="module")
def serving(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with persons."""
    serving = Serving(tmp_path_factory.mktemp("club"), INDUSTRY_PERSONS="open")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def club(serving: Serving) -> str:
    """Its address under a name: passkeys need one."""
    return serving.site.replace("127.0.0.1", "localhost")


@pytest.fixture
def people(browser: Browser, club: str) -> Iterator[Screens]:
    opened = Screens(browser, club)
    yield opened
    opened.close()
    assert opened.troubles == []


def device(people: Screens, **likes: object) -> Page:
    """A browser with an authenticator of its own, on the page of one's name."""
    context = people.context(**likes)  # type: ignore[arg-type]
    page = people.open("/me", context=context)
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return page


def join_by_passkey(page: Page, name: str) -> None:
    page.get_by_label("Your name", exact=True).fill(name)
    page.get_by_role("button", name="Create with a passkey").click()
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()


def open_table(page: Page) -> str:
    """A game against bots; its id."""
    page.goto("/".join(page.url.split("/")[:3]) + "/new")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(TABLE)
    return page.url.rpartition("/")[2].partition("#")[0]


def names_at(club: str, table: str) -> list[str]:
    seats = httpx.get(f"{club}/api/tables/{table}", timeout=60).json()["seats"]
    return [seat["name"] for seat in seats]


def test_a_person_moves_to_a_new_phone(people: Screens, club: str) -> None:
    desk = device(people)
    join_by_passkey(desk, "Ana Berg")
    table = open_table(desk)
    assert "Ana Berg" in names_at(club, table)
    desk.goto(f"{club}/me")
    desk.get_by_role("button", name="Make a new secret link").click()
    link = desk.locator("input[readonly]").input_value()

    phone = device(people, width=390)
    phone.goto(link)
    phone.reload()  # the authenticator came after the page
    expect(phone.get_by_text("Signed in as Ana Berg")).to_be_visible()
    assert phone.url == f"{club}/me"  # the secret does not stay in the address
    phone.get_by_role("button", name="Add a passkey of this device").click()
    expect(phone.get_by_role("button", name="Remove This device")).to_have_count(2)
    phone.get_by_role("button", name="Sign out", exact=True).click()
    phone.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.get_by_text("Signed in as Ana Berg")).to_be_visible()
    kept = "JSON.parse(localStorage['industry.seats'] ?? '[]')"
    until(phone, lambda: bool(phone.evaluate(kept)), "the phone never got the keys of the seats")
    held = phone.evaluate(kept)
    assert [one["table"] for one in held] == [table] and held[0]["tokens"]


def test_a_secret_link_works_where_the_page_is_open_already(people: Screens, club: str) -> None:
    wish = {"name": "Eve Roth"}
    secret = httpx.post(f"{club}/api/persons", json=wish, timeout=60).json()["link"]
    page = people.open("/me", context=people.context())
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    page.goto(f"{club}/me#{secret}")
    expect(page.get_by_text("Signed in as Eve Roth")).to_be_visible()
    assert page.url == f"{club}/me"


def test_a_deleted_person_leaves_a_game_without_a_name(people: Screens, club: str) -> None:
    page = device(people, language="en")
    join_by_passkey(page, "Bo Lund")
    table = open_table(page)
    page.goto(f"{club}/me")
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("button", name="Yes, delete").click()
    expect(
        page.get_by_text("Your name and everything about you have been deleted.")
    ).to_be_visible()
    assert "Bo Lund" not in names_at(club, table)
    page.goto(f"{club}/table/{table}")
    expect(page.locator("body")).not_to_contain_text("Bo Lund")
    people.expected.add(401)
    page.goto(f"{club}/me")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("The passkey did not work")


def test_whoever_is_signed_in_may_still_sit_down_as_a_guest(people: Screens, club: str) -> None:
    page = device(people)
    join_by_passkey(page, "Cy Ford")
    seats = [{"kind": "open"}] * 3
    wish = {"id": "guest", "options": {"players": 3}, "seats": seats}
    table = httpx.post(f"{club}/api/tables", json=wish, timeout=60).json()["table"]
    page.goto(f"{club}/table/{table}")
    expect(page.get_by_text("You play as Cy Ford.")).to_be_visible()
    page.get_by_label("Play as a guest instead").check()
    page.get_by_label("Your name", exact=True).fill("Nobody")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.get_by_text("Nobody")).to_be_visible()
    assert "Cy Ford" not in names_at(club, table)


@pytest.mark.parametrize(
    ("width", "theme"),
    proof.cases([(390, "dark"), (1440, "light"), (390, "light"), (1440, "dark")]),
)
def test_everybody_can_use_the_page(people: Screens, width: int, theme: str) -> None:
    page = device(people, width=width, theme=theme, language="de")
    assert barriers(people.settled(page)) == []
    page.get_by_label("Dein Name", exact=True).fill(f"Dora {width} {theme}")
    page.get_by_role("button", name="Mit geheimem Link anlegen").click()
    expect(page.get_by_text("Angemeldet als")).to_be_visible()
    assert barriers(people.settled(page)) == []
    page.set_viewport_size({"width": 360, "height": 640})
    assert overflow(page) == 0
    page.goto(page.url.replace("/me", "/"))
    expect(page.get_by_role("link", name=f"Dora {width} {theme}")).to_be_visible()


def test_an_operator_invites_somebody(people: Screens, serving: Serving, club: str) -> None:
    page = device(people)
    join_by_passkey(page, "Host")
    command = ("admin", "person", "operator", "Host", "--database", serving.database)
    subprocess.run([*PROGRAM, *command], check=True, timeout=60)  # while the server runs
    page.goto(f"{club}/me")
    page.get_by_role("link", name="The operator’s page").click()
    expect(page.get_by_role("link", name="Host")).to_be_visible()
    assert barriers(people.settled(page)) == []
    page.get_by_role("button", name="Invite somebody").click()
    link = page.locator("input[readonly]").input_value()
    assert "/me#invitation=" in link
