"""Small positions written as text, and whole games without decisions.

    era 2, develop, seat 1
    talers 5 3 4
    seat 1: 1E developed, 2H undeveloped, joker 1A, points 7, subsidy
    seat 2: 1F developed

Clauses stand on lines of their own or between semicolons. The first says the era, what the game
waits for and whose decision it is: `draw`, `offer`, `bid on 1F`, `settle 1F`, `develop` or `over`.
`talers` has one number per seat. The others, where they are not as at the start of that phase:

    starting player 2             else seat 1
    auctioneer 3                  else the deciding seat; while bids are made, the Starting Player
    available 2A 2F               column tokens that lie face up; the offered field's always does
    gone 2B 2C / gone the rest    column tokens that lie face down; those of owned fields always do
    option full_price             or plain_draws, any_time, resource_cash
    seat 3: bid 4                 else seats that were asked already have passed
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TypeVar

from industry import BoardSpec, Position, load_board, play
from industry.boards.spec import FIELD_INDEX
from industry.engine import (
    Draw,
    Event,
    Fault,
    Kind,
    Move,
    Options,
    Phase,
    Reason,
    Refusal,
    State,
    Status,
    Token,
    start_with_events,
)
from industry.engine.constants import COLUMNS, NOBODY
from industry.engine.events import TalersMoved
from industry.notation import read_move, write_move

BOARDS = Path(__file__).parent / "boards"
WORKSHOP = load_board(BOARDS / "workshop.toml")
HARBOUR = load_board(BOARDS / "harbour.toml")
INDUSTRY = load_board("industry")
INDUSTRIA = load_board("industria")

EventType = TypeVar("EventType")


@dataclass(frozen=True)
class Scene:
    """A position and what has happened in it; seats, eras and fields are written as in records."""

    board: BoardSpec
    position: Position
    events: tuple[Event, ...] = ()

    def play(self, *moves: str | Move) -> "Scene":
        """The scene after these moves, with the events of just these."""
        position = self.position
        events: list[Event] = []
        for move in moves:
            position, happened = play(position, self.move(move))
            events += happened
        return Scene(self.board, position, tuple(events))

    def move(self, move: str | Move) -> Move:
        return read_move(move, self.board) if isinstance(move, str) else move

    def refusal(self, move: str | Move) -> Refusal:
        """Why the move is refused; it is a failure if it is not."""
        found = self.position.refusal(self.move(move))
        assert found is not None, f"{move} is legal here"
        return found

    def fault(self, move: str | Move) -> Fault:
        """What is wrong with the move; NONE where it is legal."""
        found = self.position.refusal(self.move(move))
        return Fault.NONE if found is None else found.fault

    @property
    def legal(self) -> list[str]:
        """The legal moves of the seat that must decide."""
        return sorted(write_move(move, self.board) for move in self.position.legal_moves)

    def legal_of(self, seat: int) -> list[str]:
        return sorted(write_move(m, self.board) for m in self.position.legal_moves_of(seat - 1))

    @property
    def players(self) -> int:
        return self.position.state.players

    @property
    def phase(self) -> Phase:
        return self.position.phase

    @property
    def era(self) -> int:
        return self.position.state.era + 1

    @property
    def to_decide(self) -> int:
        """0 where nobody must."""
        return self.position.actor + 1

    @property
    def auctioneer(self) -> int:
        return self.position.state.auctioneer + 1

    @property
    def starting_player(self) -> int:
        return self.position.state.starting_player + 1

    @property
    def talers(self) -> list[int]:
        return self.position.state.talers[: self.players]

    @property
    def track(self) -> list[int]:
        """The score track: points for development."""
        return self.position.state.points[: self.players]

    @property
    def totals(self) -> list[int]:
        """All points, as if the game ended now."""
        return [self.position.breakdown(seat).points for seat in range(self.players)]

    @property
    def winners(self) -> list[int]:
        return [seat + 1 for seat in self.position.winners()]

    def owner(self, field: str) -> int:
        """0 where the field is nobody's."""
        return self.position.state.owner[FIELD_INDEX[field]] + 1

    def status(self, field: str) -> Status:
        return Status(self.position.state.status[FIELD_INDEX[field]])

    def token(self, column: str) -> Token:
        return Token(self.position.state.tokens["ABCDEFGHIJKL".index(column)])

    def happened(self, kind: type[EventType]) -> list[EventType]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def paid(self, reason: Reason) -> list[tuple[int, int, int]]:
        """Who paid whom how much for this reason; 0 is the bank."""
        return [
            (event.source + 1, event.target + 1, event.amount)
            for event in self.happened(TalersMoved)
            if event.reason == reason
        ]


def scene(text: str, board: BoardSpec = WORKSHOP) -> Scene:
    """The position that the text describes; see the top of this module."""
    clauses = [clause.strip() for line in text.splitlines() for clause in line.split(";")]
    writer = _Writer(board)
    for clause in clauses:
        if clause:
            writer.read(clause)
    return Scene(board, Position(board.rules, writer.finish()))


