"""Sounds that can be tried and switched off one by one, and a few words across the table."""

from playwright.sync_api import expect

from .screens import Screens, barriers
from .tables import awaits_decision, make_table, sit
from .test_table_attention import CALLS


def test_every_sound_has_a_sample_and_a_switch(screens: Screens) -> None:
    context = screens.context(still=True)
    context.add_init_script(CALLS)
    page = screens.open(make_table(screens.site).link(0), context=context)
    assert awaits_decision(page)
    page.get_by_role("button", name="Settings").click()
    for sound in ("Your turn", "Gavel", "Your coins", "New era"):
        before = page.evaluate("window.tones")
        page.get_by_role("button", name=f"Listen to: {sound}").click()
        assert page.evaluate("window.tones") > before, sound
        expect(page.get_by_role("checkbox", name=sound, exact=True)).to_be_disabled()
    page.get_by_role("checkbox", name="Sound", exact=True).check()
    page.get_by_role("checkbox", name="Gavel").uncheck()
    assert barriers(page) == []
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("checkbox", name="Gavel")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="New era")).to_be_checked()


def test_people_write_to_each_other_and_read_ready_words_in_their_language(
    screens: Screens,
) -> None:
    made = make_table(screens.site, 2, 3, seating="as_joined")
    first, second = sit(screens, made, 0), sit(screens, made, 1, language="de")
    first.locator(".chat summary").click()
    first.get_by_role("textbox", name="Write to the table").fill("<img src=x> hi")
    first.get_by_role("button", name="Send").click()
    expect(second.locator(".chat summary")).to_contain_text("1 neue")
    first.get_by_role("button", name="Well played!").click()
    second.locator(".chat summary").click()
    expect(second.locator(".chat li").first).to_contain_text("<img src=x> hi")
    expect(second.locator(".chat li").last).to_contain_text("Gut gespielt!")
    assert second.locator(".chat img").count() == 0
    assert barriers(second) == []


def test_against_bots_alone_or_where_it_is_off_there_is_no_chat(screens: Screens) -> None:
    alone = sit(screens, make_table(screens.site))
    silent = sit(screens, make_table(screens.site, 2, 3, chat=False), 0)
    for page in (alone, silent):
        expect(page.locator(".chat")).to_have_count(0)
