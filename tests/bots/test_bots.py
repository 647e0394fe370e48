"""Promises of the levels: legal, repeatable, quick, and the same compiled and interpreted."""

import math
import statistics
import time
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from industry.boards import load_board
from industry.bots import bot_maker, bot_names
from industry.bots.auction import appraise_field, choose_bid, fill_factors, solve_auction
from industry.bots.features import WIDTH, Feature, Stage, count_features, stage_of
from industry.bots.levels import Director
from industry.bots.runner import CompiledRunner, InterpretedRunner
from industry.bots.scratch import Scratch
from industry.bots.values import evaluate, row_of, seat_value
from industry.bots.weights import (
    WeightsError,
    handmade_weights,
    learned_weights,
    weights_from,
    weights_text,
)
from industry.engine import Board, Edition, Phase, Position, State, code_of
from industry.engine.constants import NOBODY, Kind, Status
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import OFFER
from industry.notation import Game, new_game

from .auctions import chances

TABLES = [(edition, players) for edition in ("industry", "industria") for players in (3, 4)]
LEVELS = ("apprentice", "foreman", "engineer", "director", "magnate")
QUICK = LEVELS[:3]
HANDMADE = handmade_weights()
NO_TIME = 0.0
"""Then a searching level plays its first idea, which needs no clock."""


def whole_game(bot: str, edition: str, players: int, seed: str, seconds: float = NO_TIME) -> Game:
    """A game of one bot against itself; `Game.play` refuses what is illegal."""
    names = ("Ana", "Bo", "Cy", "Di")[:players]
    game = new_game(names, edition=edition, seed=seed)
    bots = [bot_maker(bot)() for _ in names]
    generators = [Random(f"{seed} {seat}") for seat in range(players)]
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            seat, position = game.position.actor, game.position
            legal = position.legal_moves
            game.play(bots[seat].choose(position, legal, seconds, generators[seat]))
    return game


@cache
def engineers(edition: str, players: int) -> tuple[Position, ...]:
    """All positions with a decision of a game between engineers."""
    game = whole_game("engineer", edition, players, "positions")
    again = new_game(game.players, edition=edition, starting_player=game.starting_player)
    positions = []
    for move in game.moves:
        if not again.position.draw_due:
            positions.append(again.position)
        again.play(move)
    return (*positions, again.position)


def decisions(edition: str, players: int) -> tuple[Position, ...]:
    return engineers(edition, players)[:-1]


# Levels


def test_the_levels_are_installed_weakest_first() -> None:
    assert [name for name in bot_names() if name in LEVELS] == list(LEVELS)
    assert [bot_maker(name)().level for name in LEVELS] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("bot", LEVELS)
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_level_plays_whole_games_with_legal_moves_and_the_same_seed_gives_the_same_game(
    bot: str, edition: str, players: int
) -> None:
    game = whole_game(bot, edition, players, "first")
    assert game.is_over
    assert whole_game(bot, edition, players, "first").lines() == game.lines()


@pytest.mark.parametrize("bot", ["director:samples=8", "magnate:samples=8"])
def test_with_a_number_of_samples_the_same_seed_gives_the_same_game_whatever_the_time(
    bot: str,
) -> None:
    game = whole_game(bot, "industria", 3, "first", seconds=0.001)
    assert game.is_over
    assert whole_game(bot, "industria", 3, "first", seconds=1.0).lines() == game.lines()


@pytest.mark.parametrize("bot", ["director", "magnate"])
def test_a_searching_level_keeps_to_its_processor_time(bot: str) -> None:
    player = bot_maker(bot)()
    player.choose(decisions("industry", 4)[0], (), 0.0, Random(1))  # sets its scratch up
    times = []
    for position in decisions("industry", 4)[::8]:
        began = time.thread_time()
        player.choose(position, position.legal_moves, 0.05, Random(1))
        times.append(time.thread_time() - began)
    assert statistics.median(times) < 0.06
    assert max(times) < 0.15


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_with_more_time_the_director_looks_further(edition: str, players: int) -> None:
    for position in decisions(edition, players)[::10]:
        looks = [Director().rounds(position, seconds) for seconds in (0.02, 0.2, 1.0)]
        assert looks == sorted(set(looks))


def test_with_a_number_of_samples_a_searching_level_looks_as_far_whatever_the_time() -> None:
    position = decisions("industria", 3)[0]
    looks = {Director(samples=8).rounds(position, seconds) for seconds in (0.02, 0.2, 1.0)}
    assert looks == {Director.DEPTH.auctions}


@pytest.mark.parametrize("bot", LEVELS)
def test_another_seed_gives_another_game(bot: str) -> None:
    games = [whole_game(bot, "industry", 3, seed).lines() for seed in ("first", "second")]
    assert games[0] != games[1]


