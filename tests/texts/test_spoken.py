"""Whatever happens or is refused in a game can be said in every language, with all its values."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from industry.boards import BoardSpec
from industry.engine import (
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Draw,
    Event,
    Fault,
    Move,
    Offer,
    Pass,
    Refusal,
    Sell,
    Subsidy,
)
from industry.engine.constants import COLUMNS, FIELDS, SOURCES
from industry.notation import Game, explain, new_game, sentence
from industry.texts import LANGUAGES
from tests.rules.positions import scene

TRIES = 24
"""Arbitrary moves that are tried in each position."""

ENOUGH = 200
"""Refusals of one fault that are put into words."""

GAMES = (
    ("industry", 3, {"claim_afford": "net"}),
    ("industry", 4, {"claim_afford": "full_price"}),
    ("industria", 3, {"industria_resource_cash": "off"}),
    ("industria", 4, {"industria_resource_cash": "on"}),
)


def arbitrary_move(game: Game, random: Random) -> Move:
    """Any move, legal or not, more often one that the deciding seat might think of."""
    state = game.position.state
    seat = random.choice([max(game.position.actor, 0)] * 4 + [random.randrange(5)])
    own = [field for field in range(FIELDS) if state.owner[field] == seat]
    of_era = [int(state.era) * COLUMNS + column for column in range(COLUMNS)]
    field = random.choice([random.choice(own or of_era), random.choice(of_era)] * 3 + [0])
    sources = [random.randrange(SOURCES) for _ in game.position.board.needs(field)]
    drawn = random.choices([*of_era, 0], k=random.randint(1, 4))
    moves: list[Move] = [
        Draw(tuple(drawn)),
        Offer(seat, field),
        Bid(seat, random.randrange(9)),
        Pass(seat),
        Sell(seat),
        Claim(seat),
        Develop(seat, field, tuple(sources)),
        Develop(seat, field, tuple(sources)),
        Develop(seat, field, tuple(sources[1:])),
        Done(seat),
        Subsidy(seat),
        Cash(seat, field),
    ]
    return random.choice(moves)


def refusals(game: Game, random: Random) -> Iterator[Refusal]:
    for _ in range(TRIES):
        refusal = game.position.refusal(arbitrary_move(game, random))
        if refusal is not None:
            yield refusal


def play_on(game: Game, random: Random) -> None:
    if game.position.draw_due:
        game.draw()
    else:
        moves = game.position.legal_moves
        develop = [move for move in moves if isinstance(move, Develop)]
        game.play(random.choice(develop if develop and random.random() < 0.5 else moves))


@cache
def told() -> tuple[dict[Fault, list[tuple[Refusal, BoardSpec]]], list[tuple[Event, BoardSpec]]]:
    """The refusals by fault and the events of some games."""
    random = Random("sentences")
    refused: dict[Fault, list[tuple[Refusal, BoardSpec]]] = {}
    happened: list[tuple[Event, BoardSpec]] = []
    for edition, players, options in GAMES:
        names = [f"Player {seat}" for seat in range(players)]
        game = new_game(names, edition=edition, seed=players, options=options)
        while True:
            for refusal in refusals(game, random):
                refused.setdefault(refusal.fault, []).append((refusal, game.board))
            if game.is_over:
                break
            play_on(game, random)
        happened += [(event, game.board) for events in game.events for event in events]
    rare = scene("era 1, develop, seat 1; talers 9 3 4; seat 1: 1K undeveloped, joker 1A")
    two_for_one = rare.refusal("1 develop 1K stone=any wood=any")
    refused[two_for_one.fault] = [(two_for_one, rare.board)]
    return refused, happened


def test_every_fault_is_among_the_refusals() -> None:
    assert set(told()[0]) == set(Fault) - {Fault.NONE}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_explained_with_its_rule(language: str) -> None:
    for cases in told()[0].values():
        for refusal, board in cases[:ENOUGH]:
            said = explain(refusal, board, language)
            assert "{" not in said
            assert refusal.rule.id in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_is_a_sentence(language: str) -> None:
    for event, board in told()[1]:
        said = sentence(event, board, language)
        assert "{" not in said
        assert said[0].isupper() or said[0].isdigit()
        assert said.endswith(".")
