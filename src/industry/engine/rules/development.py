"""Phase 4: development."""

from ..board import Board
from ..faults import Fault
from ..happenings import Happening, move_talers, note
from ..rule import part, rule
from ..state import State
from ..vocabulary import (
    ANY_RESOURCE,
    BANK,
    COLUMNS,
    DEVELOPMENTS_PER_TURN,
    NO_RESOURCE,
    NOBODY,
    RESOURCE_PRICE,
    Edition,
    Kind,
    Phase,
    Reason,
    Source,
    Status,
)
from .era import end_round
from .turn import left_of, turn_fault


@rule("development.order", "phase_4", "E1")
def begin_development(board: Board, state: State) -> None:
    """Each player has one development turn, in order from the Starting Player."""
    state.phase = Phase.DEVELOP
    state.actor = state.starting_player
    state.turns_left = state.players
    begin_turn(state)


@part
def begin_turn(state: State) -> None:
    for kind in range(4):
        state.built[kind] = 0


@rule("development.done", "phase_4", "E15")
def done_fault(board: Board, state: State, seat: int) -> Fault:
    """Developing is optional: a turn is ended at any time by its player."""
    return turn_fault(board, state, seat, Phase.DEVELOP)


@part
def done(board: Board, state: State, seat: int) -> None:
    note(state, Happening.TURN_ENDED, seat)
    begin_turn(state)
    state.turns_left -= 1
    if state.turns_left > 0:
        state.actor = left_of(state, seat)
    else:
        state.actor = NOBODY
        end_round(board, state)


@rule(
    "development.field",
    "phase_4",
    "E3",
    "E13",
    "G1",
    "I8",
    faults=(
        Fault.DEVELOP_JOKER,
        Fault.DEVELOP_NOT_OWNED,
        Fault.DEVELOP_TWICE,
        Fault.DEVELOP_LAPSED,
    ),
)
def field_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """One develops undeveloped fields of one's own; technologies only in their era."""
    if board.kind[field] == Kind.JOKER:
        return Fault.DEVELOP_JOKER
    if state.owner[field] != seat:
        return Fault.DEVELOP_NOT_OWNED
    if state.status[field] == Status.DEVELOPED:
        return Fault.DEVELOP_TWICE
    if state.status[field] == Status.LAPSED:
        return Fault.DEVELOP_LAPSED
    return Fault.NONE


@rule(
    "development.limit",
    "phase_4",
    "E1",
    "I6",
    faults=(Fault.DEVELOP_LIMIT, Fault.DEVELOP_KIND_LIMIT),
)
def limit_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """Industry: up to two fields a turn. Industria: one factory, one technology, one bonus."""
    if board.edition == Edition.INDUSTRIA:
        if state.built[board.kind[field]] > 0:
            return Fault.DEVELOP_KIND_LIMIT
        return Fault.NONE
    built = 0
    for kind in range(4):
        built += state.built[kind]
    if built >= DEVELOPMENTS_PER_TURN:
        return Fault.DEVELOP_LIMIT
    return Fault.NONE


@part
def target_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """Whether the seat may develop this field now, however it pays."""
    fault = turn_fault(board, state, seat, Phase.DEVELOP)
    if fault == Fault.NONE:
        fault = field_fault(board, state, seat, field)
    if fault == Fault.NONE:
        fault = limit_fault(board, state, seat, field)
    return fault


@part
def produces(board: Board, state: State, seat: int, resource: int) -> bool:
    """The seat has a developed factory that makes the resource (E7)."""
    for position in range(board.maker_count[resource]):
        field = board.makers[resource][position]
        if state.owner[field] == seat and state.status[field] == Status.DEVELOPED:
            return True
    return False


@part
def other_produces(board: Board, state: State, seat: int, resource: int) -> bool:
    for other in range(state.players):
        if other != seat and produces(board, state, other, resource):
            return True
    return False


@part
def jokers_held(board: Board, state: State, seat: int, resource: int) -> int:
    """How many jokers of this very resource (or of ANY_RESOURCE) the seat holds."""
    count = 0
    for position in range(board.joker_count):
        field = board.jokers[position]
        if (
            board.joker[field] == resource
            and state.owner[field] == seat
            and state.status[field] == Status.HELD
        ):
            count += 1
    return count


