"""Verify finds each kind of wrong claim, names its place, and agrees with the other referee."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from industry.notation import Mismatch, replay, verify
from industry.notation.record import SCORE_PARTS
from industry.texts import say
from tests.independent import referee
from tests.support import proof

from .samples import EDITIONS, TABLES, board, finished, record, referee_board, running


def check(data: dict[str, Any], edition: str = "industry") -> Mismatch | None:
    return verify(record(data), board(edition))


def wrong(data: dict[str, Any], edition: str = "industry") -> Mismatch:
    mismatch = check(data, edition)
    assert mismatch is not None
    return mismatch


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_right_record_has_no_mismatch(edition: str, players: int) -> None:
    assert check(finished(edition, players), edition) is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_may_be_broken_off_after_any_move(edition: str) -> None:
    for moves in range(60):
        assert check(running(edition, moves=moves), edition) is None


def test_another_edition_than_the_boards_is_found() -> None:
    mismatch = wrong(finished("industria"))
    assert mismatch.move is None
    assert "industria" in mismatch.reason


def test_another_board_hash_is_found_before_any_move() -> None:
    data = finished()
    data["board_hash"] = data["board_hash"][:-1] + "x"
    data["moves"][0] = "nonsense"
    mismatch = wrong(data)
    assert mismatch.move is None
    assert board("industry").hash in mismatch.reason


@pytest.mark.parametrize("part", SCORE_PARTS)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_wrong_part_of_the_points_is_found(part: str, seat: int) -> None:
    data = finished()
    data["result"]["breakdown"][seat - 1][part] += 1
    mismatch = wrong(data)
    assert mismatch == Mismatch(None, "", say("verify.breakdown", seat=seat))


def test_parts_that_still_add_up_are_compared_one_by_one() -> None:
    data = finished()
    data["result"]["breakdown"][0]["money"] += 3
    data["result"]["breakdown"][0]["links"] -= 3
    assert wrong(data).reason == say("verify.breakdown", seat=1)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_wrong_points_are_found(seat: int) -> None:
    data = finished()
    right = list(data["result"]["points"])
    data["result"]["points"][seat] -= 1
    claimed = data["result"]["points"]
    assert wrong(data).reason == say("verify.points", claimed=claimed, counted=right)


@pytest.mark.parametrize("change", [lambda w: [], lambda w: [1, 2, 3], lambda w: w * 2])
def test_wrong_winners_are_found(change: Callable[[list[int]], list[int]]) -> None:
    data = finished()
    right = data["result"]["winners"]
    data["result"]["winners"] = change(right)
    claimed = data["result"]["winners"]
    assert wrong(data).reason == say("verify.winners", claimed=claimed, counted=right)


def test_a_result_of_a_game_that_still_runs_is_found() -> None:
    data = running() | {"result": finished()["result"]}
    assert wrong(data).reason == say("verify.result_early")


def test_a_finished_game_without_a_result_is_found() -> None:
    data = finished()
    del data["result"]
    assert wrong(data).reason == say("verify.result_missing")


def test_a_move_after_the_end_is_found() -> None:
    data = finished()
    data["moves"].append("1 done")
    assert wrong(data).move == len(data["moves"])


def player_lines(data: dict[str, Any]) -> list[int]:
    """The numbers of the moves that are not draws, from 1."""
    return [n for n, line in enumerate(data["moves"], start=1) if not line.startswith("draw")]


@pytest.mark.parametrize("entry", [0, 5, 77])
def test_a_wrong_count_of_legal_moves_is_found_at_its_move(entry: int) -> None:
    data = finished()
    data["legal_counts"][entry] += 1
    move = player_lines(data)[entry]
    claimed = data["legal_counts"][entry]
    reason = say("verify.legal_count", claimed=claimed, counted=claimed - 1)
    assert wrong(data) == Mismatch(move, data["moves"][move - 1], reason)


def test_the_first_of_several_mismatches_is_reported() -> None:
    data = finished()
    data["legal_counts"][5] += 1
    data["moves"][100] = "1 nonsense"
    data["result"]["points"][0] += 1
    assert wrong(data).move == player_lines(data)[5]


@pytest.mark.parametrize("more", [[], [1]])
def test_too_few_or_too_many_counts_are_found(more: list[int]) -> None:
    data = finished()
    right = len(data["legal_counts"])
    data["legal_counts"] = [*data["legal_counts"], 1] if more else data["legal_counts"][:-1]
    claimed = len(data["legal_counts"])
    reason = say("verify.legal_counts", claimed=claimed, counted=right)
    assert wrong(data) == Mismatch(None, "", reason)


def test_counts_are_those_of_the_moving_seat_also_out_of_turn() -> None:
    data = finished("industry", 4, subsidy_timing="any_time")
    game = replay(record(data), board("industry"), 0)
    out_of_turn = 0
    for line in data["moves"]:
        seat = game.to_move
        out_of_turn += line.endswith("subsidy") and line[0] != str(seat)
        game.play(line)
    assert out_of_turn > 0
    assert check(data) is None


def test_an_illegal_move_in_the_middle_is_found_with_the_reason() -> None:
    data = finished()
    number = next(n for n, line in enumerate(data["moves"]) if " bid " in line)
    seat = data["moves"][number][0]
    data["moves"][number] = f"{seat} bid 99"
    mismatch = wrong(data)
    assert (mismatch.move, mismatch.line) == (number + 1, f"{seat} bid 99")
    assert "99" in mismatch.reason
    assert "auction.bid.higher" in mismatch.reason


def test_a_seat_that_nobody_sits_on_is_found() -> None:
    data = running(players=3, moves=1)
    data["moves"].append("4 subsidy")
    assert wrong(data).move == 2


# ---- with the other referee

LINES = {table: sorted(set(finished(*table)["moves"])) for table in TABLES}


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=proof.amount(20, 400))
@given(data=st.data())
def test_both_referees_find_the_same_first_wrong_move(
    table: tuple[str, int], data: st.DataObject
) -> None:
    broken = copy.deepcopy(finished(*table))
    del broken["legal_counts"]
    number = data.draw(st.integers(0, len(broken["moves"]) - 1))
    change = data.draw(st.sampled_from(["other line", "left out", "twice", "moved on"]))
    line = broken["moves"][number]
    if change == "other line":
        broken["moves"][number] = data.draw(st.sampled_from(LINES[table]))
    elif change == "left out":
        del broken["moves"][number]
    else:
        broken["moves"].insert(number + (3 if change == "moved on" else 0), line)
    ours = check(broken, table[0])
    theirs = referee.check_record(broken, referee_board(table[0]))
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None and ours.move is not None:
        assert theirs.startswith(f"move {ours.move} ")
