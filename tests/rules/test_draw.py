"""Phase 2: new column tokens, and the rounds that follow from their number."""

from dataclasses import dataclass

import pytest

from industry import BoardSpec
from industry.engine import Fault, Options, Phase, Reason, Token
from industry.engine.events import RoundStarted, TokensDrawn

from .positions import HARBOUR, WORKSHOP, end_of, new_scene, quiet_game, scene


@dataclass(frozen=True)
class Row:
    """One row of table B2."""

    name: str
    board: BoardSpec
    players: int
    options: Options
    draws: list[int]
    rounds: list[int]
    total: int
    starts: list[int]
    income: int


RECOMMENDED = Options()
PLAIN = Options(plain_draws=True)
TABLE = [
    Row("3 plain", WORKSHOP, 3, PLAIN, [3] * 5, [4] * 5, 20, [7, 7, 6], 29),
    Row("3", WORKSHOP, 3, RECOMMENDED, [3, 3, 3, 4, 4], [4, 4, 4, 3, 3], 18, [6, 6, 6], 27),
    Row("4 plain", WORKSHOP, 4, PLAIN, [4] * 5, [3] * 5, 15, [4, 4, 4, 3], 24),
    Row("4", WORKSHOP, 4, RECOMMENDED, [4, 4, 4, 4, 3], [3, 3, 3, 3, 4], 16, [4, 4, 4, 4], 25),
    Row("Industria 3", HARBOUR, 3, Options(), [3] * 4, [4] * 4, 16, [6, 5, 5], 22),
    Row("Industria 4", HARBOUR, 4, Options(), [4] * 5, [3] * 5, 15, [4, 4, 4, 3], 22),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row.name))
def test_rounds_follow_from_the_draws(row: Row) -> None:
    """B2: the whole table; every count divides the 12 fields of an era."""
    game = end_of(quiet_game(new_scene(row.board, row.players, options=row.options)))
    rounds = game.happened(RoundStarted)
    drawn = [event.fields for event in game.happened(TokensDrawn)]
    eras = range(len(row.draws))
    assert len(rounds) == len(drawn) == row.total
    assert [sum(r.era == era for r in rounds) for era in eras] == row.rounds
    assert [[len(d) for d in drawn if d[0] // 12 == era] for era in eras] == [
        [count] * number for count, number in zip(row.draws, row.rounds, strict=True)
    ]
    starts = [sum(r.starting_player == seat for r in rounds) for seat in range(row.players)]
    assert starts == row.starts
    assert game.talers == [row.income] * row.players


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row.name))
def test_every_field_of_every_era_is_drawn_once(row: Row) -> None:
    """B1: the bag is empty exactly at the ends of eras."""
    game = end_of(quiet_game(new_scene(row.board, row.players, options=row.options)))
    drawn = [field for event in game.happened(TokensDrawn) for field in event.fields]
    assert sorted(drawn) == list(range(12 * len(row.draws)))


def test_an_empty_bag_is_refilled_with_all_tokens() -> None:
    """B1: the German text."""
    before = scene("era 1, develop, seat 3; talers 5 3 4; gone the rest")
    after = before.play("3 done")
    assert after.era == 2
    assert all(after.token(column) == Token.IN_BAG for column in "ABCDEFGHIJKL")


def test_a_draw_that_does_not_divide_takes_what_is_left_and_never_mixes_eras() -> None:
    """B2."""
    at = scene("era 2, draw; talers 5 3 4; gone 2A 2B 2C 2D 2E 2F 2G 2H 2I 2J")
    assert at.position.draw_count == 2
    assert at.fault("draw 2K 2L 3A") == Fault.DRAW_OTHER_ERA
    assert at.play("draw 2K 2L").phase == Phase.OFFER


def test_drawn_tokens_lie_face_up_and_the_starting_player_becomes_auctioneer() -> None:
    after = scene("era 2, draw; talers 5 3 4; starting player 2").play("draw 2L 2A 2F")
    up = [column for column in "ABCDEFGHIJKL" if after.token(column) == Token.FACE_UP]
    assert up == ["A", "F", "L"]
    assert (after.phase, after.to_decide, after.auctioneer) == (Phase.OFFER, 2, 2)


def test_a_draw_is_one_event_with_all_its_fields() -> None:
    """J7, B5: the draws of a phase are simultaneous."""
    after = scene("era 1, draw; talers 5 3 4").play("draw 1L 1A 1F")
    assert after.happened(TokensDrawn) == [TokensDrawn((0, 5, 11))]


def test_the_order_in_which_a_draw_is_written_changes_nothing() -> None:
    """B5."""
    at = scene("era 1, draw; talers 5 3 4")
    assert at.play("draw 1C 1A 1F").position.digest() == at.play("draw 1F 1C 1A").position.digest()


def test_the_coin_token_pays_1_taler_to_each_player_at_once() -> None:
    """A2, B5: after the draw and before the first auction; J6: from the Starting Player on."""
    at = scene("era 3, draw; talers 5 3 4; starting player 3")
    after = at.play("draw 3A 3C 3F")
    assert after.talers == [6, 4, 5]
    assert after.paid(Reason.COIN) == [(0, 3, 1), (0, 1, 1), (0, 2, 1)]
    assert isinstance(after.events[0], TokensDrawn)
    assert after.phase == Phase.OFFER


def test_other_tokens_pay_nothing() -> None:
    """A2: exactly one token shows the coin."""
    assert scene("era 3, draw; talers 5 3 4").play("draw 3A 3B 3F").talers == [5, 3, 4]


def test_the_coin_comes_once_in_every_era() -> None:
    """A2: 5 extra Talers for each player."""
    game = end_of(quiet_game(new_scene(WORKSHOP, 4)))
    assert len(game.paid(Reason.COIN)) == 5 * 4


def test_industria_has_no_coin() -> None:
    """I2."""
    assert end_of(quiet_game(new_scene(HARBOUR, 4))).paid(Reason.COIN) == []


def test_income_is_the_only_thing_before_a_draw() -> None:
    """J7: chance is a line of the record, and nobody may decide before it."""
    at = scene("era 1, draw; talers 5 3 4")
    assert at.legal == []
    assert [at.legal_of(seat) for seat in (1, 2, 3)] == [[], [], []]
