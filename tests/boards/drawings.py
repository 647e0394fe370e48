"""Boards to draw, easy and hard ones, and what can be found in their pictures."""

import random
import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace
from functools import cache

import pytest

from industry.boards import BoardSpec, load_board
from industry.boards.picture import board_svg
from industry.boards.picture.layout import CARD_HEIGHT, CARD_WIDTH, Layout
from industry.texts import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"
LETTERS = "ABCDEFGHIJKL"
INDUSTRY = load_board("industry")
INDUSTRIA = load_board("industria")


def shuffled(board: BoardSpec, seed: int) -> BoardSpec:
    """The same fields of every era in other columns, with their links."""
    chance = random.Random(seed)
    places: dict[str, str] = {}
    fields = []
    for era in range(1, 6):
        row = list(board.row(era))
        chance.shuffle(row)
        for letter, field in zip(LETTERS, row, strict=True):
            places[field.id] = f"{era}{letter}"
            fields.append(replace(field, id=f"{era}{letter}"))
    links = tuple((places[one], places[other]) for one, other in board.links)
    return replace(board, fields=tuple(fields), links=links)


def crowded(board: BoardSpec) -> BoardSpec:
    """The hardest board that may be played: long names, all networks, large numbers, many links."""
    long = ("Elektrizitätsversorgungsgesellschaftshauptverwaltungsgebäude", "A long name " * 5)
    fields = tuple(
        replace(field, name=dict.fromkeys(LANGUAGES, long[number % 2].strip()[:60]))
        for number, field in enumerate(board.fields)
    )
    fields = tuple(
        replace(field, networks=board.networks, cost=1000, points=1000, needs=field.needs[:2])
        if field.kind == "factory"
        else field
        for field in fields
    )
    factories = [field.id for field in fields if field.kind == "factory"]
    more = tuple((factories[n], factories[n + 9]) for n in range(len(factories) - 9))
    return replace(board, fields=fields, links=tuple({*board.links, *more}))


BOARDS_TO_DRAW = {
    "industry": INDUSTRY,
    "industria": INDUSTRIA,
    "industry shuffled": shuffled(INDUSTRY, 3),
    "industria shuffled": shuffled(INDUSTRIA, 5),
    "crowded": shuffled(crowded(INDUSTRIA), 8),
}
ANY_BOARD = pytest.mark.parametrize("name", BOARDS_TO_DRAW)


def drawn(board: BoardSpec, language: str = "en", theme: str = "light") -> ET.Element:
    return ET.fromstring(board_svg(board, language, theme))


@cache
def picture(name: str, language: str = "en", theme: str = "light") -> str:
    return board_svg(BOARDS_TO_DRAW[name], language, theme)


def known(name: str, language: str = "en") -> ET.Element:
    """The picture of one of the boards above."""
    return ET.fromstring(picture(name, language))


@cache
def laid_out(name: str) -> Layout:
    return Layout(BOARDS_TO_DRAW[name])


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [node for node in root.iter() if name in node.get("class", "").split()]


def texts(node: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in node.iter(f"{SVG}text")]


def cards(root: ET.Element) -> dict[str, ET.Element]:
    return {node.get("id", "").removeprefix("field-"): node for node in with_class(root, "field")}


@dataclass(frozen=True)
class Box:
    name: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box", slack: float = 0.0) -> bool:
        return (
            self.left < other.right - slack
            and other.left < self.right - slack
            and self.top < other.bottom - slack
            and other.top < self.bottom - slack
        )

    def contains(self, other: "Box", slack: float = 0.0) -> bool:
        return (
            self.left - slack <= other.left
            and other.right <= self.right + slack
            and self.top - slack <= other.top
            and other.bottom <= self.bottom + slack
        )

    def has_on_edge(self, point: tuple[float, float]) -> bool:
        x, y = point
        on_side = (
            min(abs(x - self.left), abs(x - self.right)) < 0.01 and self.top <= y <= self.bottom
        )
        on_end = (
            min(abs(y - self.top), abs(y - self.bottom)) < 0.01 and self.left <= x <= self.right
        )
        return on_side or on_end


def card_boxes(layout: Layout, board: BoardSpec) -> list[Box]:
    return [
        Box(field.id, x, y, x + CARD_WIDTH, y + CARD_HEIGHT)
        for number, field in enumerate(board.fields)
        for x, y in [(layout.card_x[number % 12], layout.card_y[number // 12])]
    ]


def touching(layout: Layout, board: BoardSpec, point: tuple[float, float]) -> str:
    """The field on whose edge a point lies."""
    (found,) = (box.name for box in card_boxes(layout, board) if box.has_on_edge(point))
    return found
