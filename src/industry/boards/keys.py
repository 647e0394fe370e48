"""The keys of board files, in the order in which they are written."""

VALUE_KEYS = (
    "kind",
    "name",
    "cost",
    "needs",
    "makes",
    "points",
    "discount",
    "networks",
    "joker",
    "bonus",
)
"""The values of a field."""
STATED_KEYS = ("id", *VALUE_KEYS)
"""What a source can state about a field; `id` stands for its place."""

TOP_KEYS = (
    "format",
    "id",
    "edition",
    "status",
    "coin_columns",
    "provenance",
    "field",
    "link",
    "source",
)
FIELD_KEYS = ("id", *VALUE_KEYS, "provenance")
LINK_KEYS = ("ends", "note", "provenance")
SOURCE_KEYS = ("id", "kind", "title", "address")
STATEMENT_KEYS = ("source", "values", "confidence", "note")

FORMAT_1_TOP_KEYS = tuple(key for key in TOP_KEYS if key not in ("provenance", "source"))
FORMAT_1_FIELD_KEYS = ("id", *VALUE_KEYS, "attested", "source")
FORMAT_1_LINK_KEYS = ("ends",)
