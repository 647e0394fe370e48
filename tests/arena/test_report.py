"""The report: a page of its own that anyone can read, and numbers that are right."""

import re
from functools import lru_cache
from html.parser import HTMLParser

import polars as pl
import pytest

from industry.arena import Plan, Summary, play_batch
from industry.arena.dataset.tables import Dataset, batch_tables
from industry.arena.report.build import report_page
from industry.arena.report.data import MEASURES, GameSource, Group, differences, groups_of
from industry.arena.report.words import Words
from industry.boards import load_board
from industry.notation import complete_options
from industry.texts import LANGUAGES, say

CARDS = ("parts", "turns", "money", "length", "prices", "fields", "columns", "networks", "links")
EMPTY = {"meta", "br", "link", "img", "input", "path", "use", "rect"}


@lru_cache
def source(
    name: str, edition: str = "industry", players: int = 3, games: int = 4, **options: str
) -> GameSource:
    """Some random games under a name."""
    board = load_board(edition)
    plan = Plan(board, players, complete_options(edition, options), name, games, record=True)
    batch = play_batch(plan, fast=False)
    return GameSource(name, Dataset(board, batch_tables(plan, batch, fast=False), {"seed": name}))


@lru_cache
def page() -> str:
    """A report on three kinds of games."""
    return report_page([source("a"), source("b", late_draws="plain"), source("c", "industria")])


@lru_cache
def small_page(language: str) -> str:
    """A report on one kind of games."""
    return report_page([source("a")], language)


class Outline(HTMLParser):
    """The parts of a page: ids, attributes with addresses, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.reaching: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            if name in ("src", "href", "xlink:href", "action") and not str(value).startswith("#"):
                self.reaching.append(str(value))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self.open.pop() == tag


def test_the_page_is_one_file_that_asks_nobody_for_anything() -> None:
    outline = Outline(page())
    assert outline.open == []
    assert outline.reaching == []
    assert "script" not in outline.tags
    assert not re.search(r"url\((?!#|data:font/woff2)|@import|https?:", page())
    assert len(outline.ids) == len(set(outline.ids))
    references = set(re.findall(r'(?:href="#|url\(#)([\w.-]+)', page()))
    assert references <= set(outline.ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_is_named_and_says_how_to_read_it(language: str) -> None:
    text = small_page(language)
    labels = re.findall(r'<svg [^>]*role="img" aria-label="([^"]*)"', text)
    assert len(labels) == text.count("<svg") == len(CARDS)
    for card in CARDS:
        heading = say(f"lab.card.{card}", language)
        (article,) = [part for part in text.split("<article") if f"<h3>{heading}</h3>" in part]
        assert say(f"lab.read.{card}", language, fair="{}").partition("{}")[0] in article
        assert "<details>" in article and "<td>" in article
    assert f'<html lang="{language}">' in text


def test_several_kinds_of_games_are_compared_measure_by_measure() -> None:
    assert page().count("<svg") == len(MEASURES) + 3 * len(CARDS)
    (section,) = [part for part in page().split("<section") if 'id="compared"' in part]
    for measure in MEASURES:
        assert f"<h3>{say(f'lab.measure.{measure}')}</h3>" in section
    assert "late_draws: plain instead of recommended: " in section
    assert "Industria (2003) instead of Industry (2010): " in section


def test_day_and_night_have_a_colour_for_everything_that_is_drawn() -> None:
    day, night = re.findall(r":root\{(.*?)\}", page(), re.DOTALL)
    used = set(re.findall(r"var\(--([\w-]+)\)", page()))
    colours = {name for name in used if not name.startswith("font-")}
    assert colours <= set(re.findall(r"--([\w-]+):", day))
    assert colours <= set(re.findall(r"--([\w-]+):", night))
    drawn = re.findall(r"<svg.*?</svg>", page(), re.DOTALL)
    assert not any(re.search(r"(?:fill|stroke): ?#", picture) for picture in drawn)


def test_the_same_games_give_the_same_page() -> None:
    assert report_page([source("a")]) == small_page("en")


def test_games_are_grouped_by_how_they_were_played() -> None:
    groups = groups_of([source("a"), source("b", late_draws="plain"), source("d", players=4)])
    assert [(group.source, group.players) for group in groups] == [("a", 3), ("b", 3), ("d", 4)]
    assert [group.options["late_draws"] for group in groups] == [
        "recommended",
        "plain",
        "recommended",
    ]
    names = [Words("en").group(group, groups) for group in groups]
    assert names[0] == "Industry (2010), 3 players, a"
    assert names[1] == "Industry (2010), 3 players, late_draws = plain, b"


def test_shares_of_victories_are_those_of_the_summary() -> None:
    games = source("many", games=12)
    (group,) = groups_of([games])
    summary = Summary(3)
    plan = Plan(
        load_board("industry"), 3, complete_options("industry", {}), "many", 12, record=True
    )
    summary.add(play_batch(plan, fast=False))
    shares = [wins.share for wins in group.statistics.turn_order]
    assert shares == pytest.approx([won / 12 for won in summary.wins])
    means = group.means
    assert means["decisions"].value == pytest.approx(summary.decisions / 12)
    assert means["points"].value == pytest.approx(summary.parts.sum() / 36)


def changed(group: Group, points: int) -> Group:
    """The same games with this many more points for everyone."""
    tables = {
        **group.tables,
        "seats": group.tables["seats"].with_columns(pl.col("points") + points),
        "games": group.tables["games"].with_columns(pl.col("winning_points") + points),
    }
    return Group("changed", group.board, group.players, group.options, tables)


def test_only_certain_differences_between_games_are_reported() -> None:
    (group,) = groups_of([source("many", games=12)])
    (same,) = differences([group, changed(group, 0)])
    assert (same.setting, same.means) == ("source", ())
    (better,) = differences([group, changed(group, 40)])
    assert {mean.name: mean.value for mean in better.means} == {
        "winning_points": pytest.approx(40),
        "points": pytest.approx(40),
    }


def test_kinds_of_games_that_differ_in_two_things_are_not_blamed_on_one() -> None:
    groups = groups_of(
        [
            source("a"),
            source("b", late_draws="plain"),
            source("e", late_draws="plain", claim_afford="full_price"),
            source("c", "industria"),
        ]
    )
    found = {(d.first.source, d.second.source): d.setting for d in differences(groups)}
    assert found == {
        ("a", "b"): "late_draws",
        ("b", "e"): "claim_afford",
        ("a", "c"): "board",
        ("b", "c"): "board",
        ("e", "c"): "board",
    }


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert Words("en").number(-1234.56) == "−1,234.6"
    assert Words("de").number(-1234.56) == "−1.234,6"
    assert Words("fr").number(-1234.56) == "−1\u202f234,6"
    assert [Words(language).percent(0.253, 1) for language in LANGUAGES] == [
        "25.3%",
        "25,3\u00a0%",
        "25,3\u202f%",
    ]
    assert [Words("de").tick(value) for value in (0.5, 2.0, 0.25)] == ["0,5", "2", "0,25"]
