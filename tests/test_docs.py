"""The documents tell the truth: their examples run, their commands, options and links exist."""

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click
import pytest

from industry.boards import load_board, read, store
from industry.boards.keys import FIELD_KEYS
from industry.boards.picture import board_svg
from industry.boards.spec import NETWORK_NAMES, RESOURCE_NAMES
from industry.cli import files
from industry.cli.app import cli
from industry.notation import move_text, record, record_from_data, verify
from industry.notation.options import CHOICES
from industry.notation.record import SCORE_PARTS

from .cli.running import Outcome, run

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CLI = ROOT / "docs" / "cli.md"
RECORDS = ROOT / "docs" / "records.md"
TERMINAL = ROOT / "docs" / "terminal.md"
PYTHON = ROOT / "docs" / "python.md"
FORMATS = ROOT / "docs" / "formats.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")])

MOST_GAMES = 50
"""Larger simulations of the documents are cut down to this."""
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# Python


@pytest.mark.parametrize("page", [README, PYTHON, FORMATS], ids=name)
def test_python_examples_do_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(
        str(page), module_relative=False, optionflags=LOOSE, encoding="utf-8"
    )
    assert tried > 0
    assert failed == 0


# the shell


@dataclass(frozen=True)
class ShellLine:
    """A line of a shell block; `shown` is the output that the page prints below it."""

    line: str
    shown: str = ""


def shell_lines(page: Path) -> Iterator[ShellLine]:
    """The lines of all shell blocks; a text block right below one is the output of its end."""
    text = text_of(page)
    fences = list(FENCE.finditer(text))
    for fence, following in zip(fences, [*fences[1:], None], strict=True):
        if fence[1] != "sh":
            continue
        joined = fence[2].replace("\\\n", " ")
        steps = [ShellLine(line) for line in joined.splitlines() if line.strip()]
        below = following is not None and not text[fence.end() : following.start()].strip()
        if following is not None and below and following[1] == "text":
            steps[-1] = replace(steps[-1], shown=following[2])
        yield from steps


def smaller(line: str) -> str:
    """The same command with no more games and lines than a test can wait for."""
    line = re.sub(r"(?<=--lines )\d+", "2", line)
    return re.sub(r"(?<=--games )\d+", lambda games: str(min(int(games[0]), MOST_GAMES)), line)


