"""`industry terminal`: whole games, and everything a player can ask of the table."""

import io
import os
import pty
import re
import signal
import subprocess
import termios
import unicodedata
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from industry.boards import board_text, load_board
from industry.cli.app import cli
from industry.cli.score import verdict
from industry.cli.terminal import system_language
from industry.cli.terminal_game import pages
from industry.cli.terminal_game.answers import Unclear, read_answer
from industry.cli.terminal_game.board_view import era_list, owner_mark
from industry.cli.terminal_game.chance import random_move
from industry.cli.terminal_game.choices import choices
from industry.cli.terminal_game.encoding_output import EncodedOutput, hold
from industry.cli.terminal_game.saved_games import folder
from industry.cli.terminal_game.screen import show_decision
from industry.cli.terminal_game.speech import Speech
from industry.cli.terminal_game.story import narrate
from industry.cli.terminal_game.symbols import mark
from industry.cli.terminal_game.view import View
from industry.engine import Position, Status
from industry.notation import (
    Game,
    Record,
    explain,
    new_game,
    read_move,
    record_from_toml,
    replay,
    verify,
    write_move,
)
from industry.texts import LANGUAGES, say
from tests.rules.positions import INDUSTRY, Scene
from tests.rules.positions import scene as any_scene
from tests.support import proof

from .running import PROGRAM

