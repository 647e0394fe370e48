"""The end of the game: what scores, what does not, and who wins a tie."""

from industry.engine import Edition, Kind, Position, Status
from industry.engine.constants import ANY_RESOURCE, FIELDS
from industry.engine.rules.scoring import connected_factories, developed_count, has_developed

from ..replays import ReplayedMove
from .register import situation


def ending(step: ReplayedMove) -> Position | None:
    """The position with which the game ends, where it ends with this step."""
    return step.after if step.after.is_over else None


def seats(end: Position) -> range:
    return range(end.state.players)


def totals(end: Position) -> list[int]:
    return [end.breakdown(seat).points for seat in seats(end)]


def level_on_points(end: Position) -> list[int]:
    """The seats that share the highest total."""
    points = totals(end)
    return [seat for seat in seats(end) if points[seat] == max(points)]


def most_developed(end: Position) -> list[int]:
    """Of the seats level on points, those with the most developed fields."""
    tied = level_on_points(end)
    counts = {seat: developed_count(end.board, end.state, seat) for seat in tied}
    return [seat for seat in tied if counts[seat] == max(counts.values())]


def bonus_networks(end: Position, seat: int) -> list[int]:
    """The networks of the seat's developed bonus fields, one entry per field."""
    board, state = end.board, end.state
    return [
        board.bonus_network[field]
        for field in range(FIELDS)
        if board.kind[field] == Kind.BONUS and has_developed(board, state, seat, field)
    ]


def scored_links(end: Position, seat: int) -> list[tuple[int, int]]:
    board, state = end.board, end.state
    return [
        ends for ends in board.links() if all(has_developed(board, state, seat, e) for e in ends)
    ]


@situation("H6")
def negative_total(step: ReplayedMove) -> bool:
    """A player ends below zero."""
    end = ending(step)
    return end is not None and min(totals(end)) < 0


@situation("G3")
def nothing_developed(step: ReplayedMove) -> bool:
    """A player ends without a single developed field."""
    end = ending(step)
    return end is not None and any(not developed_count(end.board, end.state, s) for s in seats(end))


@situation("H8")
def tie_broken_by_developed_fields(step: ReplayedMove) -> bool:
    """Two players are level on points; more developed fields decide."""
    end = ending(step)
    return end is not None and len(level_on_points(end)) > 1 and len(most_developed(end)) == 1


@situation("H8")
def tie_broken_by_money(step: ReplayedMove) -> bool:
    """Two players are level on points and developed fields; more Talers decide."""
    end = ending(step)
    return end is not None and len(most_developed(end)) > 1 and len(end.winners()) == 1


@situation("H8")
def shared_victory(step: ReplayedMove) -> bool:
    """Two players are level on everything and share the victory."""
    end = ending(step)
    return end is not None and len(end.winners()) > 1


@situation("H5")
def unused_joker_scored(step: ReplayedMove) -> bool:
    """An unused joker scores 2 points."""
    end = ending(step)
    return end is not None and any(end.breakdown(seat).jokers for seat in seats(end))


@situation("H5")
def unused_any_joker_scored(step: ReplayedMove) -> bool:
    """An unused «?» joker scores like any other."""
    end = ending(step)
    if end is None or end.board.edition == Edition.INDUSTRIA:
        return False
    wild = [f for f in range(FIELDS) if end.board.joker[f] == ANY_RESOURCE]
    return any(end.state.status[field] == Status.HELD for field in wild)


@situation("I5")
def raw_material_scores_nothing(step: ReplayedMove) -> bool:
    """In Industria an unused raw-material tile scores nothing."""
    end = ending(step)
    return (
        end is not None
        and end.board.edition == Edition.INDUSTRIA
        and Status.HELD in end.state.status
    )


@situation("H1")
def equal_bonuses_add_up(step: ReplayedMove) -> bool:
    """In Industry two bonus fields of one network both pay for the same factory."""
    end = ending(step)
    return end is not None and end.board.edition == Edition.INDUSTRY and _pays_twice(end)


