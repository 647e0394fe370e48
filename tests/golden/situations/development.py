"""Development turns: discounts, points in the right era, one thing enabling the next."""

from industry.engine import Develop, Done, Edition, Fault, Kind, Source, Status
from industry.engine.constants import COLUMNS
from industry.engine.rules.development import construction_cost, payment_fault, produces

from ..replays import ReplayedMove
from .register import fault_of, is_seat, situation, sources, supplies, this_round


def discount(step: ReplayedMove, seat: int) -> int:
    """What the seat's Bank and Stock Exchange take off the cost."""
    board, state = step.before.board, step.before.state
    return sum(
        board.discount[field]
        for field in board.discounts[: board.discount_count]
        if state.owner[field] == seat and state.status[field] == Status.DEVELOPED
    )


def is_late(step: ReplayedMove) -> bool:
    """A field of an earlier era is developed."""
    return isinstance(step.move, Develop) and step.move.field // COLUMNS < step.before.state.era


@situation("E11")
def bank_cheapens_stock_exchange(step: ReplayedMove) -> bool:
    """Bank or Stock Exchange, developed first, cheapens the other."""
    move = step.move
    return (
        isinstance(move, Develop)
        and step.before.board.discount[move.field] > 0
        and discount(step, move.seat) > 0
    )


@situation("E11")
def both_discounts_together(step: ReplayedMove) -> bool:
    """Bank and Stock Exchange together take 2 Talers off a cost."""
    move = step.move
    return (
        isinstance(move, Develop)
        and discount(step, move.seat) == 2 <= step.before.board.cost[move.field]
    )


@situation("E11")
def discount_down_to_nothing(step: ReplayedMove) -> bool:
    """The discount takes off the whole cost."""
    move = step.move
    return isinstance(move, Develop) and 0 < step.before.board.cost[move.field] == discount(
        step, move.seat
    )


@situation("E11")
def discount_beyond_the_cost(step: ReplayedMove) -> bool:
    """The discount is larger than the cost; nothing is paid out."""
    move = step.move
    return isinstance(move, Develop) and 0 < step.before.board.cost[move.field] < discount(
        step, move.seat
    )


@situation("E11")
def discount_on_a_bonus_field(step: ReplayedMove) -> bool:
    """The discount cheapens a bonus field."""
    move = step.move
    return (
        isinstance(move, Develop)
        and step.before.board.kind[move.field] == Kind.BONUS
        and step.before.board.cost[move.field] > 0
        and discount(step, move.seat) > 0
    )


@situation("E10")
def resource_paid_although_the_cost_is_nothing(step: ReplayedMove) -> bool:
    """The discount takes off the whole cost, and the bought resource still costs a Taler."""
    move = step.move
    bought = any(is_seat(source) or source == Source.BANK for source in sources(step))
    return (
        isinstance(move, Develop)
        and bought
        and step.before.board.cost[move.field] > 0
        and construction_cost(step.before.board, step.before.state, move.seat, move.field) == 0
    )


@situation("E13")
def late_factory_without_points(step: ReplayedMove) -> bool:
    """A factory with points is developed after its era and scores nothing."""
    move = step.move
    return (
        isinstance(move, Develop)
        and is_late(step)
        and step.before.board.kind[move.field] == Kind.FACTORY
        and step.before.board.points[move.field] > 0
        and step.after.state.points == step.before.state.points
    )


@situation("E7")
def late_producer(step: ReplayedMove) -> bool:
    """A factory that makes a resource is developed after its era."""
    move = step.move
    return isinstance(move, Develop) and is_late(step) and step.before.board.makes[move.field] >= 0


@situation("E13")
def bonus_in_a_later_era(step: ReplayedMove) -> bool:
    """A bonus field is developed after its era."""
    move = step.move
    return (
        isinstance(move, Develop)
        and is_late(step)
        and step.before.board.kind[move.field] == Kind.BONUS
    )


@situation("E13")
def technology_in_the_last_round_of_its_era(step: ReplayedMove) -> bool:
    """A technology is developed just before it would lapse."""
    move = step.move
    return (
        isinstance(move, Develop)
        and step.before.board.kind[move.field] == Kind.TECHNOLOGY
        and not step.before.bag
    )


@situation("E2")
def first_development_provides_the_second(step: ReplayedMove) -> bool:
    """The first field of a turn makes what the second one needs."""
    previous = step.previous
    if not (isinstance(step.move, Develop) and previous and isinstance(previous.move, Develop)):
        return False
    seat, made = step.move.seat, previous.before.board.makes[previous.move.field]
    return (
        previous.move.seat == seat
        and (made, Source.OWN) in supplies(step)
        and not produces(previous.before.board, previous.before.state, seat, made)
    )


@situation("E2, E11")
def first_development_cheapens_the_second(step: ReplayedMove) -> bool:
    """The first field of a turn is a Bank or Stock Exchange and cheapens the second."""
    previous = step.previous
    if not (isinstance(step.move, Develop) and previous and isinstance(previous.move, Develop)):
        return False
    return (
        previous.move.seat == step.move.seat
        and step.before.board.discount[previous.move.field] > 0
        and step.before.board.cost[step.move.field] > 0
    )


@situation("E3")
def won_and_developed_in_one_round(step: ReplayedMove) -> bool:
    """A field is developed in the round in which it was won."""
    if not isinstance(step.move, Develop):
        return False
    start = list(this_round(step))[-1].before.state
    return start.status[step.move.field] == Status.FREE


@situation("E1")
def third_development_must_wait(step: ReplayedMove) -> bool:
    """In Industry a turn ends after two developments although a third could be paid."""
    return could_pay_but(step, Fault.DEVELOP_LIMIT)


@situation("I6")
def three_kinds_in_one_turn(step: ReplayedMove) -> bool:
    """In Industria a factory, a technology and a bonus are developed in one turn."""
    state = step.after.state
    kinds = (Kind.BONUS, Kind.FACTORY, Kind.TECHNOLOGY)
    return step.before.board.edition == Edition.INDUSTRIA and all(
        state.built[kind] == 1 for kind in kinds
    )


@situation("I6")
def second_of_a_kind_must_wait(step: ReplayedMove) -> bool:
    """In Industria a second field of one kind must wait although it could be paid."""
    return could_pay_but(step, Fault.DEVELOP_KIND_LIMIT)


def could_pay_but(step: ReplayedMove, limit: Fault) -> bool:
    """The turn ends, and of what the seat could still pay something breaks the limit."""
    if not isinstance(step.move, Done) or not step.previous:
        return False
    board, state = step.before.board, step.before.state
    return any(
        fault_of(step.before, move) == limit
        and payment_fault(board, state, move.seat, move.field, *padded(move.sources)) == Fault.NONE
        for move in step.previous.before.legal_moves
        if isinstance(move, Develop)
    )


def padded(sources: tuple[int, ...]) -> tuple[int, int]:
    """The rules ask about two needs; OWN stands for one that a field does not have."""
    first, second, *_ = (*sources, Source.OWN, Source.OWN)
    return first, second


@situation("E15")
def development_declined(step: ReplayedMove) -> bool:
    """A turn ends although something could be developed."""
    moves = step.before.legal_moves
    return isinstance(step.move, Done) and any(isinstance(move, Develop) for move in moves)
