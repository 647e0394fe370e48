"""The colours of the light and the dark theme, and the stylesheet made from them."""

from dataclasses import dataclass

_SANS = 'Arial,"Liberation Sans","Nimbus Sans","Helvetica Neue",Helvetica,Arimo,sans-serif'
_SLAB = 'Rockwell,"Roboto Slab","DejaVu Serif","Liberation Serif",Cambria,serif'


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme; `lines` has two colours for every network and kind of link."""

    paper: str
    card: str
    rule: str
    ink: str
    quiet: str
    attested: str
    coin: str
    coin_line: str
    coin_ink: str
    cog: str
    cog_ink: str
    outline: str
    cream: str
    era: tuple[str, ...]
    band: tuple[str, ...]
    lines: dict[str, tuple[str, str]]
    lighten: float


LIGHT = Palette(
    paper="#f4f1e7",
    card="#fffdf6",
    rule="#a9a898",
    ink="#18242b",
    quiet="#4d595e",
    attested="#0a7d4b",
    coin="#f0cf6b",
    coin_line="#7d5b07",
    coin_ink="#3a2a00",
    cog="#18242b",
    cog_ink="#fffdf6",
    outline="#18242b",
    cream="#f7ead2",
    era=("#b0522b", "#9c3a3a", "#8a6a00", "#136f6e", "#4c4fa6"),
    band=("#ecd5c2", "#e8cfc9", "#ebe0b4", "#cbdedb", "#d4d6ea"),
    lines={
        "river": ("#2f7dbd", "#bfe0f5"),
        "rail": ("#23292c", "#f4f1e7"),
        "pipeline": ("#b4571a", "#f0b384"),
        "power": ("#8a2f9c", "#8a2f9c"),
        "canal": ("#1c7f8c", "#a5dde0"),
        "port": ("#2f6dbd", "#bfd9f5"),
        "tracks": ("#23292c", "#f4f1e7"),
        "data": ("#8a2f9c", "#f4f1e7"),
        "road": ("#6d6a61", "#fffdf6"),
        "line": ("#4c6b10", "#fffdf6"),
    },
    lighten=0.0,
)
DARK = Palette(
    paper="#121b20",
    card="#1b272d",
    rule="#50626a",
    ink="#efe8d8",
    quiet="#a5b1b2",
    attested="#6fd39a",
    coin="#d9b548",
    coin_line="#fbe7a8",
    coin_ink="#251a00",
    cog="#efe8d8",
    cog_ink="#10181c",
    outline="#0a1013",
    cream="#ecd9b4",
    era=("#e8935f", "#ee7f72", "#e3bb45", "#52c4ba", "#a4a9f5"),
    band=("#2f231c", "#302020", "#312c18", "#172d2c", "#22243b"),
    lines={
        "river": ("#4aa3e6", "#12405f"),
        "rail": ("#d9d5c8", "#121b20"),
        "pipeline": ("#ef8d45", "#6b3410"),
        "power": ("#d98af0", "#d98af0"),
        "canal": ("#4fc3cf", "#10464c"),
        "port": ("#6a9bf0", "#12305f"),
        "tracks": ("#d9d5c8", "#121b20"),
        "data": ("#d98af0", "#121b20"),
        "road": ("#a29d8d", "#1a2024"),
        "line": ("#b4d65f", "#1b272d"),
    },
    lighten=0.44,
)
THEMES = {"light": LIGHT, "dark": DARK}


def mixed(first: str, second: str, share: float) -> str:
    """Returns a colour between two; `share` is that of the second."""
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))


def stylesheet(palette: Palette) -> str:
    """Returns CSS classes for symbols and board, with plain colours that every viewer supports."""
    p = palette
    symbols = (
        f".picture-main{{fill:{p.ink}}}.picture-accent{{fill:currentColor}}"
        f".picture-ground{{fill:{p.card}}}"
        f".picture-halo{{stroke:{p.card};stroke-width:1.3;paint-order:stroke}}"
        ".picture-main-line,.picture-accent-line,.picture-ground-line{fill:none;"
        "stroke-linecap:round;stroke-linejoin:round}"
        f".picture-main-line{{stroke:{p.ink}}}.picture-accent-line{{stroke:currentColor}}"
        f".picture-ground-line{{stroke:{p.card};stroke-linecap:butt}}"
        f".resource-fill{{fill:currentColor;stroke:{p.outline};stroke-width:1.8;"
        "stroke-linejoin:round}"
        f".resource-cream{{fill:{p.cream};stroke:{p.outline};stroke-width:1.8}}"
        f".resource-line{{fill:none;stroke:{p.outline};stroke-width:1.8;"
        "stroke-linecap:round;stroke-linejoin:round}"
        f".resource-dark{{fill:{p.outline}}}.cog-face{{fill:{p.cog}}}"
        f".coin-face{{fill:{p.coin};stroke:{p.coin_line};stroke-width:1.6}}"
        f".coin-rim{{fill:none;stroke:{p.coin_line};stroke-width:.9;stroke-dasharray:1.2 1.1}}"
    )
    board = (
        f"text{{font-family:{_SANS};font-weight:700;fill:{p.ink}}}"
        f".quiet{{fill:{p.quiet}}}.plain{{font-weight:400;fill:{p.quiet}}}"
        f".num{{font-family:{_SLAB}}}.slab{{font-family:{_SLAB};letter-spacing:.02em}}"
        f".onc{{font-family:{_SLAB};fill:{p.coin_ink}}}.ong{{font-family:{_SLAB};fill:{p.cog_ink}}}"
        f".card{{fill:{p.card};stroke:{p.rule}}}.joker{{stroke-dasharray:4 3}}"
        f".crate{{fill:{p.card};stroke:{p.ink};stroke-width:1.2}}.mark{{fill:{p.attested}}}"
        f".pill{{fill:{p.coin};stroke:{p.coin_line}}}.hexagon{{fill:{p.card};stroke:{p.ink};"
        f"stroke-width:1.5}}.node{{fill:{p.card};stroke:currentColor;stroke-width:1.6}}"
        ".way{fill:none;stroke-linejoin:round}"
    )
    return symbols + board
