"""The game in OpenSpiel: its own tests and its own search run on it, and chance is what it is."""

from math import comb
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, mcts

from industry.engine import IllegalMove, code_of
from industry.engine.move_codes import SELL
from industry.envs.openspiel import STEP, IndustryState
from industry.notation import new_game, verify
from industry.notation.options import OF_EDITION
from tests.support import proof

from .games import chance_move, play_state

STRINGS = [
    "industry(players=4,reward=rank,late_draws=plain,starting_player=2)",
    "industry(players=3,edition=industria,reward=margin)",
    "industry(players=3)",
    "industry(players=4,edition=industria,industria_resource_cash=on)",
]


@pytest.mark.parametrize("string", proof.cases(STRINGS))
def test_random_simulation(string: str) -> None:
    """OpenSpiel plays a game and checks all that it promises."""
    pyspiel.random_sim_test(pyspiel.load_game(string), num_sims=1, serialize=False, verbose=False)


@pytest.mark.proof
@pytest.mark.parametrize("string", STRINGS)
def test_random_simulation_with_every_state_written_and_read(string: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(string), num_sims=1, serialize=True, verbose=False)


@pytest.mark.proof
def test_playthrough(tmp_path: Path) -> None:
    """OpenSpiel's record of a game with all that its interface tells comes out the same again."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    text = generate_playthrough.playthrough(STRINGS[0], None, seed=1)
    page = tmp_path / "playthrough.txt"
    page.write_text(text, encoding="utf-8")
    original, again = generate_playthrough.replay(str(page))
    assert original == again
    assert 'GameType.short_name = "industry"' in text
    assert "IsTerminal() = True" in text


def test_the_search_of_open_spiel_plays() -> None:
    """A few decisions in `make test`, a whole game in `make proof`."""
    game = pyspiel.load_game("industry(players=3,reward=rank)")
    random_state, rng = np.random.RandomState(1), np.random.default_rng(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random_state)
    searcher = mcts.MCTSBot(game, 1, 2, evaluator, random_state=random_state)
    state, searched = game.new_initial_state(), 0
    while not state.is_terminal() and searched < proof.amount(5, 10_000):
        if state.is_chance_node():
            state.apply_action(chance_move(state, rng))
        elif state.current_player() == 0:
            state.apply_action(searcher.step(state))
            searched += 1
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert searched == 5 or searched > 60
    if state.is_terminal():
        assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("string", proof.cases(STRINGS, 2))
def test_actions_are_the_legal_moves_under_their_numbers(string: str) -> None:
    state = pyspiel.load_game(string).new_initial_state()
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance_move(state, rng))
            continue
        position = state.game.position
        assert state.current_player() == position.actor
        legal = {code_of(move) for move in position.legal_moves}
        assert state.legal_actions() == sorted(legal)
        state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("string", proof.cases(STRINGS, 2))
def test_a_draw_is_one_chance_node_over_equally_likely_sets(string: str) -> None:
    """Ruling B5. No order among the tokens, so that a set leads to one successor only."""
    state = pyspiel.load_game(string).new_initial_state()
    rng = np.random.default_rng(3)
    while not state.is_terminal():
        if state.is_chance_node() and not state.starter_due:
            position = state.game.position
            outcomes = dict(state.chance_outcomes())
            assert len(outcomes) == comb(len(position.bag), position.draw_count)
            assert set(outcomes.values()) == {1 / len(outcomes)}
            bag = sum(1 << field % 12 for field in position.bag)
            for drawn in outcomes:
                assert drawn & ~bag == 0
                assert drawn.bit_count() == position.draw_count
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else None
        state.apply_action(int(rng.choice(actions or state.legal_actions())))


def test_the_starting_player_is_the_first_chance() -> None:
    free = pyspiel.load_game("industry(players=3)").new_initial_state()
    assert free.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
    free.apply_action(2)
    assert free.game.position.state.starting_player == 2
    fixed = pyspiel.load_game("industry(players=3,starting_player=2)").new_initial_state()
    assert fixed.game.position.state.starting_player == 1
    assert len(fixed.chance_outcomes()) == comb(12, 3)


@pytest.mark.parametrize("string", proof.cases(STRINGS, 2))
def test_the_information_state_is_the_game_record_so_far(string: str) -> None:
    game = pyspiel.load_game(string)
    state = play_state(game.new_initial_state(), 4)
    player, *lines = state.information_state_string(1).splitlines()
    assert player == "player 1"
    starter = 2
    if lines[0].startswith("Starting Player"):
        starter = int(lines.pop(0).split()[-1])
    config = state.game.config
    names = ["A", "B", "C", "D"][: config.players]
    known = OF_EDITION[config.board.edition]
    options = {name: value for name, value in game.get_parameters().items() if name in known}
    played = new_game(names, board=config.board, starting_player=starter, options=options)
    for line in lines:
        played.play(line)
    assert played.is_over
    assert verify(played.record(), config.board) is None


def test_the_tensor_of_the_information_state_remembers_every_step() -> None:
    game = pyspiel.load_game(STRINGS[0])
    state = play_state(game.new_initial_state(), 4)
    shape = game.information_state_tensor_shape()
    tensor = np.array(state.information_state_tensor(1))
    assert tensor.shape == tuple(shape)
    assert tensor[:4].tolist() == [0, 1, 0, 0]
    steps = tensor[4:].reshape(-1, STEP)
    history = state.full_history()
    assert len(history) <= len(steps)
    assert not steps[len(history) :].any()
    for row, step in zip(steps, history, strict=False):
        mover = np.flatnonzero(row[:5]).tolist()
        assert mover == [4 if step.player == pyspiel.PlayerId.CHANCE else step.player]
        assert sum(int(bit) << place for place, bit in enumerate(row[5:])) == step.action


def test_what_players_see_is_the_observation_and_hides_nothing() -> None:
    game = pyspiel.load_game("industry(players=4)")
    state = play_state(game.new_initial_state(), 5, moves=60)
    assert game.observation_tensor_shape() == [700]
    for player in range(4):
        seen = state.game.observation(player)
        assert state.observation_tensor(player) == pytest.approx(seen.tolist())


def test_a_clone_goes_its_own_way() -> None:
    state = play_state(pyspiel.load_game("industry").new_initial_state(), 6, moves=50)
    before = str(state), state.history()
    twin = state.clone()
    assert (str(twin), twin.history()) == before
    play_state(twin, 7)
    assert twin.is_terminal()
    assert (str(state), state.history()) == before


def test_a_state_that_was_written_and_read_continues_with_the_same_game() -> None:
    game = pyspiel.load_game(STRINGS[3])
    state = play_state(game.new_initial_state(), 8, moves=120)
    text = pyspiel.serialize_game_and_state(game, state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(game.deserialize_state(state.serialize())) == str(again) == str(state)
    assert play_state(state, 9).returns() == play_state(again, 9).returns()
    assert state.history() == again.history()


def test_bounds_hold_for_what_they_promise() -> None:
    game = pyspiel.load_game("industry(players=3,reward=margin)")
    for seed in range(proof.amount(1, 5)):
        state = play_state(game.new_initial_state(), seed)
        decisions = [step for step in state.full_history() if step.player >= 0]
        assert len(decisions) <= game.max_game_length()
        chances = len(state.full_history()) - len(decisions)
        assert chances <= game.max_chance_nodes_in_history()
        assert sum(state.returns()) == pytest.approx(0)
        assert all(game.min_utility() <= r <= game.max_utility() for r in state.returns())


def test_an_illegal_action_says_what_is_wrong_and_changes_nothing() -> None:
    state = play_state(pyspiel.load_game("industry").new_initial_state(), 1, moves=2)
    assert isinstance(state, IndustryState)
    before = str(state), state.history()
    with pytest.raises(IllegalMove, match="cannot do that now"):
        state.apply_action(SELL)
    assert (str(state), state.history()) == before


def test_a_draw_of_the_wrong_tokens_is_refused() -> None:
    game = pyspiel.load_game("industry(starting_player=1)")
    state = game.new_initial_state()
    with pytest.raises(IllegalMove, match=r"draw\.count"):
        state.apply_action(0b11)
    state.apply_action(0b1111)
    assert state.current_player() == 0


@pytest.mark.parametrize(
    ("string", "told"),
    [
        ("industry(players=5)", "3 or 4 players can play, not 5"),
        ("industry(reward=fame)", "there is no reward fame"),
        ("industry(edition=industrial)", "there is no such board"),
        ("industry(starting_player=9)", "the Starting Player is one of the seats 1 to 4, not 9"),
        ("industry(late_draws=never)", "never is not a value of the option late_draws"),
        ("industry(edition=industria,late_draws=plain)", "late_draws does not belong to industria"),
    ],
)
def test_a_game_string_that_means_nothing_is_refused_in_a_sentence(string: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        pyspiel.load_game(string)
