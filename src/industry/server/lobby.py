"""Tables are made, filled, found and made again: everything around a game."""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from industry.bots import installed_bots

from .bag import new_secret
from .commands import Draft, Refused, fill_seats, moves_in, new_table
from .happened import Wire
from .hooks import BadHook, check_hook
from .keys import command_key, is_repeatable
from .live import HOST, Live, token_hash
from .protocol.http import NewTable, SeatToBot, SeatWish, TakeSeat
from .service import Service
from .store import Commit, Conflict, Hook, StoreUnavailable, TokenRow
from .table import Seat, Table


@dataclass(frozen=True, slots=True)
class Made:
    """A table and the tokens for whoever asked for it."""

    table: str
    host: str
    seats: dict[int, str]
    """Tokens by place, from 1."""


class AlreadyMade(Exception):
    """Somebody else has asked for the rematch before."""


class Lobby:
    """What is asked about tables rather than at them. Everything raises `Refused`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._bots = installed_bots()
        """Asked once: looking through all installed packages takes its time."""

    # New tables

    async def create(self, wish: NewTable) -> Made:
        """Make a table; it begins at once where no seat is open."""
        service = self._service
        seed = service.keys.seed(wish.id)
        table = service.keys.table("made", seed)
        if is_repeatable(wish.id) and (live := await service.find(table)) is not None:
            return self._made(live, seed)
        await self._expect_room()
        secret = new_secret()
        draft = new_table(table, wish.options, service.shelf.by_name, secret, service.now())
        people = fill_seats(draft, wish.seats, self._bots)
        places = [HOST, *(seat + 1 for seat in people)]
        tokens = [self._row(table, place, seed) for place in places]
        await self._append(self._commit(draft, secret, tokens))
        return self._made(await self._begin(table), seed)

    async def _expect_room(self) -> None:
        if self._service.is_stopping:
            raise Refused("stopping")
        try:
            unfinished = await self._service.store.count_unfinished()
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        if unfinished >= self._service.tuning.max_tables:
            raise Refused("too_many_tables")

    def _row(self, table: str, place: int, seed: str) -> TokenRow:
        return TokenRow(token_hash(self._service.keys.token(table, place, seed)), table, place)

    def _made(self, live: Live, seed: str) -> Made:
        """The tokens that follow from a request, as far as they still hold."""
        token = self._service.keys.token
        places = range(1, live.table.options.players + 1)
        found = {place: token(live.id, place, seed) for place in places}
        held = {place: t for place, t in found.items() if live.place_of(t) == place}
        return Made(live.id, token(live.id, HOST, seed), held)

    def _commit(self, draft: Draft, secret: bytes, tokens: list[TokenRow]) -> Commit:
        """What makes a drafted table durable."""
        service, table = self._service, draft.table
        live = Live(Table(table.id, service.shelf.by_hash), secret, tokens)
        lease = round(service.tuning.lease * 1000)
        board = table.board.hash
        return Commit(
            rows=live.rows_of(draft.steps, None, 0),
            index=[live.index_row(table, service.now(), lease)],
            new_tables={table.id: secret.hex()},
            boards={board: service.shelf.text(board)},
            moves=moves_in(draft.steps),
            tokens=tokens,
        )

    async def _append(self, commit: Commit) -> None:
        try:
            await self._service.append(commit)
        except Conflict:
            pass  # the same request at the same time: it has made the table
        except StoreUnavailable:
            raise Refused("store_unavailable") from None

    async def _begin(self, table: str) -> Live:
        live = await self._service.open(table)
        self._service.driver.follow(live, drive=True)
        self._service.driver.tell_turn(live)
        return live

    # Seats

    async def take_seat(self, table: str, wish: TakeSeat) -> tuple[int, str]:
        """Sit down; returns the place and its token."""
        service = self._service
        live = await service.open(table)
        seed = service.keys.seed(f"seat {wish.id}" if is_repeatable(wish.id) else wish.id)
        seat = None if wish.seat is None else wish.seat - 1
        taken: list[int] = []

        def sit(draft: Draft) -> int:
            version = draft.take_seat(wish.name, seat, wish.randomness or "")
            taken[:] = [_place_taken(draft)]
            return version

        def attach(commit: Commit) -> None:
            commit.tokens.append(self._row(table, taken[0], seed))

        key = command_key("seat", wish.id) if is_repeatable(wish.id) else None
        await service.change(live, key, sit, attach=attach)
        token = service.keys.token
        for place in taken or range(1, live.table.options.players + 1):
            if live.place_of(token(table, place, seed)) == place:
                return place, token(table, place, seed)
        raise Refused("seat_taken")  # a repeated request for a seat that was left since

    async def seat_bot(self, table: str, host: str | None, wish: SeatToBot) -> Live:
        """Host only: put a bot on an open seat."""
        live = await self.hosted(table, host)
        key = command_key("host", wish.id)
        await self._service.change(
            live, key, lambda draft: draft.seat_to_bot(wish.seat - 1, wish.bot, self._bots)
        )
        return live

    async def start(self, table: str, host: str | None) -> Live:
        """Host only: begin."""
        live = await self.hosted(table, host)
        await self._service.change(live, None, lambda draft: draft.begin())
        return live

    async def hosted(self, table: str, token: str | None) -> Live:
        """The table, for its host."""
        live, place = await self.entered(table, token)
        if place != HOST:
            raise Refused("not_host")
        return live

    async def entered(self, table: str, token: str | None) -> tuple[Live, int]:
        """The table and the place that a token belongs to."""
        live = await self._service.open(table)
        if token is None:
            raise Refused("bad_token")
        if live.place_of(token) is None:
            await self._service.refresh(live)
        place = live.place_of(token)
        if place is None:
            raise Refused("bad_token")
        return live, place

    # Afterwards

    async def rematch(self, table: str, token: str | None, command: str) -> Made:
        """Another game of the same people, each one seat further; their tokens hold there too."""
        service = self._service
        live, place = await self.entered(table, token)
        seat = live.table.seat_of_place(place)
        if seat is None or token is None:
            raise Refused("not_your_seat")
        number = service.keys.table("rematch", table)
        secret = new_secret()

        def again(draft: Draft) -> int:
            if draft.table.next_table is not None:
                raise AlreadyMade
            return draft.rematch(seat, number)

        def attach(commit: Commit) -> None:
            more = self._rematch_commit(live, number, secret)
            commit.rows += more.rows
            commit.index += more.index
            commit.new_tables |= more.new_tables
            commit.boards |= more.boards
            commit.moves += more.moves
            commit.tokens += more.tokens

        with contextlib.suppress(AlreadyMade):
            await service.change(live, command_key(str(place), command), again, attach=attach)
        new = await self._begin(number)
        held = new.place_of(token)
        host = service.keys.token(number, HOST, live.id + str(place))
        return Made(number, host, {held: token} if held else {})

    def _rematch_commit(self, live: Live, number: str, secret: bytes) -> Commit:
        """The new table, on the very same board also where the server no longer offers it. Who was
        absent at the end has left an open seat."""
        service, old = self._service, live.table
        seats = [old.seats[-1], *old.seats[:-1]]
        boards = {old.options.board or old.options.edition: old.board}
        draft = new_table(number, old.options, boards, secret, service.now(), previous=old.id)
        fill_seats(draft, [_wish(seat) for seat in seats], self._bots)
        tokens = []
        for place, seat in enumerate(seats, start=1):
            if seat.kind == "human" and seat.absent is None:
                hashes = [h for h, held in live.tokens.items() if held == seat.place]
                tokens += [TokenRow(token, number, place) for token in hashes]
                tokens.append(self._row(number, HOST, live.id + str(seat.place)))
        return self._commit(draft, secret, tokens)

    async def set_hook(self, table: str, token: str | None, command: str, url: str) -> str | None:
        """Have a holder or the host called; returns the secret that the calls are signed with."""
        _, place = await self.entered(table, token)
        try:
            if url:
                check_hook(url)
        except BadHook:
            raise Refused("bad_message", detail="url") from None
        secret = self._service.keys.token(table, place, f"hook {command}")
        try:
            await self._service.store.set_hook(Hook(table, place, url, secret))
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return secret if url else None

    # Lists

    async def listed(self) -> list[Wire]:
        """Open and running tables that everybody may see."""
        try:
            summaries = await self._service.store.lobby()
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return [_lobby_table(summary) for summary in summaries]

    async def mine(self, tokens: Sequence[str]) -> list[Wire]:
        """Where these tokens belong, in the form of `protocol.http.MyTable`."""
        numbers = {token_hash(token): number for number, token in enumerate(tokens)}
        try:
            held = await self._service.store.held_with(list(numbers))
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return [_my_table(numbers[row.hash], row, json.loads(summary)) for row, summary in held]


def _place_taken(draft: Draft) -> int:
    """The place of whoever has just sat down."""
    taken = draft.steps[0].entry.what
    return int(getattr(taken, "seat", 0))


def _wish(seat: Seat) -> SeatWish:
    if seat.kind == "bot":
        return SeatWish(kind="bot", bot=seat.bot)
    if seat.absent is not None:
        return SeatWish(kind="open")
    return SeatWish(kind="human", name=seat.name)


def _lobby_table(summary: str) -> Wire:
    table: Wire = json.loads(summary)
    del table["places"]
    return table


def _my_table(number: int, row: TokenRow, summary: Wire) -> Wire:
    places = summary.pop("places")
    seat = places.index(row.place) + 1 if row.place in places else None
    return {
        "token": number,
        "seat": seat,
        "your_turn": seat is not None and summary["actor"] == seat,
        "table": summary,
    }
