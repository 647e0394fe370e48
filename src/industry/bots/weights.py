"""Weights of the features by era and stage: written by hand, or learned and read from a file."""

import json
from functools import cache
from importlib.resources import files

from industry.engine import Edition

from .features import ROWS, SPREAD, STAGES, WIDTH, Feature, Stage

Weights = list[list[float]]
FEATURE_NAMES = [feature.name.lower() for feature in Feature]
DECIMALS = 4
"""Of weights in files."""

_TALER = (
    (1.15, 1.1, 1.0, 0.85, 0.6),
    (1.15, 1.1, 1.0, 0.8, 0.34),
    (1.15, 1.1, 1.0, 0.85, 0.6),
)
"""Points that a Taler is worth: scarce early, a third of a point at the end."""

_SPREAD = (
    (9.0, 8.0, 7.0, 6.0, 4.5),
    (9.0, 8.0, 7.0, 5.5, 3.5),
    (9.0, 8.0, 7.0, 6.0, 4.5),
)


def handmade_weights() -> Weights:
    """Returns weights as an experienced player would estimate them."""
    return [_row(row // STAGES, row % STAGES) for row in range(ROWS)]


def _row(era: int, stage: int) -> list[float]:
    taler = _TALER[stage][era]
    soon = 0.6 if stage == Stage.AFTER_DEVELOPMENT else 0.8
    left = (4 - era) / 4
    weights = {
        Feature.POINTS: 1.0,
        Feature.TALERS: taler,
        Feature.TALERS_OVER_4: -0.15 * taler if era < 4 else 0.0,
        Feature.TALERS_OVER_8: -0.25 * taler if era < 4 else -0.1,
        Feature.SUBSIDY: -5.0,
        Feature.JOKERS: 2.0,
        Feature.TILES: 0.7 * taler * left,
        Feature.LINKS_DONE: 3.0,
        Feature.LINKS_OWNED: 3.0 * soon,
        Feature.LINKS_OPEN: 0.8 * left + 0.3,
        Feature.BONUS_DONE: 1.0,
        Feature.BONUS_OWNED: soon,
        Feature.BONUS_OPEN_FACTORIES: 0.25,
        Feature.BONUS_OPEN_STATIONS: 0.2,
        Feature.WAITING_POINTS: soon,
        Feature.WAITING_TECHNOLOGY_POINTS: soon,
        Feature.WAITING_BLOCKED_POINTS: 0.4,
        Feature.WAITING_COST: -taler * soon,
        Feature.WAITING_BOUGHT: -taler * soon,
        Feature.WAITING_BLOCKED: -0.6,
        Feature.WAITING_FACTORIES: 0.2,
        Feature.WAITING_BONUSES: 0.2,
        Feature.WAITING_CROWD: -0.4,
        Feature.CUSTOMERS_NOW: 0.5 * taler,
        Feature.CUSTOMERS_LATER: 0.35 * taler,
        Feature.CUSTOMERS_OF_WAITING: 0.25 * taler,
        Feature.DISCOUNT: 2.0 * taler,
        Feature.DISCOUNT_WAITING: 1.6 * taler,
    }
    row = [0.0] * WIDTH
    for feature, weight in weights.items():
        row[feature] = weight
    row[SPREAD] = _SPREAD[stage][era]
    return row


class WeightsError(ValueError):
    """A file of weights that does not fit this program."""


@cache
def learned_weights(edition: int, players: int) -> Weights:
    """Returns the weights that were learned for an edition and a number of players."""
    name = f"{Edition(edition).name.lower()}-{players}.json"
    return weights_from(files(__package__).joinpath("learned", name).read_text(encoding="utf-8"))


def weights_from(text: str) -> Weights:
    """Parses the text of a file of weights; refuses those of other features."""
    data = json.loads(text)
    if data.get("features") != FEATURE_NAMES:
        raise WeightsError("these weights were learned for other features: train them again.")
    rows: Weights = data["weights"]
    if len(rows) != ROWS or any(len(row) != WIDTH for row in rows):
        raise WeightsError(f"weights must have {ROWS} rows of {WIDTH} numbers.")
    return rows


def weights_text(weights: Weights, **facts: object) -> str:
    """Returns the text of a file of weights, with how they were made."""
    rows = ",\n".join("  " + json.dumps([round(w, DECIMALS) for w in row]) for row in weights)
    head = json.dumps({**facts, "features": FEATURE_NAMES}, indent=1)
    return f'{head[:-2]},\n "weights": [\n{rows}\n ]\n}}\n'
