"""Creating tables, seating players, links, rematches and webhooks."""

import contextlib
from collections.abc import Callable, Sequence

from industry.bots import installed_bots

from .address_limits import AddressLimiter
from .bag import new_secret
from .commands import Draft, move_sources
from .errors import Refused
from .live_table import HOST, LiveTable, token_hash
from .new_table import (
    RATED_BOTS,
    CreatedTable,
    SeatGrant,
    check_rated,
    fill_seats,
    new_table,
    seats_again,
)
from .outgoing import BadHook, check_hook
from .protocol.http import (
    FreeSeat,
    NewLink,
    NewTable,
    Rematch,
    SeatStandIn,
    SeatToBot,
    TakeSeat,
    Webhook,
)
from .seat_links import may_renew, pass_on, seat_persons
from .service import Service
from .store import Commit, Conflict, Hook, SeatPerson, StoreUnavailable, TokenRow
from .table import Table
from .table_limits import expect_room
from .table_lists import TableLists
from .tokens import command_key, is_repeatable


class AlreadyMade(Exception):
    """Another player has already asked for the rematch."""


class Lobby:
    """Requests about tables, other than those of players at them. All methods raise `Refused`."""

    def __init__(self, service: Service, limiter: AddressLimiter) -> None:
        self._service = service
        self._limiter = limiter
        self.lists = TableLists(service.store)
        self.bots = installed_bots()
        """Looked up once: searching all installed packages takes time."""

    # New tables

    async def create(
        self,
        wish: NewTable,
        address: str,
        public: bytes | None = None,
        person: SeatPerson | None = None,
    ) -> CreatedTable:
        """Creates a table; it starts at once if no seat is open.

        `public` is the secret of a daily deal, which everybody knows: no other table has one.
        `person` is who asks, if somebody is signed in.
        """
        if bool(wish.options.daily) != (public is not None):
            raise Refused("bad_options", detail="daily")
        for name in ("what_if", "cup", "duplicate"):
            if getattr(wish.options, name):
                raise Refused("bad_options", detail=name)
        if wish.options.rated:
            check_rated(wish)
        secret = public or new_secret()

        def draft(table: str, level: int) -> Draft:
            now, boards = self._service.now(), self._service.catalogue.by_name
            made = new_table(table, wish.options, boards, secret, now, level=level)
            fill_seats(made, wish.seats, self.bots, level, person)
            return made

        return await self.add(wish.id, address, secret, draft)

    async def add(
        self, command: str, address: str, secret: bytes, make: Callable[[str, int], Draft]
    ) -> CreatedTable:
        """Stores the table that `make` drafts for an id and the level that all processes read."""
        service = self._service
        seed = service.keys.seed(command)
        table = service.keys.table("made", seed)
        if is_repeatable(command) and (live := await service.find(table)) is not None:
            return self._made(live, seed)
        maker = service.keys.maker(address)
        await expect_room(self._service, self._limiter, maker, address)
        draft = make(table, await service.level())
        seats = draft.table.seats
        held = sorted(seat.place for seat in seats if seat.kind in ("human", "reserved"))
        self._limiter.spend(address, "tables")
        commit = self._commit(
            draft, secret, [self._row(table, place, seed) for place in [HOST, *held]]
        )
        commit.makers[table] = maker
        await self._append(commit)
        return self._made(await self._begin(table), seed)

    def _row(self, table: str, place: int, seed: str) -> TokenRow:
        return TokenRow(token_hash(self._service.keys.token(table, place, seed)), table, place)

    def _made(self, live: LiveTable, seed: str) -> CreatedTable:
        """Returns the tokens that a request leads to, as far as they are valid."""
        token, table = self._service.keys.token, live.table
        places = range(1, table.options.players + 1)
        found = {place: token(live.id, place, seed) for place in places}
        held = {place: t for place, t in found.items() if live.place_of(t) == place}
        free = {seat.place for seat in table.seats if seat.kind == "reserved"}
        return CreatedTable(
            live.id,
            token(live.id, HOST, seed),
            {place: t for place, t in held.items() if place not in free},
            {place: t for place, t in held.items() if place in free},
            "" if table.branch else table.commitment,
        )

    def _commit(self, draft: Draft, secret: bytes, tokens: list[TokenRow]) -> Commit:
        """Builds the commit that stores a drafted table."""
        service, table = self._service, draft.table
        live = LiveTable(Table(table.id, service.catalogue.by_hash), secret, tokens)
        lease = round(service.tuning.lease * 1000)
        board = table.board.hash
        assert draft.shown is not None
        commit = Commit(
            rows=live.rows_of(draft.steps, None, 0),
            index=[live.index_row(table, draft.shown, service.now(), lease)],
            new_tables={table.id: secret.hex()},
            boards={board: service.catalogue.text(board)},
            moves=move_sources(draft.steps),
            tokens=tokens,
        )
        seat_persons(service.keys, commit, draft)
        return commit

    async def _append(self, commit: Commit) -> None:
        try:
            await self._service.append(commit)
        except Conflict:
            pass  # the same request, sent twice at once, has created the table
        except StoreUnavailable:
            raise Refused("store_unavailable") from None

    async def keep(self, draft: Draft, secret: bytes) -> None:
        """Stores a drafted table that has no host, and begins it; one that exists stays."""
        await self._append(self._commit(draft, secret, []))
        await self._begin(draft.table.id)

    async def _begin(self, table: str) -> LiveTable:
        live = await self._service.open(table)
        self._service.driver.follow(live, drive=True)
        self._service.driver.tell_turn(live)
        return live

    # Seats

    async def take_seat(
        self,
        table: str,
        wish: TakeSeat,
        address: str,
        link: str | None = None,
        person: SeatPerson | None = None,
    ) -> SeatGrant:
        """Takes a seat, the reserved one if `link` is its token; returns place and token.

        `person` is who is signed in and wants to sit there under their name.
        """
        service = self._service
        live = await service.open(table)
        self._limiter.spend_seat_change(address, table)
        seed = service.keys.seed(f"seat {wish.id}" if is_repeatable(wish.id) else wish.id)
        seat = None if wish.seat is None else wish.seat - 1
        place = None if link is None else (await self.entered(table, link))[1]
        invited = place - 1 if place else None  # the host's own token reserves nothing
        taken: list[int] = []

        def sit(draft: Draft) -> int:
            version = draft.take_seat(wish.name, seat, wish.randomness or "", invited, person)
            taken[:] = [_place_taken(draft)]
            sitting = draft.steps[0].entry.what
            if draft.table.is_rated and getattr(sitting, "name", "") not in draft.table.people:
                raise Refused("not_signed_in")
            return version

        def attach(commit: Commit) -> None:
            if place != taken[0]:
                commit.tokens.append(self._row(table, taken[0], seed))

        key = command_key("seat", wish.id) if is_repeatable(wish.id) else None
        await service.change(live, key, sit, attach=attach)
        if link is not None and place and (not taken or taken[0] == place):
            return SeatGrant(place, link, live.table.commitment)
        return self._held(live, seed, taken)

    def _held(self, live: LiveTable, seed: str, taken: Sequence[int]) -> SeatGrant:
        """Returns the token that a request leads to, if it is valid."""
        table, token = live.id, self._service.keys.token
        for place in taken or range(1, live.table.options.players + 1):
            if live.place_of(token(table, place, seed)) == place:
                return SeatGrant(place, token(table, place, seed), live.table.commitment)
        raise Refused("seat_taken")  # a repeated request for a seat that was left since

    async def seat_bot(
        self, table: str, host: str | None, wish: SeatToBot, address: str
    ) -> LiveTable:
        """Seats a bot on an open seat, for the host only."""
        live = await self.hosted(table, host)
        self._limiter.spend_seat_change(address, table)
        key = command_key("host", wish.id)
        bots = RATED_BOTS if live.table.is_rated else self.bots
        await self._service.change(
            live, key, lambda draft: draft.seat_to_bot(wish.seat - 1, wish.bot, bots)
        )
        return live

    async def free_seat(
        self, table: str, host: str | None, wish: FreeSeat, address: str
    ) -> LiveTable:
        """Frees a seat and invalidates its link, for the host only."""
        live = await self.hosted(table, host)
        self._limiter.spend_seat_change(address, table)
        level = await self._service.level()

        def attach(commit: Commit) -> None:
            commit.revoked.append(TokenRow("", table, wish.seat))
            commit.unseated.append((table, wish.seat))

        key = command_key("host", wish.id)
        await self._service.change(
            live, key, lambda draft: draft.free_seat(wish.seat - 1, level), attach=attach
        )
        return live

    async def seat_stand_in(self, table: str, host: str | None, wish: SeatStandIn) -> LiveTable:
        """Lets a stand-in decide for a seat that takes too long, for the host only."""
        live = await self.hosted(table, host)
        level = await self._service.level()
        await self._service.change(
            live,
            command_key("host", wish.id),
            lambda draft: draft.seat_stand_in(wish.seat - 1, level),
        )
        return live

    async def new_link(
        self, table: str, token: str | None, wish: NewLink, address: str
    ) -> SeatGrant:
        """Replaces a seat's link, for its holder or the host."""
        live, asking = await self.entered(table, token)
        self._limiter.spend_seat_change(address, table)
        level = await self._service.level()
        command = f"link {wish.id}" if is_repeatable(wish.id) else wish.id
        seed = self._service.keys.seed(command)
        places: list[int] = []

        def renew(draft: Draft) -> int:
            seat = wish.seat - 1
            version = draft.renew_link(seat, level)
            sitting = draft.table.seats[seat]
            if not may_renew(draft.table, sitting, asking):
                raise Refused("not_your_seat")
            places[:] = [sitting.place]
            return version

        def attach(commit: Commit) -> None:
            commit.revoked.append(TokenRow("", table, places[0]))
            commit.tokens.append(self._row(table, places[0], seed))
            pass_on(self._service.keys, live, places[0], asking, commit)
            if asking == HOST:  # the link may be for somebody else
                commit.orders += live.cancelled_orders(places[0])

        key = command_key(str(asking), wish.id) if is_repeatable(wish.id) else None
        await self._service.change(live, key, renew, attach=attach)
        return self._held(live, seed, places)

    async def hosted(self, table: str, token: str | None) -> LiveTable:
        """Returns the table if the token is its host's."""
        live, place = await self.entered(table, token)
        if place != HOST:
            raise Refused("not_host")
        return live

    async def entered(self, table: str, token: str | None) -> tuple[LiveTable, int]:
        """Returns the table and the place that a token belongs to."""
        live = await self._service.open(table)
        if token is None:
            raise Refused("bad_token")
        if live.place_of(token) is None:
            await self._service.refresh(live)
        place = live.place_of(token)
        if place is None:
            raise Refused("bad_token")
        return live, place

    # After the game

    async def rematch(
        self, table: str, token: str | None, wish: Rematch, address: str
    ) -> CreatedTable:
        """Creates another game of the same players, one seat further; their tokens stay valid."""
        service = self._service
        live, place = await self.entered(table, token)
        seat = live.table.seat_of_place(place)
        if seat is None or token is None:
            raise Refused("not_your_seat")
        number = service.keys.table("rematch", table)
        maker = service.keys.maker(address)
        if live.table.next_table is None:
            await expect_room(self._service, self._limiter, maker, address)
            self._limiter.spend(address, "tables")
        secret, level = new_secret(), await self._service.level()

        def again(draft: Draft) -> int:
            if draft.table.next_table is not None:
                raise AlreadyMade
            return draft.rematch(seat, number)

        def attach(commit: Commit) -> None:
            more = self._rematch_commit(live, number, secret, level)
            commit.rows += more.rows
            commit.index += more.index
            commit.new_tables |= more.new_tables
            commit.makers[number] = maker
            commit.boards |= more.boards
            commit.moves += more.moves
            commit.tokens += more.tokens
            commit.seated += more.seated

        with contextlib.suppress(AlreadyMade):
            await service.change(live, command_key(str(place), wish.id), again, attach=attach)
        new = await self._begin(number)
        held = new.place_of(token)
        host = service.keys.token(number, HOST, live.id + str(place))
        return CreatedTable(number, host, {held: token} if held else {}, {}, new.table.commitment)

    def _rematch_commit(self, live: LiveTable, number: str, secret: bytes, level: int) -> Commit:
        """Builds the new table on the same board, even if the server no longer offers it.

        People's seats are reserved for them; the seat of a player who was absent at the end is
        open.
        """
        service, old = self._service, live.table
        seats = [old.seats[-1], *old.seats[:-1]]
        options = old.options
        if options.daily:  # the rematch is a game like any other, with a bag of its own
            options = options.model_copy(update={"daily": "", "undo": "own_last"})
        options = options.model_copy(update={"cup": "", "duplicate": False})
        boards = {old.options.board or old.options.edition: old.board}
        draft = new_table(
            number,
            options,
            boards,
            secret,
            service.now(),
            previous=old.id,
            level=level,
        )
        fill_seats(draft, seats_again(draft, old, seats, level), self.bots)
        tokens = []
        for place, seat in enumerate(seats, start=1):
            if seat.kind == "human" and seat.absent is None:
                hashes = [h for h, held in live.tokens.items() if held == seat.place]
                tokens += [TokenRow(token, number, place) for token in hashes]
                tokens.append(self._row(number, HOST, live.id + str(seat.place)))
        return self._commit(draft, secret, tokens)

    async def set_hook(
        self, table: str, token: str | None, wish: Webhook, address: str
    ) -> str | None:
        """Registers a webhook for a seat's holder or the host; returns the signing secret."""
        _, place = await self.entered(table, token)
        command, url = wish.id, wish.url
        try:
            if url:
                check_hook(url)
                self._limiter.spend(address, "hooks")
        except BadHook:
            raise Refused("bad_message", detail="url") from None
        secret = self._service.keys.token(table, place, f"hook {command}")
        try:
            await self._service.store.set_hook(Hook(table, place, url, secret))
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return secret if url else None


def _place_taken(draft: Draft) -> int:
    """Returns the place of the player who has just sat down."""
    taken = draft.steps[0].entry.what
    return int(getattr(taken, "seat", 0))
