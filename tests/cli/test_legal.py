"""`industry legal`: exactly the legal moves, one per line, in plain character order."""

from pathlib import Path

import pytest

from industry.notation import Game, replay_steps
from tests.independent import referee
from tests.notation.samples import TABLES, board, finished, record, referee_board, running

from .running import run, write_jsonl


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_jsonl(
        tmp_path / "game.jsonl", [finished("industry", 4, subsidy_timing="any_time")]
    )


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_moves_are_those_of_the_independent_referee(
    edition: str, players: int, tmp_path: Path
) -> None:
    data = finished(edition, players)
    path = tmp_path / "game.toml"
    path.write_text(record(data).to_toml(), encoding="utf-8")
    game = referee.Game(referee_board(edition), players, data["starting_player"], data["options"])
    for at, line in enumerate(data["moves"]):
        if at % 23 == 0:
            assert run("legal", path, "--at", at).lines == game.legal()
        game.play(line)


def test_moves_are_in_plain_character_order(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "game.jsonl", [finished()])
    steps = replay_steps(record(finished()), board("industry"))
    at = next(len(game.moves) for game in steps if _could_bid_ten_or_nine(game))
    lines = run("legal", path, "--at", at).lines
    assert lines == sorted(lines)
    ten, nine = (
        next(n for n, line in enumerate(lines) if line[1:] == f" bid {b}") for b in (10, 9)
    )
    assert ten < nine


def _could_bid_ten_or_nine(game: Game) -> bool:
    return {f"{game.to_move} bid 9", f"{game.to_move} bid 10"} <= set(game.legal_moves())


def test_nothing_is_printed_where_a_draw_is_due_or_the_game_is_over(game: Path) -> None:
    assert (run("legal", game, "--at", 0).code, run("legal", game, "--at", 0).out) == (0, "")
    assert run("legal", game).out == ""
    assert run("legal", game).code == 0


def test_all_moves_are_played_unless_told_otherwise(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "game.jsonl", [running(moves=31)])
    assert run("legal", path) == run("legal", path, "--at", 31)
    assert run("legal", path).out


def test_scripts_get_the_seat_and_the_moves(game: Path) -> None:
    data = run("legal", game, "--at", 1, "--json").json
    assert data["at"] == 1
    assert data["moves"] == run("legal", game, "--at", 1).lines
    assert all(line.startswith(f"{data['seat']} ") for line in data["moves"])
    assert run("legal", game, "--at", 0, "--json").json == {"at": 0, "seat": None, "moves": []}


def test_a_seat_that_need_not_decide_may_at_most_take_its_subsidy(game: Path) -> None:
    decides = run("legal", game, "--at", 1, "--json").json["seat"]
    for seat in range(1, 5):
        lines = run("legal", game, "--at", 1, "--seat", seat).lines
        if seat == decides:
            assert f"{seat} subsidy" in lines
            assert len(lines) > 1
        else:
            assert lines == [f"{seat} subsidy"]


def test_one_game_of_many_is_chosen_by_its_number(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "two.jsonl", [running("industria"), running("industry")])
    assert run("legal", path, "--game", 2, "--at", 1).lines[-1].endswith("subsidy")
    assert not run("legal", path, "--at", 1).lines[-1].endswith("subsidy")


def test_a_wrong_move_further_on_does_not_matter(tmp_path: Path) -> None:
    data = running()
    data["moves"][30] = "nonsense"
    path = write_jsonl(tmp_path / "game.jsonl", [data])
    assert run("legal", path, "--at", 30).code == 0
    refused = run("legal", path, "--at", 31)
    assert (refused.code, refused.out) == (1, "")
    assert "game 1, move 31 (nonsense)" in refused.err