class _Writer:
    """Fills in a state clause by clause, then whatever follows from them."""

    def __init__(self, board: BoardSpec) -> None:
        self.board = board
        self.state = State()
        self.state.round_number = 1
        self.rest = Token.IN_BAG

    def read(self, clause: str) -> None:
        state = self.state
        match clause.replace(",", " ").split():
            case ["era", era, phase, *rest]:
                state.era = int(era) - 1
                state.phase = Phase[phase.upper()]
                self.read_decision([word for word in rest if word != "on"])
            case ["talers", *purses]:
                state.players = len(purses)
                state.talers[: len(purses)] = [int(purse) for purse in purses]
                state.bank = -sum(state.talers)
            case ["starting", "player", seat]:
                state.starting_player = int(seat) - 1
            case ["auctioneer", seat]:
                state.auctioneer = int(seat) - 1
            case ["available", *fields]:
                self.lay_tokens(fields, Token.FACE_UP)
            case ["gone", "the", "rest"]:
                self.rest = Token.FACE_DOWN
            case ["gone", *fields]:
                self.lay_tokens(fields, Token.FACE_DOWN)
            case ["option", *names]:
                for name in names:
                    assert hasattr(Options(), name), f"no option {name}"
                    setattr(state, name, 1)
            case ["seat", _, *_]:
                seat, _, items = clause.removeprefix("seat ").partition(":")
                for item in items.split(","):
                    self.read_item(int(seat) - 1, item.split())
            case _:
                raise ValueError(f"unknown clause: {clause}")

    def read_decision(self, words: list[str]) -> None:
        match words:
            case [field, "seat", seat]:
                self.state.offered = FIELD_INDEX[field]
                self.state.actor = int(seat) - 1
            case ["seat", seat]:
                self.state.actor = int(seat) - 1
            case []:
                pass
            case _:
                raise ValueError(f"whose decision is it: {' '.join(words)}")

    def read_item(self, seat: int, words: list[str]) -> None:
        state = self.state
        match words:
            case ["joker", field]:
                assert self.board.rules.kind[FIELD_INDEX[field]] == Kind.JOKER
                self.give(seat, field, Status.HELD)
            case ["points", points]:
                state.points[seat] = int(points)
            case ["bid", talers]:
                state.bids[seat] = int(talers)
            case ["subsidy"]:
                state.subsidies[seat] = 1
            case [field, status]:
                self.give(seat, field, Status[status.upper()])
            case _:
                raise ValueError(f"unknown item: {' '.join(words)}")

    def give(self, seat: int, field: str, status: Status) -> None:
        number = FIELD_INDEX[field]
        self.state.owner[number] = seat
        self.state.status[number] = status
        if number // COLUMNS == self.state.era:
            self.state.tokens[number % COLUMNS] = Token.FACE_DOWN

    def lay_tokens(self, fields: list[str], token: Token) -> None:
        for field in fields:
            assert FIELD_INDEX[field] // COLUMNS == self.state.era
            self.state.tokens[FIELD_INDEX[field] % COLUMNS] = token

    def finish(self) -> State:
        state = self.state
        if state.offered >= 0:
            state.tokens[state.offered % COLUMNS] = Token.FACE_UP
        for column in range(COLUMNS):
            if state.tokens[column] == Token.IN_BAG:
                state.tokens[column] = self.rest
        if state.phase == Phase.DEVELOP:
            steps = (state.actor - state.starting_player) % state.players
            state.turns_left = state.players - steps
        elif state.phase in (Phase.OFFER, Phase.BID, Phase.SETTLE):
            self.finish_auction()
        return state

    def finish_auction(self) -> None:
        state = self.state
        if state.auctioneer == NOBODY:
            state.auctioneer = state.starting_player if state.phase == Phase.BID else state.actor
        if state.phase == Phase.OFFER:
            return
        seat = (state.auctioneer + 1) % state.players
        while seat != state.actor:
            state.bids[seat] = max(state.bids[seat], 0)
            if state.bids[seat] > state.high_bid:
                state.high_bid, state.high_bidder = state.bids[seat], seat
            seat = (seat + 1) % state.players


def new_scene(
    board: BoardSpec = WORKSHOP,
    players: int = 3,
    starting_player: int = 1,
    options: Options | None = None,
) -> Scene:
    """A game before its first draw, with the events that came before."""
    position, events = start_with_events(
        board.rules, players, starting_player - 1, options or Options()
    )
    return Scene(board, position, events)


def quiet_game(first: Scene) -> Iterator[Scene]:
    """A whole game in which nobody bids and nobody develops, scene by scene."""
    yield first
    at = first
    while not at.position.is_over:
        at = at.play(_QUIET[at.phase](at))
        yield at


_QUIET: dict[Phase, Callable[[Scene], str | Move]] = {
    Phase.DRAW: lambda at: Draw(at.position.bag[: at.position.draw_count]),
    Phase.OFFER: lambda at: at.legal[0],
    Phase.BID: lambda at: f"{at.to_decide} pass",
    Phase.DEVELOP: lambda at: f"{at.to_decide} done",
}


def random_game(first: Scene, seed: int) -> Iterator[Scene]:
    """A whole game of random legal moves, scene by scene."""
    chance = Random(seed)
    yield first
    at = first
    while not at.position.is_over:
        if at.position.draw_due:
            tokens = chance.sample(at.position.bag, at.position.draw_count)
            at = at.play(Draw(tuple(tokens)))
        else:
            at = at.play(chance.choice(at.position.legal_moves))
        yield at


def end_of(game: Iterator[Scene]) -> Scene:
    """The last scene, with the events of the whole game."""
    events: tuple[Event, ...] = ()
    last: Scene | None = None
    for last in game:
        events += last.events
    assert last is not None
    return replace(last, events=events)