def edit(folder: Path, line: str) -> bool:
    """Do what `# edit FILE: KEY = VALUE` asks of the reader."""
    asked = re.fullmatch(r"# edit (\S+): ((\w+) = .+)", line)
    if asked is None:
        return False
    path = folder / asked[1]
    old = path.read_text(encoding="utf-8")
    new = re.sub(rf"^{asked[3]}\s*=.*$", asked[2], old, count=1, flags=re.MULTILINE)
    assert new != old
    path.write_text(new, encoding="utf-8")
    return True


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own in a terminal of 80 columns."""
    programs = Path(sys.executable).parent
    environment = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "COLUMNS": "80",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path


def run_line(line: str) -> Outcome:
    """A command of a page: in this process, or by the shell where the line is for a shell.

    A process for each of them would load the same modules again and again.
    """
    words = shlex.split(line)
    if not {"<", ">", "|"} & set(words):
        return run(*words[1:])
    done = subprocess.run(
        line, shell=True, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("page", [README, RECORDS, TERMINAL, CLI], ids=name)
def test_commands_run_and_print_what_the_page_shows(page: Path, home: Path) -> None:
    ran = 0
    for step in shell_lines(page):
        if edit(home, step.line) or not step.line.startswith("industry "):
            continue
        done = run_line(smaller(step.line))
        ran += 1
        assert done.code == 0, f"{step.line}\n{done.out}{done.err}"
        assert not step.shown or doctest.OutputChecker().check_output(
            step.shown, done.out, LOOSE
        ), f"{step.line} prints\n{done.out}\nand {page.name} shows\n{step.shown}"
    assert ran > 2


def test_make_targets_that_the_documents_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", text_of(page), re.MULTILINE)
    }
    assert {"play", "test", "check"} <= named <= targets


# the command line's own page


def commands(group: click.Group, prefix: str = "industry") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix} {word}")
        else:
            yield f"{prefix} {word}", command


def options(command: click.Command) -> set[str]:
    return {
        word
        for parameter in command.params
        if isinstance(parameter, click.Option)
        if not getattr(parameter, "hidden", False)  # for processes that a command starts itself
        for word in (*parameter.opts, *parameter.secondary_opts)
    }


def section(page: Path, title: str) -> str:
    """The text under a heading, up to the next one."""
    found = re.search(
        rf"^#+ {re.escape(title)}$(.*?)(?=^#|\Z)",
        FENCE.sub(lambda fence: fence[0].replace("\n#", "\n "), text_of(page)),
        re.MULTILINE | re.DOTALL,
    )
    assert found is not None, f"{page.name} has no section {title}"
    return found[1]


def test_every_command_has_its_section_with_exactly_its_options() -> None:
    wrong = {}
    for title, command in commands(cli):
        table = re.findall(r"^\| (`-.*?) \|", section(CLI, title), re.MULTILINE)
        named = {word for cell in table for word in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", cell)}
        if named != options(command):
            wrong[title] = named ^ options(command)
    assert wrong == {}


def test_the_help_of_every_command_explains_each_option() -> None:
    unexplained = [
        f"{title} {option.opts[0]}"
        for title, command in commands(cli)
        for option in command.params
        if isinstance(option, click.Option)
        if not option.hidden and not option.help
    ]
    assert unexplained == []


def test_the_page_of_commands_has_no_section_of_a_command_that_does_not_exist() -> None:
    titles = re.findall(r"^#+ (industry .+)$", text_of(CLI), re.MULTILINE)
    assert sorted(titles) == sorted(title for title, _ in commands(cli))


# formats


def toml_blocks() -> list[dict[str, object]]:
    return [
        tomllib.loads(fence[2]) for fence in FENCE.finditer(text_of(FORMATS)) if fence[1] == "toml"
    ]


def test_the_format_page_names_every_key_of_a_field_and_every_word_of_the_format() -> None:
    text = text_of(FORMATS)
    tables = (*CHOICES.values(), *RESOURCE_NAMES.values(), *NETWORK_NAMES.values())
    words = {*FIELD_KEYS, *CHOICES, *SCORE_PARTS, *(word for words in tables for word in words)}
    assert [word for word in sorted(words) if not re.search(rf"\b{word}\b", text)] == []


def test_the_format_page_states_the_limits_of_the_readers() -> None:
    numbers = set(re.findall(r"\d[\d,]*", text_of(FORMATS)))
    limits = {
        read.MAX_NUMBER,
        store.MAX_BOARD_BYTES,
        files.MAX_LINE,
        move_text.MAX_LINE,
        record.MAX_MOVES,
        record.MAX_NAME,
        record.MAX_NUMBER,
    }
    assert {f"{limit:,}" for limit in limits} <= numbers


def test_the_example_record_is_a_legal_game() -> None:
    board = load_board("industry")
    data = toml_blocks()[1] | {"board_hash": board.hash}
    example = record_from_data(data)
    assert len(example.moves) > 10
    assert verify(example, board) is None


# pictures and links


def test_the_picture_of_the_board_is_the_one_that_the_command_draws() -> None:
    picture = ROOT / "docs" / "pictures" / "board.svg"
    drawn = board_svg(load_board("industry"), "en", "light")
    assert picture.read_text(encoding="utf-8") == drawn, (
        "draw it again: industry board show industry --svg docs/pictures/board.svg --force"
    )


def anchors(page: Path) -> set[str]:
    """The names that headings get when the page is shown."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", LINK.sub("", heading)).lower() for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target in LINK.findall(INLINE_CODE.sub("", FENCE.sub("", text_of(page)))):
        if re.match(r"https?:", target):
            continue
        file, _, anchor = target.partition("#")
        goal = (page.parent / file).resolve() if file else page
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            broken.append(target)
    assert broken == []


# the architecture

ANSWER = re.compile(r"^\| [^|]+\? \| `([^`]+)` \(`([^`]+)`\) \|$", re.MULTILINE)


def test_the_architecture_says_where_to_change_what() -> None:
    """A newcomer finds the place of any rule, message, text, option and page."""
    table = section(ROOT / "ARCHITECTURE.md", "Where to change what")
    answers = ANSWER.findall(table)
    assert len(answers) == table.count("\n| ") - 1, "a row is not a question and an answer"
    assert len(answers) >= 20
    for path, symbol in answers:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert symbol in source, f"{path} has no {symbol}"
