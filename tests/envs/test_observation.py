"""The observation: fixed, documented, relative to the viewer, and without the bag."""

from copy import deepcopy

import numpy as np
import pytest

from industry.boards import load_board
from industry.boards.spec import FIELD_INDEX
from industry.engine import Bid, Draw, Offer, Options, Pass, Source, code_of, play, start
from industry.engine.compiled import record_of
from industry.engine.move_codes import (
    DEVELOP,
    develop_code,
    developed_field,
    first_source,
    second_source,
)
from industry.envs.batch import BatchEnv
from industry.envs.compiled_game import CompiledGame, Numbers, opening_game
from industry.envs.config import ConfigArgs, TableConfig
from industry.envs.loops import note_standings
from industry.envs.observation import (
    BLOCKS,
    HIGHEST,
    SIZE,
    STANDING_SIZE,
    named,
    write_observation,
)

from .games import CONFIGS, config_name, random_game


def interpreted(game: CompiledGame, viewer: int) -> list[float]:
    """The observation by the same functions without the compiler."""
    position = game.position
    standings = [[0.0] * STANDING_SIZE for _ in range(game.config.players)]
    row = [0.0] * SIZE
    note_standings(position.board, position.state, standings)
    write_observation(position.board, position.state, viewer, standings, row)
    return row


def test_the_blocks_make_up_the_whole_observation() -> None:
    ends = [block.end for block in BLOCKS]
    assert [block.start for block in BLOCKS] == [0, *ends[:-1]]
    assert ends[-1] == SIZE


@pytest.mark.parametrize("choices", CONFIGS, ids=config_name)
def test_observations_are_equal_compiled_and_interpreted(choices: ConfigArgs) -> None:
    config = TableConfig(**choices)
    for number, game in enumerate(random_game(config, 11)):
        viewer = number % config.players
        seen = game.observation(viewer)
        assert seen.tolist() == np.array(interpreted(game, viewer), dtype=np.float32).tolist()
        assert (seen >= 0).all()
        assert (seen <= HIGHEST).all()


def rotated(code: int, by: int, players: int) -> int:
    """The same move at a table where everyone has moved on by this many seats."""
    if code < DEVELOP:
        return code
    sources = [
        Source.SEAT + (source - Source.SEAT + by) % players if source >= Source.SEAT else source
        for source in (first_source(code), second_source(code))
    ]
    return develop_code(developed_field(code), *sources)


def without_viewer(observation: Numbers) -> dict[str, list[float]]:
    return {k: v.tolist() for k, v in named(observation).items() if k != "viewer"}


@pytest.mark.parametrize("choices", CONFIGS, ids=config_name)
def test_what_a_seat_sees_depends_on_who_sits_where_around_it_only(choices: ConfigArgs) -> None:
    """The same game with everyone one seat further: each sees what he saw before."""
    first = TableConfig(**(choices | {"starting_player": 1}))
    second = TableConfig(**(choices | {"starting_player": 2}))
    here, there = opening_game(first), opening_game(second)
    players, rng = first.players, np.random.default_rng(5)
    while not here.is_over:
        if here.draw_due:
            same = deepcopy(rng)
            here.draw_by_chance(rng)
            there.draw_by_chance(same)
            continue
        for seat in range(players):
            moved = there.observation((seat + 1) % players)
            assert without_viewer(here.observation(seat)) == without_viewer(moved)
        action = int(rng.choice(here.legal_actions()))
        here.play(action)
        there.play(rotated(action, 1, players))


def test_the_bidder_sees_the_auction() -> None:
    """A producing factory is offered by seat 1; seat 2 bids 3, seat 3 passes, seat 4 looks."""
    board = load_board("industry")
    factory = next(field for field in board.row(1) if field.makes)
    offered = FIELD_INDEX[factory.id]
    drawn = sorted([offered, *[field for field in range(4) if field != offered][:3]])
    position = start(board.rules, 4, 0, Options())
    for move in (Draw(tuple(drawn)), Offer(0, offered), Bid(1, 3), Pass(2)):
        position, _ = play(position, move)
    seen = named(CompiledGame(TableConfig(), record_of(position.state)).observation(3))
    me, left, across, right = np.eye(4, dtype=np.float32)
    assert (seen["viewer"] == right).all()
    assert (seen["deciding"] == me).all()
    assert (seen["auctioneer"] == left).all()
    assert (seen["starting_player"] == left).all()
    assert (seen["high_bidder"] == across).all()
    assert (seen["passed"] == right).all()
    assert seen["bids"].tolist() == pytest.approx([0, 0, 0.3, 0])
    assert seen["seats"][:, 2].tolist() == pytest.approx([t / 10 for t in position.state.talers])
    assert np.flatnonzero(seen["fields"][:, 6]).tolist() == drawn
    assert np.flatnonzero(seen["fields"][:, 7]).tolist() == [offered]
    assert seen["offered_kind"].tolist() == [0, 0, 1, 0]
    assert seen["offered_numbers"][0] == pytest.approx(factory.cost / 10)
    made = [board.resources[r] for r in np.flatnonzero(seen["offered_makes"])]
    assert made == [factory.makes]


@pytest.mark.parametrize("choices", CONFIGS, ids=config_name)
def test_what_seats_hold_is_what_the_position_says(choices: ConfigArgs) -> None:
    config = TableConfig(**choices)
    *_, end = random_game(config, 23)
    position, viewer = end.position, 1
    seen = named(end.observation(viewer))
    for step in range(config.players):
        seat = (viewer + step) % config.players
        parts, holding = position.breakdown(seat), seen["seats"][step]
        assert holding[0] == 1
        assert holding[2] == pytest.approx(position.state.talers[seat] / 10)
        assert holding[3] == pytest.approx(parts.development / 10)
        assert holding[16] == pytest.approx(parts.links / 10)
        assert holding[17] == pytest.approx(parts.bonuses / 10)
        owned = [f for f in range(60) if position.state.owner[f] == seat]
        assert np.flatnonzero(seen["fields"][:, step]).tolist() == owned
    assert not seen["seats"][config.players :].any()


def test_the_batch_shows_what_a_look_at_the_position_shows() -> None:
    """It keeps links, bonuses and products between moves; they are never stale."""
    env = BatchEnv(games=32, players=3)
    turn = env.reset(seed=9)
    for _ in range(400):
        assert (turn.observations == env.observe(turn.seats)).all()
        turn = env.step(env.sample())


def test_nothing_depends_on_the_order_of_the_bag() -> None:
    """Two games with the same past and other draws to come look the same."""
    config = TableConfig(players=4, starting_player=1)
    one, two = opening_game(config), opening_game(config)
    for game, future in ((one, 1), (two, 2)):
        game.draw(0b1111)
        for move in (Offer(0, 0), Pass(1), Pass(2), Pass(3)):
            game.play(code_of(move))
        assert game.actor == 1, future
    assert (one.observation(2) == two.observation(2)).all()
    for game, future in ((one, 1), (two, 2)):
        rng = np.random.default_rng(future)
        while not game.draw_due:
            game.play(max(game.legal_actions(), key=lambda a: (a == 3, a == 0, -a)))
        game.draw_by_chance(rng)
    assert (one.observation(2) != two.observation(2)).any()
