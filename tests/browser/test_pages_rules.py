"""The rules inside the game: every rule has its place, in every language, as the engine has it."""

import re
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from industry.engine import RULES
from industry.notation import new_game
from tests.rules.positions import INDUSTRIA, INDUSTRY, scene
from tests.support import proof

from .screens import Screens

ONLY_INDUSTRY = {"draw.coin", "auction.claim.payment", "subsidy.timing", "scoring.subsidy"}
ONLY_INDUSTRIA = {"income.era"}
EDITIONS = ("industry", "industria")


def rules_page(screens: Screens, edition: str, language: str = "en") -> Page:
    page = screens.open(f"/rules?edition={edition}", language=language)
    expect(page.locator("[data-rule]").first).to_be_visible()
    return page


def shown(page: Page) -> dict[str, tuple[str, str, str]]:
    """By rule: the section in which it stands, its rulings, and its words."""
    found: dict[str, tuple[str, str, str]] = {
        rule: (section, rulings, words)
        for rule, section, rulings, words in page.evaluate(
            """[...document.querySelectorAll('[data-rule]')].map(rule => [
                rule.dataset.rule,
                rule.closest('section').getAttribute('aria-labelledby'),
                rule.dataset.rulings,
                rule.querySelector('p').textContent.trim(),
            ])"""
        )
    }
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_rule_stands_in_its_section_with_its_rulings(screens: Screens, edition: str) -> None:
    page = rules_page(screens, edition)
    other = ONLY_INDUSTRIA if edition == "industry" else ONLY_INDUSTRY
    assert {rule: told[:2] for rule, told in shown(page).items()} == {
        rule.id: (rule.section, " ".join(rule.rulings))
        for rule in RULES.values()
        if rule.id not in other
    }


@pytest.mark.parametrize(
    ("edition", "language"), proof.spread(list(product(EDITIONS, ("en", "de", "fr"))), 4)
)
def test_every_rule_is_told_in_every_language(
    screens: Screens, edition: str, language: str
) -> None:
    for rule, (_, _, words) in shown(rules_page(screens, edition, language)).items():
        assert words.endswith("."), rule
        assert "{" not in words, rule


@pytest.mark.parametrize(
    "rule", proof.spread(["turn.order", "auction.bid.higher", "income.era", "cash.tile"], 2)
)
def test_a_link_to_a_rule_opens_its_place(screens: Screens, rule: str) -> None:
    page = screens.open(f"/rules#{rule}")
    place = page.locator(f"[data-rule='{rule}']")
    expect(place).to_have_class(re.compile(r"\bhere\b"))
    expect(place).to_be_in_viewport()


def test_the_table_of_claims_is_what_the_engine_pays(screens: Screens) -> None:
    page = rules_page(screens, "industry")
    rows = page.locator("table[data-table=claim] tbody tr").all()
    cells = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]
    for players, (pays, gets) in {3: cells[:2], 4: cells[2:]}.items():
        for price in range(1, 9):
            purses = claimed(players, price)
            assert pays[price - 1] == str(-purses[0])
            assert gets[price - 1] == "–".join(map(str, purses[1:]))


def claimed(players: int, price: int) -> list[int]:
    """What a claim at this price changes in every purse, from the Auctioneer's."""
    talers = " ".join(["30"] * players)
    before = scene(f"era 2, settle 2F, seat 1; talers {talers}; seat 2: bid {price}")
    after = before.play("1 claim").position.state.talers
    return [purse - 30 for purse in after[:players]]


def test_the_table_of_draws_is_what_the_engine_draws(screens: Screens) -> None:
    page = rules_page(screens, "industry")
    rows = page.locator("table[data-table=draws] tbody tr").all()
    for players, row in zip((3, 4), rows, strict=True):
        game = new_game(["Player"] * players, seed="draws")
        counts: dict[int, int] = {}
        while not game.is_over:
            if game.position.draw_due:
                counts[game.position.state.era] = game.position.draw_count
                game.draw()
            else:
                game.play(game.legal_moves()[0])
        told = [int(cell.inner_text()) for cell in row.locator("td").all()]
        assert told == [counts[era] for era in range(5)]


def test_the_bank_sells_what_it_says(screens: Screens) -> None:
    page = rules_page(screens, "industry")
    rows = page.locator("table[data-table=bank] td").all_inner_texts()
    assert rows[0] == "nothing"
    assert [row.split()[-1].lower() for row in rows[1:]] == ["wood", "iron", "cement", "computers"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_link_and_a_network_are_pictured_with_the_points_that_the_engine_counts(
    screens: Screens, edition: str
) -> None:
    page = rules_page(screens, edition)
    for example, part in (("link", "links"), ("network", "bonuses")):
        picture = page.locator(f"[data-example={example}]")
        fields = (picture.get_attribute("data-fields") or "").split()
        expect(picture.locator("svg .state-developed")).to_have_count(len(fields))
        mine = ", ".join(f"{field} developed" for field in fields)
        board = INDUSTRY if edition == "industry" else INDUSTRIA
        ended = scene(f"era 5, over; talers 0 0 0; seat 1: {mine}", board).position
        points = getattr(ended.breakdown(0), part)
        assert f"{points} points" in picture.inner_text(), example


def test_codes_of_rules_are_folded_away_for_players(screens: Screens) -> None:
    page = screens.open("/rules?edition=industry")
    rule = page.get_by_text("auction.offer.available")
    expect(page.locator("article h2").first).to_be_visible()
    expect(rule).to_have_count(0)
    page.get_by_role("checkbox").check()
    expect(rule.first).to_be_visible()