@part
def bank_sells(state: State, resource: int) -> bool:
    """The bank sells a resource from the era after it appeared (E9): three appear in each era."""
    return bool(state.era > resource // 3)


@rule(
    "development.resource",
    "phase_4",
    "E4",
    "E5",
    "E6",
    "E7",
    "E8",
    "E9",
    faults=(
        Fault.OWN_PRODUCT,
        Fault.NO_OWN_FACTORY,
        Fault.NO_SELLER,
        Fault.SELLER_IS_SELF,
        Fault.NO_SUCH_SEAT,
        Fault.BANK_CLOSED,
        Fault.BANK_NOT_YET,
        Fault.NO_JOKER,
        Fault.NO_ANY_JOKER,
    ),
)
def source_fault(board: Board, state: State, seat: int, resource: int, source: int) -> Fault:
    """A resource comes from one's own factory, else from a joker, another's factory or the bank."""
    if produces(board, state, seat, resource):
        return Fault.NONE if source == Source.OWN else Fault.OWN_PRODUCT
    if source == Source.OWN:
        return Fault.NO_OWN_FACTORY
    if source == Source.JOKER:
        if jokers_held(board, state, seat, resource) == 0:
            return Fault.NO_JOKER
        return Fault.NONE
    if source == Source.ANY:
        if jokers_held(board, state, seat, ANY_RESOURCE) == 0:
            return Fault.NO_ANY_JOKER
        return Fault.NONE
    if source == Source.BANK:
        if other_produces(board, state, seat, resource):
            return Fault.BANK_CLOSED
        if not bank_sells(state, resource):
            return Fault.BANK_NOT_YET
        return Fault.NONE
    seller = source - Source.SEAT
    if seller >= state.players:
        return Fault.NO_SUCH_SEAT
    if seller == seat:
        return Fault.SELLER_IS_SELF
    if not produces(board, state, seller, resource):
        return Fault.NO_SELLER
    return Fault.NONE


@rule("development.discount", "phase_4", "E2", "E10", "E11")
def construction_cost(board: Board, state: State, seat: int, field: int) -> int:
    """Bank and Stock Exchange, once developed, each lower later costs by 1, never below 0."""
    cost = int(board.cost[field])
    for position in range(board.discount_count):
        lender = board.discounts[position]
        if state.owner[lender] == seat and state.status[lender] == Status.DEVELOPED:
            cost -= board.discount[lender]
    return max(cost, 0)


@part
def resource_price(source: int) -> int:
    """Bought resources cost 1 Taler; the discount does not touch them (E10)."""
    if source == Source.BANK or source >= Source.SEAT:
        return RESOURCE_PRICE
    return 0


@part
def total_price(
    board: Board, state: State, seat: int, field: int, source_1: int, source_2: int
) -> int:
    """Construction cost and bought resources together."""
    price = construction_cost(board, state, seat, field)
    if board.need_1[field] != NO_RESOURCE:
        price += resource_price(source_1)
    if board.need_2[field] != NO_RESOURCE:
        price += resource_price(source_2)
    return price


@rule(
    "development.payment",
    "phase_4",
    "E8",
    "E12",
    "E14",
    faults=(Fault.NEEDS_MISMATCH, Fault.NOT_ENOUGH_JOKERS, Fault.TOO_FEW_TALERS),
)
def payment_fault(
    board: Board, state: State, seat: int, field: int, source_1: int, source_2: int
) -> Fault:
    """All or nothing: cost and resources are paid together, a joker for one need only."""
    if board.need_1[field] == NO_RESOURCE and source_1 != Source.OWN:
        return Fault.NEEDS_MISMATCH
    if board.need_2[field] == NO_RESOURCE and source_2 != Source.OWN:
        return Fault.NEEDS_MISMATCH
    if (
        source_1 == Source.ANY
        and source_2 == Source.ANY
        and jokers_held(board, state, seat, ANY_RESOURCE) < 2
    ):
        return Fault.NOT_ENOUGH_JOKERS
    if state.talers[seat] < total_price(board, state, seat, field, source_1, source_2):
        return Fault.TOO_FEW_TALERS
    return Fault.NONE


@part
def develop_fault(
    board: Board, state: State, seat: int, field: int, source_1: int, source_2: int
) -> Fault:
    """Everything that can be wrong with developing this field in this way."""
    fault = target_fault(board, state, seat, field)
    if fault == Fault.NONE and board.need_1[field] != NO_RESOURCE:
        fault = source_fault(board, state, seat, int(board.need_1[field]), source_1)
    if fault == Fault.NONE and board.need_2[field] != NO_RESOURCE:
        fault = source_fault(board, state, seat, int(board.need_2[field]), source_2)
    if fault == Fault.NONE:
        fault = payment_fault(board, state, seat, field, source_1, source_2)
    return fault


@part
def develop(
    board: Board, state: State, seat: int, field: int, source_1: int, source_2: int
) -> None:
    """Pay the cost, then bought resources, then jokers; flip the marker, score (E14)."""
    cost = construction_cost(board, state, seat, field)
    move_talers(state, seat, BANK, cost, Reason.COST)
    buy(board, state, seat, int(board.need_1[field]), source_1)
    buy(board, state, seat, int(board.need_2[field]), source_2)
    give(board, state, seat, int(board.need_1[field]), source_1)
    give(board, state, seat, int(board.need_2[field]), source_2)
    state.status[field] = Status.DEVELOPED
    state.built[board.kind[field]] += 1
    points = development_points(board, state, field)
    state.points[seat] += points
    note(state, Happening.FIELD_DEVELOPED, seat, field, points)


@part
def buy(board: Board, state: State, seat: int, resource: int, source: int) -> None:
    """Pay for a resource that is bought; others are left to `give`."""
    if resource == NO_RESOURCE or resource_price(source) == 0:
        return
    note(state, Happening.RESOURCE_PROVIDED, seat, resource, source)
    seller = BANK if source == Source.BANK else source - Source.SEAT
    move_talers(state, seat, seller, RESOURCE_PRICE, Reason.RESOURCE)


@part
def give(board: Board, state: State, seat: int, resource: int, source: int) -> None:
    """Provide a resource that costs no Talers: from one's own factory, or by a joker."""
    if resource == NO_RESOURCE or resource_price(source) > 0:
        return
    note(state, Happening.RESOURCE_PROVIDED, seat, resource, source)
    if source == Source.JOKER:
        spend_joker(board, state, seat, resource)
    elif source == Source.ANY:
        spend_joker(board, state, seat, ANY_RESOURCE)


@rule("development.joker", "phase_4", "E8")
def spend_joker(board: Board, state: State, seat: int, resource: int) -> None:
    """A joker gives one resource once and leaves the game; of equal ones the first goes."""
    for position in range(board.joker_count):
        field = board.jokers[position]
        if (
            board.joker[field] == resource
            and state.owner[field] == seat
            and state.status[field] == Status.HELD
        ):
            state.status[field] = Status.SPENT
            return


@rule("development.points", "phase_4", "E13", "H9")
def development_points(board: Board, state: State, field: int) -> int:
    """A factory or technology scores at once, and only when developed in its own era."""
    if board.kind[field] == Kind.BONUS or field // COLUMNS != state.era:
        return 0
    return int(board.points[field])
