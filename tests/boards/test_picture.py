"""The picture of a board: one valid file, and everything on it that the board says."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest

from industry.boards import BOARDS
from industry.boards.check import board_problems
from industry.boards.picture import THEMES, board_svg
from industry.texts import LANGUAGES, say

from .drawings import (
    ANY_BOARD,
    BOARDS_TO_DRAW,
    INDUSTRIA,
    INDUSTRY,
    SVG,
    cards,
    drawn,
    known,
    laid_out,
    picture,
    texts,
    touching,
    with_class,
)


@pytest.mark.parametrize("name", ["industry shuffled", "industria shuffled", "crowded"])
def test_the_boards_drawn_here_could_be_played(name: str) -> None:
    assert board_problems(BOARDS_TO_DRAW[name]) == []


# --- the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
@ANY_BOARD
def test_the_picture_is_valid_xml_and_needs_nothing_else(
    name: str, language: str, theme: str
) -> None:
    text = picture(name, language, theme)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    used = {node.get("href", "") for node in root.iter(f"{SVG}use")}
    assert used
    assert {href.removeprefix("#") for href in used} <= set(ids)
    assert not re.search(r"<script|<image|url\(|@import|@font-face|javascript:", text)
    assert text.count("http") == text.count("http://www.w3.org/2000/svg") == 1


def test_the_same_board_always_gives_the_same_picture() -> None:
    assert board_svg(INDUSTRY) == picture("industry")


def test_every_theme_and_language_gives_its_own_picture() -> None:
    pictures = {picture("industry", lang, theme) for lang in LANGUAGES for theme in THEMES}
    assert len(pictures) == len(LANGUAGES) * len(THEMES)


def test_an_unknown_theme_or_language_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="no theme sepia; known: light, dark"):
        board_svg(INDUSTRY, theme="sepia")
    with pytest.raises(ValueError, match="no language it; known: en, de, fr"):
        board_svg(INDUSTRY, "it")


def test_names_from_a_foreign_file_cannot_break_the_picture() -> None:
    hostile = dict.fromkeys(LANGUAGES, '</text><script>x("&\u0001")</script>')
    board = replace(
        INDUSTRY, fields=(replace(INDUSTRY.fields[0], name=hostile), *INDUSTRY.fields[1:])
    )
    root = drawn(board)
    assert not list(root.iter(f"{SVG}script"))
    words = "".join(texts(cards(root)["1A"])).replace("-", "")
    assert "</text><script>x(" in words


# --- what is on it --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@ANY_BOARD
def test_every_field_shows_its_id_its_whole_name_and_its_kind(name: str, language: str) -> None:
    board = BOARDS_TO_DRAW[name]
    found = cards(known(name, language))
    assert list(found) == [field.id for field in board.fields]
    for field in board.fields:
        words = texts(found[field.id])
        letters = re.sub(r"[\s-]", "", "".join(words))
        assert re.sub(r"[\s-]", "", field.name[language]) in letters
        assert field.id in words
        raw = field.kind == "joker" and board.edition == "industria"
        assert say("picture.raw_material" if raw else f"kind.{field.kind}", language) in words


@ANY_BOARD
def test_every_field_shows_its_values(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    found = cards(known(name))
    for field in board.fields:
        symbols = Counter(use.get("href") for use in found[field.id].iter(f"{SVG}use"))
        numbers = [word for word in texts(found[field.id]) if word.isdigit()]
        bonus = field.bonus.points if field.bonus else 0
        expected = [str(value) for value in (field.cost, field.points, bonus) if value]
        assert sorted(numbers) == sorted(expected), field.id
        for resource in {*field.needs, field.makes, field.joker} - {None}:
            times = [*field.needs, field.makes, field.joker].count(resource)
            assert symbols[f"#r-{resource}"] == times, field.id
        assert ("−1" in texts(found[field.id])) == bool(field.discount)
        pictures = [symbol for symbol in symbols if symbol and symbol.startswith("#p-")]
        assert len(pictures) == (0 if field.kind == "joker" else 1)


@pytest.mark.parametrize("name", BOARDS)
def test_fields_of_the_same_board_share_a_picture_only_where_they_share_a_name(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    owners: dict[str, set[str]] = {}
    for field_id, card in cards(known(name)).items():
        for use in card.iter(f"{SVG}use"):
            if use.get("href", "").startswith("#p-"):
                owners.setdefault(use.get("href", ""), set()).add(board.field(field_id).name["en"])
    shared = [names for names in owners.values() if len(names) > 1]
    assert shared in ([], [{"Power plant", "Power Station"}])


@ANY_BOARD
def test_every_link_is_drawn_once_from_edge_to_edge(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    found = {node.get("id"): node for node in with_class(known(name), "link")}
    assert set(found) == {f"link-{one}-{other}" for one, other in board.links}
    layout = laid_out(name)
    for route in layout.routes:
        if route.ends:
            kind = "road" if board.field(route.ends[0]).kind == "factory" else "line"
            assert kind in found["link-" + "-".join(route.ends)].get("class", "")
            (line,) = layout.way(route).lines
            touched = {touching(layout, board, point) for point in (line[0], line[-1])}
            assert touched == set(route.ends)


@ANY_BOARD
def test_every_network_joins_all_its_factories_and_bonus_fields(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    layout = laid_out(name)
    networks = {route.name: route for route in layout.routes if not route.ends}
    for network in board.networks:
        members = {
            field.id
            for field in board.fields
            if network in field.networks or (field.bonus and field.bonus.network == network)
        }
        way = layout.way(networks[network])
        assert {touching(layout, board, stub[-1]) for stub in way.stubs} == members
        assert is_connected([*way.lines, *way.stubs])


def is_connected(lines: list[list[tuple[float, float]]]) -> bool:
    """Whether one can walk along horizontal and vertical pieces from each to each other."""
    reached, waiting = [lines[0]], lines[1:]
    while waiting:
        near = [line for line in waiting if any(meet(line, other) for other in reached)]
        if not near:
            return False
        reached += near
        waiting = [line for line in waiting if line not in near]
    return True


def meet(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    spans = [
        (min(a, b), max(a, b), min(c, d), max(c, d))
        for (a, c), (b, d) in ((one[0], one[-1]), (other[0], other[-1]))
    ]
    (x1, x2, y1, y2), (u1, u2, v1, v2) = spans
    return x1 <= u2 + 0.01 and u1 <= x2 + 0.01 and y1 <= v2 + 0.01 and v1 <= y2 + 0.01


def test_a_network_without_members_is_not_drawn() -> None:
    bare = replace(
        INDUSTRY,
        fields=tuple(
            replace(
                field,
                networks=tuple(n for n in field.networks if n != "power"),
                bonus=replace(field.bonus, network="rail")
                if field.bonus and field.bonus.network == "power"
                else field.bonus,
            )
            for field in INDUSTRY.fields
        ),
    )
    drawn_networks = {node.get("class") for node in with_class(drawn(bare), "network")}
    assert drawn_networks == {"network river", "network rail", "network pipeline"}


def test_the_coin_column_is_marked_and_explained() -> None:
    words = texts(drawn(INDUSTRY))
    assert words.count("+1") == 2, "on its token and in the legend"
    assert say("picture.coin_column") in words
    assert "+1" not in texts(drawn(INDUSTRIA))


@pytest.mark.parametrize("name", BOARDS)
def test_every_attested_value_has_its_dot(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    found = known(name)
    expected = 2  # in the heading and in the legend
    for field in board.fields:
        on_card = set(field.attested) - {"networks"}
        assert len(with_class(cards(found)[field.id], "mark")) == len(on_card), field.id
        expected += len(on_card) + len(field.networks) * ("networks" in field.attested)
    assert len(with_class(found, "mark")) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reconstruction_says_so_and_a_verified_board_says_that(language: str) -> None:
    verified = replace(INDUSTRY, status="verified")
    said = [" ".join(texts(drawn(board, language))) for board in (INDUSTRY, verified)]
    assert say("board.reconstruction", language) in said[0]
    assert say("board.reconstruction", language) not in said[1]
    assert say("picture.verified", language) in said[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BOARDS)
def test_the_legend_explains_every_sign(name: str, language: str) -> None:
    board = BOARDS_TO_DRAW[name]
    (legend,) = with_class(known(name, language), "legend")
    words = " ".join(texts(legend)).lower()
    for network in board.networks:
        assert say(f"network.{network}", language).lower() in words
    for key in ("cost", "needs", "makes", "points", "bonus", "discount", "attested"):
        assert say(f"picture.{key}", language).lower() in words
    assert say("picture.road", language, points=3).lower() in words
    assert say("picture.line", language, points=3).lower() in words
