"""`industry replay`: the story, the events, and the position after any move."""

import json
from pathlib import Path

import pytest

from industry.notation import replay, sentence
from industry.texts import LANGUAGES
from tests.independent import referee
from tests.notation.samples import TABLES, board, finished, record, referee_board, running

from .running import run, write_jsonl


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "game.jsonl", [finished()])


@pytest.mark.parametrize(("edition", "players"), TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_shown_round_by_round(
    edition: str, players: int, language: str, tmp_path: Path
) -> None:
    data = finished(edition, players)
    path = write_jsonl(tmp_path / "game.jsonl", [data])
    outcome = run("replay", path, "--language", language)
    assert (outcome.code, outcome.err) == (0, "")
    rounds = [line for line in outcome.lines if line and line[0] != " " and "·" in line]
    draws = [line for line in data["moves"] if line.startswith("draw")]
    assert len(rounds) == len(draws)
    for line in data["moves"]:
        if " offer " in line:
            assert any(told.startswith(f"  {line.split()[2]} ") for told in outcome.lines)


def test_an_auction_is_one_line_with_bids_and_outcome(game: Path) -> None:
    data = finished()
    first = data["moves"].index(next(line for line in data["moves"] if " offer " in line))
    lines = data["moves"][first : first + 4]
    told = next(line for line in run("replay", game).lines if f"  {lines[0].split()[2]} " in line)
    for line in lines[1:3]:
        seat, verb = line.split()[:2]
        assert f"({seat}) {'passes' if verb == 'pass' else verb + 's'}" in told


def test_the_winner_closes_the_story(game: Path) -> None:
    winner = finished()["result"]["winners"][0]
    assert f"({winner}) wins" in run("replay", game).lines[-1]


def test_a_running_game_is_shown_as_far_as_it_was_played(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "game.jsonl", [running(moves=17)])
    assert run("replay", path).code == 0
    assert "wins" not in run("replay", path).out


@pytest.mark.parametrize("language", LANGUAGES)
def test_events_are_the_sentences_of_the_log(game: Path, language: str) -> None:
    played = replay(record(finished()), board("industry"))
    told = [line.strip() for line in run("replay", game, "--events", "--language", language).lines]
    sentences = [sentence(e, played.board, language) for events in played.events for e in events]
    assert [line for line in told if line in set(sentences)] == sentences
    numbered = [f"{number}  {line}" for number, line in enumerate(finished()["moves"], start=1)]
    assert [line for line in told if line in set(numbered)] == numbered


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_position_is_that_of_the_independent_referee(
    edition: str, players: int, tmp_path: Path
) -> None:
    data = finished(edition, players)
    path = write_jsonl(tmp_path / "game.jsonl", [data])
    other = referee.Game(referee_board(edition), players, data["starting_player"], data["options"])
    for at, line in enumerate([*data["moves"], ""]):
        if at % 29 == 0 or not line:
            _compare(run("replay", path, "--at", at, "--json").json, other)
        if line:
            other.play(line)


def _compare(told: dict[str, object], other: referee.Game) -> None:
    state = other.state()
    for ours, theirs in (
        ("era", "era"),
        ("phase", "phase"),
        ("to_move", "actor"),
        ("starting_player", "starting_player"),
        ("auctioneer", "auctioneer"),
        ("high_bid", "high_bid"),
        ("high_bidder", "high_bidder"),
    ):
        assert told[ours] == state[theirs], ours
    assert told["legal_moves"] == len(other.legal())
    seats = told["seats"]
    assert isinstance(seats, list)
    for number, seat in enumerate(seats, start=1):
        assert seat["talers"] == state["talers"][number - 1]
        assert seat["points"] == state["points"][number - 1]
        assert seat["jokers"] == state["jokers"][number - 1]
        assert seat["subsidy"] == state["subsidies"][number - 1]
        owned = [id for id, owner in state["owner"].items() if owner == number]
        assert sorted(seat["developed"] + seat["undeveloped"] + seat["lapsed"]) == owned
        assert seat["developed"] == [id for id in owned if id in state["developed"]]


def test_the_digest_distinguishes_positions_and_is_the_same_every_time(game: Path) -> None:
    steps = [json.loads(line) for line in run("replay", game, "--json").lines]
    moves = finished()["moves"]
    assert [step["line"] for step in steps] == [None, *moves]
    assert [step["move"] for step in steps] == list(range(len(moves) + 1))
    assert len({step["digest"] for step in steps}) == len(steps)
    for at in (0, 1, 50):
        assert run("replay", game, "--at", at, "--json").json["digest"] == steps[at]["digest"]


def test_scripts_get_the_events_of_each_move(game: Path) -> None:
    first, second = map(json.loads, run("replay", game, "--json", "--events").lines[:2])
    assert any("Starting Player" in text for text in first["events"])
    assert second["events"][0].startswith("Drawn: ")


def test_the_position_names_what_a_person_wants_to_know(tmp_path: Path) -> None:
    data = running(moves=3)
    path = write_jsonl(tmp_path / "game.jsonl", [data])
    outcome = run("replay", path, "--at", 2)
    assert outcome.lines[0] == "After 2 of 3 moves · Era 1, round 1 · Bidding"
    offered = data["moves"][1].split()[2]
    assert any(line.startswith(f"Field at auction: {offered} ") for line in outcome.lines)
    count = len(run("legal", path, "--at", 2).lines)
    decides = run("legal", path, "--at", 2, "--json").json["seat"]
    assert f"({decides}): {count} legal moves" in outcome.out
    assert "Ana (1): 5 Talers, 0 points" in outcome.lines


def test_events_until_a_move_end_with_the_position(game: Path) -> None:
    both = run("replay", game, "--at", 5, "--events").out
    assert both.endswith(run("replay", game, "--at", 5).out)
    assert f"   5  {finished()['moves'][4]}\n" in both
    assert f"   6  {finished()['moves'][5]}\n" not in both


def test_names_are_shown_as_they_are_and_never_as_markup(tmp_path: Path) -> None:
    data = finished()
    data["players"] = ["[bold]Ana[/bold]", "{winner}", "Zoë 👩‍🚀"]
    path = write_jsonl(tmp_path / "game.jsonl", [data])
    for command in ("replay", "score"):
        out = run(command, path).out
        for name in data["players"]:
            assert name in out
