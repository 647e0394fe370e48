"""docs/envs.md: its examples run and print what it shows, and its tables are those of the code."""

import doctest
import re
from pathlib import Path

import pytest

from industry.engine import move_codes
from industry.engine.constants import SOURCES
from industry.envs.config import REWARDS, ConfigArgs
from industry.envs.observation import BLOCKS, SIZE
from industry.envs.rewards import FORFEIT

PAGE = Path(__file__).parents[2] / "docs" / "envs.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)
ROWS = [
    [cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\|.*\|$", TEXT, re.M)
]


@pytest.mark.parametrize(("code", "shown"), EXAMPLES, ids=["batch", "pettingzoo", "gym", "spiel"])
def test_the_example_runs_and_prints_what_the_page_shows(
    code: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(code.strip().splitlines()) <= 30
    exec(code, {})
    printed = capsys.readouterr().out
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(shown, printed, flags), printed


def test_the_table_of_the_observation_is_that_of_the_code() -> None:
    blocks = [
        [f"`{block.name}`", str(block.start), " × ".join(map(str, block.shape)), block.meaning]
        for block in BLOCKS
    ]
    start = ROWS.index(blocks[0])
    assert ROWS[start : start + len(blocks)] == blocks
    assert f"{SIZE} numbers" in TEXT


def test_the_table_of_actions_is_that_of_the_code() -> None:
    develop = f"{move_codes.DEVELOP} + {move_codes.WAYS} × field + {SOURCES} × first source"
    told = {row[1]: row[0] for row in ROWS if len(row) == 2}
    assert told["pass"] == str(move_codes.PASS)
    assert told["sell"] == str(move_codes.SELL)
    assert told["claim"] == str(move_codes.CLAIM)
    assert told["subsidy"] == str(move_codes.SUBSIDY)
    assert told["done (end the development turn)"] == str(move_codes.DONE)
    assert told["offer the field"] == f"{move_codes.OFFER} + field"
    assert told["cash the tile (Industria, by option)"] == f"{move_codes.CASH} + field"
    assert told["bid"] == f"{move_codes.BID} + Talers"
    assert told["develop the field"] == f"{develop} + second source"
    assert f"{move_codes.ACTIONS} actions" in TEXT


def test_every_argument_and_every_reward_is_explained() -> None:
    first = {row[0] for row in ROWS}
    assert {f"`{name}`" for name in (*ConfigArgs.__annotations__, *REWARDS)} <= first
    lost = ", ".join(f"{FORFEIT[REWARDS[name]]:.0f} (`{name}`)" for name in ("win", "rank"))
    assert f"{lost} or {FORFEIT[REWARDS['margin']]:.0f} (`margin`)".replace("-", "−") in TEXT
