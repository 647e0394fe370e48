"""One game between bots: fair draws, asked only where there is a choice, and lost by forfeit."""

from pathlib import Path

import pytest

from industry.arena.match import Match
from industry.arena.outcome import Outcome
from industry.arena.time_histogram import TimeHistogram
from industry.boards import load_board
from industry.notation import record_from_json, record_from_toml, replay, verify

from .plans import tournament

PLAYERS, EDITIONS = (3, 4), ("industry", "industria")


def draws(outcome: Outcome) -> list[str]:
    assert outcome.record is not None
    return [line for line in record_from_json(outcome.record).moves if line.startswith("draw")]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", PLAYERS)
def test_games_keep_the_rules_and_tell_their_result(edition: str, players: int) -> None:
    plan = tournament("random", "random", edition=edition, players=players)
    for seating in plan.deal(1)[:3]:
        outcome = Match(plan, seating).play()
        assert outcome.record is not None
        record = record_from_json(outcome.record)
        assert verify(record, plan.board) is None
        assert record.result is not None
        assert record.result.points == outcome.points
        assert record.result.winners == tuple(seat + 1 for seat in outcome.winners)
        assert record.starting_player == seating.starting_seat + 1
        assert [plan.entrants[bot].label for bot in seating.seats] == list(record.players)


def test_the_games_of_a_deal_have_the_same_draws_and_another_deal_has_others() -> None:
    plan = tournament("random", "random")
    first = [draws(Match(plan, seating).play()) for seating in plan.deal(0)]
    assert all(other == first[0] for other in first)
    assert draws(Match(plan, plan.deal(1)[0]).play()) != first[0]
    other_seed = tournament("random", "random", seed="other")
    assert draws(Match(other_seed, other_seed.deal(0)[0]).play()) != first[0]


def test_the_same_seed_gives_the_same_game_and_each_game_of_a_deal_its_own_chance() -> None:
    plan = tournament("random", "random")
    records = [Match(plan, seating).play().record for seating in plan.deal(0)]
    assert records == [Match(plan, seating).play().record for seating in plan.deal(0)]
    assert len({record_from_json(record or "").moves for record in records}) == len(records)


@pytest.mark.usefixtures("foreign")
def test_a_bot_is_asked_only_if_it_has_a_choice_and_gets_its_time_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPY", str(tmp_path / "seen"))
    plan = tournament("spy@30", "random")
    outcome = Match(plan, plan.deal(0)[0]).play()
    seen = [line.split() for line in (tmp_path / "seen").read_text("utf-8").splitlines()]
    assert min(int(choices) for choices, _ in seen) == 2
    assert {seconds for _, seconds in seen} == {"0.03"}
    own = [seat for seat, bot in enumerate(plan.deal(0)[0].seats) if bot == 0]
    assert sum(outcome.thinking[seat].decisions for seat in own) == len(seen)


@pytest.mark.usefixtures("foreign")
def test_a_bot_that_changes_what_it_is_shown_does_not_change_the_game() -> None:
    honest, vandal = tournament("first", "first"), tournament("first", "vandal")
    for seating in honest.deal(0)[:2]:
        expected, found = (Match(plan, seating).play() for plan in (honest, vandal))
        assert draws(found) == draws(expected)
        assert found.points == expected.points


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(
    ("bot", "kind", "detail"),
    [
        ("illegal", "illegal", "bid 149"),
        ("nonsense", "illegal", "chose a str"),
        ("raises", "error", "ValueError: no idea"),
        ("quits", "error", "SystemExit: enough"),
        ("slow", "slow", "with a budget of 0.001 s"),
    ],
)
def test_a_misplay_loses_the_game_and_leaves_its_position_as_a_record(
    bot: str, kind: str, detail: str
) -> None:
    plan = tournament("first", bot, ms=1)
    outcome = Match(plan, plan.deal(0)[0]).play()
    fault = outcome.fault
    assert fault is not None
    assert (fault.bot, fault.kind) == (bot, kind)
    assert detail in fault.detail
    assert outcome.ranks[fault.seat] == 4
    record = record_from_toml(fault.record)
    assert record.result is None
    game = replay(record, load_board("industry"))
    assert game.to_move == fault.seat + 1
    assert len(game.legal_moves()) > 1


@pytest.mark.usefixtures("foreign")
def test_the_others_share_the_game_by_standing_and_no_seat_of_the_culprit_wins() -> None:
    plan = tournament("raises", "first", players=4)
    seating = plan.deal(0)[0]
    outcome = Match(plan, seating).play()
    assert outcome.fault is not None
    second = next(
        seat for seat, bot in enumerate(seating.seats) if bot == 0 and seat != outcome.fault.seat
    )
    assert {bot for seat, bot in enumerate(seating.seats) if seat in outcome.winners} == {1}
    assert outcome.ranks[second] == 3
    assert outcome.ranks[outcome.fault.seat] == 4
    # Nothing has happened yet, so the two innocent seats are equal and share the victory.
    assert sorted(outcome.ranks) == [1.5, 1.5, 3, 4]


def test_thinking_times_are_reported_as_median_and_slowest_hundredth() -> None:
    thinking = TimeHistogram()
    for millisecond in range(1, 1001):
        thinking.add(millisecond / 1000)
    assert thinking.quantile(0.5) == pytest.approx(0.5, rel=0.02)
    assert thinking.quantile(0.99) == pytest.approx(0.99, rel=0.02)
    assert TimeHistogram().quantile(0.5) is None