@pytest.mark.parametrize("bot", LEVELS)
def test_thinking_leaves_the_position_as_it_was(bot: str) -> None:
    player = bot_maker(bot)()
    for position in decisions("industry", 4)[::10]:
        before = position.digest()
        player.choose(position, position.legal_moves, NO_TIME, Random(1))
        assert position.digest() == before


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_decisions_are_equal_compiled_and_interpreted(edition: str, players: int) -> None:
    board = load_board(edition).rules
    slow, fast = InterpretedRunner(board), CompiledRunner(board)
    for position in decisions(edition, players):
        assert slow.heuristic_move(position, HANDMADE) == fast.heuristic_move(position, HANDMADE)
        assert slow.greedy_move(position, HANDMADE) == fast.greedy_move(position, HANDMADE)


@pytest.mark.parametrize("bot", QUICK)
def test_the_first_three_levels_decide_in_under_20_milliseconds(bot: str) -> None:
    player = bot_maker(bot)()
    rng = Random(1)

    def choose(position: Position) -> None:
        player.choose(position, position.legal_moves, NO_TIME, rng)

    assert median_ms(choose) < 20


def test_without_machine_code_they_decide_in_under_50_milliseconds() -> None:
    runners = {edition: InterpretedRunner(load_board(edition).rules) for edition, _ in TABLES}

    def choose(position: Position) -> None:
        runners[Edition(position.board.edition).name.lower()].greedy_move(position, HANDMADE)

    assert median_ms(choose) < 50


def median_ms(choose: Callable[[Position], None]) -> float:
    """Half of the decisions of four games take less of the processor's time."""
    times = []
    for edition, players in TABLES:
        for position in decisions(edition, players)[::5]:
            began = time.thread_time()
            choose(position)
            times.append(time.thread_time() - began)
    return 1000 * statistics.median(times)


# The auction


def random_auctions(count: int) -> Iterator[tuple[Board, State, int, Scratch]]:
    """Offers of whole games, with purses and values made up."""
    rng = Random("auctions")
    offers = [p for table in TABLES for p in decisions(*table) if p.phase == Phase.OFFER]
    for position in rng.choices(offers, k=count):
        state = position.state.copy()
        field = code_of(rng.choice([m for m in position.legal_moves if code_of(m) >= OFFER]))
        field -= OFFER
        scratch = Scratch()
        for seat in range(int(state.players)):
            state.talers[seat] = rng.randrange(7)
        appraise_field(position.board, state, field, HANDMADE, scratch)
        for seat in range(int(state.players)):
            scratch.gain[seat] = rng.uniform(-2.0, 12.0)
            scratch.base[seat] = rng.uniform(0.0, 20.0)
            scratch.price[seat] = rng.choice((0, 0, 3))
        fill_factors(HANDMADE[row_of(state, Stage.BEFORE_DEVELOPMENT)], int(state.players), scratch)
        yield position.board, state, field, scratch


def test_an_auction_is_solved_as_by_trying_every_line_of_play() -> None:
    for board, state, field, scratch in random_auctions(150):
        solve_auction(board, state, field, 0, scratch)
        found = scratch.tree[0][0][0][: int(state.players)]
        assert found == pytest.approx(chances(board, state, field, scratch), abs=1e-12)


def test_a_bidder_finds_the_answer_that_trying_every_line_of_play_finds() -> None:
    rng = Random("bidders")
    checked = 0
    for edition, players in TABLES:
        bids = [p for p in decisions(edition, players) if p.phase == Phase.BID]
        for position in rng.sample(bids, 15):
            state = position.state.copy()
            for seat in range(players):
                purse = rng.randrange(7)
                is_holder = seat == state.high_bidder
                state.talers[seat] = max(purse, int(state.high_bid)) if is_holder else purse
            scratch = Scratch()
            code = choose_bid(position.board, state, HANDMADE, scratch)
            appraise_field(position.board, state, int(state.offered), HANDMADE, scratch)
            seat, field = int(state.actor), int(state.offered)
            best = chances(position.board, state, field, scratch)[seat]
            after = state.copy()
            apply_move(position.board, after, seat, code)
            if after.status[field] == state.status[field]:
                assert chances(position.board, after, field, scratch)[seat] == pytest.approx(best)
                checked += 1
    assert checked > 30


# Values and features


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_chances_add_up_to_one_in_every_position(edition: str, players: int) -> None:
    scratch = Scratch()
    for position in engineers(edition, players):
        evaluate(
            position.board, position.state, HANDMADE, scratch, scratch.expected, scratch.shares
        )
        assert sum(scratch.shares) == pytest.approx(1.0)
        assert all(share >= 0.0 for share in scratch.shares)
    end = engineers(edition, players)[-1]
    winners = end.winners()
    assert [scratch.shares[seat] for seat in winners] == [1 / len(winners)] * len(winners)


