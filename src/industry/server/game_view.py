"""Builds what people at the table see of a position, in the form of `protocol.view.GameView`.

Plain data instead of models, because this runs for every move of every table. Unchanged parts are
taken from the previous view, so that differences are found by identity.
"""

from industry.boards import BoardSpec
from industry.boards.spec import FIELD_IDS, appears_in
from industry.engine import (
    COLUMN_LETTERS,
    COLUMNS,
    FIELDS,
    MAX_SEATS,
    NO_FIELD,
    NOBODY,
    Phase,
    Position,
    State,
    Status,
    Token,
    bank_sells,
    bonus_points,
    joker_points,
    link_points,
    money_points,
    produces,
    subsidy_points,
)

from .wire_events import Wire

PHASES = tuple(phase.name.lower() for phase in Phase)
PLACES = {int(Token.IN_BAG): "bag", int(Token.FACE_UP): "up", int(Token.FACE_DOWN): "down"}
IN_HAND = (Status.UNDEVELOPED, Status.HELD)
COUNTED = (Status.DEVELOPED, Status.HELD)
"""Only these fields score."""
HIDDEN = {"owner": None, "status": "hidden"}
OWNED = {
    (seat, int(status)): {"owner": seat + 1, "status": status.name.lower()}
    for seat in range(MAX_SEATS)
    for status in Status
}
"""Shared by all views and never modified."""


MERGED = ("fields", "market")
"""The parts of a game's view of which a step has only the keys that changed."""
MISSING = object()


class ViewCache:
    """A position and its view, from which the next view takes what has not changed."""

    __slots__ = ("position", "view")

    def __init__(self, position: Position, view: Wire) -> None:
        self.position = position
        self.view = view


def game_view(
    position: Position, moves: int, board: BoardSpec, closed: bool, before: ViewCache | None = None
) -> ViewCache:
    """Builds the view of a position; `closed` hides the hands of Industria."""
    state = position.state
    view = {
        "moves": moves,
        "round": state.round_number,
        "era": state.era + 1,
        "phase": PHASES[state.phase],
        "actor": state.actor + 1 or None,
        "starting_player": state.starting_player + 1,
        "auctioneer": state.auctioneer + 1 or None,
        "auction": _auction(state),
        "talers": state.talers[: state.players],
        "points": state.points[: state.players],
        "subsidies": state.subsidies[: state.players],
        "winners": [seat + 1 for seat in position.winners()] if position.is_over else [],
    }
    if before is None:
        view |= _field_view(position, board, closed)
        view |= _token_view(state)
        view["score"] = [_parts(position, seat, None) for seat in range(state.players)]
    else:
        old, keys = before.position.state, ("tokens", "available")
        touched = _touched(old, state)
        view |= _next_field_view(position, board, closed, before, touched)
        view["score"] = _next_scores(position, before, touched)
        same = old.era == state.era and old.tokens == state.tokens
        view |= {key: before.view[key] for key in keys} if same else _token_view(state)
    return ViewCache(position, view)


def _field_view(position: Position, board: BoardSpec, closed: bool) -> Wire:
    """Builds what follows from the fields' owners and status."""
    state = position.state
    return {
        "hands": _hand_sizes(state, closed),
        "fields": {
            FIELD_IDS[field]: _owned(state, field, closed)
            for field, owner in enumerate(state.owner)
            if owner != NOBODY
        },
        "market": _market(position, board),
    }


def _next_field_view(
    position: Position, board: BoardSpec, closed: bool, before: ViewCache, touched: list[int]
) -> Wire:
    old, state = before.position.state, position.state
    view = {key: before.view[key] for key in ("hands", "fields", "market")}
    if touched:
        if any(state.owner[field] == NOBODY for field in touched):  # a move was taken back
            return _field_view(position, board, closed)
        view["fields"] = view["fields"] | {
            FIELD_IDS[field]: _owned(state, field, closed) for field in touched
        }
        view["hands"] = _hand_sizes(state, closed)
    if old.era != state.era or any(
        position.board.makes[field] >= 0
        and Status.DEVELOPED in (old.status[field], state.status[field])
        for field in touched
    ):
        view["market"] = _market(position, board)
    return view


