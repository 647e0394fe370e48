"""Engines: bots that are programs of their own. A bad one loses its game and nothing else."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from industry.arena.match import Match
from industry.arena.tournament import play_deals
from industry.boards import BoardError, load_board
from industry.boards.rule_text import board_from_rule_text
from industry.bots import BotError, bot_maker, registry
from industry.bots.engine_server import EngineServer
from industry.bots.registry import add_engine, engine_definition
from industry.cli.app import cli
from industry.cli.terminal_game.opponents import Opponents
from industry.notation import Game, new_game, write_move

from ..arena.plans import tournament

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine.py"
PYTHON = shlex.quote(sys.executable)

SCRIPT = """
import json, sys, time
print("hello 1 Test", flush=True)
for line in sys.stdin:
    keyword, _, rest = line.strip().partition(" ")
    if keyword == "go":
        legal = json.loads(rest)["legal"]
        {answer}
"""

BAD = {
    "hangs": ("time.sleep(60)", "slow", "did not answer within 1.01 s"),
    "lies": ("print('move 1 bid 149', flush=True)", "illegal", "1 bid 149"),
    "invents": ("print('move the best one', flush=True)", "error", "is not a move"),
    "prints_garbage": ("print('\\x00?!', flush=True)", "error", "instead of move"),
    "dies": ("sys.exit('out of ideas')", "error", "out of ideas"),
    "floods": ("[print('info', 'x' * 9000, flush=True) for _ in range(10**6)]", "error", "bytes"),
    "prints_one_long_line": ("print('x' * 100_000, flush=True)", "error", "a line of more than"),
    "reports_an_error": ("print('error too hard', flush=True)", "error", "too hard"),
}

Install = Callable[[str], str]


@pytest.fixture
def engine(tmp_path: Path) -> Install:
    """Writes an engine that answers `go` by some code; returns its name as a bot."""

    def install(answer: str) -> str:
        path = tmp_path / "engine.py"
        path.write_text(SCRIPT.format(answer=answer))
        return f"exec:{PYTHON} {shlex.quote(str(path))}"

    return install


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_engine_loses_its_game_and_the_tournament_continues(
    kind: str, engine: Install
) -> None:
    answer, fault, words = BAD[kind]
    plan = tournament(engine(answer), "random", "random", players=3, ms=1)
    outcome = Match(plan, plan.deal(0)[0]).play()
    assert outcome.fault is not None
    assert (outcome.fault.seat, outcome.fault.kind) == (0, fault)
    assert words in outcome.fault.detail
    assert outcome.ranks[0] == 3


def test_an_engine_that_dies_costs_one_game_each_time(engine: Install) -> None:
    bot = engine("sys.exit() if len(legal) > 12 else print('move', legal[0], flush=True)")
    plan = tournament(bot, "random", players=3, ms=1)
    (deal,) = play_deals(plan, 1, 2)
    assert len(deal) == plan.games_per_deal
    assert all(game.fault is None or game.fault.bot == bot for game in deal)


def test_an_engine_that_does_not_read_cannot_block_its_host(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    path.write_text("import time\nprint('hello 1 Deaf', flush=True)\ntime.sleep(60)\n")
    plan = tournament(f"exec:{PYTHON} {shlex.quote(str(path))}", "random", players=3, ms=1)
    outcome = Match(plan, plan.deal(0)[0]).play()
    assert outcome.fault is not None
    assert outcome.fault.kind == "slow"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program", "cannot be started"),
        ("false", "cannot be used as an engine: it ended"),
        ("'open quote", "is not a command"),
        ("", "needs a command"),
    ],
)
def test_an_engine_that_cannot_be_started_gets_a_sentence(command: str, words: str) -> None:
    with pytest.raises(BotError, match=words):
        bot_maker(f"exec:{command}", commands=True)()


def test_an_engine_of_another_protocol_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.py"
    path.write_text("print('hello 2 Newer', flush=True)\ninput()\n")
    with pytest.raises(BotError, match="speaks protocol 2, not 1"):
        bot_maker(f"exec:{PYTHON} {shlex.quote(str(path))}", commands=True)()


def test_the_example_engine_plays_whole_games_and_beats_chance() -> None:
    plan = tournament(f"exec:{PYTHON} {shlex.quote(str(EXAMPLE))}", "random", players=3)
    games = [game for deal in play_deals(plan, 3, 1) for game in deal]
    assert all(game.fault is None for game in games)
    wins = sum(
        game.seating.seats[game.ranks.index(1.0)] == 0 for game in games if 1.0 in game.ranks
    )
    assert wins > len(games) / 2


def test_the_example_engine_has_at_most_forty_lines() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 40


def middle_of_a_game(edition: str = "industry") -> Game:
    game = new_game(["Ana", "Bo", "Cy"], edition=edition, seed="engine")
    rng = Random(3)
    while len(game.moves) < 60 or game.to_move is None or len(game.legal_moves()) < 2:
        if game.to_move is None:
            game.draw()
        else:
            game.play(rng.choice(game.legal_moves()))
    return game


def answers(bot: str, *lines: str) -> list[str]:
    said: list[str] = []
    EngineServer(bot, bot_maker(bot), said.append).serve(lines)
    return said


@pytest.mark.parametrize("edition", ["industry", "industria"])
def test_industry_engine_answers_what_the_bot_chooses(edition: str) -> None:
    game = middle_of_a_game(edition)
    bot, position = bot_maker("engineer")(), game.position
    move = bot.choose(position, position.legal_moves, 0.02, Random(7))
    go = json.dumps({"milliseconds": 20, "seed": 7, "legal": game.legal_moves()})
    said = answers("engineer", "hello 1", f"position {game.record().to_json()}", f"go {go}", "quit")
    assert said == ["hello 1 engineer", f"move {write_move(move, game.board)}"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["hello 2"], "speaks protocol 1"),
        (['go {"milliseconds": 20}'], "needs a `position`"),
        (["sing"], "no message “sing”"),
        (["position {"], "error"),
        (["board {}"], "error"),
    ],
)
def test_a_wrong_message_gets_a_sentence_and_the_engine_continues(
    lines: list[str], words: str
) -> None:
    first, second = answers("random", *lines, "hello 1")
    assert first.startswith("error ")
    assert words in first
    assert second == "hello 1 random"


def test_an_engine_learns_a_board_that_it_does_not_have() -> None:
    game = middle_of_a_game()
    text = game.board.rule_text.replace('"cost":2', '"cost":3', 1)
    board = board_from_rule_text(text, "own")
    own = Game(board, ["Ana", "Bo", "Cy"])
    own.play("draw 1D 1E 1K")
    position, go = f"position {own.record().to_json()}", 'go {"milliseconds": 20}'
    assert "not known: send it" in answers("random", position, go)[0]
    assert answers("random", f"board {text}", position, go)[0].startswith("move 1 ")


@pytest.mark.parametrize("name", ["industry", "industria"])
def test_the_text_of_a_board_hash_gives_the_same_board(name: str) -> None:
    board = load_board(name)
    assert board_from_rule_text(board.rule_text, name).hash == board.hash
    with pytest.raises(BoardError):
        board_from_rule_text(board.rule_text.replace('"1A"', '"9Z"', 1), name)


def test_a_name_from_elsewhere_never_starts_a_command(tmp_path: Path) -> None:
    marker = tmp_path / "started"
    bot = f"exec:touch {shlex.quote(str(marker))}"
    with pytest.raises(BotError, match="not allowed here"):
        bot_maker(bot)
    game = middle_of_a_game()
    game.bots = (bot,) * 3
    Opponents().choose(game, "key")
    assert not marker.exists()


def test_a_resumed_tournament_does_not_run_commands_of_its_file(tmp_path: Path) -> None:
    saved = tmp_path / "deals.jsonl"
    bots = f"exec:{PYTHON} {shlex.quote(str(EXAMPLE))},random"
    play = ["tournament", "--games", "6", "--players", "3", "--processes", "1"]
    result = CliRunner().invoke(cli, [*play, "--bots", bots, "--save", str(saved)])
    assert result.exit_code == 0, result.stderr
    resume = ["tournament", "--resume", str(saved), "--games", "12", "--processes", "1"]
    refused = CliRunner().invoke(cli, resume)
    assert refused.exit_code == 1
    assert "name the bots again with --bots" in refused.stderr
    assert CliRunner().invoke(cli, [*resume, "--bots", bots]).exit_code == 0


def test_the_engineer_plays_on_for_an_engine_that_fails_in_the_terminal(
    engine: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_engines", {})
    game = middle_of_a_game()
    bot = engine("sys.exit('out of ideas')")
    add_engine(bot, tuple(shlex.split(bot.removeprefix("exec:"))))
    game.bots = (bot,) * 3
    opponents = Opponents()
    assert opponents.choose(game, "key") in game.position.legal_moves
    assert "out of ideas" in opponents.new_failure(game, "en")
    assert opponents.new_failure(game, "en") == ""
    assert opponents.choose(game, "key") in game.position.legal_moves


@pytest.mark.parametrize("text", ["mine", "magnate=x", "Mine=x", "=x", "mine="])
def test_a_wrong_definition_of_an_engine_gets_a_sentence(text: str) -> None:
    with pytest.raises(BotError):
        engine_definition(text)
