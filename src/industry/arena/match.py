"""Plays one game between bots and says who won, or which bot forfeited it."""

import time
import traceback
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import tomli_w

from industry.boards import BoardSpec
from industry.bots import BoardAndRecord, Bot, BotTooSlow, ask, bot_maker
from industry.bots.clock import time_limit
from industry.engine import (
    NOBODY,
    Phase,
    PlayerMove,
    Position,
    State,
    apply_move,
    code_of,
    is_ahead,
    start,
)
from industry.notation import (
    Record,
    SeededBag,
    new_record,
    result_of,
    rule_options,
    write_move,
)
from industry.notation.record import MAX_NAME
from industry.texts.sanitize import printable, quoted

from .games import MoveLines
from .outcome import ERROR, ILLEGAL, SLOW, BotFault, Outcome
from .schedule import Entrant, Seating, Tournament
from .time_histogram import TimeHistogram
from .trace import Trace

if TYPE_CHECKING:
    from .luck import Luck

Answer = TypeVar("Answer")


class Forfeit(Exception):
    """A bot broke the rules of the arena and loses the game."""

    def __init__(self, seat: int, kind: str, detail: str, trace: str = "") -> None:
        super().__init__(detail)
        self.seat = seat
        self.kind = kind
        self.detail = detail
        self.trace = trace


