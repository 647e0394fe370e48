"""Phase 4: development."""

from ..board import Board
from ..constants import (
    ANY_RESOURCE,
    BANK,
    COLUMNS,
    DEVELOPMENTS_PER_TURN,
    FROM_ANY,
    FROM_BANK,
    FROM_JOKER,
    FROM_OWN,
    FROM_SEAT,
    INDUSTRIA,
    KIND_BONUS,
    KIND_JOKER,
    KINDS,
    NO_RESOURCE,
    NOBODY,
    PHASE_DEVELOP,
    REASON_COST,
    REASON_RESOURCE,
    RESOURCE_PRICE,
    STATUS_DEVELOPED,
    STATUS_HELD,
    STATUS_LAPSED,
    STATUS_SPENT,
)
from ..faults import NO_FAULT, Fault
from ..raw_events import (
    EVENT_FIELD_DEVELOPED,
    EVENT_RESOURCE_PROVIDED,
    EVENT_TURN_ENDED,
    emit,
    move_talers,
)
from ..rule import helper, rule
from ..state import State
from .era import end_round
from .turn import left_of, turn_fault


@rule("development.order", "phase_4", "E1")
def begin_development(board: Board, state: State) -> None:
    """Each player has one development turn, in order from the Starting Player."""
    state.phase = PHASE_DEVELOP
    state.actor = state.starting_player
    state.turns_left = state.players
    begin_turn(state)


@helper
def begin_turn(state: State) -> None:
    for kind in range(KINDS):
        state.built[kind] = 0


@rule("development.done", "phase_4", "E15")
def done_fault(board: Board, state: State, seat: int) -> Fault:
    """Developing is optional: a turn is ended at any time by its player."""
    return turn_fault(board, state, seat, PHASE_DEVELOP)


@helper
def done(board: Board, state: State, seat: int) -> None:
    emit(state, EVENT_TURN_ENDED, seat)
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
    """A player develops their own undeveloped fields; technologies only in their era."""
    if board.kind[field] == KIND_JOKER:
        return Fault.DEVELOP_JOKER
    if state.owner[field] != seat:
        return Fault.DEVELOP_NOT_OWNED
    if state.status[field] == STATUS_DEVELOPED:
        return Fault.DEVELOP_TWICE
    if state.status[field] == STATUS_LAPSED:
        return Fault.DEVELOP_LAPSED
    return NO_FAULT


@rule(
    "development.limit",
    "phase_4",
    "E1",
    "I6",
    faults=(Fault.DEVELOP_LIMIT, Fault.DEVELOP_KIND_LIMIT),
)
def limit_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """Industry: up to two fields a turn. Industria: one factory, one technology, one bonus."""
    if board.edition == INDUSTRIA:
        if state.built[board.kind[field]] > 0:
            return Fault.DEVELOP_KIND_LIMIT
        return NO_FAULT
    built = 0
    for kind in range(KINDS):
        built += state.built[kind]
    if built >= DEVELOPMENTS_PER_TURN:
        return Fault.DEVELOP_LIMIT
    return NO_FAULT


@helper
def target_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """Whether the seat may develop this field now, however it pays."""
    fault = turn_fault(board, state, seat, PHASE_DEVELOP)
    if fault == NO_FAULT:
        fault = field_fault(board, state, seat, field)
    if fault == NO_FAULT:
        fault = limit_fault(board, state, seat, field)
    return fault


@helper
def produces(board: Board, state: State, seat: int, resource: int) -> bool:
    """The seat has a developed factory that makes the resource (E7)."""
    for position in range(board.maker_count[resource]):
        field = board.makers[resource][position]
        if state.owner[field] == seat and state.status[field] == STATUS_DEVELOPED:
            return True
    return False


@helper
def other_produces(board: Board, state: State, seat: int, resource: int) -> bool:
    for other in range(state.players):
        if other != seat and produces(board, state, other, resource):
            return True
    return False


@helper
def jokers_held(board: Board, state: State, seat: int, resource: int) -> int:
    """Returns how many jokers of exactly this resource (or of ANY_RESOURCE) the seat holds."""
    count = 0
    for position in range(board.joker_count):
        field = board.jokers[position]
        if (
            board.joker[field] == resource
            and state.owner[field] == seat
            and state.status[field] == STATUS_HELD
        ):
            count += 1
    return count


