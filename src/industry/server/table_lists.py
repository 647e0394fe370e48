"""Lists of tables: public ones, and those of one player."""

import asyncio
import json
import math
import time
from collections.abc import Sequence

from .compressed_json import CompressedJson
from .errors import Refused
from .live_table import token_hash
from .seat_names import bot_number
from .store import Store, StoreUnavailable, TokenRow
from .table_view import encode
from .wire_events import Wire

LIST_SECONDS = 1.0
"""How long a list of tables is served before it is read again."""


class TableLists:
    """Lists tables; raises `Refused` while the store cannot be read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listing = asyncio.Lock()
        self._list = CompressedJson(b"")
        self._listed_at = -math.inf

    async def listed(self) -> CompressedJson:
        """Returns the public open and running tables, built at most once a second."""
        async with self._listing:
            if time.monotonic() - self._listed_at > LIST_SECONDS:
                try:
                    summaries = await self._store.lobby()
                except StoreUnavailable:
                    raise Refused("store_unavailable") from None
                tables = [_lobby_table(_read(summary)) for summary in summaries]
                self._list = CompressedJson(encode({"tables": tables}).encode())
                self._listed_at = time.monotonic()
        return self._list

    async def mine(self, tokens: Sequence[str]) -> list[Wire]:
        """Returns the tables of these tokens, in the form of `protocol.http.MyTable`."""
        numbers = {token_hash(token): number for number, token in enumerate(tokens)}
        try:
            held = await self._store.tables_of_tokens(list(numbers))
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return [_my_table(numbers[row.hash], row, _read(summary)) for row, summary in held]


def _read(text: str) -> Wire:
    """Parses the stored summary of a table; version 0.1.0 did not number the bots in it."""
    summary: Wire = json.loads(text)
    for seat in summary["seats"]:
        if "bot_number" not in seat:
            bot = seat["bot"]
            seat["bot_number"] = bot_number(bot, seat["name"]) if bot else None
    return summary


def _lobby_table(summary: Wire) -> Wire:
    del summary["places"]
    return summary


def _my_table(number: int, row: TokenRow, summary: Wire) -> Wire:
    places = summary.pop("places")
    seat = places.index(row.place) + 1 if row.place in places else None
    return {
        "token": number,
        "seat": seat,
        "your_turn": seat is not None and summary["actor"] == seat,
        "table": summary,
    }
