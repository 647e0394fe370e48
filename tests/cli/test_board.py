"""`industry board`: what the boards are, how they look, and what is wrong with a file."""

import json
import os
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from industry.boards import BOARDS, board_text, load_board
from industry.cli.app import cli
from industry.texts import LANGUAGES, say

from ..boards.edits import format_1
from .running import PROGRAM


def run(*arguments: str, width: int = 100) -> Result:
    """The command in this process; anything but a normal exit is a bug."""
    result = CliRunner(env={"COLUMNS": str(width)}).invoke(cli, ["board", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def shown(*arguments: str, width: int = 100) -> str:
    result = run("show", *arguments, width=width)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str) -> str:
    """The one sentence after `Error:`; nothing is printed but that."""
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr.removeprefix("Error: ").strip()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A user's own board file, made as the manual says."""
    path = tmp_path / "mine.toml"
    text = run("show", "industry", "--toml").stdout
    path.write_text(text.replace('id      = "industry"', 'id      = "mine"'), encoding="utf-8")
    return path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


# --- list -----------------------------------------------------------------------------------------


def test_list_names_the_boards_with_edition_status_hash_and_what_is_attested() -> None:
    output = run("list").stdout
    for name in BOARDS:
        board = load_board(name)
        attested = sum(len(field.attested) for field in board.fields)
        assert say(f"edition.{board.edition}") in output
        assert f"reconstruction: a source states {attested} values" in output
        assert board.hash in output


def test_list_as_json() -> None:
    found = {entry["id"]: entry for entry in json.loads(run("list", "--json").stdout)}
    assert list(found) == list(BOARDS)
    industry = load_board("industry")
    assert found["industry"] == {
        "id": "industry",
        "edition": "industry",
        "status": "reconstruction",
        "hash": industry.hash,
        "attested_values": sum(len(field.attested) for field in industry.fields),
        "attested_fields": sum(bool(field.attested) for field in industry.fields),
    }


# --- show -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [50, 80, 100, 140, 200])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BOARDS)
def test_show_fits_the_terminal_and_leaves_out_no_field(
    name: str, language: str, width: int
) -> None:
    output = shown(name, "--language", language, width=width)
    board = load_board(name)
    assert max(len(line) for line in output.splitlines()) <= max(width, len(board.hash))
    assert "…" not in output
    words = set(output.replace("│", " ").replace("•", " ").split())
    for field in board.fields:
        assert field.id in words
    note = say("board.reconstruction", language)
    assert note in " ".join(output.split("\n"))


def row(output: str, field: str) -> str:
    """The line of a field in the list, with single spaces."""
    (line,) = (line for line in output.splitlines() if line.startswith(field))
    return " ".join(line.split())


def test_a_line_of_the_list_shows_everything_about_a_field_and_marks_attested_values() -> None:
    output = shown("industry", width=140)
    assert row(output, "1F") == "1F Iron ore mine• Factory• 2• wood• 2• railway 2F"
    assert row(output, "1C") == "1C Port• Bonus field• 1 ×2• river"
    assert row(output, "1J") == "1J Brickworks Factory• 2 stone, wood brick• 1G 1I"
    assert row(output, "1L") == "1L• Engineering• Technology• wood 2• 1K 2L 3L"
    assert row(output, "2I") == "2I Bank• Factory• 3 stone −1• 2 3I"
    assert row(output, "4A") == "4A “?” joker Joker• any resource•"
    assert say("picture.list_signs") in " ".join(output.split("\n"))


def test_a_card_of_the_grid_shows_the_same() -> None:
    output = shown("industry", "--era", "1", width=60)
    cells = [cell.strip() for line in output.splitlines() for cell in line.split("│")]
    for part in (
        "1F Factory•",
        "Iron ore mine•",
        "2T• 2P•",
        "+wood•",
        "~railway",
        "=2F",
        "1T ×2P•",
    ):
        assert part in cells


def test_the_coin_column_and_the_resources_of_each_era_are_named() -> None:
    output = shown("industry")
    assert "Column token with the coin: F" in output
    assert "Era I · stone, brick, wood (bank sells from II)" in output
    assert "Era IV · plastic, computers (bank sells from V)" in output
    assert "Column token" not in shown("industria")


def test_one_era_alone() -> None:
    output = shown("industry", "--era", "3")
    assert "3A" in output
    assert "Era III" in output
    assert "Era II " not in output
    assert not [line for line in output.splitlines() if line.startswith(("2A", "4A"))]


def test_toml_prints_the_file_as_it_is() -> None:
    for name in BOARDS:
        assert shown(name, "--toml") == board_text(name)


def test_a_board_of_your_own_is_shown_like_the_others(mine: Path) -> None:
    edit(mine, '"Coal mine"', '"Peat [bold]cutting[/bold]"')
    output = shown(str(mine), width=140)
    assert "Peat [bold]cutting[/bold]" in output
    assert shown(str(mine), "--toml") == mine.read_text(encoding="utf-8")


def test_a_verified_board_says_so_instead(mine: Path) -> None:
    edit(mine, 'status  = "reconstruction"', 'status  = "verified"')
    output = " ".join(shown(str(mine)).split("\n"))
    assert say("picture.verified") in output
    assert say("board.reconstruction") not in output


def test_control_characters_in_names_do_not_reach_the_terminal(mine: Path) -> None:
    edit(mine, '"Coal mine"', '"Coal\\u001b[31m mine"')
    assert "\x1b" not in shown(str(mine))


def test_json_holds_the_whole_board() -> None:
    data = json.loads(shown("industry", "--json"))
    board = load_board("industry")
    assert data["hash"] == board.hash
    assert data["coin_columns"] == ["F"]
    assert len(data["fields"]) == 60
    assert data["links"] == [list(ends) for ends in board.links]
    mine = next(field for field in data["fields"] if field["id"] == "1F")
    assert (mine["cost"], mine["needs"], mine["points"]) == (2, ["wood"], 2)
    assert mine["name"]["de"] == "Eisenerzgrube"
    assert mine["attested"] == ["kind", "name", "cost", "needs", "points"]
    assert mine["source"]


def test_json_of_one_era_has_its_fields_and_the_links_that_touch_it() -> None:
    data = json.loads(shown("industry", "--json", "--era", "5"))
    assert [field["id"][0] for field in data["fields"]] == ["5"] * 12
    assert ["4F", "5F"] in data["links"]
    assert ["1I", "1J"] not in data["links"]


# --- picture --------------------------------------------------------------------------------------


def test_svg_writes_the_picture_in_the_requested_language_and_theme(tmp_path: Path) -> None:
    light, dark = tmp_path / "light.svg", tmp_path / "dark.svg"
    output = shown("industry", "--svg", str(light), "--language", "de")
    assert str(light) in output
    shown("industry", "--svg", str(dark), "--theme", "dark")
    text = light.read_text(encoding="utf-8")
    assert ET.fromstring(text).tag.endswith("svg")
    assert "Eisenerzgrube" in text
    assert "Iron ore mine" in dark.read_text(encoding="utf-8")
    assert text.count("#f4f1e7") > 0, "the paper of the light theme"
    assert "#f4f1e7" not in dark.read_text(encoding="utf-8")


def test_svg_replaces_a_file_only_with_force(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    path.write_text("mine", encoding="utf-8")
    assert "already exists" in refused("show", "industry", "--svg", str(path))
    assert path.read_text(encoding="utf-8") == "mine"
    shown("industry", "--svg", str(path), "--force")
    assert path.read_text(encoding="utf-8").endswith("</svg>\n")
    assert [file.name for file in tmp_path.iterdir()] == ["board.svg"]


def test_a_picture_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "board.svg"
    assert "cannot be written" in refused("show", "industry", "--svg", str(missing))
    assert "cannot be written" in refused("show", "industry", "--svg", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--toml", "--json"), "cannot be combined"),
        (("--svg", "x.svg", "--json"), "cannot be combined"),
        (("--theme", "dark"), "belong to --svg"),
        (("--force",), "belong to --svg"),
        (("--era", "2", "--toml"), "--era cannot be combined"),
        (("--era", "6"), "1<=x<=5"),
        (("--language", "it"), "'en', 'de', 'fr'"),
        (("--theme", "sepia"), "'light', 'dark'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: tuple[str, ...], reason: str
) -> None:
    result = run("show", "industry", *arguments)
    assert result.exit_code == 2
    assert reason in result.stderr


# --- check ----------------------------------------------------------------------------------------


def test_check_passes_a_good_file_and_prints_its_hash(mine: Path) -> None:
    result = run("check", str(mine), "industria")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{mine}: playable ({load_board('industry').hash})",
        f"industria: playable ({load_board('industria').hash})",
    ]


def test_check_names_each_field_and_the_reason(mine: Path) -> None:
    edit(mine, 'needs  = ["wood"]\npoints = 2\nnetworks', "needs  = []\npoints = -2\nnetworks")
    edit(mine, 'name   = { en = "Quarry", ', "name   = { ")
    result = run("check", str(mine))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{mine}: not playable, 2 problems",
        "  1F: “points” must be a whole number from 0 to 1000",
        "  1H: the name must be given in every language (en, de, fr), up to 60 characters each",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_reports_in_the_requested_language(mine: Path, language: str) -> None:
    edit(mine, "cost   = 1", "cost   = 1.5")
    result = run("check", str(mine), "--language", language)
    problem = say("board.problem.number", language, key="cost", most=1000)
    reason = say("board.at_place", language, place="1C", problem=problem)
    assert result.stdout.splitlines()[1] == f"  {reason}"


def test_one_bad_file_among_good_ones_is_enough_for_exit_code_1(mine: Path) -> None:
    edit(mine, "format  = 2", "format  = 9")
    result = run("check", "industry", str(mine), "industria")
    assert result.exit_code == 1
    assert [line.split(" (")[0] for line in result.stdout.splitlines()] == [
        "industry: playable",
        f"{mine}: not playable, 1 problem",
        "  format: this must be the number 2, or 1 in a file of the earlier format",
        "industria: playable",
    ]


def test_remarks_are_printed_and_do_not_count(mine: Path) -> None:
    edit(mine, 'status  = "reconstruction"', 'status  = "verified"')
    result = run("check", str(mine))
    assert result.exit_code == 0
    first, second, *_ = result.stdout.splitlines()
    assert first.startswith(f"{mine}: playable")
    assert second.startswith("  remark: 1A: the board is called verified")


def test_check_as_json(mine: Path) -> None:
    edit(mine, "cost   = 1", 'colour = "red"')
    result = run("check", "industry", str(mine), "--json")
    assert result.exit_code == 1
    good, bad = json.loads(result.stdout)
    assert good == {
        "file": "industry",
        "playable": True,
        "hash": load_board("industry").hash,
        "problems": [],
        "remarks": [],
    }
    assert (bad["file"], bad["playable"], bad["hash"]) == (str(mine), False, None)
    assert bad["problems"] == [
        {
            "place": "1C",
            "code": "unknown_key",
            "sentence": "1C: the key “colour” is unknown",
        }
    ]


# --- bad input ------------------------------------------------------------------------------------


def bad_files(folder: Path) -> dict[str, str]:
    """Names of things that are not a board, each with a word of the answer."""
    text = board_text("industry").replace('id      = "industry"', 'id      = "cut"')
    contents = {
        "latin.toml": (text.encode("latin-1", errors="replace"), "not UTF-8"),
        "cut.toml": (text.encode()[:3000], "not valid TOML"),
        "empty.toml": (b"", "this must be the number 2, or 1"),
        "zeros.toml": (b"\0" * 50, "not valid TOML"),
        "deep.toml": (b"a = " + b"[" * 40_000, "not valid TOML"),
        "large.toml": (b"#" * 2_000_000, "larger than"),
        "other.toml": (text.encode(), "the two must agree"),
        "list.toml": (b"format = [1]\nfield = 3\nlink = 'x'\n", "this must be the number 2, or 1"),
        "picture.svg": (b"<svg/>", "not valid TOML"),
    }
    for name, (content, _) in contents.items():
        (folder / name).write_bytes(content)
    answers = {str(folder / name): answer for name, (_, answer) in contents.items()}
    return answers | {
        str(folder): "Is a directory",
        str(folder / "missing.toml"): "No such file",
        "industri": "there is no such board; known boards: industry, industria",
    }


def test_every_bad_input_gets_a_sentence(tmp_path: Path) -> None:
    for name, answer in bad_files(tmp_path).items():
        assert answer in refused("show", name), name
        result = run("check", name)
        assert result.exit_code == 1
        assert answer in result.stdout, name


def test_a_file_with_many_problems_is_answered_with_the_first_and_where_to_see_all(
    mine: Path,
) -> None:
    text = mine.read_text(encoding="utf-8").replace("cost   = 2", "cost   = -2")
    mine.write_text(text, encoding="utf-8")
    sentence = refused("show", str(mine))
    assert "1F: “cost” must be a whole number" in sentence
    assert f"more: see “industry board check {mine}”" in sentence


def test_a_reader_that_leaves_early_is_not_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*PROGRAM, "board", "show", "industry"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 141


def test_the_program_ends_with_the_code_of_the_check(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("format = 1\n", encoding="utf-8")
    for name, code in (("industry", 0), (str(bad), 1)):
        done = subprocess.run([*PROGRAM, "board", "check", name], capture_output=True, check=False)
        assert done.returncode == code


# migrate


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    """A user's own board in format 1, with comments."""
    path = tmp_path / "mine.toml"
    text = format_1("industry").replace('id      = "industry"', 'id      = "mine"')
    path.write_text(text.replace("cost   = 2\n", "cost   = 2  # as I remember\n"), "utf-8")
    return path


def test_migrate_rewrites_a_file_of_format_1_and_keeps_values_hash_and_comments(
    old_file: Path,
) -> None:
    before, text = load_board(old_file), old_file.read_text("utf-8")
    done = run("migrate", str(old_file))
    assert (done.exit_code, done.stdout) == (0, f"{old_file}: rewritten in format 2.\n")
    after, new = load_board(old_file), old_file.read_text("utf-8")
    assert "format  = 2\n" in new
    assert (after.hash, after.id) == (before.hash, before.id)
    assert [(f.attested, f.source) for f in after.fields] == [
        (f.attested, f.source) for f in before.fields
    ]
    kept = [line for line in text.splitlines() if line.startswith("# ") or "# as I" in line]
    assert [line for line in new.splitlines() if line in kept] == kept
    again = run("migrate", str(old_file))
    assert (again.exit_code, again.stdout) == (0, f"{old_file}: already in format 2.\n")
    assert old_file.read_text("utf-8") == new


def test_migrate_check_only_says_what_would_be_rewritten(old_file: Path) -> None:
    before = old_file.read_bytes()
    done = run("migrate", "--check", str(old_file))
    assert (done.exit_code, done.stdout) == (1, f"{old_file}: not yet in format 2.\n")
    assert old_file.read_bytes() == before
    run("migrate", str(old_file))
    assert run("migrate", "--check", str(old_file)).exit_code == 0


def test_migrate_refuses_bad_files_with_a_sentence_and_writes_none(old_file: Path) -> None:
    bad = old_file.with_name("bad.toml")
    bad.write_text(old_file.read_text("utf-8").replace('"mine"', '"bad"', 1) + "x = [", "utf-8")
    before = old_file.read_bytes()
    for wrong in (bad, old_file.with_name("none.toml"), "industry"):
        done = run("migrate", str(old_file), str(wrong))
        assert done.exit_code == 1
        assert str(wrong) in done.stderr
        assert "Traceback" not in done.stderr
    assert old_file.read_bytes() == before
