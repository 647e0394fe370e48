"""Reads the text that a board hash covers back into a board, without names and sources."""

import json
from typing import Any

from .problems import BoardError, Problem
from .read import parse_leniently
from .spec import BoardSpec


def board_from_rule_text(text: str, board_id: str) -> BoardSpec:
    """Returns the board of `BoardSpec.rule_text`; fields are named by their place.

    Raises `BoardError`.
    """
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("it is not an object")
        spec, problems = parse_leniently(_file_data(data, board_id))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BoardError(board_id, [Problem("", "toml", {"detail": str(error)})]) from None
    if problems:
        raise BoardError(board_id, problems)
    return spec


def _file_data(data: dict[str, Any], board_id: str) -> dict[str, Any]:
    """Returns the same board in the shape of a board file."""
    return {
        "format": data["format"],
        "id": board_id,
        "edition": data["edition"],
        "status": "reconstruction",
        "coin_columns": data["coin_columns"],
        "field": [_field(values) for values in data["fields"]],
        "link": [{"ends": ends} for ends in data["links"]],
    }


def _field(values: dict[str, Any]) -> dict[str, Any]:
    """Returns a field without the keys that its kind does not have."""
    field = {key: value for key, value in values.items() if value}
    if values["bonus"]:
        field["bonus"] = {"network": values["bonus"][0], "points": values["bonus"][1]}
    return field | {"name": dict.fromkeys(("en", "de", "fr"), values["id"])}