BLIND = ["1", "0"] * 160
"""The first move of every list, or a bid of 1, or nothing: a game ends before these do."""


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a home of its own, and works in a folder of its own."""
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def play(*arguments: str, typed: list[str], columns: int = 100) -> Result:
    """A session whose player types these lines and then closes the input."""
    env = {"COLUMNS": str(columns), "LANG": "C", "LC_ALL": "C"}
    text = "".join(f"{line}\n" for line in typed)
    return CliRunner().invoke(cli, ["terminal", *arguments], input=text, env=env)


def flat(text: str) -> str:
    """Without line breaks, so that a wrapped sentence can be found."""
    return " ".join(text.split())


def record(path: str) -> Record:
    return record_from_toml(Path(path).read_text(encoding="utf-8"))


def kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("unfinished-*.toml"))


def scene(text: str) -> Scene:
    return any_scene(text, INDUSTRY)


def at_random(seed: int, *, decisions_left: int = 0) -> Game:
    """A game of Industria for three that is over, or nearly so for seat 1."""
    game = new_game(("Ana", "Random 2", "Random 3"), edition="industria", seed=seed)
    chance = Random(seed)
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            game.play(random_move(game.position, chance))
    own = [n for n, line in enumerate(game.lines()) if line.startswith("1 ")]
    if decisions_left:
        game.undo(len(game.moves) - own[-decisions_left])
    return game


def seated(game: Game, language: str = "en", viewer: int = 0) -> View:
    return View(game, Speech(game.board, language), frozenset([viewer]), viewer)


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "players", "language"),
    proof.cases(
        [
            ("industry", "3", "de"),
            ("industria", "4", "fr"),
            ("industry", "4", "en"),
            ("industria", "3", "en"),
        ]
    ),
)
def test_a_whole_game_ends_with_the_result_that_its_record_proves(
    edition: str, players: str, language: str
) -> None:
    result = play(
        *("--edition", edition, "--players", players, "--language", language, "--seed", "1"),
        typed=[*BLIND, "save end.toml"],
    )
    assert result.exit_code == 0, result.output
    game = record("end.toml")
    assert game.result is not None
    assert verify(game, load_board(edition)) is None
    told = flat(result.output)
    assert flat(verdict(replay(game, load_board(edition)), language)) in told
    total = say("part.total", language)
    assert f"{total} {' '.join(str(points) for points in game.result.points)}" in told


def test_the_same_seed_and_the_same_answers_give_the_same_game() -> None:
    for name in ("a.toml", "b.toml"):
        play("--seed", "7", typed=[*BLIND[:20], f"save {name}"])
    assert record("a.toml") == record("b.toml")
    play("--seed", "8", typed=[*BLIND[:20], "save c.toml"])
    assert record("a.toml") != record("c.toml")


def test_a_game_continues_from_its_record_as_if_it_had_not_been_left() -> None:
    play("--seed", "7", typed=[*BLIND[:12], "save half.toml", *BLIND[:30], "save whole.toml"])
    play("--load", "half.toml", "--seed", "7", typed=[*BLIND[:30], "save again.toml"])
    assert len(record("whole.toml").moves) > len(record("half.toml").moves) + 20
    assert record("again.toml") == record("whole.toml")


def test_a_seed_is_chosen_and_shown_when_none_is_given() -> None:
    seeds = {re.findall(r"--seed (\w+)", play(typed=[]).output)[0] for _ in range(2)}
    assert len(seeds) == 2


def test_people_at_all_seats_decide_everything_themselves() -> None:
    names = ("--name", "Ana", "--name", "Bo", "--name", "Cy")
    play("--hotseat", "-p", "3", *names, "--seed", "5", typed=["2", "pass", "bid 1", "save a.toml"])
    game = record("a.toml")
    assert game.players == ("Ana", "Bo", "Cy")
    start = game.starting_player
    left = [(start + step) % 3 + 1 for step in (0, 1)]
    assert game.moves[1].startswith(f"{start} offer")
    assert game.moves[2:] == (f"{left[0]} pass", f"{left[1]} bid 1")


def test_names_are_shown_as_they_are_written() -> None:
    told = play("--name", "[red]Ana[/red] :cat:", typed=[]).output
    assert "[red]Ana[/red] :cat:" in told


# --- random players ------------------------------------------------------------------------------


def test_random_players_make_only_legal_moves_and_every_kind_of_them() -> None:
    position = scene("era 1, bid on 1F, seat 2; talers 5 5 5").position
    drawn = {write_move(random_move(position, Random(seed)), INDUSTRY) for seed in range(3000)}
    legal = {write_move(move, INDUSTRY) for move in position.legal_moves}
    assert drawn == legal
    assert legal == {"2 pass", "2 subsidy", *(f"2 bid {talers}" for talers in range(1, 6))}


def test_random_players_pass_often_enough_for_fields_to_be_cheap() -> None:
    position = scene("era 1, bid on 1F, seat 2; talers 30 30 30").position
    moves = [write_move(random_move(position, Random(seed)), INDUSTRY) for seed in range(400)]
    assert moves.count("2 pass") > 100
    assert sum(int(move.split()[2]) > 10 for move in moves if "bid" in move) < 10


# --- refused and unclear answers -----------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_move_shows_the_reason_and_the_rule(language: str) -> None:
    result = play("--seed", "5", "--language", language, typed=["bid 99", "save a.toml"])
    game = replay(record("a.toml"), INDUSTRY)
    refusal = game.position.refusal(read_move("1 bid 99", INDUSTRY))
    assert refusal is not None
    assert flat(explain(refusal, INDUSTRY, language, to_you=True)) in flat(result.output)
    assert "auction.bid.higher" in result.output


def test_why_names_the_rule_without_making_the_move() -> None:
    result = play("--seed", "5", typed=["why bid 99", "why bid 1", "why", "save a.toml"])
    assert "auction.bid.higher" in result.output
    assert "It is legal now: bid 1 Taler" in result.output
    assert "why bid 9" in result.output
    assert not any(move.startswith("1 ") for move in record("a.toml").moves)


def test_an_unknown_word_is_answered_with_what_can_be_typed() -> None:
    told = flat(play("--seed", "5", typed=["xyzzy", "offer 9Z", "bid x", "7" * 50]).output)
    assert "“xyzzy” is not an action." in told
    assert "“9z” is not a field" in told
    assert "“help” lists what you can type." in told
    assert "You can’t bid 777777777:" in told


def test_another_seat_cannot_be_moved() -> None:
    told = flat(play("--seed", "5", typed=["2 bid 1"]).output)
    assert "Another player decides for that seat." in told


def test_answers_may_be_numbers_or_notation_in_any_letters() -> None:
    developing = scene(
        "era 2, develop, seat 1; talers 6 6 6; seat 1: 1F undeveloped, 1I undeveloped"
    )
    speech = Speech(INDUSTRY, "en")

    def means(line: str, position: Position) -> str:
        return write_move(read_answer(line, position, speech), INDUSTRY)

    position = developing.position
    assert means("develop 1i", position) == "1 develop 1I"
    assert means("  DEVELOP  1f   Wood=Bank ", position) == "1 develop 1F wood=bank"
    assert means("1 develop 1I", position) == "1 develop 1I"
    assert means("0", position) == "1 done"
    assert means("s", position) == "1 subsidy"
    bidding = scene("era 1, bid on 1F, seat 2; talers 5 5 5").position
    assert means("3", bidding) == "2 bid 3"
    assert means("0", bidding) == "2 pass"


def test_a_development_without_sources_is_the_only_way_or_asks_which() -> None:
    speech = Speech(INDUSTRY, "en")
    one = scene("era 2, develop, seat 1; talers 6 6 6; seat 1: 1F undeveloped")
    move = read_answer("develop 1F", one.position, speech)
    assert write_move(move, INDUSTRY) == "1 develop 1F wood=bank"
    two = scene("era 2, develop, seat 1; talers 6 6 6; seat 1: 1F undeveloped, joker 1B")
    with pytest.raises(Unclear, match=r"(?s)wood=bank.*wood=joker"):
        read_answer("develop 1F", two.position, speech)
    none = scene("era 1, develop, seat 1; talers 6 6 6; seat 1: 1F undeveloped")
    refusal = none.refusal(read_answer("develop 1F", none.position, speech))
    assert refusal.code == "bank_not_yet"


def test_every_legal_move_is_in_the_list_once() -> None:
    speech = Speech(INDUSTRY, "en")
    for text in (
        "era 1, offer, seat 1; talers 5 5 5; available 1A 1F",
        "era 1, settle 1F, seat 1; talers 5 5 5; seat 2: bid 3",
        """era 2, develop, seat 1; talers 6 6 6
        seat 1: 1F undeveloped, joker 1B; seat 2: 1E developed""",
    ):
        position = scene(text).position
        listed = [choice.move for choice in choices(position, speech)]
        assert sorted(map(str, listed)) == sorted(map(str, position.legal_moves))
        keys = [choice.key for choice in choices(position, speech)]
        assert len(keys) == len(set(keys))
        for choice in choices(position, speech):
            assert read_answer(choice.key, position, speech) == choice.move
            assert read_answer(choice.notation, position, speech) == choice.move


def test_a_slip_of_a_number_never_takes_the_subsidy() -> None:
    position = scene("era 1, develop, seat 1; talers 0 5 5").position
    with pytest.raises(Unclear):
        read_answer("1", position, Speech(INDUSTRY, "en"))


def test_enter_makes_the_only_move_there_is() -> None:
    game = at_random(1)
    while game.to_move != 1 or len(game.legal_moves()) > 1:
        game.undo()
    Path("a.toml").write_text(game.record().to_toml(), encoding="utf-8")
    result = play("--load", "a.toml", typed=["", "save b.toml"])
    assert "Enter plays the only possible move." in flat(result.output)
    assert record("b.toml").moves[len(game.moves)] == game.legal_moves()[0]


# --- undo ----------------------------------------------------------------------------------------


def test_a_move_that_nobody_has_answered_can_be_taken_back() -> None:
    result = play("--seed", "5", typed=["subsidy", "undo", "save a.toml"])
    assert "Taken back: subsidy" in result.output
    assert "1 subsidy" not in record("a.toml").moves


def test_nothing_is_taken_back_past_another_seat() -> None:
    result = play("--seed", "5", typed=["bid 1", "undo", "save a.toml"])
    assert "nothing to take back" in flat(result.output)
    assert "1 bid 1" in record("a.toml").moves


def test_nothing_is_taken_back_past_a_draw() -> None:
    result = play("--seed", "5", typed=["undo"])
    assert "nothing to take back" in flat(result.output)
    hotseat = play("--hotseat", "--seed", "5", typed=["1", "undo", "undo", "save a.toml"])
    assert "Taken back: offer" in hotseat.output
    assert "nothing to take back" in flat(hotseat.output)
    assert len(record("a.toml").moves) == 1


def test_at_one_keyboard_nobody_takes_back_what_another_decided() -> None:
    result = play("--hotseat", "--seed", "5", typed=["1", "0", "0", "undo", "undo", "save a.toml"])
    assert result.output.count("Taken back: pass") == 1
    assert "nothing to take back" in flat(result.output)
    assert len(record("a.toml").moves) == 3


# --- save and load -------------------------------------------------------------------------------


def test_an_existing_file_is_replaced_only_on_request() -> None:
    Path("a.toml").write_text("mine")
    play("--seed", "5", typed=["save a.toml", "n"])
    assert Path("a.toml").read_text() == "mine"
    play("--seed", "5", typed=["save a.toml", "y"])
    assert record("a.toml").players[0] == "Player 1"


def test_saving_somewhere_impossible_is_reported_and_the_game_continues() -> None:
    impossible = ["save no/such/folder/a.toml", f"save {'x' * 300}", "save a\0b/c"]
    impossible.append("save ~no-such-person/a")
    result = play("--seed", "5", typed=[*impossible, "save", "save a"])
    assert result.output.count("Not saved:") == len(impossible)
    assert "Name a file, for example: save game.toml" in result.output
    assert record("a.toml").edition == "industry"


def test_loading_within_a_session_keeps_the_bag_where_the_seed_is_the_same() -> None:
    typed = ["1", "save a.toml", *BLIND[:12], "load a.toml", *BLIND[:12], "save b.toml"]
    result = play("--seed", "5", typed=typed)
    assert "The draws go on with the same seed: 5." in flat(result.output)
    other = play("--seed", "6", typed=["load a.toml"])
    assert "The record holds no seed" in flat(other.output)


def test_a_record_without_its_seed_continues_with_new_draws_and_says_so() -> None:
    play("--seed", "5", typed=["1", "save a.toml"])
    told = flat(play("--load", "a.toml", typed=[]).output)
    assert "from here on the draws come from a new one" in told
    assert "from here on" not in play("--load", "a.toml", "--seed", "5", typed=[]).output


def test_a_loaded_game_seats_the_person_where_he_sat() -> None:
    play("--seat", "3", "--name", "Cy", "--seed", "5", typed=["1", "save a.toml"])
    told = play("--load", "a.toml", typed=[]).output
    assert "▲3 Cy – that’s you" in told
    assert "●2 Random 2 – chooses" in told


def test_a_finished_record_shows_its_result() -> None:
    game = at_random(1)
    Path("end.toml").write_text(game.record().to_toml(), encoding="utf-8")
    result = play("--load", "end.toml", typed=["1", "score", "quit"])
    assert result.exit_code == 0
    assert flat(result.output).count(flat(verdict(game, "en"))) == 2
    assert "there are no more moves" in flat(result.output)


def test_what_is_not_a_record_is_refused_and_the_game_continues() -> None:
    Path("bad.toml").write_text("format = 1\nboard = [")
    result = play("--seed", "5", typed=["load bad.toml", "load none.toml", "load", "save a.toml"])
    assert result.output.count("Nothing was loaded:") == 2
    assert record("a.toml").players[0] == "Player 1"


# --- leaving -------------------------------------------------------------------------------------


def test_a_game_that_is_left_is_kept_and_resumed(data_folder: Path) -> None:
    result = play("--seat", "2", "--seed", "5", typed=["1", "0"])
    (path,) = kept(data_folder)
    assert str(path) in result.output
    assert "industry terminal --resume" in result.output
    before = record(str(path)).moves
    play("--resume", "--seed", "5", typed=["1", "0", "1", "0"])
    assert kept(data_folder) == [path]
    after = record(str(path)).moves
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_a_game_without_a_decision_is_not_kept(data_folder: Path) -> None:
    result = play("--seed", "5", typed=["help", "quit"])
    assert result.exit_code == 0
    assert kept(data_folder) == []


def test_a_resumed_game_that_ends_is_no_longer_unfinished(data_folder: Path) -> None:
    folder().mkdir(parents=True)
    path = folder() / "unfinished-1.toml"
    path.write_text(at_random(1, decisions_left=4).record().to_toml(), encoding="utf-8")
    play("--resume", "--seed", "1", typed=BLIND[:20])
    assert kept(data_folder) == [path]
    assert record(str(path)).result is not None
    again = play("--resume", typed=[])
    assert again.exit_code == 1
    assert "There is no unfinished game to continue." in again.output


def test_loading_another_game_keeps_the_present_one_first(data_folder: Path) -> None:
    play("--seed", "5", typed=["save a.toml"])
    play("--seed", "6", typed=["1", "0", "load a.toml", "quit"])
    assert len(kept(data_folder)) == 1


@pytest.mark.parametrize(
    ("number", "code"),
    proof.cases([(signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGHUP, 0)], 2),
)
def test_an_interrupted_game_is_kept(number: int, code: int, data_folder: Path) -> None:
    session = bidding()
    session.send_signal(number)
    session.communicate(timeout=60)
    assert session.returncode == code
    assert any(move == "1 bid 1" for move in record(str(kept(data_folder)[0])).moves)


def test_a_game_is_kept_if_nobody_reads_its_output_any_more(data_folder: Path) -> None:
    session = bidding()
    assert session.stdin is not None and session.stdout is not None
    session.stdout.close()
    session.stdin.write(b"help\n")
    session.stdin.close()
    assert session.wait(timeout=60) == 141
    assert any(move == "1 bid 1" for move in record(str(kept(data_folder)[0])).moves)


def bidding() -> subprocess.Popen[bytes]:
    """A session in a process of its own, after a first bid and before the second decision."""
    session = subprocess.Popen(
        [*PROGRAM, "terminal", "--seed", "5", "--language", "en"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert session.stdin is not None and session.stdout is not None
    session.stdin.write(b"1\n")
    session.stdin.flush()
    seen = b""
    while seen.count(b"(0 passes) >") < 2:
        more = os.read(session.stdout.fileno(), 65536)
        assert more, seen.decode("utf-8")
        seen += more
    return session


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_is_played_in_with_and_without_colours(no_color: str, coloured: bool) -> None:
    told = in_terminal(b"\n", b"rules\n", b"quit\n", NO_COLOR=no_color)
    assert "See you next game." in told
    assert bool(re.search(r"\x1b\[[0-9;]*38;5;", told)) == coloured


def in_terminal(*typed: bytes, **env: str) -> str:
    """What a terminal of 80 columns and 24 lines is sent."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (24, 80))
    environment = {**os.environ, "TERM": "xterm-256color", **env}
    for name in ("COLUMNS", "LINES", "FORCE_COLOR"):
        environment.pop(name, None)
    session = subprocess.Popen(
        [*PROGRAM, "terminal", "--seed", "5", "--language", "en"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    told = b""
    try:
        for line in typed:
            while not told.endswith(b"> "):
                told += os.read(ours, 65536)
            os.write(ours, line)
            told += os.read(ours, 65536)
        while more := os.read(ours, 65536):
            told += more
    except OSError:  # the other end is closed
        pass
    assert session.wait(timeout=60) == 0
    os.close(ours)
    return told.decode("utf-8")


# --- what can be asked ---------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_everything_can_be_asked_in_every_language(edition: str, language: str) -> None:
    asked = ["rules", "help", "board", "score", "log", "log all", "field 2h", "field", ""]
    options = ("--edition", edition, "--language", language, "--seed", "5", "-p", "3")
    result = play(*options, typed=["0", "1", *asked, "quit"])
    assert result.exit_code == 0, result.output
    told = flat(result.output)
    for key in ("terminal.rules.title.end", "terminal.help.signs", "part.total"):
        assert flat(say(key, language)) in told
    assert load_board(edition).field("2H").name[language] in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_the_rules_fit_on_one_screen(edition: str, language: str) -> None:
    view = seated(new_game(edition=edition, seed=1), language)
    assert printed(pages.rules(view), 80).count("\n") <= 23
    assert printed(pages.help_page(view.speech), 80).count("\n") <= 23


def printed(part: object, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    console.print(part)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_log_describes_equal_payments_in_one_sentence() -> None:
    game = new_game(("A", "B", "C"), seed=1)
    game.draw()
    told = " ".join(text.plain for text in narrate(game.events, Speech(game.board, "en")))
    assert "Everyone gets 4 Talers (starting money)." in told
    assert "Everyone gets 1 Taler (income)." in told
    assert "The bank pays" not in told


def test_a_seat_that_developed_is_not_listed_among_those_that_did_not() -> None:
    game = new_game(("A", "B", "C"), seed=1)
    chance = Random(3)
    while not any("develop" in line for line in game.lines()):
        if game.position.draw_due:
            game.draw()
        else:
            game.play(random_move(game.position, chance))
    seat = game.position.actor
    developed = len(game.events)
    game.play(f"{seat + 1} done")
    told = " ".join(t.plain for t in narrate(game.events, Speech(game.board, "en"), developed))
    assert "Nothing developed" not in told


# --- the screen ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "size"),
    proof.spread(list(product(LANGUAGES, [(80, 24), (120, 40), (200, 50)])), 4),
)
def test_the_first_decisions_fit_into_the_terminal(size: tuple[int, int], language: str) -> None:
    game = new_game(("A", "B", "C", "D"), seed=2)
    chance = Random(2)
    told = 0
    while game.position.state.round_number < 2:
        if game.position.draw_due:
            game.draw()
            continue
        view = seated(game, language, game.position.actor)
        screen = drawn(view, told, *size)
        told = len(game.events)
        assert len(screen) < size[1], "\n".join(screen)
        assert max(map(len, screen)) <= size[0]
        for player in range(4):
            assert any(f"{mark(player).plain} {game.players[player]}" in line for line in screen)
        game.play(random_move(game.position, chance))


def drawn(view: View, told: int, width: int, height: int) -> list[str]:
    """The lines that a terminal of this size is given."""
    console = Console(
        file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None
    )
    show_decision(console, view, narrate(view.game.events, view.speech, told))
    assert isinstance(console.file, io.StringIO)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue())
    return plain.removesuffix("\n").split("\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_no_field_of_an_era_is_cut_off_in_80_columns(edition: str, language: str) -> None:
    game = new_game(edition=edition, seed=1)
    for era in range(5):
        game.position.state.era = era
        lines = era_list(seated(game, language), 80).plain.split("\n")
        assert max(map(len, lines)) <= 80
        for spec, line in zip(game.board.row(era + 1), lines[1:], strict=True):
            assert spec.id in line
            assert hold(spec.name[language]) in line


def test_a_wide_terminal_shows_all_fields_with_owners() -> None:
    result = play("--seed", "5", typed=["board"], columns=200)
    for spec in INDUSTRY.fields:
        assert spec.id in result.output
    assert "3T +Iro +Ste" in result.output


def test_seats_are_distinguished_without_colours() -> None:
    signs = {
        mark(seat, status).plain
        for seat in range(4)
        for status in (Status.UNDEVELOPED, Status.DEVELOPED)
    }
    assert len(signs) == 8
    assert all(sign[1].isdigit() for sign in signs)


def test_without_a_terminal_there_are_no_colours_and_no_control_characters() -> None:
    result = play("--seed", "5", typed=["1", "\x1b[31mred", "board"])
    assert not any(
        unicodedata.category(letter) == "Cc" for letter in result.output if letter != "\n"
    )


def test_closed_hands_hide_the_tiles_of_the_others() -> None:
    game = new_game(
        ("A", "B", "C"), edition="industria", seed=1, options={"industria_hands": "closed"}
    )
    game.draw()
    start = game.to_move or 0
    field = game.position.legal_moves[0]
    game.play(field)
    for step in (1, 2):
        game.play(f"{(start - 1 + step) % 3 + 1} pass")
    taken = next(f for f, owner in enumerate(game.position.state.owner) if owner == start - 1)
    assert owner_mark(seated(game, viewer=start - 1), taken).plain[1] == str(start)
    assert owner_mark(seated(game, viewer=start % 3), taken).plain == "?"


def test_an_ascii_output_gets_similar_characters() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    EncodedOutput(file).write(hold("■1 □2 «\u00a0clé\u00a0» → 3 … −5"))
    file.flush()
    assert isinstance(file.buffer, io.BytesIO)
    assert file.buffer.getvalue() == b'#1 o2 " cle " > 3 . -5'


def test_french_punctuation_is_never_alone_on_a_line() -> None:
    for columns in (40, 57, 80):
        told = play("--seed", "5", "--language", "fr", typed=["rules"], columns=columns).output
        assert not re.search(r"(?m)^\s*[:;!?»]", told)
        assert not re.search(r"(?m)«\s*$", told)
    assert "\ue000" not in told


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "nl_NL.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
    ],
)
def test_the_language_is_that_of_the_system(environment: dict[str, str], language: str) -> None:
    assert system_language(environment) == language


