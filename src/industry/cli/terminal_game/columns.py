"""Columns of short texts that are never cut."""

from collections.abc import Collection

from rich.text import Text


def aligned(rows: list[list[Text]], right: Collection[int] = ()) -> Text:
    """Returns the rows as lines with aligned columns; those in `right` are right-aligned."""
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
