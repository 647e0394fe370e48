"""Columns of short texts, none of them ever cut."""

from collections.abc import Collection

from rich.text import Text


def aligned(rows: list[list[Text]], right: Collection[int] = ()) -> Text:
    """The rows as lines, each column as wide as its widest text; those in `right` to the right."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    return Text("\n").join(_row(row, widths, right) for row in rows)


def _row(row: list[Text], widths: list[int], right: Collection[int]) -> Text:
    line = Text()
    for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
        gap = " " * (width - cell.cell_len)
        line.append_text(Text.assemble(gap, cell, " ") if place in right else cell)
        if place not in right:
            line.append(f"{gap} ")
    line.rstrip()
    return line
