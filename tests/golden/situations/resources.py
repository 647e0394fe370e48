"""Resources for a development: the seat's own, another player's, the bank's, a joker's."""

from industry.engine import Develop, Fault, Phase, Source, Status
from industry.engine.constants import ANY_RESOURCE, FIELDS, NOBODY
from industry.engine.rules.development import (
    bank_sells,
    jokers_held,
    other_produces,
    produces,
    source_fault,
)

from ..replays import ReplayedMove
from .register import is_joker, is_seat, situation, sources, supplies, this_round


def sellers(step: ReplayedMove, resource: int) -> list[int]:
    """The other players who make the resource."""
    before = step.before
    return [
        seat
        for seat in range(before.state.players)
        if seat != before.actor and produces(before.board, before.state, seat, resource)
    ]


@situation("E8")
def named_joker_used(step: ReplayedMove) -> bool:
    """A joker of the very resource is used."""
    return Source.JOKER in sources(step)


@situation("E8")
def any_joker_used(step: ReplayedMove) -> bool:
    """A «?» joker is used."""
    return Source.ANY in sources(step)


@situation("E8")
def any_joker_for_what_nobody_sells(step: ReplayedMove) -> bool:
    """A «?» joker gives a resource that nobody makes and the bank does not sell yet."""
    before = step.before
    return any(
        source == Source.ANY
        and not other_produces(before.board, before.state, before.actor, resource)
        and not bank_sells(before.state, resource)
        for resource, source in supplies(step)
    )


@situation("E8")
def two_jokers_in_one_development(step: ReplayedMove) -> bool:
    """Both resources of a field come from jokers."""
    return sum(is_joker(source) for source in sources(step)) == 2


@situation("E8")
def two_any_jokers_in_one_development(step: ReplayedMove) -> bool:
    """Both resources of a field come from «?» jokers."""
    return sources(step) == [Source.ANY, Source.ANY]


@situation("E8")
def joker_and_purchase(step: ReplayedMove) -> bool:
    """One resource comes from a joker, the other is bought."""
    found = sources(step)
    bought = any(is_seat(source) or source == Source.BANK for source in found)
    return bought and any(is_joker(source) for source in found)


@situation("E8")
def joker_although_it_could_be_bought(step: ReplayedMove) -> bool:
    """A joker is used where the resource could also have been bought."""
    before = step.before
    return any(
        is_joker(source)
        and (
            other_produces(before.board, before.state, before.actor, resource)
            or bank_sells(before.state, resource)
        )
        for resource, source in supplies(step)
    )


@situation("E8")
def joker_kept_and_resource_bought(step: ReplayedMove) -> bool:
    """A resource is bought although a fitting joker is at hand."""
    before = step.before
    return any(
        (is_seat(source) or source == Source.BANK)
        and jokers_held(before.board, before.state, before.actor, resource)
        for resource, source in supplies(step)
    )


@situation("E3")
def joker_won_and_used_in_one_round(step: ReplayedMove) -> bool:
    """A joker is used in the round in which it was won."""
    board, state = step.before.board, step.before.state
    spent = [
        field for field in board.jokers[: board.joker_count]
        if state.status[field] == Status.HELD and step.after.state.status[field] == Status.SPENT
    ]  # fmt: skip
    start = list(this_round(step))[-1].before.state
    return isinstance(step.move, Develop) and any(
        start.status[field] == Status.FREE for field in spent
    )


@situation("E5")
def bought_from_another_player(step: ReplayedMove) -> bool:
    """A resource is bought from another player's factory."""
    return any(is_seat(source) for source in sources(step))


@situation("E5")
def bought_from_two_players(step: ReplayedMove) -> bool:
    """The two resources of a field are bought from two different players."""
    found = sources(step)
    return len(set(found)) == 2 and all(is_seat(source) for source in found)


@situation("E6")
def choice_between_two_producers(step: ReplayedMove) -> bool:
    """Two other players make the resource and the buyer chooses one."""
    return any(
        is_seat(source) and len(sellers(step, resource)) >= 2 for resource, source in supplies(step)
    )


@situation("E9")
def bought_from_the_bank(step: ReplayedMove) -> bool:
    """A resource is bought from the bank."""
    return Source.BANK in sources(step)


@situation("E9")
def both_bought_from_the_bank(step: ReplayedMove) -> bool:
    """Both resources of a field are bought from the bank."""
    return sources(step) == [Source.BANK, Source.BANK]


@situation("E7")
def undeveloped_producer_leaves_the_bank_open(step: ReplayedMove) -> bool:
    """The bank sells a resource although another player has an undeveloped factory for it."""
    board, state = step.before.board, step.before.state
    return any(
        source == Source.BANK
        and any(
            board.makes[field] == resource and state.owner[field] not in (NOBODY, state.actor)
            for field in range(FIELDS)
        )
        for resource, source in supplies(step)
    )


@situation("E8")
def joker_of_another_leaves_the_bank_open(step: ReplayedMove) -> bool:
    """The bank sells a resource although another player holds a joker of it."""
    before = step.before
    return any(
        source == Source.BANK
        and any(
            jokers_held(before.board, before.state, seat, resource)
            for seat in range(before.state.players)
            if seat != before.actor
        )
        for resource, source in supplies(step)
    )


@situation("E5")
def bank_closed_by_a_producer(step: ReplayedMove) -> bool:
    """The bank would sell the resource by its era, but another player makes it."""
    before = step.before
    return any(
        is_seat(source)
        and bank_sells(before.state, resource)
        and source_fault(before.board, before.state, before.actor, resource, Source.BANK)
        == Fault.BANK_CLOSED
        for resource, source in supplies(step)
    )


@situation("E5")
def bank_closes_during_the_phase(step: ReplayedMove) -> bool:
    """Earlier in the phase the bank still sold what must now be bought from a new producer."""
    bought = {resource for resource, source in supplies(step) if is_seat(source)}
    earlier = [
        resource
        for other in this_round(step)
        for resource, source in supplies(other)
        if source == Source.BANK
    ]
    return step.before.phase == Phase.DEVELOP and not bought.isdisjoint(earlier)


@situation("E4")
def own_production_used(step: ReplayedMove) -> bool:
    """A resource comes from the seat's own factory."""
    return Source.OWN in sources(step)


@situation("E4")
def own_production_for_both_needs(step: ReplayedMove) -> bool:
    """Both resources of a field come from the seat's own factories."""
    return sources(step) == [Source.OWN, Source.OWN]


@situation("E4")
def own_production_although_another_makes_it(step: ReplayedMove) -> bool:
    """A resource comes from the seat's own factory although another player makes it too."""
    return any(
        source == Source.OWN and bool(sellers(step, resource))
        for resource, source in supplies(step)
    )


@situation("E4")
def own_production_spares_a_joker(step: ReplayedMove) -> bool:
    """A resource comes from the seat's own factory and a fitting joker stays in hand."""
    before = step.before
    return any(
        source == Source.OWN
        and any(
            jokers_held(before.board, before.state, before.actor, kind)
            for kind in (resource, ANY_RESOURCE)
        )
        for resource, source in supplies(step)
    )