@helper
def bank_sells(state: State, resource: int) -> bool:
    """The bank sells a resource from the era after it appeared (E9): three appear in each era."""
    return bool(state.era > resource // 3)


@helper
def sources_for(board: Board, state: State, seat: int, resource: int) -> int:
    """Returns every source of a needed resource, as one bit each; OWN excludes all others (E4).

    This decides what is legal; `source_fault` only adds the reason why a source is not.
    """
    if resource == NO_RESOURCE:
        return 1 << FROM_OWN
    found = 0
    makers = board.makers[resource]
    for position in range(board.maker_count[resource]):
        field = makers[position]
        if state.status[field] == STATUS_DEVELOPED:
            if state.owner[field] == seat:
                return 1 << FROM_OWN
            found |= 1 << FROM_SEAT + state.owner[field]
    if found == 0 and bank_sells(state, resource):
        found = 1 << FROM_BANK
    for position in range(board.joker_count):
        field = board.jokers[position]
        if state.owner[field] == seat and state.status[field] == STATUS_HELD:
            if board.joker[field] == resource:
                found |= 1 << FROM_JOKER
            elif board.joker[field] == ANY_RESOURCE:
                found |= 1 << FROM_ANY
    return found


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
    """A resource comes from the seat's factory, else a joker, another's factory or the bank."""
    if sources_for(board, state, seat, resource) >> source & 1:
        return NO_FAULT
    if produces(board, state, seat, resource):
        return Fault.OWN_PRODUCT
    if source == FROM_OWN:
        return Fault.NO_OWN_FACTORY
    if source == FROM_JOKER:
        return Fault.NO_JOKER
    if source == FROM_ANY:
        return Fault.NO_ANY_JOKER
    if source == FROM_BANK:
        if other_produces(board, state, seat, resource):
            return Fault.BANK_CLOSED
        return Fault.BANK_NOT_YET
    if source - FROM_SEAT >= state.players:
        return Fault.NO_SUCH_SEAT
    if source - FROM_SEAT == seat:
        return Fault.SELLER_IS_SELF
    return Fault.NO_SELLER


@rule("development.discount", "phase_4", "E2", "E10", "E11")
def construction_cost(board: Board, state: State, seat: int, field: int) -> int:
    """Bank and Stock Exchange, once developed, each lower later costs by 1, never below 0."""
    cost = int(board.cost[field])
    for position in range(board.discount_count):
        lender = board.discounts[position]
        if state.owner[lender] == seat and state.status[lender] == STATUS_DEVELOPED:
            cost -= board.discount[lender]
    return max(cost, 0)


@helper
def resource_price(source: int) -> int:
    """Bought resources cost 1 Taler; the discount does not apply to them (E10)."""
    if source == FROM_BANK or source >= FROM_SEAT:
        return RESOURCE_PRICE
    return 0


@helper
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


@helper
def jokers_fault(board: Board, state: State, seat: int, source_1: int, source_2: int) -> Fault:
    """Refuses one «?» joker for both needs (E8)."""
    if (
        source_1 == FROM_ANY
        and source_2 == FROM_ANY
        and jokers_held(board, state, seat, ANY_RESOURCE) < 2
    ):
        return Fault.NOT_ENOUGH_JOKERS
    return NO_FAULT


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
    if board.need_1[field] == NO_RESOURCE and source_1 != FROM_OWN:
        return Fault.NEEDS_MISMATCH
    if board.need_2[field] == NO_RESOURCE and source_2 != FROM_OWN:
        return Fault.NEEDS_MISMATCH
    if jokers_fault(board, state, seat, source_1, source_2) != NO_FAULT:
        return Fault.NOT_ENOUGH_JOKERS
    if state.talers[seat] < total_price(board, state, seat, field, source_1, source_2):
        return Fault.TOO_FEW_TALERS
    return NO_FAULT


@helper
def develop_fault(
    board: Board, state: State, seat: int, field: int, source_1: int, source_2: int
) -> Fault:
    """Everything that can be wrong with developing this field in this way."""
    fault = target_fault(board, state, seat, field)
    if fault == NO_FAULT and board.need_1[field] != NO_RESOURCE:
        fault = source_fault(board, state, seat, int(board.need_1[field]), source_1)
    if fault == NO_FAULT and board.need_2[field] != NO_RESOURCE:
        fault = source_fault(board, state, seat, int(board.need_2[field]), source_2)
    if fault == NO_FAULT:
        fault = payment_fault(board, state, seat, field, source_1, source_2)
    return fault


@helper
def develop(
    board: Board, state: State, seat: int, field: int, source_1: int, source_2: int
) -> None:
    """Pays the cost, then bought resources, then jokers; flips the marker and scores (E14)."""
    cost = construction_cost(board, state, seat, field)
    move_talers(state, seat, BANK, cost, REASON_COST)
    buy(board, state, seat, int(board.need_1[field]), source_1)
    buy(board, state, seat, int(board.need_2[field]), source_2)
    give(board, state, seat, int(board.need_1[field]), source_1)
    give(board, state, seat, int(board.need_2[field]), source_2)
    state.status[field] = STATUS_DEVELOPED
    state.built[board.kind[field]] += 1
    points = development_points(board, state, field)
    state.points[seat] += points
    emit(state, EVENT_FIELD_DEVELOPED, seat, field, points)


@helper
def buy(board: Board, state: State, seat: int, resource: int, source: int) -> None:
    """Pays for a resource that is bought; `give` handles the others."""
    if resource == NO_RESOURCE or resource_price(source) == 0:
        return
    emit(state, EVENT_RESOURCE_PROVIDED, seat, resource, source)
    seller = BANK if source == FROM_BANK else source - FROM_SEAT
    move_talers(state, seat, seller, RESOURCE_PRICE, REASON_RESOURCE)


@helper
def give(board: Board, state: State, seat: int, resource: int, source: int) -> None:
    """Provides a resource that costs no Talers: from the seat's own factory, or by a joker."""
    if resource == NO_RESOURCE or resource_price(source) > 0:
        return
    emit(state, EVENT_RESOURCE_PROVIDED, seat, resource, source)
    if source == FROM_JOKER:
        spend_joker(board, state, seat, resource)
    elif source == FROM_ANY:
        spend_joker(board, state, seat, ANY_RESOURCE)


@rule("development.joker", "phase_4", "E8")
def spend_joker(board: Board, state: State, seat: int, resource: int) -> None:
    """A joker gives one resource once and leaves the game; of equal ones the first goes."""
    for position in range(board.joker_count):
        field = board.jokers[position]
        if (
            board.joker[field] == resource
            and state.owner[field] == seat
            and state.status[field] == STATUS_HELD
        ):
            state.status[field] = STATUS_SPENT
            return


@rule("development.points", "phase_4", "E13", "H9")
def development_points(board: Board, state: State, field: int) -> int:
    """A factory or technology scores at once, and only when developed in its own era."""
    if board.kind[field] == KIND_BONUS or field // COLUMNS != state.era:
        return 0
    return int(board.points[field])
