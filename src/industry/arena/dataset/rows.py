"""Turns one game into rows of tables, from its events."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Protocol

from industry.boards import BoardSpec
from industry.engine import (
    BANK,
    FIELDS,
    NOBODY,
    BidMade,
    BidPassed,
    Event,
    FieldClaimed,
    FieldDeveloped,
    FieldOffered,
    FieldSold,
    FieldTaken,
    GameEnded,
    Kind,
    Position,
    Reason,
    ResourceProvided,
    RoundStarted,
    Source,
    State,
    Status,
    TalersMoved,
    connected_factories,
    developed_count,
    event_of,
    field_id,
    has_developed,
    is_ahead,
    seat_of,
)
from industry.notation import Record
from industry.notation.in_place import BrokenLine, InPlaceReplay
from industry.notation.options import CHOICES
from industry.notation.record import SCORE_PARTS
from industry.texts.sanitize import quoted

from ..schedule import ArenaError

Row = tuple[Any, ...]


class Unfinished(ValueError):
    """The game has not come to its end, so it cannot be counted."""


class BrokenGame(ArenaError):
    """A record that cannot be replayed; the message names game, move and reason."""


class Values(Protocol):
    """An object that estimates what the field on offer is worth to each seat."""

    def values(self, position: Position) -> list[float]: ...


@dataclass(slots=True)
class _Auction:
    """A running auction; seats count from 0."""

    number: int
    round: int
    field: int
    auctioneer: int
    values: list[float]
    bidders: int = 0
    outcome: str = ""
    owner: int = NOBODY
    price: int = 0
    paid: int = 0


class GameRows:
    """Replays a record and collects its rows by table; seats, rounds and eras count from 1."""

    def __init__(self, game: int, record: Record, board: BoardSpec, appraiser: Values) -> None:
        self.game = game
        self.record = record
        self.board = board
        self.appraiser = appraiser
        self.seats = range(len(record.players))
        self.rows: defaultdict[str, list[Row]] = defaultdict(list)
        self.talers = [0] * len(record.players)
        self.track = [0] * len(record.players)
        self.round = self.era = 0
        self.decisions = 0
        self._auctions: list[_Auction] = []
        self._sources: list[int] = []
        self._cost = 0

    def play(self, *, trusted: bool = False) -> None:
        """Replays the whole game; raises `BrokenGame` or `Unfinished`."""
        game = InPlaceReplay(self.record, self.board)
        try:
            for _, _, move in game.moves(trusted=trusted):
                self._note(game.state)
                self.decisions += seat_of(move) != NOBODY
        except BrokenLine as broken:
            where = f"game {self.game}, move {broken.number} ({quoted(broken.line)})"
            raise BrokenGame(f"{where}: {broken.reason}") from None
        self._note(game.state)
        if not game.position.is_over:
            raise Unfinished("the game is not finished")
        self._finish(game.position)

    def _note(self, state: State) -> None:
        happened = [event_of(raw) for raw in state.events]
        state.events.clear()
        for event in happened:
            self._add_event(event, state)

    def _add_event(self, event: Event, state: State) -> None:
        match event:
            case TalersMoved():
                self._move_talers(event)
            case RoundStarted(number, era, _):
                self._end_round()
                self.round, self.era = number, era + 1
            case FieldOffered(seat, field):
                self._offer(seat, field, Position(self.board.rules, state))
            case BidMade(seat, talers):
                self._bid(seat, talers)
            case BidPassed(seat):
                self._bid(seat, None)
            case FieldSold(_, buyer, _, price):
                self._settle("sold", buyer, price)
            case FieldClaimed(seat, _, price):
                self._settle("claimed", seat, price)
            case FieldTaken(seat, _):
                self._settle("taken", seat, 0)
            case ResourceProvided(_, _, source):
                self._sources.append(source)
            case FieldDeveloped(seat, field, points):
                self._develop(seat, field, points)
            case GameEnded():
                self._end_round()

    def _move_talers(self, event: TalersMoved) -> None:
        if event.source != BANK:
            self.talers[event.source] -= event.amount
        if event.target != BANK:
            self.talers[event.target] += event.amount
        if event.reason in (Reason.SALE, Reason.CLAIM):
            auction = self._auctions[-1]
            if event.source == auction.owner:
                auction.paid += event.amount
        elif event.reason == Reason.COST:
            self._cost += event.amount

    def _end_round(self) -> None:
        """Adds purses and points at the end of a round, before the next income."""
        if self.round:
            for seat in self.seats:
                self._add("rounds", self.round, self.era, seat + 1, *self._holdings(seat))

    def _holdings(self, seat: int) -> tuple[int, int]:
        return self.talers[seat], self.track[seat]

    def _offer(self, seat: int, field: int, position: Position) -> None:
        values = self.appraiser.values(position)
        number = len(self._auctions) + 1
        self._auctions.append(_Auction(number, self.round, field, seat, values))

    def _bid(self, seat: int, talers: int | None) -> None:
        auction = self._auctions[-1]
        auction.bidders += talers is not None
        self._add("bids", auction.number, seat + 1, self.talers[seat], talers)

    def _settle(self, outcome: str, owner: int, price: int) -> None:
        auction = self._auctions[-1]
        auction.outcome, auction.owner, auction.price = outcome, owner, price

    def _develop(self, seat: int, field: int, points: int) -> None:
        self.track[seat] += points
        counted = [
            sum(1 for source in self._sources if source in kinds)
            for kinds in (
                (Source.OWN,),
                tuple(Source.SEAT + other for other in self.seats),
                (Source.BANK,),
                (Source.JOKER, Source.ANY),
            )
        ]
        spec = self.board.field(field)
        where = (self.round, self.era, seat + 1, spec.id, spec.kind)
        self._add("developments", *where, points, self._cost, *counted)
        self._sources.clear()
        self._cost = 0

    def _add(self, table: str, *values: Any) -> None:
        self.rows[table].append((self.game, *values))

    def _finish(self, end: Position) -> None:
        for auction in self._auctions:
            self._add("auctions", *self._auction_row(auction, end.state))
        self._final_game(end)
        self._final_seats(end)
        self._final_links(end)
        self._final_networks(end)

    def _auction_row(self, auction: _Auction, state: State) -> Row:
        spec, values = self.board.field(auction.field), auction.values
        return (
            auction.number,
            auction.round,
            spec.era,
            spec.column,
            spec.id,
            spec.kind,
            auction.auctioneer + 1,
            auction.bidders,
            auction.price,
            auction.outcome,
            auction.owner + 1,
            auction.paid,
            values[auction.owner],
            max(value for seat, value in enumerate(values) if seat != auction.owner),
            Status(state.status[auction.field]).name.lower(),
        )

    def _final_game(self, end: Position) -> None:
        ranked = sorted((end.breakdown(seat).points for seat in self.seats), reverse=True)
        self._add(
            "games",
            self.record.edition,
            self.record.board,
            self.record.board_hash,
            len(self.seats),
            *(self.record.options.get(name) for name in CHOICES),
            self.record.starting_player,
            self.round,
            self.decisions,
            len(end.winners()),
            ranked[0],
            ranked[0] - ranked[1],
        )

    def _final_seats(self, end: Position) -> None:
        board, state, winners = end.board, end.state, end.winners()
        for seat in self.seats:
            part = end.breakdown(seat)
            self._add(
                "seats",
                seat + 1,
                self.record.players[seat],
                (seat - self.record.starting_player + 1) % len(self.seats) + 1,
                1 / len(winners) if seat in winners else 0.0,
                1 + sum(is_ahead(board, state, other, seat) for other in self.seats),
                part.points,
                *(getattr(part, name) for name in SCORE_PARTS),
                developed_count(board, state, seat),
                int(state.talers[seat]),
            )

    def _final_links(self, end: Position) -> None:
        for first, second in end.board.links():
            for seat in self.seats:
                if all(has_developed(end.board, end.state, seat, f) for f in (first, second)):
                    kind = "road" if end.board.kind[first] == Kind.FACTORY else "line"
                    self._add("links", seat + 1, field_id(first), field_id(second), kind)

    def _final_networks(self, end: Position) -> None:
        """Adds a row for each seat and network on which the seat owns anything."""
        board, state = end.board, end.state
        for number, network in enumerate(self.board.networks):
            for seat in self.seats:
                bonus = sum(
                    board.bonus_network[field] == number
                    and has_developed(board, state, seat, field)
                    for field in range(FIELDS)
                )
                factories = connected_factories(board, state, seat, number)
                if bonus or factories:
                    self._add("networks", seat + 1, network, bonus, factories)
