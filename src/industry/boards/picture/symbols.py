"""Chooses the drawing of each field, resource and network; a picture has only those it uses."""

import re
from functools import lru_cache
from importlib.resources import files

from ..spec import FieldSpec
from .palette import mixed

_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)
_COLOUR = re.compile(r'color="(#[0-9a-f]{6})"')

_BY_NAME = {
    "saw": "sawmill",
    "timber": "sawmill",
    "clay": "claypit",
    "brick": "brickworks",
    "quarry": "quarry",
    "iron ore": "ironmine",
    "ore mine": "ironmine",
    "coal": "coalmine",
    "cotton": "spinning",
    "spinning": "spinning",
    "textile": "spinning",
    "weaving": "spinning",
    "shipyard": "shipyard",
    "ironworks": "ironworks",
    "foundry": "ironworks",
    "blast furnace": "ironworks",
    "glass fibre": "fibre",
    "fibre": "fibre",
    "fiber": "fibre",
    "glass": "glassworks",
    "ceramic": "potteries",
    "potter": "potteries",
    "porcelain": "potteries",
    "stock exchange": "exchange",
    "bank": "bank",
    "paper": "papermill",
    "locomotive": "locomotive",
    "railway station": "station",
    "railway": "railway",
    "railroad": "railway",
    "tracks": "tracks",
    "cement": "cementworks",
    "concrete": "cementworks",
    "cable": "cableworks",
    "oil": "oilfield",
    "steel": "steelworks",
    "aluminium": "aluminium",
    "aluminum": "aluminium",
    "aircraft": "aircraft",
    "aviation": "aircraft",
    "car ": "carplant",
    "automobile factory": "carplant",
    "automobile plant": "carplant",
    "automobile": "automobile",
    "machine": "machineworks",
    "refinery": "refinery",
    "plastic": "plastics",
    "chemical": "refinery",
    "computer": "computers",
    "micro": "computers",
    "robotics": "robotics",
    "robot": "robot",
    "pharma": "pharma",
    "drug": "pharma",
    "medicine": "pharma",
    "gene": "gene",
    "satellite": "satellite",
    "solar": "solar",
    "power plant": "power",
    "power station": "power",
    "construction": "construction",
    "building": "construction",
    "electrical": "electricity",
    "electricity": "electricity",
    "engineering": "engineering",
    "steam": "steam",
    "print": "printing",
    "telegraph": "telegraph",
    "telecom": "telecom",
    "telephone": "telecom",
    "radio": "telecom",
    "television": "television",
    "space": "space",
    "rocket": "space",
    "nano": "nano",
    "internet": "internet",
}
"""The first word found in the English name decides, so that every board gets pictures."""

_BY_PRODUCT = {
    "stone": "quarry",
    "brick": "brickworks",
    "wood": "sawmill",
    "ceramic": "potteries",
    "glass": "glassworks",
    "iron": "ironworks",
    "cable": "cableworks",
    "electricity": "power",
    "steel": "steelworks",
    "cement": "cementworks",
    "plastic": "plastics",
    "computer": "computers",
}
_BY_NETWORK = {
    "river": "port",
    "rail": "station",
    "pipeline": "pump",
    "power": "power",
    "canal": "canal",
    "port": "port",
    "tracks": "tracks",
    "data": "data",
}
_GLYPHS = {
    "river": "anchor",
    "rail": "rails",
    "pipeline": "valve",
    "power": "bolt",
    "canal": "lock",
    "port": "anchor",
    "tracks": "rails",
    "data": "nodes",
}


def picture_of(field: FieldSpec) -> str:
    """Returns the drawing of a field: by network, English name or product, else a general one."""
    if field.bonus is not None:
        return f"p-{_BY_NETWORK[field.bonus.network]}"
    name = f"{field.name['en'].lower()} "
    for word, picture in _BY_NAME.items():
        if word in name:
            return f"p-{picture}"
    if field.makes is not None:
        return f"p-{_BY_PRODUCT[field.makes]}"
    return "p-works" if field.kind == "factory" else "p-science"


def resource_symbol(resource: str) -> str:
    return f"r-{resource}"


def network_glyph(network: str) -> str:
    return f"u-{_GLYPHS[network]}"


@lru_cache
def _all_symbols() -> dict[str, str]:
    text = files(__package__).joinpath("symbols.svg").read_text(encoding="utf-8")
    return {match.group(1): match.group(0) for match in _SYMBOL.finditer(text)}


def definitions(drawing: str, lighten: float) -> str:
    """Returns the symbols that a drawing refers to; resources are lighter in the dark theme."""
    used = sorted(set(re.findall(r'href="#([^"]+)"', drawing)))
    texts = [_all_symbols()[name] for name in used]
    return _COLOUR.sub(
        lambda match: f'color="{mixed(match.group(1), "#ffffff", lighten)}"', "".join(texts)
    )
