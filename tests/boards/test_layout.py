"""The picture of a board: nothing lies on top of anything else, and all can be read."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

from industry.boards.picture.layout import CARD_HEIGHT, CARD_WIDTH
from industry.boards.picture.text_fit import fitted, text_width
from industry.texts import LANGUAGES

from .drawings import (
    ANY_BOARD,
    BOARDS_TO_DRAW,
    SVG,
    Box,
    card_boxes,
    cards,
    known,
    laid_out,
    with_class,
)


def label_boxes(node: ET.Element) -> Iterator[Box]:
    """Where the words of a group are, by the width that each of them is bound to."""
    pattern = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+) 1\)")
    for text in node.iter(f"{SVG}text"):
        if found := pattern.fullmatch(text.get("transform", "")):
            x, y, scale = (float(part) for part in found.groups())
            size = float(text.get("font-size", 0))
            width = float(text.get("textLength", 0)) * scale
            yield Box(text.text or "", x, y - 0.75 * size, x + width, y + 0.21 * size)


@pytest.mark.parametrize("language", LANGUAGES)
@ANY_BOARD
def test_no_two_texts_of_a_field_overlap_and_none_leaves_its_card(name: str, language: str) -> None:
    outline = Box("card", 0, 0, CARD_WIDTH, CARD_HEIGHT)
    for field_id, card in cards(known(name, language)).items():
        outside = [group for group in card if group.tag == f"{SVG}g"]
        plain = ET.Element("g")
        plain.extend(node for node in card if node not in outside)
        boxes = list(label_boxes(plain))
        assert len(boxes) >= 3, field_id
        for box in boxes:
            assert outline.contains(box, slack=0.5), f"{field_id}: {box}"
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other, slack=1.0), f"{field_id}: {one} {other}"


def extent(group: ET.Element) -> tuple[float, float]:
    """How far the symbols of a line of costs or gains reach on their card."""
    found = re.fullmatch(
        r"translate\(([\d.]+) [\d.]+\) scale\(([\d.]+)\)", group.get("transform", "")
    )
    assert found
    start, scale = (float(part) for part in found.groups())
    shapes = [*group.iter(f"{SVG}use"), *group.iter(f"{SVG}rect")]
    lefts = [float(shape.get("x", 0)) for shape in shapes]
    rights = [float(shape.get("x", 0)) + float(shape.get("width", 0)) for shape in shapes]
    return start + min(lefts) * scale, start + max(rights) * scale


@ANY_BOARD
def test_costs_and_gains_stand_apart(name: str) -> None:
    seen = 0
    for field_id, card in cards(known(name)).items():
        groups = [node for node in card if "scale" in node.get("transform", "")]
        lines = [extent(group) for group in groups if group.tag == f"{SVG}g"]
        assert all(left >= 0 and right <= CARD_WIDTH for left, right in lines), field_id
        if len(lines) == 2:
            seen += 1
            assert lines[0][1] < lines[1][0], field_id
    assert seen > 20


@pytest.mark.parametrize("name", ["industry", "industria"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_large_enough_to_read(name: str, language: str) -> None:
    for field_id, card in cards(known(name, language)).items():
        sizes = [float(text.get("font-size", 0)) for text in card if text.tag == f"{SVG}text"]
        assert min(sizes) >= 10, field_id


@pytest.mark.parametrize("language", LANGUAGES)
@ANY_BOARD
def test_heading_and_legend_fit_the_width(name: str, language: str) -> None:
    root = known(name, language)
    width = float(root.get("width", 0))
    for part in ("heading", "legend"):
        (node,) = with_class(root, part)
        boxes = list(label_boxes(node))
        assert all(box.left >= 0 and box.right <= width for box in boxes)
        assert not any(one.overlaps(other, 1.0) for one, other in combinations(boxes, 2))


@ANY_BOARD
def test_cards_do_not_touch_each_other_and_lie_inside_the_picture(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    layout = laid_out(name)
    boxes = card_boxes(layout, board)
    paper = Box("paper", 0, 0, layout.width, layout.bottom)
    assert all(paper.contains(box) for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@ANY_BOARD
def test_no_line_runs_across_a_card(name: str) -> None:
    board = BOARDS_TO_DRAW[name]
    layout = laid_out(name)
    boxes = card_boxes(layout, board)
    for route in layout.routes:
        way = layout.way(route)
        for line in way.lines + way.stubs:
            for (x1, y1), (x2, y2) in pairwise(line):
                piece = Box(route.name, min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
                hit = [box.name for box in boxes if piece_inside(piece, box)]
                assert not hit, f"{route.name} {route.ends} runs across {hit}"


def piece_inside(piece: Box, card: Box) -> bool:
    """Whether part of a piece lies inside a card, and not only on its edge."""
    return (
        piece.left < card.right - 0.01
        and piece.right > card.left + 0.01
        and piece.top < card.bottom - 0.01
        and piece.bottom > card.top + 0.01
    )


@ANY_BOARD
def test_no_two_lines_run_on_top_of_each_other(name: str) -> None:
    layout = laid_out(name)
    pieces = [
        (number, Box(route.name, min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
        for number, route in enumerate(layout.routes)
        for line in layout.way(route).lines + layout.way(route).stubs
        for (x1, y1), (x2, y2) in pairwise(line)
    ]
    for (one, first), (other, second) in combinations(pieces, 2):
        if one != other:
            assert not run_together(first, second), f"{first} {second}"


def run_together(first: Box, second: Box) -> bool:
    """Whether two straight pieces share more than a crossing."""
    flat = first.top == first.bottom and second.top == second.bottom
    upright = first.left == first.right and second.left == second.right
    if flat and abs(first.top - second.top) < 4:
        return min(first.right, second.right) - max(first.left, second.left) > 0.01
    if upright and abs(first.left - second.left) < 4:
        return min(first.bottom, second.bottom) - max(first.top, second.top) > 0.01
    return False


# --- words in lines -------------------------------------------------------------------------------

SIZES = ((12.0, 2), (10.0, 3))


def test_a_short_name_keeps_the_best_size_and_one_line() -> None:
    assert fitted("Bank", 100, SIZES) == (12.0, ["Bank"])


def test_a_long_name_is_broken_between_words_into_even_lines() -> None:
    assert fitted("Genetic engineering plant", 130, SIZES) == (
        12.0,
        ["Genetic", "engineering plant"],
    )


@pytest.mark.parametrize("text", ["Donaudampfschifffahrtsgesellschaft" * 2, "a " * 60, "—" * 60])
def test_what_fits_nowhere_becomes_smaller_but_is_never_cut_off(text: str) -> None:
    size, lines = fitted(text, 60, SIZES)
    assert size <= 10.0
    assert len(lines) <= 3
    assert all(text_width(line, size) <= 60 for line in lines)
    assert "".join(lines).replace("-", "").replace(" ", "") == text.replace(" ", "")


def test_a_no_break_space_keeps_its_words_together() -> None:
    _, lines = fitted("Joker «\u00a0?\u00a0»", 40, SIZES)
    assert "«\u00a0?\u00a0»" in lines
