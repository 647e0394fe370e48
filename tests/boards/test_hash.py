"""The board hash: over what the rules use, in one exact text, and over nothing else."""

import hashlib
import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from industry.boards import BOARDS, FieldSpec, board_text, parse_board
from industry.boards.spec import Bonus

from .edits import added, blocks, board, format_1, good, in_field, renewed, replaced, without

NAME = {"en": "Sawmill", "de": "Sägewerk", "fr": "Scierie"}


def canonical(field: FieldSpec) -> str:
    return json.dumps(field.rule_values(), sort_keys=True, separators=(",", ":"))


def test_a_factory_in_its_canonical_form() -> None:
    field = FieldSpec(
        "1C", "factory", NAME, cost=1, needs=("stone",), makes="wood", networks=("river",)
    )
    assert canonical(field) == (
        '{"bonus":null,"cost":1,"discount":0,"id":"1C","joker":null,"kind":"factory",'
        '"makes":"wood","needs":["stone"],"networks":["river"],"points":0}'
    )


def test_a_bonus_field_in_its_canonical_form() -> None:
    field = FieldSpec("1B", "bonus", NAME, bonus=Bonus("river", 2))
    assert canonical(field) == (
        '{"bonus":["river",2],"cost":0,"discount":0,"id":"1B","joker":null,"kind":"bonus",'
        '"makes":null,"needs":[],"networks":[],"points":0}'
    )


def test_a_joker_in_its_canonical_form() -> None:
    field = FieldSpec("4A", "joker", NAME, joker="any")
    assert canonical(field) == (
        '{"bonus":null,"cost":0,"discount":0,"id":"4A","joker":"any","kind":"joker",'
        '"makes":null,"needs":[],"networks":[],"points":0}'
    )


def test_needs_keep_the_order_of_the_file_and_networks_are_sorted() -> None:
    field = FieldSpec(
        "2E", "factory", NAME, needs=("wood", "iron"), networks=("river", "pipeline"), points=4
    )
    assert '"needs":["wood","iron"],"networks":["pipeline","river"]' in canonical(field)


def canonical_field(field: dict[str, Any]) -> dict[str, Any]:
    """A field of the file with every key that the rules use, as the format page writes it."""
    bonus = field.get("bonus")
    return {
        "bonus": [bonus["network"], bonus["points"]] if bonus else None,
        "cost": field.get("cost", 0),
        "discount": field.get("discount", 0),
        "id": field["id"],
        "joker": field.get("joker"),
        "kind": field["kind"],
        "makes": field.get("makes"),
        "needs": field.get("needs", []),
        "networks": sorted(field.get("networks", [])),
        "points": field.get("points", 0),
    }


@pytest.mark.parametrize("name", BOARDS)
def test_the_hash_is_sha256_over_the_canonical_text_of_the_file(name: str) -> None:
    data = tomllib.loads(board_text(name))
    parts = [
        '"coin_columns":' + compact(sorted(data["coin_columns"])),
        '"edition":' + compact(data["edition"]),
        '"fields":' + compact([canonical_field(f) for f in sorted(data["field"], key=by_id)]),
        '"format":1',
        '"links":' + compact(sorted(sorted(link["ends"]) for link in data["link"])),
    ]
    text = "{" + ",".join(parts) + "}"
    assert " " not in text
    assert board(good(name)).hash == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", BOARDS)
def test_both_formats_of_a_file_have_the_same_hash(name: str) -> None:
    """Records name boards by hash: a file that was only rewritten is the same board."""
    assert parse_board(format_1(name), name).hash == board(good(name)).hash


def by_id(field: dict[str, Any]) -> str:
    return str(field["id"])


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


SAME: dict[str, Callable[[str], str]] = {
    "a better translation": lambda t: in_field(t, "1F", '"Mine de fer"', '"Mine de minerai"'),
    "a comment": lambda t: t + "\n# checked once more\n",
    "what a source states": lambda t: in_field(t, "1F", ', values = ["cost"]', ""),
    "the name of a source": lambda t: replaced(t, "Japanese review, katz", "Review, katz"),
    "the note of a link": lambda t: replaced(t, "clay to the brick kilns", "clay"),
    "the status": lambda t: replaced(t, '"reconstruction"', '"verified"'),
    "the name of the file": lambda t: replaced(t, 'id      = "industry"', 'id = "mine"'),
    "the order of the fields": lambda t: "".join([blocks(t)[0], *reversed(blocks(t)[1:])]),
    "the order of a link": lambda t: replaced(t, '["1I", "1J"]', '["1J", "1I"]'),
    "the order of networks": lambda t: renewed(t, "2J", 'networks = ["pipeline", "river"]'),
    "a default that is written out": lambda t: added(t, "1E", "points = 0"),
}

OTHER: dict[str, Callable[[str], str]] = {
    "a cost": lambda t: renewed(t, "1F", "cost = 3"),
    "a need": lambda t: renewed(t, "1F", 'needs = ["stone"]'),
    "the order of needs": lambda t: renewed(t, "2E", 'needs = ["iron", "wood"]'),
    "points": lambda t: renewed(t, "1F", "points = 3"),
    "a product": lambda t: added(t, "2J", 'makes = "wood"'),
    "a network": lambda t: renewed(t, "1F", 'networks = ["river"]'),
    "a joker": lambda t: renewed(t, "1A", 'joker = "brick"'),
    "the value of a bonus": lambda t: in_field(t, "2C", "points = 2 }", "points = 3 }"),
    "the network of a bonus": lambda t: in_field(t, "2C", '"rail"', '"power"'),
    "who has the discount": lambda t: without(added(t, "2J", "discount = 1"), "2I", "discount"),
    "the coin": lambda t: replaced(t, 'coin_columns = ["F"]', 'coin_columns = ["G"]'),
    "a link": lambda t: replaced(t, '["1I", "1J"]', '["1H", "1J"]'),
    "a link less": lambda t: replaced(
        t, '[[link]]\nends = ["1I", "1J"]\nnote = "clay to the brick kilns"\n', ""
    ),
}


@pytest.mark.parametrize("what", SAME)
def test_what_the_rules_do_not_use_leaves_the_hash_alone(what: str) -> None:
    edited = SAME[what](good())
    assert edited != good()
    assert board(edited).hash == board(good()).hash


@pytest.mark.parametrize("what", OTHER)
def test_what_the_rules_use_changes_the_hash(what: str) -> None:
    assert board(OTHER[what](good())).hash != board(good()).hash
