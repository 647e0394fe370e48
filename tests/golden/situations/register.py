"""What a situation is, and questions that several of them ask about a step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from industry.engine import Develop, Draw, Edition, Event, Fault, Move, Position, Source, seat_of

from ..replays import ReplayedMove

Shows = Callable[[ReplayedMove], bool]


@dataclass(frozen=True, slots=True)
class Situation:
    """A rare thing that some golden game must show; `shows` recognises it in one step."""

    name: str
    ruling: str
    sentence: str
    shows: Shows


SITUATIONS: list[Situation] = []


def situation(ruling: str) -> Callable[[Shows], Shows]:
    """Put the function on the list; its docstring tells the situation."""

    def register(shows: Shows) -> Shows:
        sentence = (shows.__doc__ or "").strip()
        SITUATIONS.append(Situation(shows.__name__, ruling, sentence, shows))
        return shows

    return register


def happened(step: ReplayedMove, kind: type[Event]) -> bool:
    return any(isinstance(event, kind) for event in step.events)


def fault_of(position: Position, move: Move) -> Fault:
    refusal = position.refusal(move)
    return Fault.NONE if refusal is None else refusal.fault


def is_industria(step: ReplayedMove) -> bool:
    return step.before.board.edition == Edition.INDUSTRIA


def back(step: ReplayedMove) -> Iterator[ReplayedMove]:
    """The step and all before it, the latest first."""
    current: ReplayedMove | None = step
    while current is not None:
        yield current
        current = current.previous


def this_round(step: ReplayedMove) -> Iterator[ReplayedMove]:
    """The step and those before it in its round, the draw last."""
    for earlier in back(step):
        yield earlier
        if isinstance(earlier.move, Draw):
            return


def ends_auction(step: ReplayedMove) -> bool:
    """The last field of the round is gone with this step."""
    return step.before.state.auctioneer >= 0 > step.after.state.auctioneer


def enabled_by(step: ReplayedMove, kind: type[Move]) -> bool:
    """The same seat made such a move just before, and without it this one was refused."""
    previous = step.previous
    return (
        previous is not None
        and isinstance(previous.move, kind)
        and seat_of(previous.move) == seat_of(step.move)
        and fault_of(previous.before, step.move) != Fault.NONE
    )


def supplies(step: ReplayedMove) -> list[tuple[int, int]]:
    """Resource and source for each need of the field that this step develops."""
    if not isinstance(step.move, Develop):
        return []
    needs = step.before.board.needs(step.move.field)
    return list(zip(needs, step.move.sources, strict=True))


def sources(step: ReplayedMove) -> list[int]:
    return [source for _, source in supplies(step)]


def is_seat(source: int) -> bool:
    return source >= Source.SEAT


def is_joker(source: int) -> bool:
    return source in (Source.JOKER, Source.ANY)
