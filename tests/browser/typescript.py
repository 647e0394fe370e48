"""The wire protocol as TypeScript; `python -m tests.browser.typescript` writes the file."""

import re
import sys
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from industry.server.protocol import (
    base,
    club,
    cups,
    daily,
    editor,
    events,
    http,
    lessons,
    notices,
    orders,
    ratings,
    replay,
    review,
    server,
    view,
)
from industry.server.protocol.client import ClientMessage

TARGET = Path(__file__).parents[2] / "web" / "src" / "lib" / "protocol.ts"
HEAD = f"""// Made from the models in src/industry/server/protocol by `npm run types`; do not edit.

export const PROTOCOL = {base.PROTOCOL}
export const MAX_PLAYER_NAME = {base.MAX_PLAYER_NAME}
export const MAX_CHAT = {base.MAX_CHAT}
"""
Schema = dict[str, Any]
Mode = Literal["validation", "serialization"]
SENT = {
    *("SeatWish", "NewTable", "TakeSeat", "SeatToBot", "Rematch", "Webhook", "Mine"),
    *("ReplayWish", "MomentWish", "Check", "Save", "FreeSeat", "NewLink", "NetworkWish"),
    *("LessonTry", "CoachQuestion", "DailyWish", "ReviewWish", "TryWish"),
    *("NewPerson", "PasskeyAnswer", "LinkAnswer", "Rename", "OperatorWish"),
    *("BranchWish", "HintWish", "NewCup", "NewDevice", "NewMail", "NewCall"),
}
"""Requests over HTTP: what has a default may be left out in them, as in messages of clients."""
ALIASES: dict[str, Any] = {
    "GameEvent": events.GameEvent,
    "ServerMessage": server.ServerMessage,
    "ClientMessage": ClientMessage,
    "ErrorCode": server.ErrorCode,
    "How": events.How,
    "EntryKind": events.EntryKind,
    "FieldStatus": view.FieldStatus,
    "PhaseName": view.PhaseName,
    "TokenPlace": view.TokenPlace,
    "Language": base.Language,
    "Emote": base.Emote,
    "AnyOrder": orders.AnyOrder,
    "NewChannel": notices.NewChannel,
    "Edition": base.Edition,
    "Pace": ratings.Pace,
    "Trouble": editor.Trouble,
}
RENAMED = {"Error": "ErrorMessage"}
"""Names that mean something else in a browser."""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def written() -> str:
    """The whole file."""
    types = {name: _alias(name, TypeAdapter(kind).json_schema()) for name, kind in ALIASES.items()}
    short = {text.split(" =", 1)[1].strip(): name for name, text in types.items()}
    received: Mode = "serialization"
    sent: Mode = "validation"
    for schema, mode in (
        (_schema_of(http, False, received), received),
        (_schema_of(replay, False, received), received),
        (_schema_of(review, False, received), received),
        (_schema_of(lessons, False, received), received),
        (_schema_of(club, False, received), received),
        (_schema_of(cups, False, received), received),
        (_schema_of(ratings, False, received), received),
        (_schema_of(daily, False, received), received),
        (_schema_of(notices, False, received), received),
        (_schema_of(editor, False, received), received),
        (TypeAdapter(server.ServerMessage).json_schema(mode=received), received),
        (TypeAdapter(ClientMessage).json_schema(mode=sent), sent),
        (_schema_of(http, True, sent), sent),
        (_schema_of(replay, True, sent), sent),
        (_schema_of(review, True, sent), sent),
        (_schema_of(lessons, True, sent), sent),
        (_schema_of(club, True, sent), sent),
        (_schema_of(cups, True, sent), sent),
        (_schema_of(daily, True, sent), sent),
        (_schema_of(notices, True, sent), sent),
        (_schema_of(editor, True, sent), sent),
    ):
        for name, definition in schema["$defs"].items():
            types.setdefault(_named(name), _interface(_named(name), definition, mode, short))
    return HEAD + "\n" + "\n\n".join(types[name] for name in sorted(types)) + "\n"


def _named(name: str) -> str:
    return RENAMED.get(name, name)


def _schema_of(module: Any, is_sent: bool, mode: Mode) -> Schema:
    models = [
        (value, mode)
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, BaseModel)
        and value.__module__ == module.__name__
        and (value.__name__ in SENT) == is_sent
    ]
    return models_json_schema(models)[1]


def _alias(name: str, schema: Schema) -> str:
    options = schema.get("oneOf") or [{"const": value} for value in schema["enum"]]
    return f"export type {name} =\n" + "\n".join(f"  | {_type(option)}" for option in options)


def _interface(name: str, schema: Schema, mode: Mode, short: dict[str, str]) -> str:
    """What the server sends has every key; what it receives may leave out what has a default."""
    required = set(schema.get("required", ()))
    lines = [f"export interface {name} {{"]
    for key, value in schema["properties"].items():
        needed = key in required or "const" in value or mode == "serialization"
        text = _shortened(_type(value), short)
        if mode == "validation" and text == "TableOptions":
            text = "Partial<TableOptions>"
        lines.append(f"  {key}{'' if needed else '?'}: {text}")
    return "\n".join([*lines, "}"])


def _shortened(text: str, short: dict[str, str]) -> str:
    """With the name of a union instead of its members."""
    for long, name in short.items():
        text = text.replace(long.replace("\n ", "").removeprefix("| "), name)
    return re.sub(r"\((\w+)\)\[\]", r"\1[]", text)


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return _named(str(schema["$ref"]).rsplit("/", 1)[-1])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(_type(option) for option in schema[several])
    match schema.get("type"):
        case "array":
            return _array(schema)
        case "object":
            return f"Record<string, {_type(_values(schema))}>"
        case "null":
            return "null"
        case str(plain):
            return PLAIN[plain]
    return "unknown"


def _values(schema: Schema) -> Schema:
    """What a table of any keys holds; patterns of keys say nothing to TypeScript."""
    held = next(iter(schema.get("patternProperties", {}).values()), None)
    held = held or schema.get("additionalProperties")
    return held if isinstance(held, dict) else {}


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
    item = _type(schema.get("items", {}))
    return f"({item})[]" if " | " in item else f"{item}[]"


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8")
    sys.stdout.write(f"{TARGET.name}: {len(written().splitlines())} lines\n")
