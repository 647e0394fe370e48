"""The account of a review adds up, whatever happened at the table: moves taken back, stand-ins."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from industry.judge.review import review
from tests.judge.games import TABLES
from tests.support import proof

from .tables import Play
from .test_stand_in import LONG, ask, others
from .test_taking_back_alone import bots_play, take_back

TERMS = ("start", "luck", "own", "gifts", "unexplained")
OFTEN = 12
"""One of so many decisions is taken back, or leads to a stand-in."""


def check_account(play: Play) -> None:
    """Start, luck, own losses, gifts and what is unexplained are the result of every seat."""
    found = review(play.table.board, play.table.record(), lines=2)
    winners = play.table.record().result
    assert winners is not None
    for seat in found["seats"]:
        assert sum(seat[term] for term in TERMS) == pytest.approx(seat["result"], abs=1e-9)
        share = 1 / len(winners.winners) if seat["seat"] in winners.winners else 0.0
        assert seat["result"] == pytest.approx(share, abs=1e-9)
    for event in found["events"]:
        assert sum(event["win"]) == pytest.approx(1, abs=1e-9)
    assert [event["line"] for event in found["events"]] == list(play.table.record().moves)


def with_undos(edition: str, players: int, rng: Random) -> Play:
    """A game of one person against bots, who now and then goes back a decision."""
    bots = ("random",) * (players - 1)
    play = Play(("human", *bots), edition=edition, auto_forced=False)
    bots_play(play, rng)
    taken = 0
    while play.table.status == "running":
        play.move(rng.choice(play.legal()))
        bots_play(play, rng)
        is_over = play.table.status != "running"
        if not is_over and taken < 5 and (not taken or rng.randrange(OFTEN) == 0):
            take_back(play)
            taken += 1
    assert play.table.seats[0].taken_back == taken > 0
    return play


def with_stand_ins(edition: str, players: int, rng: Random) -> Play:
    """A game of people, one of whom stays away now and then; a stand-in decides meanwhile."""
    play = Play(("human",) * players, edition=edition, auto_forced=False)
    while play.table.status == "running":
        away = [seat for seat, one in enumerate(play.table.seats) if one.absent is not None]
        if not away and (not play.moves("zombie") or rng.randrange(2 * OFTEN) == 0):
            ask(play, others(play)[0], play.actor - 1, host=True, after=LONG)
        elif away and rng.randrange(OFTEN) == 0:
            draft = play.draft(1000)
            draft.come_back(away[0])
            play.keep(draft)
        else:
            play.move(rng.choice(play.legal()))
    assert play.moves("zombie")
    return play


@pytest.mark.parametrize(("edition", "players"), proof.spread(TABLES, 3))
@given(seed=st.integers(0, 10**6))
@settings(max_examples=proof.amount(1, 10), deadline=None)
def test_the_account_adds_up_where_moves_were_taken_back(
    edition: str, players: int, seed: int
) -> None:
    check_account(with_undos(edition, players, Random(seed)))


@pytest.mark.parametrize(("edition", "players"), proof.cases((*TABLES[1:], TABLES[0]), 2))
@given(seed=st.integers(0, 10**6))
@settings(max_examples=proof.amount(1, 10), deadline=None)
def test_the_account_adds_up_where_a_stand_in_decided(
    edition: str, players: int, seed: int
) -> None:
    check_account(with_stand_ins(edition, players, Random(seed)))