def features_of(position: Position, seat: int) -> list[float]:
    scratch = Scratch()
    count_features(position.board, position.state, seat, stage_of(position.state, seat), scratch)
    return scratch.features


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_field_adds_what_counting_everything_again_would(edition: str, players: int) -> None:
    """The gain from a field is counted field by field; a memory that is used again forgets."""
    weights, used = learned_weights(int(Edition[edition.upper()]), players), Scratch()
    offers = [p for p in decisions(edition, players) if p.phase == Phase.BID]
    for position in offers[::5]:
        board, state = position.board, position.state.copy()
        field, stage = int(state.offered), Stage.BEFORE_DEVELOPMENT
        appraise_field(board, state, field, weights, used)
        state.status[field] = Status.UNDEVELOPED
        if board.kind[field] == Kind.JOKER:
            state.status[field] = Status.HELD
        for seat in range(players):
            values = []
            for owner in ((seat + 1) % players, seat):
                state.owner[field] = owner
                values.append(seat_value(board, state, seat, stage, weights, Scratch()))
            assert used.base[seat] == pytest.approx(values[0], abs=1e-9)
            assert used.gain[seat] == pytest.approx(values[1] - values[0], abs=1e-9)


def turned(state: State) -> State:
    """The same game with everyone one chair further."""
    players = int(state.players)
    twin = state.copy()
    for name in ("talers", "points", "subsidies", "bids"):
        values = getattr(state, name)
        getattr(twin, name)[:players] = [values[players - 1], *values[: players - 1]]
    twin.owner[:] = [seat if seat == NOBODY else (seat + 1) % players for seat in state.owner]
    for name in ("actor", "starting_player", "auctioneer", "high_bidder"):
        seat = getattr(state, name)
        setattr(twin, name, seat if seat == NOBODY else (seat + 1) % players)
    return twin


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_features_do_not_depend_on_the_chair(edition: str, players: int) -> None:
    for position in decisions(edition, players)[::7]:
        twin = Position(position.board, turned(position.state))
        for seat in range(players):
            assert features_of(twin, (seat + 1) % players) == features_of(position, seat)


def test_what_is_on_the_table_is_counted() -> None:
    for position in decisions("industry", 3)[::7]:
        for seat in range(3):
            features = features_of(position, seat)
            parts = position.breakdown(seat)
            assert features[Feature.TALERS] == position.state.talers[seat]
            assert features[Feature.POINTS] == parts.development
            assert 3 * features[Feature.LINKS_DONE] == parts.links
            assert features[Feature.BONUS_DONE] == parts.bonuses
            assert 2 * features[Feature.JOKERS] == parts.jokers


# Weights


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_learned_weights_come_along_for_every_table(edition: str, players: int) -> None:
    weights = learned_weights(Edition[edition.upper()], players)
    assert len(weights) == len(HANDMADE)
    assert all(len(row) == WIDTH for row in weights)
    assert all(math.isfinite(weight) for row in weights for weight in row)
    assert all(row[-1] > 0.0 for row in weights), "chances need a spread"


def test_weights_are_read_as_they_were_written() -> None:
    written = weights_text(HANDMADE, games=0)
    for row, again in zip(HANDMADE, weights_from(written), strict=True):
        assert again == pytest.approx(row, abs=1e-4)


def test_weights_of_other_features_are_refused() -> None:
    text = weights_text(HANDMADE)
    with pytest.raises(WeightsError, match="other features"):
        weights_from(text.replace('"talers"', '"coins"'))
    with pytest.raises(WeightsError, match="rows"):
        weights_from(text.replace("[\n  [", "[\n  [0.0], ["))


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_bot_appraises_the_field_on_offer_the_same_compiled_and_interpreted(
    edition: str, players: int
) -> None:
    board = load_board(edition).rules
    interpreted, compiled = InterpretedRunner(board), CompiledRunner(board)
    bids = [p for p in decisions(edition, players) if p.phase == Phase.BID][::40]
    for position in bids:
        before = position.state.copy()
        found = interpreted.appraise(position, HANDMADE)
        assert len(found.gains) == players
        assert found == compiled.appraise(position, HANDMADE)
        assert Director().appraise(position) == found
        assert position.state == before
    assert bids


def test_a_position_without_an_offer_is_not_appraised() -> None:
    position = next(p for p in decisions("industry", 4) if p.phase == Phase.OFFER)
    for bot in ("foreman", "magnate"):
        with pytest.raises(ValueError, match="no field is on offer"):
            bot_maker(bot)().appraise(position)  # type: ignore[attr-defined]
