"""P9 and P10: legal moves never fail, all others fail and change nothing, nothing is lost."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from industry.boards import load_board
from industry.engine import IllegalMove, Position, Status, Token, play, start
from industry.engine.constants import BANK, COLUMNS, FIELDS, SOURCES, Kind
from industry.engine.events import TalersMoved
from industry.engine.move_codes import ACTIONS, CODES
from industry.engine.moves import (
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Draw,
    Move,
    Offer,
    Pass,
    Sell,
    Subsidy,
    code_of,
    move_of,
)
from industry.notation import NotationError, complete_options, read_move, rule_options, write_move
from industry.notation.options import CHOICES, OF_EDITION
from tests.support import proof

seats = st.integers(0, 3)
fields = st.integers(0, FIELDS - 1)
sources = st.integers(0, SOURCES - 1)
any_move: st.SearchStrategy[Move] = st.one_of(
    st.builds(Draw, st.lists(fields, max_size=5).map(tuple)),
    st.builds(Offer, seats, fields),
    st.builds(Bid, seats, st.integers(0, 10**9)),
    st.builds(Pass, seats),
    st.builds(Sell, seats),
    st.builds(Claim, seats),
    st.builds(Develop, seats, fields, st.lists(sources, max_size=3).map(tuple)),
    st.builds(Done, seats),
    st.builds(Subsidy, seats),
    st.builds(Cash, seats, fields),
)


@st.composite
def openings(draw: st.DrawFn) -> Position:
    edition = draw(st.sampled_from(sorted(OF_EDITION)))
    players = draw(st.sampled_from((3, 4)))
    given_options = {name: draw(st.sampled_from(CHOICES[name])) for name in OF_EDITION[edition]}
    options = rule_options(complete_options(edition, given_options))
    starter = draw(st.integers(0, players - 1))
    return start(load_board(edition).rules, players, starter, options)


def next_move(position: Position, data: st.DataObject) -> Move:
    if position.draw_due:
        bag = data.draw(st.permutations(position.bag))
        return Draw(tuple(bag[: position.draw_count]))
    return data.draw(st.sampled_from(position.legal_moves))


def assert_conserved(position: Position) -> None:
    """P9: Talers, tokens, fields and jokers."""
    state, board = position.state, position.board
    assert sum(state.talers) + state.bank == 0
    assert all(talers >= 0 for talers in state.talers)
    for field in range(FIELDS):
        owned = state.owner[field] >= 0
        assert owned == (state.status[field] != Status.FREE)
        is_joker = board.kind[field] == Kind.JOKER
        assert is_joker or state.status[field] not in (Status.HELD, Status.SPENT)
        era, column = divmod(field, COLUMNS)
        if era == state.era:
            assert owned == (state.tokens[column] == Token.FACE_DOWN)
        else:
            assert owned == (era < state.era)


def assert_events_account_for_talers(before: Position, after: Position, events: Any) -> None:
    talers = list(before.state.talers)
    for event in events:
        if isinstance(event, TalersMoved):
            if event.source != BANK:
                talers[event.source] -= event.amount
            if event.target != BANK:
                talers[event.target] += event.amount
    assert talers == after.state.talers


@given(position=openings(), data=st.data())
@settings(max_examples=proof.amount(15, 200))
def test_a_game_of_legal_moves_never_fails_and_conserves_everything(
    position: Position, data: st.DataObject
) -> None:
    for _ in range(250):
        if position.is_over:
            break
        move = next_move(position, data)
        after, events = play(position, move)
        assert_conserved(after)
        assert_events_account_for_talers(position, after, events)
        assert after.is_over or after.draw_due or after.legal_moves
        position = after


@given(position=openings(), data=st.data(), skipped=st.integers(0, 120), tried=st.lists(any_move))
@settings(max_examples=proof.amount(80, 1000))
def test_any_other_move_is_refused_and_changes_nothing(
    position: Position, data: st.DataObject, skipped: int, tried: list[Move]
) -> None:
    for _ in range(skipped):
        position, _ = play(position, next_move(position, data))
    before = position.digest()
    players = position.state.players
    legal = {move for seat in range(players) for move in position.legal_moves_of(seat)}
    for move in tried:
        is_draw = isinstance(move, Draw)
        if move in legal or (is_draw and position.refusal(move) is None):
            play(position, move)
        else:
            with pytest.raises(IllegalMove) as raised:
                play(position, move)
            assert raised.value.refusal.rule.id
        assert position.digest() == before


@given(code=st.integers(0, CODES - 1), seat=seats, era=st.integers(0, 4))
def test_every_code_is_a_move_and_every_move_has_its_code(code: int, seat: int, era: int) -> None:
    board = load_board("industry").rules
    move = move_of(board, seat, code, era)
    if isinstance(move, Develop) and len(board.needs(move.field)) < 2:
        assert code_of(move) <= code
    else:
        assert code_of(move) == code


@given(code=st.integers(0, ACTIONS - 1), seat=seats)
def test_a_written_move_is_read_as_the_same_move(code: int, seat: int) -> None:
    for edition in OF_EDITION:
        board = load_board(edition)
        move = move_of(board.rules, seat, code)
        assert read_move(write_move(move, board), board) == move


@given(
    text=st.text(max_size=40)
    | st.from_regex(r"[1-5]? ?(offer|bid|develop|draw|cash)[ =a-z0-9A-L]*")
)
@settings(max_examples=proof.amount(300, 3000))
def test_any_text_is_a_move_or_a_clear_error(text: str) -> None:
    board = load_board("industry")
    try:
        move = read_move(text, board)
    except NotationError as error:
        assert str(error)
    else:
        assert write_move(move, board) == text