def _next_scores(position: Position, before: ViewCache, touched: list[int]) -> list[Wire]:
    old, state = before.position.state, position.state
    scores: list[Wire] = before.view["score"]
    if not touched and old.talers == state.talers and old.subsidies == state.subsidies:
        return scores
    counted = [
        field for field in touched if old.status[field] in COUNTED or state.status[field] in COUNTED
    ]
    seats = {old.owner[field] for field in counted} | {state.owner[field] for field in counted}
    return [
        _parts(position, seat, None)
        if seat in seats
        else known
        if old.talers[seat] == state.talers[seat] and old.subsidies[seat] == state.subsidies[seat]
        else _parts(position, seat, known)
        for seat, known in enumerate(scores)
    ]


def _touched(old: State, state: State) -> list[int]:
    """Returns the fields whose owner or status changed; usually none."""
    if old.owner == state.owner and old.status == state.status:
        return []
    return [
        field
        for field in range(FIELDS)
        if old.owner[field] != state.owner[field] or old.status[field] != state.status[field]
    ]


def changes(before: Wire, after: Wire) -> Wire:
    """Returns the keys of a view that are new or whose value changed."""
    return {
        key: value
        for key, value in after.items()
        if (old := before.get(key, MISSING)) is not value and old != value
    }


def game_changes(before: Wire, after: Wire) -> Wire:
    """Returns what changed in the view of a game; fields and market are compared key by key.

    A field that nobody owns any more, because a move was taken back, is None.
    """
    changed = changes(before, after)
    for key in MERGED:
        if key in changed:
            gone = dict.fromkeys(before[key].keys() - after[key].keys())
            changed[key] = gone | changes(before[key], after[key])
    return changed


def hand_of(position: Position, seat: int) -> list[str]:
    """Returns the tiles that a seat (from 0) hides where hands are closed."""
    state = position.state
    return [
        FIELD_IDS[field]
        for field, owner in enumerate(state.owner)
        if owner == seat and state.status[field] in IN_HAND
    ]


def _auction(state: State) -> Wire | None:
    if state.offered == NO_FIELD:
        return None
    players = state.players
    return {
        "field": FIELD_IDS[state.offered],
        "auctioneer": state.auctioneer + 1,
        "order": [(state.auctioneer + step) % players + 1 for step in range(1, players + 1)],
        "bids": [None if bid < 0 else bid for bid in state.bids[:players]],
        "high_bid": state.high_bid,
        "high_bidder": state.high_bidder + 1 or None,
    }


def _token_view(state: State) -> Wire:
    row = state.era * COLUMNS
    up = [FIELD_IDS[row + c] for c in range(COLUMNS) if state.tokens[c] == Token.FACE_UP]
    places = [PLACES[token] for token in state.tokens]
    return {"available": up, "tokens": dict(zip(COLUMN_LETTERS, places, strict=True))}


def _hand_sizes(state: State, closed: bool) -> list[int]:
    sizes = [0] * state.players
    if closed:
        for owner, status in zip(state.owner, state.status, strict=True):
            if owner != NOBODY and status in IN_HAND:
                sizes[owner] += 1
    return sizes


def _owned(state: State, field: int, closed: bool) -> Wire:
    status = state.status[field]
    if closed and status in IN_HAND:
        return HIDDEN
    return OWNED[state.owner[field], status]


def _market(position: Position, board: BoardSpec) -> Wire:
    rules, state = position.board, position.state
    market = {}
    for resource, name in enumerate(board.resources):
        makers = [s + 1 for s in range(state.players) if produces(rules, state, s, resource)]
        market[name] = {
            "makers": makers,
            "bank": not makers and bank_sells(state, resource),
            "bank_era": appears_in(resource) + 1,
        }
    return market


def _parts(position: Position, seat: int, known: Wire | None) -> Wire:
    """Builds the parts of a seat's score; `known` has those that only its fields change."""
    board, state = position.board, position.state
    if known is None:
        links = link_points(board, state, seat)
        bonuses = bonus_points(board, state, seat)
        jokers = joker_points(board, state, seat)
    else:
        links, bonuses, jokers = (known[key] for key in ("links", "bonuses", "jokers"))
    parts = {
        "development": state.points[seat],
        "money": money_points(board, state, seat),
        "links": links,
        "bonuses": bonuses,
        "jokers": jokers,
        "subsidy": subsidy_points(board, state, seat),
    }
    return parts | {"points": sum(parts.values())}
