"""The tables of a cup: made once, whichever process is first; forfeits and proofs."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from industry.cups import Game, Result, Round

from ..bag import new_secret
from ..commands import Draft
from ..driver import NothingDue
from ..lobby import Lobby
from ..new_table import new_table
from ..permissions import is_sealed
from ..protocol.view import TableOptions
from ..service import Service
from ..store import schema
from ..store.rows import SeatPerson
from ..table_changes import Do
from .document import StoredCup

People = Mapping[int, SeatPerson]


class CupTables:
    """What cups do at tables. Every step may be repeated: the log of a table says what is done."""

    def __init__(self, service: Service, lobby: Lobby) -> None:
        self._service = service
        self._lobby = lobby

    def names(self, stored: StoredCup, count: int) -> list[str]:
        """Returns the names of the tables of the next round, the same in every process."""
        number = len(stored.cup.rounds) + 1
        keys = self._service.keys
        return [keys.table("cup", stored.id, str(number), str(n)) for n in range(count)]

    async def make(self, stored: StoredCup, held: Round, game: Game, people: People) -> None:
        """Makes the table of a game unless it exists."""
        shared = stored.cup.rules.duplicate
        secret = stored.bag_secret(held.number) if shared else new_secret()
        level, now = await self._service.level(), self._service.now()
        boards = self._service.catalogue.by_name
        draft = new_table(game.table, options_of(stored), boards, secret, now, level=level)
        self._fill(draft, stored, game, people)
        await self._lobby.keep(draft, secret)

    def _fill(self, draft: Draft, stored: StoredCup, game: Game, people: People) -> None:
        """Seats persons, and then bots under names that no person has."""
        bots = {}
        for seat, number in enumerate(game.seats):
            entrant = stored.cup.entrants[number - 1] if number else None
            if entrant is not None and entrant.bot is None and number in people:
                draft.sit(seat, "", "", people[number])
            else:
                bots[seat] = (entrant.bot if entrant else None) or stored.terms.house
        for seat, bot in bots.items():
            draft.place_bot(seat, bot, self._lobby.bots)
        draft.settle()

    async def forfeit(self, table: str) -> None:
        """Lets a stand-in play for the person who must decide at a table."""
        await self._change(table, _forfeit)

    async def reveal(self, table: str) -> None:
        """Publishes the bag of a game of a duplicate round."""
        await self._change(table, _reveal)

    async def _change(self, table: str, do: Do) -> None:
        live = await self._service.open(table)
        with contextlib.suppress(NothingDue):
            await self._service.change(live, None, do)


def options_of(stored: StoredCup) -> TableOptions:
    """Returns the options of all tables of a cup."""
    return TableOptions.model_validate(
        {
            "edition": stored.terms.edition,
            "players": stored.cup.rules.size,
            "seating": "as_joined",
            "undo": "off",
            "clock": stored.terms.clock,
            "zombie": "bot",
            "hints": "off",
            "cup": stored.id,
            "duplicate": stored.cup.rules.duplicate,
        }
    )


def summaries(connection: Connection, tables: Sequence[str]) -> dict[str, dict[str, object]]:
    """Returns what lists know of these tables, as far as they exist."""
    own = schema.tables.c
    rows = connection.execute(select(own.id, own.summary).where(own.id.in_(tables)))
    return {row.id: json.loads(row.summary) for row in rows}


def settled(game: Game, summary: Mapping[str, object]) -> Game:
    """Returns a game with its result, if its table says that it is over."""
    known: dict[str, object] = dict(summary)
    if known["status"] == "closed":
        return replace(game, closed=True)
    if known["status"] != "over":
        return game
    seats, points, winners = known["seats"], known["points"], known["winners"]
    assert isinstance(seats, list)
    assert isinstance(points, list)
    assert isinstance(winners, list)
    forfeits = tuple(n for n, seat in enumerate(seats, start=1) if seat["absent"])
    return replace(game, result=Result(tuple(points), tuple(winners), forfeits))


def _forfeit(draft: Draft) -> int:
    seat = draft.table.actor
    if draft.table.status != "running" or seat is None:
        raise NothingDue
    sitting = draft.table.seats[seat]
    if sitting.kind != "human" or sitting.absent is not None:
        raise NothingDue
    return draft.forfeit(seat)


def _reveal(draft: Draft) -> int:
    if draft.table.status != "over" or not is_sealed(draft.table):
        raise NothingDue
    draft.reveal()
    return draft.steps[0].entry.version
