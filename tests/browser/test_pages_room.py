"""Before the game: people with the link sit down, and can come back later."""

import re

from playwright.sync_api import Locator, Page, expect

from .screens import Screens, copied

TABLE = re.compile(r"/table/[a-z0-9]{12}$")


def new_table(screens: Screens, *, listed: bool = False, open_seats: int = 1) -> Page:
    """The host's page of a table for three: this many open seats, people at this screen else."""
    page = screens.open("/new", name="Ana")
    page.get_by_role("button", name="3 players").click()
    for seat in (2, 3):
        sitter = "open" if seat > 3 - open_seats else "human"
        page.get_by_label(f"Seat {seat}: Who sits here").select_option(sitter)
    if listed:
        page.get_by_label("Who can find the table").select_option("on")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)
    expect(page.get_by_role("heading", name="The table is filling up")).to_be_visible()
    return page


def link(page: Page, title: str) -> str:
    page.get_by_role("region", name=title).get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("region", name=title).get_by_text("Copied").first).to_be_visible()
    return copied(page).removeprefix(page.url.split("/table/", 1)[0])


def names(page: Page) -> Locator:
    """Who sits at the table."""
    return page.locator("[data-name]")


def sit_down(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take a seat").click()


def test_the_game_begins_for_all_when_the_last_seat_is_taken(screens: Screens) -> None:
    host = new_table(screens)
    guest = screens.open(link(host, "Invite others"))
    sit_down(guest, "Bo")
    for page in (host, guest):
        expect(page.locator("ul.players")).to_contain_text("Bo")
        expect(page.locator("[data-field]")).to_have_count(60)


def test_a_host_removes_a_stranger_and_invites_somebody_else(screens: Screens) -> None:
    host = new_table(screens)
    stranger = screens.open(link(host, "Invite others"), name="Mallory")
    host.get_by_label("Bot for seat 3").wait_for()
    host.get_by_role("button", name="By invitation only").click()
    invitation = link(host, "Invitation to seat 3")
    expect(stranger.get_by_text("by invitation")).to_be_visible()
    expect(stranger.get_by_role("button", name="Take a seat")).to_have_count(0)
    friend = screens.open(invitation)
    expect(friend.get_by_role("heading", name="Take your seat")).to_be_visible()
    host.get_by_role("button", name="Open to everyone").click()
    sit_down(stranger, "Mallory")  # the last seat: the game begins
    expect(host.locator("ul.players")).to_contain_text("Mallory")
    waiting = new_table(screens, open_seats=2)
    guest = screens.open(link(waiting, "Invite others"))
    sit_down(guest, "Mallory")
    expect(names(waiting)).to_have_count(2)
    waiting.get_by_role("button", name="Remove Mallory from the table").click()
    expect(names(guest)).to_have_count(1)
    expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()


def test_a_seat_that_is_reserved_from_the_start_is_taken_by_its_link(screens: Screens) -> None:
    host = screens.open("/new", name="Ana")
    host.get_by_role("button", name="3 players").click()
    host.get_by_label("Seat 2: Who sits here").select_option("reserved")
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url(TABLE)
    friend = screens.open(link(host, "Invitation to seat 2"))
    sit_down(friend, "Bo")
    for page in (host, friend):
        expect(page.locator("ul.players")).to_contain_text("Bo")
        expect(page.locator("aside[role=alert]")).to_have_count(0)  # nothing is wrong with the bag


def test_after_the_seats_were_dealt_everyone_knows_his_own(screens: Screens) -> None:
    host = new_table(screens, open_seats=2)
    invitation = link(host, "Invite others")
    guests = {name: screens.open(invitation) for name in ("Bo", "Cy")}
    for name, guest in guests.items():
        sit_down(guest, name)
    for name, page in {"Ana": host, **guests}.items():
        own = page.locator("ul.players > li", has_text="(you)")
        expect(own).to_have_count(1)
        expect(own).to_contain_text(name)


def test_the_secret_link_brings_the_seat_to_another_device(screens: Screens) -> None:
    host = new_table(screens, open_seats=2)
    guest = screens.open(link(host, "Invite others"))
    sit_down(guest, "Bo")
    secret = link(guest, "Your way back")
    elsewhere = screens.open(secret)
    seat = elsewhere.get_by_role("listitem").filter(has_text="Bo")
    expect(seat.get_by_text("you", exact=True)).to_be_visible()
    assert "#" in secret
    assert "#" not in elsewhere.url


def test_the_link_for_spectators_offers_no_seat(screens: Screens) -> None:
    host = new_table(screens)
    page = screens.open(link(host, "For spectators"))
    expect(page.get_by_role("heading", name="The table is filling up")).to_be_visible()
    expect(page.get_by_role("button", name="Take a seat")).to_have_count(0)


def test_the_host_fills_open_seats_with_bots_and_begins(screens: Screens) -> None:
    host = new_table(screens, open_seats=2)
    host.get_by_role("button", name="Fill with bots and begin").click()
    expect(host.locator(".players > li")).to_have_count(3)


def test_the_host_chooses_the_bot_of_a_seat(screens: Screens) -> None:
    host = new_table(screens, open_seats=2)
    host.get_by_label("Bot for seat 2").select_option("engineer")
    host.get_by_role("button", name="Let a bot play").first.click()
    expect(names(host)).to_have_text(["Ana you", "Engineer"])


def test_who_gives_up_a_seat_leaves_it_to_others(screens: Screens) -> None:
    host = new_table(screens, open_seats=2)
    guest = screens.open(link(host, "Invite others"))
    sit_down(guest, "Bo")
    expect(names(host)).to_have_text(["Ana you", "Bo"])
    guest.get_by_role("button", name="Leave your seat").click()
    expect(names(host)).to_have_text(["Ana you"])
    expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()


def test_listed_tables_are_found_and_others_are_not(screens: Screens) -> None:
    listed = new_table(screens, listed=True).url.rsplit("/", 1)[1]
    private = new_table(screens).url.rsplit("/", 1)[1]
    page = screens.open("/lobby")
    open_tables = page.get_by_role("region", name="Waiting for players")
    expect(open_tables.locator(f"a[href='/table/{listed}']")).to_be_visible()
    expect(open_tables.locator(f"a[href='/table/{private}']")).to_have_count(0)


def test_a_table_that_does_not_exist_is_told(screens: Screens) -> None:
    page = screens.open("/table/abcdefghijkl")
    expect(page.get_by_role("heading", name="This table doesn’t exist.")).to_be_visible()
