"""Writes the page of a report: one self-contained file for any browser and any screen."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from .cards import Card, NumberTable

STYLE = "report.css"
FONTS = {
    "Industry Condensed": ("sans", "font-weight:500 700;font-stretch:75%"),
    "Industry Text": ("sans", "font-weight:500 700;font-stretch:100%"),
    "Industry Slab": ("slab", "font-weight:700"),
}
"""The browser client's fonts, included in the file so that it looks the same everywhere."""


@dataclass(frozen=True)
class Section:
    """A part of the page with its anchor."""

    anchor: str
    title: str
    cards: tuple[Card, ...]
    text: str = ""
    lines_title: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """The content of the page, in order."""

    language: str
    title: str
    lead: str
    contents: str
    numbers: str
    notes_title: str
    notes: tuple[str, ...]
    kinds: NumberTable
    sections: tuple[Section, ...]
    ends: tuple[str, ...]

    def html(self) -> str:
        """Returns the page as one file that needs no network."""
        style = _font_faces() + files(__package__).joinpath(STYLE).read_text(encoding="utf-8")
        body = "".join(self._section(section) for section in self.sections)
        ends = "".join(f"<p>{escape(line)}</p>" for line in self.ends)
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f'<header>\n<h1>{escape(self.title)}</h1>\n<p class="lead">{escape(self.lead)}</p>\n'
            f"{self._notes()}</header>\n<main>\n"
            f'<div class="scroll kinds">{_table(self.kinds)}</div>\n'
            f"{self._contents()}{body}</main>\n<footer>{ends}</footer>\n</body>\n</html>\n"
        )

    def _notes(self) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f'<div class="notes"><h3>{escape(self.notes_title)}</h3>{notes}</div>\n'

    def _contents(self) -> str:
        if len(self.sections) < 2:
            return ""
        links = "".join(
            f'<li><a href="#{section.anchor}">{escape(section.title)}</a></li>'
            for section in self.sections
        )
        return f"<nav><h2>{escape(self.contents)}</h2><ol>{links}</ol></nav>\n"

    def _section(self, section: Section) -> str:
        cards = "".join(self._card(card) for card in section.cards)
        lines = ""
        if section.lines:
            items = "".join(f"<li>{escape(line)}</li>" for line in section.lines)
            lines = f"<h3>{escape(section.lines_title)}</h3><ul>{items}</ul>\n"
        text = f"<p>{escape(section.text)}</p>\n" if section.text else ""
        return (
            f'<section id="{section.anchor}">\n<h2>{escape(section.title)}</h2>\n{text}{lines}'
            f'<div class="cards">\n{cards}</div>\n</section>\n'
        )

    def _card(self, card: Card) -> str:
        says = f'<p class="says">{escape(card.says)}</p>\n' if card.says else ""
        read = f'<p class="quiet">{escape(card.read)}</p>\n' if card.read else ""
        return (
            f'<article class="card">\n<h3>{escape(card.title)}</h3>\n{says}{card.picture}\n{read}'
            f"<details><summary>{escape(self.numbers)}</summary>"
            f'<div class="scroll">{_table(card.table)}</div></details>\n</article>\n'
        )


def _table(table: NumberTable) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row(cells, "td") for cells in table.rows)
    return f"<table><thead>{row(table.heads, 'th')}</thead><tbody>{body}</tbody></table>"


def _font_faces() -> str:
    """Returns the declarations of the fonts, which include their files."""
    found = []
    for family, (name, traits) in FONTS.items():
        data = files("industry").joinpath("fonts", f"{name}.woff2").read_bytes()
        source = f"url(data:font/woff2;base64,{b64encode(data).decode()})"
        found.append(f'@font-face{{font-family:"{family}";src:{source};{traits}}}\n')
    return "".join(found)