@situation("I7")
def duplicate_bonus_scores_once(step: ReplayedMove) -> bool:
    """In Industria two bonuses of one kind score once."""
    end = ending(step)
    return end is not None and end.board.edition == Edition.INDUSTRIA and _pays_twice(end)


def _pays_twice(end: Position) -> bool:
    return any(
        networks.count(network) > 1 and connected_factories(end.board, end.state, seat, network)
        for seat in seats(end)
        for networks in [bonus_networks(end, seat)]
        for network in networks
    )


@situation("H1")
def bonus_without_a_factory(step: ReplayedMove) -> bool:
    """A developed bonus field has no connected factory and scores nothing."""
    end = ending(step)
    return end is not None and any(
        not connected_factories(end.board, end.state, seat, network)
        for seat in seats(end)
        for network in bonus_networks(end, seat)
    )


@situation("H2")
def bonus_of_three_points(step: ReplayedMove) -> bool:
    """A bonus field that is worth 3 pays for a connected factory."""
    end = ending(step)
    if end is None:
        return False
    board, state = end.board, end.state
    return any(
        board.bonus_points[field] == 3
        and state.status[field] == Status.DEVELOPED
        and connected_factories(board, state, state.owner[field], board.bonus_network[field])
        for field in range(FIELDS)
    )


@situation("H1, I7")
def factory_scored_on_two_networks(step: ReplayedMove) -> bool:
    """One factory is paid for by bonus fields of two networks."""
    end = ending(step)
    return end is not None and any(
        sum(end.board.networks[field] >> n & 1 for n in set(bonus_networks(end, seat))) == 2
        for seat in seats(end)
        for field in range(FIELDS)
        if has_developed(end.board, end.state, seat, field)
    )


@situation("H3")
def factories_linked(step: ReplayedMove) -> bool:
    """A road between two factories scores."""
    end = ending(step)
    return end is not None and _is_linked(end, Kind.FACTORY)


@situation("H3")
def technologies_linked(step: ReplayedMove) -> bool:
    """A line between two technologies scores."""
    end = ending(step)
    return end is not None and _is_linked(end, Kind.TECHNOLOGY)


def _is_linked(end: Position, kind: Kind) -> bool:
    return any(end.board.kind[one] == kind for s in seats(end) for one, _ in scored_links(end, s))


@situation("H3")
def chain_of_three(step: ReplayedMove) -> bool:
    """Three fields in a chain score two links."""
    end = ending(step)
    if end is None:
        return False
    ends = [[field for link in scored_links(end, seat) for field in link] for seat in seats(end)]
    return any(len(fields) > len(set(fields)) for fields in ends)


@situation("G3")
def link_lost_at_the_clean_up(step: ReplayedMove) -> bool:
    """A link does not score because its owner left one end undeveloped."""
    end = ending(step)
    if end is None:
        return False
    owner, status = end.state.owner, end.state.status
    return any(
        owner[one] == owner[other] >= 0
        and {status[one], status[other]} == {Status.DEVELOPED, Status.UNDEVELOPED}
        for one, other in end.board.links()
    )


@situation("I1")
def industria_ends_with_era_four(step: ReplayedMove) -> bool:
    """Industria with three players ends with era 4."""
    end = ending(step)
    return end is not None and end.state.era == 3


@situation("H9")
def score_track_overturned(step: ReplayedMove) -> bool:
    """The winner was not ahead on the score track before the final scoring."""
    end = ending(step)
    return end is not None and any(
        end.state.points[seat] < max(end.state.points) for seat in end.winners()
    )


@situation("F4")
def winner_with_a_subsidy(step: ReplayedMove) -> bool:
    """A player who took the subsidy wins."""
    end = ending(step)
    return end is not None and any(end.state.subsidies[seat] for seat in end.winners())
