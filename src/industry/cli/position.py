"""Describes the position of a recorded game, in lines for people and as data for scripts."""

from collections.abc import Iterator
from typing import Any

import click

from industry.engine import COLUMNS, FIELDS, NO_FIELD, NOBODY, Status, Token, field_id
from industry.notation import Game
from industry.notation.explain import field_name
from industry.texts import say

from .score import in_hand, player


def position_lines(game: Game, total: int, language: str) -> Iterator[str]:
    """Describes the round, the tokens, and each seat's holdings."""
    state = game.position.state
    phase = say(f"phase.{game.position.phase.name.lower()}", language)
    head = say(
        "report.after",
        language,
        at=len(game.moves),
        total=total,
        era=state.era + 1,
        round=state.round_number,
        phase=phase,
    )
    yield click.style(head, bold=True)
    yield from _course_lines(game, language)
    for key, token in (
        ("report.in_bag", Token.IN_BAG),
        ("report.available", Token.FACE_UP),
        ("report.auctioned", Token.FACE_DOWN),
    ):
        if fields := tokens(game, token):
            yield say(key, language, fields=" ".join(fields))
    for seat in range(len(game.players)):
        yield from _seat_lines(game, seat, language)


def _course_lines(game: Game, language: str) -> Iterator[str]:
    state = game.position.state
    yield say("report.starting_player", language, player=player(game, state.starting_player))
    if state.auctioneer != NOBODY:
        yield say("report.auctioneer", language, player=player(game, state.auctioneer))
    if state.offered != NO_FIELD:
        yield say("report.offered", language, field=field_name(game.board, state.offered, language))
        if state.high_bidder == NOBODY:
            yield say("report.no_bid", language)
        else:
            bidder = player(game, state.high_bidder)
            yield say("report.high_bid", language, bid=state.high_bid, player=bidder)
    if game.to_move is not None:
        who = player(game, game.position.actor)
        yield say("report.decides", language, player=who, count=len(game.legal_moves()))
    if game.position.draw_due:
        yield say("report.draw_due", language, count=game.position.draw_count)


def _seat_lines(game: Game, seat: int, language: str) -> Iterator[str]:
    state = game.position.state
    head = say(
        "report.seat_subsidy" if state.subsidies[seat] else "report.seat",
        language,
        player=player(game, seat),
        talers=say("talers", language, count=state.talers[seat]),
        points=say("points", language, count=state.points[seat]),
    )
    yield click.style(f"\n{head}", bold=True)
    for key, status in (
        ("report.undeveloped", Status.UNDEVELOPED),
        ("report.is_developed", Status.DEVELOPED),
        ("report.lapsed", Status.LAPSED),
        ("report.held", Status.HELD),
    ):
        fields = [field_name(game.board, field, language) for field in holdings(game, seat, status)]
        if fields:
            yield f"  {say(key, language, fields=', '.join(fields))}"


def holdings(game: Game, seat: int, status: Status) -> list[int]:
    """Returns a seat's (from 0) fields with this status, in board order."""
    state = game.position.state
    return [f for f in range(FIELDS) if state.owner[f] == seat and state.status[f] == status]


def tokens(game: Game, token: Token) -> list[str]:
    """Returns the fields of the current era whose tokens are in this place."""
    state = game.position.state
    return [
        field_id(state.era * COLUMNS + column)
        for column in range(COLUMNS)
        if state.tokens[column] == token
    ]


_HOLDINGS = {
    "undeveloped": Status.UNDEVELOPED,
    "developed": Status.DEVELOPED,
    "lapsed": Status.LAPSED,
    "jokers": Status.HELD,
}


def position_data(game: Game) -> dict[str, Any]:
    """Returns the position with seats from 1 and fields by name; equal positions have equal
    `digest`.
    """
    state = game.position.state
    return {
        "moves": len(game.moves),
        "era": state.era + 1,
        "round": state.round_number,
        "phase": game.position.phase.name.lower(),
        "to_move": game.to_move,
        "legal_moves": len(game.legal_moves()) if game.to_move else 0,
        "starting_player": state.starting_player + 1,
        "auctioneer": _seat(state.auctioneer),
        "offered": None if state.offered == NO_FIELD else field_id(state.offered),
        "high_bid": state.high_bid,
        "high_bidder": _seat(state.high_bidder),
        "in_bag": tokens(game, Token.IN_BAG),
        "available": tokens(game, Token.FACE_UP),
        "auctioned": tokens(game, Token.FACE_DOWN),
        "seats": [_seat_data(game, seat) for seat in range(len(game.players))],
        "digest": game.position.digest(),
    }


def _seat_data(game: Game, seat: int) -> dict[str, Any]:
    state = game.position.state
    return {
        "name": game.players[seat],
        "talers": in_hand(game)[seat],
        "points": state.points[seat],
        "subsidy": bool(state.subsidies[seat]),
    } | {
        key: [field_id(field) for field in holdings(game, seat, status)]
        for key, status in _HOLDINGS.items()
    }


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat + 1