def test_rule_options_reach_the_game() -> None:
    play("-o", "late_draws=plain", "-o", "claim_afford=full_price", typed=["save a.toml"])
    options = record("a.toml").options
    assert options["late_draws"] == "plain"
    assert options["claim_afford"] == "full_price"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--seat", "4", "-p", "3"),
        ("--edition", "industria", "--board", "industry"),
        ("-o", "late_draws=sometimes"),
        ("-o", "nonsense"),
        ("--board", "nowhere.toml"),
        ("--name", ""),
        ("--name", "a\tb"),
        ("--name", "A", "--name", "B"),
        ("--load", "nowhere.toml"),
        ("--load", "a.toml", "--resume"),
        ("--load", "a.toml", "--edition", "industry"),
        ("--resume",),
    ],
)
def test_wrong_options_get_a_sentence_and_exit_code_1(arguments: tuple[str, ...]) -> None:
    result = play(*arguments, typed=["quit"])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_board_of_your_own_is_played_and_asked_for_again(data_folder: Path) -> None:
    text = board_text("industry").replace('id      = "industry"', 'id      = "mine"', 1)
    Path("mine.toml").write_text(text.replace("cost   = 2", "cost   = 3", 1), encoding="utf-8")
    left = play("--board", "mine.toml", "--seed", "5", typed=["1", "0", "save a.toml"])
    assert "industry terminal --resume --board …" in left.output
    assert record("a.toml").board == "mine"
    assert play("--load", "a.toml", typed=[]).exit_code == 1
    assert play("--load", "a.toml", "--board", "industry", typed=[]).exit_code == 1
    assert play("--load", "a.toml", "--board", "mine.toml", typed=[]).exit_code == 0
    assert play("--resume", "--board", "mine.toml", typed=["1"]).exit_code == 0
    assert len(kept(data_folder)) == 1
