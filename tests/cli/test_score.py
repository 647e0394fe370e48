"""`industry score`: the six parts, the total, who wins and why."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from industry.engine import Status, field_id
from industry.notation import Game, replay_steps
from industry.notation.record import SCORE_PARTS
from industry.texts import LANGUAGES
from tests.independent import referee
from tests.notation.samples import TABLES, board, finished, record, referee_board, running

from .running import run, write_jsonl


def one(tmp_path: Path, data: dict[str, Any]) -> Path:
    return write_jsonl(tmp_path / "game.jsonl", [data])


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_scripts_get_the_result_of_the_record_and_more(
    edition: str, players: int, tmp_path: Path
) -> None:
    data = finished(edition, players)
    told = run("score", one(tmp_path, data), "--json").json
    assert {key: told[key] for key in data["result"]} == data["result"]
    assert told["over"] is True
    assert told["moves"] == len(data["moves"])
    assert len(told["developed_fields"]) == len(told["talers"]) == players


def test_the_table_has_the_six_parts_the_total_and_what_breaks_ties(tmp_path: Path) -> None:
    data = finished()
    outcome = run("score", one(tmp_path, data))
    assert (outcome.code, outcome.err) == (0, "")
    rows = {line[:18].strip(): line.split()[-3:] for line in outcome.lines}
    names = ("Development", "Money", "Links", "Bonus fields", "Jokers", "Subsidy")
    for name, part in zip(names, SCORE_PARTS, strict=True):
        assert rows[name] == [str(entry[part]) for entry in data["result"]["breakdown"]]
    assert rows["Total"] == [str(points) for points in data["result"]["points"]]
    assert {"Developed fields", "Talers"} <= rows.keys()
    winner = data["players"][data["result"]["winners"][0] - 1]
    assert f"{winner} ({data['result']['winners'][0]}) wins with" in outcome.lines[-1]


@pytest.mark.parametrize("moves", [0, 1, 40, 200])
def test_a_running_game_is_scored_as_if_it_ended_now(moves: int, tmp_path: Path) -> None:
    data = running(moves=moves)
    path = one(tmp_path, data)
    other = referee.Game(referee_board("industry"), 3, data["starting_player"], data["options"])
    for line in data["moves"]:
        other.play(line)
    told = run("score", path, "--json").json
    assert told["over"] is False
    assert told["breakdown"] == [other.breakdown(seat) for seat in (1, 2, 3)]
    assert run("score", path).lines[0] == f"If the game ended now, after {moves} moves"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_is_shown_in_every_language(language: str, tmp_path: Path) -> None:
    path = one(tmp_path, finished())
    text = run("score", path, "--language", language).out
    assert str(finished()["result"]["points"][0]) in text
    others = {run("score", path, "--language", other).out for other in LANGUAGES}
    assert len(others) == len(LANGUAGES)


def test_a_result_that_the_record_states_wrongly_is_pointed_out(tmp_path: Path) -> None:
    data = finished()
    right = list(data["result"]["points"])
    data["result"]["points"][0] += 7
    outcome = run("score", one(tmp_path, data))
    assert "industry verify" in outcome.err
    assert run("score", one(tmp_path, data), "--json").json["points"] == right


# ---- ties


def two_rounds(tmp_path: Path, planned: dict[int, str]) -> list[str]:
    """The score after two rounds of Industria in which nobody bids or develops, but as planned.

    Everyone then has 7 Talers: 4 to begin with and 3 times income.
    """
    game = Game(board("industria"), ["Ana", "Bo", "Cy"])
    while game.position.state.round_number < 3:
        if game.position.draw_due:
            line = " ".join(["draw", *(field_id(field) for field in game.position.bag[:3])])
        else:
            idle = [m for m in game.legal_moves() if m.endswith(("pass", "done"))]
            line = (idle or game.legal_moves())[0]
        game.play(planned.get(len(game.moves), line))
    path = tmp_path / "game.json"
    path.write_text(game.record().to_json(), encoding="utf-8")
    return run("score", path).lines


def test_equal_points_fields_and_talers_share_the_victory(tmp_path: Path) -> None:
    text = two_rounds(tmp_path, {})[-1]
    assert text.startswith("Ana (1), Bo (2) and Cy (3) have ")
    assert "share the victory" in text


def test_equal_points_and_fields_are_decided_by_talers_in_hand(tmp_path: Path) -> None:
    """Bo pays Ana 1 Taler: 8, 6 and 7 are 2 points each."""
    text = two_rounds(tmp_path, {2: "2 bid 1", 4: "1 sell"})[-1]
    assert "; Ana (1) holds more Talers and wins." in text


def test_equal_points_are_decided_by_developed_fields(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(_leaders_with_unequal_fields().record().to_json(), encoding="utf-8")
    assert run("score", path, "--json").json["decided_by"] == "developed_fields"
    assert "has developed more fields and wins." in run("score", path).lines[-1]


def _leaders_with_unequal_fields() -> Game:
    """The first such position of the sample games."""
    for edition, players in TABLES:
        for game in replay_steps(record(finished(edition, players)), board(edition)):
            points = [entry.points for entry in game.score()]
            leaders = [seat for seat in range(players) if points[seat] == max(points)]
            owners = zip(game.position.state.owner, game.position.state.status, strict=True)
            developed = Counter(owner for owner, status in owners if status == Status.DEVELOPED)
            counts = sorted(developed[seat] for seat in leaders)
            if len(counts) > 1 and counts[-1] > counts[-2]:
                return game
    raise AssertionError("no sample game has such a position")
