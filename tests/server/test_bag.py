"""The fair bag of a table: fixed by its secret, deaf to undo, mute about what is undrawn."""

import doctest
from pathlib import Path
from random import Random

import pytest

from industry.boards import load_board
from industry.engine import Draw, Phase, Position
from industry.notation import Game
from industry.notation.proof import era_order
from industry.server.bag import FairBag, new_secret

from .fair_games import CONTRIBUTIONS, SECRET, fair_game

ROOT = Path(__file__).parents[2]
TABLES = [(edition, players) for edition in ("industry", "industria") for players in (3, 4)]


def bag() -> FairBag:
    return FairBag(SECRET, CONTRIBUTIONS)


def game(edition: str = "industry", players: int = 4) -> Game:
    return Game(load_board(edition), ["Ana", "Bo", "Cy", "Di"][:players])


def play_on(game: Game, bag: FairBag, rng: Random, until_draw: bool = True) -> None:
    """Play at random to the next draw, which stays to be made, or to the end."""
    while not game.is_over and not (until_draw and game.position.phase == Phase.DRAW):
        position = game.position
        drawing = position.phase == Phase.DRAW
        game.play(bag.draw(position) if drawing else rng.choice(position.legal_moves))


def drawn(record_moves: tuple[str, ...]) -> list[str]:
    return [line for line in record_moves if line.startswith("draw")]


def test_a_new_secret_has_256_bits_and_is_never_the_same() -> None:
    secrets = {new_secret() for _ in range(50)}
    assert len(secrets) == 50
    assert all(len(secret) == 32 for secret in secrets)
    with pytest.raises(ValueError, match="32 bytes"):
        FairBag(b"short", [])


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_each_era_is_drawn_in_the_order_of_its_own_key(edition: str, players: int) -> None:
    keys = FairBag(SECRET, CONTRIBUTIONS[:players])
    draws = drawn(fair_game(edition, players, table=None).moves)
    for era in range(1, 5 if (edition, players) == ("industria", 3) else 6):
        order = era_order(bytes.fromhex(keys.era_key(era)))
        taken = 0
        for line in draws:
            fields = line.split(" ")[1:]
            if fields[0][0] == str(era):
                expected = sorted(f"{era}{letter}" for letter in order[taken : taken + len(fields)])
                assert fields == expected
                taken += len(fields)
        assert taken == 12


def test_undo_and_reload_never_re_roll() -> None:
    first, rng = game(), Random(1)
    first.play(bag().draw(first.position))
    play_on(first, bag(), rng)
    due = bag().draw(first.position)
    first.undo(3)
    play_on(first, bag(), Random(2))
    assert bag().draw(first.position) == due
    assert FairBag(SECRET, tuple(reversed(CONTRIBUTIONS))).draw(first.position) == due


def test_the_number_of_tokens_of_a_draw_changes_no_order() -> None:
    """Other rules draw three or four at a time; the tokens come in the same order."""
    orders: list[list[int]] = []
    for players in (3, 4):
        table = Game(load_board("industry"), ["Ana", "Bo", "Cy", "Di"][:players])
        order: list[int] = []
        while table.position.state.era == 0:
            due = bag().draw(table.position)
            order += due.fields
            table.play(due)
            play_on(table, bag(), Random(players))
        orders.append(order)
    key_order = era_order(bytes.fromhex(bag().era_key(1)))
    for order, size in zip(orders, (3, 4), strict=True):
        letters = ["ABCDEFGHIJKL"[field] for field in order]
        pieces = [letters[at : at + size] for at in range(0, 12, size)]
        assert pieces == [sorted(key_order[at : at + size]) for at in range(0, 12, size)]


def test_a_draw_depends_only_on_the_era_and_on_what_is_in_the_bag() -> None:
    """Purses, owners and everything else that players do leave the bag alone."""
    ones: list[Draw] = []
    for seed in range(5):
        table = game()
        table.play(bag().draw(table.position))
        play_on(table, bag(), Random(seed))
        ones.append(bag().draw(table.position))
    assert len(set(ones)) == 1


def test_other_secrets_and_other_contributions_give_other_bags() -> None:
    position: Position = game().position
    draws = {FairBag(bytes([n]) * 32, CONTRIBUTIONS).draw(position) for n in range(30)}
    assert len(draws) > 20
    mixed = {FairBag(SECRET, [f"{n:x}", "", "", ""]).draw(position) for n in range(30)}
    assert len(mixed) > 20


def test_one_key_tells_nothing_about_another() -> None:
    """Keys are MACs under a root that is none of them: equal nowhere, and none yields the rest."""
    keys = [bag().era_key(era) for era in range(1, 6)]
    assert len({*keys, bag().revealed_secret}) == 6
    other = FairBag(SECRET, ["1", "", "", ""])
    assert not {other.era_key(era) for era in range(1, 6)} & set(keys)


def test_starting_player_and_seating_come_from_the_bag() -> None:
    """A5: random, from keys of their own."""
    firsts, seatings = set(), set()
    for n in range(60):
        one = FairBag(bytes([n]) * 32, ["", "", "", ""])
        firsts.add(one.starting_player(4))
        seatings.add(tuple(one.seating(4)))
        assert sorted(one.seating(4)) == [1, 2, 3, 4]
    assert firsts == {1, 2, 3, 4}
    assert len(seatings) > 15


def test_the_secret_is_not_shown_where_a_bag_is_printed() -> None:
    assert SECRET.hex() not in repr(bag()) + str(bag()) + f"{bag()}"
    assert bag().commitment in repr(bag())


def test_the_page_about_the_bag_computes_what_the_program_computes() -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / "fair-bag.md"), module_relative=False, encoding="utf-8"
    )
    assert tried > 5
    assert failed == 0
