"""Makes the fonts of the page: `python -m tests.browser.fonts` (or `npm run fonts` in web/).

Roboto in two widths and Roboto Slab come from packages of the npm registry, cut down to the
characters and weights that the page uses. A few signs that neither has are drawn here.
The results are part of the repository, so that neither a build nor a player needs this module.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parents[2] / "src" / "industry" / "fonts"
NO_LETTERS = Path(__file__).with_name("no-letters") / "no-letters.ttf"
ROBOTO = "@fontsource-variable/roboto@5.3.0"
SLAB = "@fontsource-variable/roboto-slab@5.3.0"

LETTERS = frozenset(
    [*range(0x20, 0x7F), *range(0xA0, 0x100), 0xAD, 0x152, 0x153]
    + [ord(sign) for sign in "–—‘’‚“”„•…‹›−€"]
)
"""What English, German and French are written with."""
FURTHER_LETTERS = frozenset(range(0x100, 0x180)) - LETTERS
"""Names of players in other European languages: loaded only where one is shown."""
WEIGHTS = (500, 700)
WIDTHS = (75, 100)

LONG_AGO = 3_600_000_000
"""Seconds since 1904: the same fonts are the same bytes on every day."""
EM = 2048
ASCENT, DESCENT = 1900, -500
Outline = list[tuple[int, int]]


def packed(package: str, folder: Path) -> tarfile.TarFile:
    """The archive of a package of the registry."""
    name = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()
    return tarfile.open(folder / name)


def file_of(archive: tarfile.TarFile, name: str) -> bytes:
    member = archive.extractfile(f"package/{name}")
    assert member is not None, name
    return member.read()


def cut_down(
    data: bytes, letters: Iterable[int], axes: dict[str, float | tuple[float, float]]
) -> TTFont:
    """The font with these characters only, its axes limited to what is used."""
    font = instantiateVariableFont(TTFont(io.BytesIO(data)), axes)
    options = Options()
    options.layout_features = ["kern", "liga", "mark", "ccmp", "locl", "tnum", "lnum"]
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    return font


def turned(outline: Outline, quarters: int) -> Outline:
    """Turned about the middle of the sign, a quarter at a time."""
    for _ in range(quarters):
        outline = [(716 - (y - 716), 716 + (x - 716)) for x, y in outline]
    return outline


RIGHT: Outline = [(80, 640), (80, 792), (1010, 792), (700, 1102), (806, 1208), (1298, 716)]
RIGHT += [(806, 224), (700, 330), (1010, 640)]
TICK: Outline = [(140, 640), (270, 770), (560, 480), (1190, 1180), (1330, 1060), (570, 220)]
CROSS: Outline = [(716, 822), (1090, 1196), (1196, 1090), (822, 716), (1196, 342), (1090, 236)]
CROSS += [(716, 610), (342, 236), (236, 342), (610, 716), (236, 1090), (342, 1196)]
MORE: Outline = [(200, 1130), (200, 970), (980, 700), (200, 430), (200, 270), (1180, 620)]
MORE += [(1180, 780)]
BAR: Outline = [(200, 200), (1180, 200), (1180, 60), (200, 60)]
POINTER: Outline = [(300, 1150), (1160, 716), (300, 282)]


def circle(radius: int) -> Outline:
    """Eight control points of quadratic curves whose ends lie between them."""
    far, near = radius, round(radius * 0.4142)
    corners = [(far, near), (near, far), (-near, far), (-far, near)]
    corners += [(-far, -near), (-near, -far), (near, -far), (far, -near)]
    return [(716 + x, 716 + y) for x, y in corners]


SIGNS: dict[str, tuple[list[Outline], list[Outline]]] = {
    "→": ([RIGHT], []),
    "↑": ([turned(RIGHT, 1)], []),
    "←": ([turned(RIGHT, 2)], []),
    "↓": ([turned(RIGHT, 3)], []),
    "✓": ([TICK], []),
    "✗": ([CROSS], []),
    "≥": ([MORE, BAR], []),
    "≤": ([[(1380 - x, y) for x, y in MORE], BAR], []),
    "▸": ([POINTER], []),
    "●": ([], [circle(470)]),
    "○": ([], [circle(470), circle(350)[::-1]]),
    "\u202f": ([], []),
}
"""Straight and round outlines of the signs; the last one is the narrow space of French."""
NARROW_SPACE = 370


def signs() -> TTFont:
    """A font of our own with the signs that the others lack."""
    names = {ord(sign): f"uni{ord(sign):04X}" for sign in SIGNS}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for sign, (straight, curved) in SIGNS.items():
        pen = TTGlyphPen(None)
        for outline in straight:
            pen.moveTo(outline[0])
            for point in outline[1:]:
                pen.lineTo(point)
            pen.closePath()
        for outline in curved:
            pen.qCurveTo(*outline, None)
            pen.closePath()
        glyphs[names[ord(sign)]] = pen.glyph()
    builder.setupGlyf(glyphs)
    widths = {name: (NARROW_SPACE if code == 0x202F else 1432, 0) for code, name in names.items()}
    builder.setupHorizontalMetrics({".notdef": (1024, 0), **widths})
    builder.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT)
    builder.setupNameTable({"familyName": "Industry Signs", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ASCENT, sTypoDescender=DESCENT, usWinAscent=ASCENT)
    builder.setupPost()
    return builder.font


def no_letters() -> TTFont:
    """A font with a box for every character: the only one that the tests' browser finds."""
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 1400), (900, 1400), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "space"])
    builder.setupCharacterMap({0x20: "space"})
    builder.setupGlyf({".notdef": pen.glyph(), "space": TTGlyphPen(None).glyph()})
    builder.setupHorizontalMetrics({".notdef": (1024, 100), "space": (512, 0)})
    builder.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT)
    builder.setupNameTable({"familyName": "No Letters", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ASCENT, sTypoDescender=DESCENT, usWinAscent=ASCENT)
    builder.setupPost()
    return builder.font


def make(folder: Path) -> None:
    """Writes the fonts and their licences."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        roboto, slab = packed(ROBOTO, Path(scratch)), packed(SLAB, Path(scratch))
        both: dict[str, float | tuple[float, float]] = {"wght": WEIGHTS, "wdth": WIDTHS}
        upright = "files/{}-standard-normal.woff2"
        fonts = {
            "sans": cut_down(file_of(roboto, upright.format("roboto-latin")), LETTERS, both),
            "sans-further": cut_down(
                file_of(roboto, upright.format("roboto-latin-ext")), FURTHER_LETTERS, both
            ),
            "slab": cut_down(
                file_of(slab, "files/roboto-slab-latin-wght-normal.woff2"), LETTERS, {"wght": 700}
            ),
            "signs": signs(),
        }
        (folder / "LICENSE-roboto.txt").write_bytes(file_of(roboto, "LICENSE"))
        (folder / "LICENSE-roboto-slab.txt").write_bytes(file_of(slab, "LICENSE"))
    for name, font in fonts.items():
        font.flavor = "woff2"
        save(font, folder / f"{name}.woff2")


def save(font: TTFont, path: Path) -> None:
    """Writes a font that is the same bytes on every day."""
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = LONG_AGO
    font.save(path)


if __name__ == "__main__":
    make(FONTS)
    save(no_letters(), NO_LETTERS)
    for made in sorted(FONTS.glob("*.woff2")):
        sys.stdout.write(f"{made.name} {made.stat().st_size}\n")
