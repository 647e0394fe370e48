"""Results without the luck of the draws: the same on average, with less scatter or not."""

import math
import statistics
from dataclasses import replace
from itertools import islice

import pytest

from industry.arena.luck import Luck
from industry.arena.match import Match
from industry.arena.outcome import Outcome, outcome_from_data
from industry.arena.standings import Standings, deal_score
from industry.bots.opinions import reference_opinions
from industry.engine import Move, Options, Position, code_of, play, player_move_of, start
from industry.notation import SeededBag
from tests.support import proof

from .plans import tournament


class QuickLuck(Luck):
    """Compares each draw with one other, on two lines of two rounds."""

    OTHERS = 1
    LINES = 2


def quick_game(luck: Luck, players: int, number: int) -> tuple[Position, list[int], list[float]]:
    """Returns the opening of a game between opinions, its moves, and everyone's result."""
    board = luck.runner.board
    opinions = reference_opinions(int(board.edition), players)
    position = opening = start(board, players, number % players, Options())
    bag, codes = SeededBag(f"luck {number}"), []
    while not position.is_over:
        move: Move
        if position.draw_due:
            move = bag.draw(position)
        else:
            weights = opinions[(number + position.actor) % len(opinions)]
            code = luck.runner.greedy_move(position, weights)
            move = player_move_of(board, position.actor, code)
        codes.append(code_of(move))
        position = play(position, move)[0]
    winners = position.winners()
    return opening, codes, [(seat in winners) / len(winners) for seat in range(players)]


def test_luck_is_zero_on_average_and_sums_to_zero_in_every_game() -> None:
    """10,000 quick games in `make proof`; the variance factor is printed."""
    luck = QuickLuck(tournament("engineer", "engineer", edition="industria").board.rules)
    luck.mixture = luck.mixture[:2] / luck.mixture[:2].sum()
    found, plain = [], []
    for number in range(proof.amount(6, 10_000)):
        opening, codes, results = quick_game(luck, 3, number)
        lucky = luck.of_game(opening, codes, f"test {number}")
        assert sum(lucky) == pytest.approx(0.0, abs=1e-9)
        found.append(lucky)
        plain.append(results)
    for seat in range(3):
        values = [row[seat] for row in found]
        error = statistics.stdev(values) / math.sqrt(len(values))
        assert abs(statistics.fmean(values)) < 3.5 * error
    rest = [result[0] - lucky[0] for result, lucky in zip(plain, found, strict=True)]
    first = [result[0] for result in plain]
    print(f"variance factor {statistics.variance(first) / statistics.variance(rest):.3f}")


def adjusted_deals(count: int) -> tuple[Standings, list[tuple[Outcome, ...]]]:
    plan = replace(tournament("engineer", "foreman", edition="industria", players=3), adjusted=True)
    standings, deals = Standings(plan), []
    for number in range(count):
        deals.append(tuple(Match(plan, seating).play() for seating in plan.deal(number)))
        standings.add(deals[-1])
    return standings, deals


def test_a_tournament_reports_both_results_with_their_intervals() -> None:
    standings, deals = adjusted_deals(8)
    both = [row.adjusted_share for row in standings.rows]
    shares = [share for share in both if share is not None]
    assert sum(share[0] for share in shares) == pytest.approx(1.0)
    for share, low, high in shares:
        assert low < share < high
    data = standings.data()[0]
    assert data["adjusted_interval"][0] < data["adjusted_share"] < data["adjusted_interval"][1]
    assert data["variance_factor"] > 0
    score = deal_score(deals[0], 0)
    lucky = sum(
        game.luck[seat]
        for game in deals[0]
        if game.luck
        for seat, bot in enumerate(game.seating.seats)
        if bot == 0
    )
    assert deal_score(deals[0], 0, adjusted=True) == pytest.approx(score - lucky / len(deals[0]))


def test_luck_is_kept_in_files_and_the_same_game_has_the_same_luck() -> None:
    plan = replace(tournament("engineer", "foreman", edition="industria", players=3), adjusted=True)
    seating = next(islice(plan.deal(0), 1))
    first, second = (Match(plan, seating).play() for _ in range(2))
    assert first.luck == second.luck
    assert first.luck is not None
    kept = outcome_from_data(seating, first.data())
    assert kept.luck == pytest.approx(first.luck, abs=1e-5)
