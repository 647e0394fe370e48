"""Random games for the tests of the environments, and settings that cover what can differ."""

from collections.abc import Iterator

import numpy as np

from industry.envs.setting import Choices, Setting
from industry.envs.table import Table, new_table

SETTINGS: list[Choices] = [
    {"players": 3},
    {"players": 4, "options": {"late_draws": "plain", "claim_afford": "full_price"}},
    {"edition": "industria", "players": 3},
    {"edition": "industria", "players": 4, "options": {"industria_resource_cash": "on"}},
]


def setting_name(choices: Choices) -> str:
    return f"{choices.get('edition', 'industry')} {choices['players']}"


def random_game(setting: Setting, seed: int) -> Iterator[Table]:
    """The same table before every decision of a random game, and once more at its end."""
    rng = np.random.default_rng(seed)
    table = new_table(setting, rng)
    while not table.is_over:
        yield table
        table.play(rng.choice(table.legal_actions()))
        table.draw_by_chance(rng)
    yield table