class Match:
    """A game between bots. Bots see positions, but never the bag."""

    def __init__(
        self, tournament: Tournament, seating: Seating, trace: Trace | None = None
    ) -> None:
        self.tournament = tournament
        self.seating = seating
        self.trace = trace or Trace()
        self.board = tournament.board.rules
        self.thinking = tuple(TimeHistogram() for _ in seating.seats)
        self.bots: list[Bot] = []
        key = f"{tournament.seed}/deal {seating.deal}"
        self.bag = SeededBag(key)
        self.generators = [
            Random(f"{key}/game {seating.game}/seat {seat}") for seat in range(tournament.players)
        ]

    def play(self) -> Outcome:
        """Plays the game to its end, or to the first forfeit."""
        self.trace.begin_game()
        state = self._opening()
        try:
            for seat in range(self.tournament.players):
                self.bots.append(self._guarded(seat, partial(_new_bot, self._entrant(seat).bot)))
            while state.phase != Phase.OVER:
                state = self._step(state)
        except Forfeit as forfeit:
            return self.forfeited(forfeit)
        return self._outcome(Position(self.board, state), None)

    def _opening(self) -> State:
        options = rule_options(self.tournament.options)
        seats = self.tournament.players, self.seating.starting_seat
        return start(self.board, *seats, options).state

    def _entrant(self, seat: int) -> Entrant:
        return self.tournament.entrants[self.seating.seats[seat]]

    def _step(self, state: State) -> State:
        """Makes one move. A bot may change the state it gets, so the game continues with a copy."""
        position, seat = Position(self.board, state), int(state.actor)
        if seat == NOBODY:
            code = code_of(self.bag.draw(position))
        elif len(position.legal_moves) == 1:
            code = code_of(position.legal_moves[0])
        else:
            state = state.copy()
            code = code_of(self._choice(position, seat))
        self.trace.add(seat, code)
        state.events.clear()
        apply_move(self.board, state, seat, code)
        return state

    def _choice(self, position: Position, seat: int) -> PlayerMove:
        """Returns the bot's choice: one of the legal moves, in time; otherwise raises `Forfeit`."""
        legal, seconds = position.legal_moves, self._entrant(seat).seconds
        bot, rng = self.bots[seat], self.generators[seat]
        began = time.perf_counter()
        game = BoardAndRecord(self.tournament.board, lambda: self._record(position))
        choice = self._guarded(seat, lambda: ask(bot, position, legal, seconds, rng, game))
        took = time.perf_counter() - began
        self.thinking[seat].add(took)
        if took > time_limit(seconds):
            raise Forfeit(seat, SLOW, f"took {took:.2f} s with a budget of {seconds:g} s")
        return self._legal(seat, legal, choice)

    def _legal(self, seat: int, legal: Sequence[PlayerMove], choice: object) -> PlayerMove:
        """Returns the legal move that equals the choice, which may be any object and misbehave."""
        try:
            for move in legal:
                if choice is move or choice == move:
                    return move
            named = f"“{write_move(choice, self.tournament.board)}”"  # type: ignore[arg-type]
        except Exception:
            named = f"a {type(choice).__name__}"
        raise Forfeit(seat, ILLEGAL, f"chose {quoted(named)}, which is not a legal move")

    def _guarded(self, seat: int, ask: Callable[[], Answer]) -> Answer:
        """Returns the bot's answer; its errors, even an attempt to exit, become a forfeit."""
        self.trace.start_thinking(seat, time.monotonic())
        try:
            return ask()
        except BotTooSlow as error:
            raise Forfeit(seat, SLOW, str(error)) from None
        except (Exception, SystemExit) as error:
            detail = f"raised {describe_error(error)}"
            raise Forfeit(seat, ERROR, detail, _traceback()) from None
        finally:
            self.trace.stop_thinking()

    def forfeited(self, forfeit: Forfeit) -> Outcome:
        """Returns the game recorded in its trace, lost by the bot of the seat at fault."""
        state = self._opening()
        for code, seat in zip(*self.trace.moves(), strict=True):
            apply_move(self.board, state, seat, code)
        return self._outcome(Position(self.board, state), forfeit)

    def _outcome(self, position: Position, forfeit: Forfeit | None) -> Outcome:
        keep = forfeit is not None or self.tournament.record
        record = self._record(position) if keep else None
        fault = None
        if forfeit is not None and record is not None:
            text = tomli_w.dumps(record.data() | self._fault_table(forfeit), multiline_strings=True)
            bot = self._entrant(forfeit.seat).label
            fault = BotFault(bot, forfeit.seat, forfeit.kind, forfeit.detail, text)
        points = tuple(position.breakdown(seat).points for seat in range(position.state.players))
        return Outcome(
            self.seating,
            points,
            self._ranks(position, points, forfeit),
            self.thinking,
            fault,
            record.to_json() if record is not None and self.tournament.record else None,
            self._luck() if self.tournament.adjusted else None,
        )

    def _luck(self) -> tuple[float, ...]:
        """Returns how lucky the draws were for each seat; they depend on nothing that bots do."""
        opening = Position(self.board, self._opening())
        key = f"{self.tournament.seed}/deal {self.seating.deal}/game {self.seating.game}/luck"
        return _luck_of(self.tournament.board).of_game(opening, self.trace.moves()[0], key)

    def _ranks(
        self, position: Position, points: Sequence[int], forfeit: Forfeit | None
    ) -> tuple[float, ...]:
        """Ranks by the rules; a bot that forfeited comes last, its seat at fault at the end."""
        board, state, seats = position.board, position.state, range(len(points))

        def behind(seat: int) -> int:
            if forfeit is None or self.seating.seats[seat] != self.seating.seats[forfeit.seat]:
                return 0
            return 2 if seat == forfeit.seat else 1

        def is_before(seat: int, other: int) -> bool:
            if behind(seat) != behind(other):
                return behind(seat) < behind(other)
            if points[seat] != points[other]:  # the rule begins with points and is slower
                return points[seat] > points[other]
            return is_ahead(board, state, seat, other)

        # A seat ties with itself, which makes half a rank: a clear winner has rank 1.
        ahead = [[is_before(seat, other) for other in seats] for seat in seats]
        return tuple(
            0.5 + sum((1 + ahead[other][seat] - ahead[seat][other]) / 2 for other in seats)
            for seat in seats
        )

    def _record(self, position: Position) -> Record:
        """Returns the game record, finished or not."""
        board, seats = self.tournament.board, range(self.tournament.players)
        return new_record(
            board,
            tuple(printable(self._entrant(seat).label)[:MAX_NAME] for seat in seats),
            self.seating.starting_seat + 1,
            self.tournament.options,
            MoveLines(board).of_game(*self.trace.moves()),
            result=result_of(position) if position.is_over else None,
        )

    def _fault_table(self, forfeit: Forfeit) -> dict[str, Any]:
        """Returns what the bot did wrong, for people who open the record; programs ignore it."""
        table = {
            "bot": self._entrant(forfeit.seat).label,
            "seat": forfeit.seat + 1,
            "kind": forfeit.kind,
            "detail": forfeit.detail,
            "seed": self.tournament.seed,
            "deal": self.seating.deal,
            "game": self.seating.game,
        }
        return {"fault": table | ({"traceback": forfeit.trace} if forfeit.trace else {})}


def describe_error(error: BaseException) -> str:
    """Describes an exception of a bot, even if its message cannot be computed."""
    try:
        return f"{type(error).__name__}: {quoted(str(error))}"
    except Exception:
        return type(error).__name__


def _traceback() -> str:
    return traceback.format_exc().encode("utf-8", "backslashreplace").decode("utf-8")


_maker = lru_cache(partial(bot_maker, commands=True))
"""Looking through all installed packages takes longer than a quick game."""


_lucks: "dict[str, Luck]" = {}
"""By board: each keeps scratch memory."""


def _luck_of(board: BoardSpec) -> "Luck":
    from .luck import Luck  # imported here because it loads numpy and Numba

    if board.hash not in _lucks:
        _lucks[board.hash] = Luck(board.rules)
    return _lucks[board.hash]


def _new_bot(name: str) -> Bot:
    return _maker(name)()
