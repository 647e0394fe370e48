"""The board editor: what it opens, checks and saves, and whom it lets in."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import ndiff
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from industry.boards import BOARDS, BoardError, board_text, load_board
from industry.boards.spec import FIELD_IDS, NETWORK_NAMES, RESOURCE_NAMES
from industry.cli.files import replace_file
from industry.server.editor.board_file import SHIPPED, BoardFile, UnusableFile
from industry.server.editor.drafts import VALUES, checked
from industry.server.protocol.editor import BoardDraft, Checked, Save, Saved, Sheet
from tests.support import proof
from tests.support.disks import small_disk

from ..boards.edits import format_1
from .editing import TOKEN, served

Draft = dict[str, Any]
INDUSTRY = tomllib.loads(board_text("industry"))
PRINTED = {"id": "mine", "kind": "print", "title": "German edition", "address": ""}


class Editor:
    """A board file with a draft of it, as a page has them; `draft` is changed by the tests."""

    def __init__(self, path: Path, origin: str | None = None) -> None:
        self.path = path
        self.file = BoardFile(path, origin, replace_file)
        self.name = path.stem
        self.sheet = self.opened()
        self.stamp = self.sheet.stamp
        self.draft: Draft = self.sheet.draft.model_dump(mode="json")

    def opened(self) -> Sheet:
        opened = self.file.opened()
        assert opened.sheet is not None, opened.problems
        return opened.sheet

    def field(self, name: str) -> Draft:
        found: Draft = self.draft["fields"][FIELD_IDS.index(name)]
        return found

    def check(self) -> Checked:
        return checked(BoardDraft.model_validate(self.draft), self.name)

    def codes(self) -> set[str]:
        return {finding.code for finding in self.check().problems}

    def save(self, name: str | None = None) -> Saved:
        wish = {"name": name or self.name, "stamp": self.stamp, "draft": self.draft}
        saved = self.file.save(Save.model_validate(wish))
        self.stamp = saved.stamp or self.stamp
        return saved


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    """A new board, begun from Industry's."""
    return Editor(tmp_path / "mine.toml")


@pytest.fixture
def saved(editor: Editor) -> Editor:
    """The same, once it is in its file."""
    assert editor.save().trouble is None
    return editor


def changed_lines(before: str, after: str) -> list[str]:
    lines = ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


# Beginning


@pytest.mark.parametrize("origin", BOARDS)
def test_a_new_file_begins_as_a_copy_and_is_not_there_before_it_is_saved(
    tmp_path: Path, origin: str
) -> None:
    editor = Editor(tmp_path / "mine.toml", origin)
    assert editor.sheet.origin == origin
    assert editor.check().problems == []
    assert list(tmp_path.iterdir()) == []
    assert editor.save().trouble is None
    mine = load_board(editor.path)
    assert (mine.id, mine.status, mine.hash) == ("mine", "reconstruction", load_board(origin).hash)


def test_a_copy_keeps_every_source_and_everything_it_states(saved: Editor) -> None:
    ours, theirs = load_board(saved.path), load_board("industry")
    assert [(f.attested, f.source) for f in ours.fields] == [
        (f.attested, f.source) for f in theirs.fields
    ]
    ours_file, theirs_file = (tomllib.loads(saved.path.read_text("utf-8")), INDUSTRY)
    for key in ("field", "link", "source", "provenance"):
        assert ours_file[key] == theirs_file[key]


@pytest.mark.parametrize(
    "name", ["industry", "industry.toml", "Mine.toml", "mine.txt", "a b.toml", ".toml", "mine"]
)
def test_a_file_that_no_board_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnusableFile):
        BoardFile(tmp_path / name, None, replace_file)


def test_the_boards_of_the_program_are_never_edited(editor: Editor) -> None:
    with pytest.raises(UnusableFile, match="comes with the program"):
        BoardFile(SHIPPED / "industry.toml", None, replace_file)
    with pytest.raises(UnusableFile, match="comes with the program"):
        BoardFile(SHIPPED / "mine.toml", None, replace_file)
    assert editor.save("industry").trouble == "shipped"
    editor.path.symlink_to(SHIPPED / "industria.toml")
    before = board_text("industria")
    assert editor.save().trouble == "shipped"
    assert board_text("industria") == before


def test_another_beginning_is_for_new_files_only(saved: Editor) -> None:
    with pytest.raises(UnusableFile, match="exists already"):
        BoardFile(saved.path, "industria", replace_file)
    other = Editor(saved.path.with_name("other.toml"), str(saved.path))
    assert other.sheet.origin == "mine"


def test_a_missing_folder_is_told_before_anything_is_entered(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="no folder"):
        BoardFile(tmp_path / "none" / "mine.toml", None, replace_file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[project]\nname = 'x'\n", "format: this must be the number 2, or 1"),
        ("not toml at all", "not valid TOML"),
        ('format = 1\nedition = "chess"\n', "edition"),
        (board_text("industry").replace('kind   = "joker"', "kind = 3", 1), "1A"),
        (board_text("industry").replace("cost   = 1", "price = 1", 1), "price"),
        (board_text("industry") + '\n[[link]]\nends = ["1A"]\n', "ends"),
        (board_text("industry") + '\n[[link]]\nend = ["1A", "1B"]\n', "end"),
        (board_text("industry").replace("cost   = 1", 'cost   = "one"', 1), "cost"),
        (board_text("industry").replace("cost   = 1", "cost   = 1.0", 1), "whole number"),
        (board_text("industry").replace("cost   = 1", "cost   = true", 1), "whole number"),
        (f"depths = {'[' * 200}{']' * 200}\n{board_text('industry')}", "depths"),
    ],
)
def test_what_is_no_board_file_is_refused_with_the_reason(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BoardError, match=said):
        BoardFile(path, None, replace_file)
    assert path.read_text("utf-8") == text


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BoardError, match="UTF-8"):
        BoardFile(path, None, replace_file)


# Provenance


def printed(draft: Draft, of: Draft, *values: str) -> None:
    """Mark values as entered from the printed board."""
    if PRINTED not in draft["sources"]:
        draft["sources"].append(PRINTED)
    of["provenance"].append(statement(PRINTED["id"], *values))


def statement(source: str, *values: str, note: str = "") -> Draft:
    return {"source": source, "values": list(values), "confidence": "high", "note": note}


def test_a_value_from_the_printed_board_is_marked_in_the_file_and_found_again(
    saved: Editor,
) -> None:
    field = saved.field("1F")
    field["cost"] = 4
    printed(saved.draft, field, "kind", "cost")
    printed(saved.draft, saved.draft["links"][0], "ends")
    printed(saved.draft, saved.draft, "coin_columns")
    assert saved.save().trouble is None
    mine = load_board(saved.path).field("1F")
    assert mine.cost == 4
    assert mine.provenance[-1].source.title == "German edition"
    assert mine.provenance[-1].values == ("kind", "cost")
    again = Editor(saved.path)
    assert again.field("1F")["provenance"] == field["provenance"]
    assert again.draft["links"][0]["provenance"] == [statement("mine", "ends")]
    assert again.draft["provenance"] == saved.draft["provenance"]
    assert again.check().printed == 4


def test_a_file_of_format_1_is_opened_and_saved_in_format_2(tmp_path: Path) -> None:
    text = format_1("industry").replace('id      = "industry"', 'id      = "mine"')
    old = 'source = "Japanese review, katz2019.sakura.ne.jp: a sawmill developed in era 1, '
    start = text.index(old)
    line = text[start : text.index("\n", start)]
    text = text.replace(line, 'source = "printed board, German edition"')
    text = text.replace("# coal to fire them", "# coal to fire them; PRINTED BOARD")
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    editor = Editor(path)
    assert editor.check().printed == 4  # kind, name and makes of 1E, and a link
    assert path.read_text("utf-8") == text, "opening writes nothing"
    editor.field("2E")["cost"] = 9
    assert editor.save().trouble is None
    data = tomllib.loads(path.read_text("utf-8"))
    assert data["format"] == 2
    assert load_board(path).field("2E").cost == 9
    assert "# -------------------- Lines between technologies\n" in path.read_text("utf-8")
    again = Editor(path)
    assert again.draft == editor.draft
    assert again.check().printed == 4


def all_printed(draft: Draft) -> None:
    for field in draft["fields"]:
        field["provenance"] = []
        printed(draft, field, *VALUES[field["kind"]])
    for link in draft["links"]:
        printed(draft, link, "ends")
    printed(draft, draft, "coin_columns")


def test_no_board_is_called_verified_before_every_value_is_confirmed(saved: Editor) -> None:
    all_printed(saved.draft)
    saved.draft["status"] = "verified"
    saved.draft["links"][3]["provenance"] = []
    assert saved.check().printed == saved.check().total - 1
    saved.save()
    assert load_board(saved.path).status == "reconstruction"
    printed(saved.draft, saved.draft["links"][3], "ends")
    assert saved.check().printed == saved.check().total
    saved.save()
    assert load_board(saved.path).status == "verified"
    assert saved.check().remarks == []


# Checking


def test_faults_name_the_field_and_the_value_that_is_wrong(editor: Editor) -> None:
    editor.field("1F")["cost"] = 5000
    editor.field("2G")["name"]["fr"] = " "
    editor.field("1A")["joker"] = None
    editor.field("3C")["bonus"] = {"network": "pipeline", "points": 7}
    editor.field("1K")["needs"] = ["wood", "stone", "brick"]
    editor.draft["coin_columns"] = []
    editor.draft["links"].append({"ends": ["1A", "1E"], "note": "", "provenance": []})
    found = {(f.field, f.value, f.code) for f in editor.check().problems}
    assert {
        ("1F", "cost", "number"),
        ("2G", "name", "name"),
        ("1A", "joker", "missing_key"),
        ("3C", "bonus", "bonus_points"),
        ("1K", "needs", "needs_count"),
        (None, "coin_columns", "coins_industry"),
        ("1A", "links", "link_kinds"),
    } <= found


def test_what_is_missing_on_the_whole_board_is_told_beside_a_single_slip(editor: Editor) -> None:
    editor.field("1F")["name"]["en"] = ""
    editor.field("1H")["makes"] = None
    assert editor.codes() == {"name", "producer_missing"}


def test_a_value_that_the_kind_does_not_have_is_told_and_not_dropped(editor: Editor) -> None:
    editor.field("1K")["cost"] = 2
    assert editor.codes() == {"only_kind"}
    editor.save()
    assert Editor(editor.path).field("1K")["cost"] == 2


def test_the_drawing_shows_what_was_entered(editor: Editor) -> None:
    before = editor.check().board
    editor.field("1F")["networks"] = ["river", "power"]
    editor.draft["links"].append({"ends": ["1E", "1H"], "note": "", "provenance": []})
    board = editor.check().board
    assert board.fields[5].networks == ["river", "power"]
    assert len(board.layout.ways) == len(before.layout.ways) + 1
    assert "1F" in next(way.ends for way in board.layout.ways if way.name == "power")


def disturbed(draft: Draft, random: Random) -> None:
    """Some values as a person could leave them, right or wrong."""
    edition = draft["edition"]
    resources, networks = RESOURCE_NAMES[edition], NETWORK_NAMES[edition]
    for field in random.sample(draft["fields"], 12):
        key = random.choice([*VALUES["factory"], "joker", "bonus", "provenance"])
        field[key] = {
            "kind": random.choice(list(VALUES)),
            "name": {"en": random.choice(["", "#", 'a"b\\', "x\n=", "\x7f\x00", "é" * 199])}
            | {"de": "'''", "fr": "]]"},
            "cost": random.choice([-1, 0, 7, 10**9]),
            "needs": random.choices(resources, k=random.randrange(4)),
            "makes": random.choice([None, *resources]),
            "points": random.choice([-3, 0, 10**9]),
            "discount": random.choice([0, 1, 2]),
            "networks": random.choices(networks, k=random.randrange(3)),
            "joker": random.choice([None, "any", *resources]),
            "bonus": random.choice([None, {"network": networks[0], "points": 3}]),
            "provenance": [
                statement(
                    random.choice(["", draft["sources"][0]["id"], '"""']),
                    *random.choices(("name", "cost", "colour"), k=random.randrange(3)),
                    note=random.choice(["", "printed board", "a; b: c # d", '"""', "x\ny"]),
                )
            ],
        }[key]
    ends = random.choices(FIELD_IDS, k=2)
    draft["links"].append({"ends": ends, "note": "a # b; c", "provenance": []})
    del draft["links"][random.randrange(len(draft["links"]))]


@pytest.mark.parametrize("seed", proof.cases(range(16), 4))
def test_whatever_is_entered_is_checked_drawn_saved_and_found_again(
    tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    editor = Editor(tmp_path / "mine.toml", BOARDS[seed % 2])
    for _ in range(3):
        disturbed(editor.draft, random)
        found = editor.check()
        assert len(found.board.fields) == 60
        assert editor.save().trouble is None
    again = Editor(editor.path)
    assert {(f.place, f.code) for f in again.check().problems} == {
        (f.place, f.code) for f in found.problems
    }
    for ours, theirs in zip(editor.draft["fields"], again.draft["fields"], strict=True):
        values = (*VALUES["factory"], "joker", "bonus")
        assert {key: ours[key] for key in values} == {key: theirs[key] for key in values}
    wanted = sorted(link["ends"] for link in editor.draft["links"])
    assert sorted(link["ends"] for link in again.draft["links"]) == wanted


# Saving


def test_saving_changes_the_lines_of_the_changed_values_and_no_other(saved: Editor) -> None:
    before = saved.path.read_text("utf-8")
    saved.field("2E")["cost"] = 9
    saved.draft["links"][0]["note"] = "clay"
    assert saved.save().trouble is None
    assert changed_lines(before, saved.path.read_text("utf-8")) == [
        "- cost   = 2",
        "+ cost   = 9",
        '- note = "clay to the brick kilns"',
        '+ note = "clay"',
    ]


def test_a_draft_with_faults_is_saved_and_can_be_gone_on_with(saved: Editor) -> None:
    saved.field("1F")["cost"] = 5000
    saved.field("3G")["name"]["en"] = ""
    assert saved.save().trouble is None
    with pytest.raises(BoardError) as refused:
        load_board(saved.path)
    assert str(refused.value) == (
        f"{saved.path}: 1F: “cost” must be a whole number from 0 to 1000 "
        f"(and 1 more: see “industry board check {saved.path}”)"
    )
    again = Editor(saved.path)
    assert again.field("1F")["cost"] == 5000
    again.field("1F")["cost"] = 5
    again.field("3G")["name"]["en"] = "Locomotive works"
    assert again.save().trouble is None
    assert load_board(saved.path).field("1F").cost == 5


def test_a_file_that_somebody_else_has_changed_is_not_overwritten(saved: Editor) -> None:
    theirs = saved.path.read_text("utf-8") + "# a note of somebody else\n"
    saved.path.write_text(theirs, "utf-8")
    saved.field("1F")["cost"] = 5
    assert saved.save().trouble == "taken"
    assert saved.path.read_text("utf-8") == theirs
    assert saved.save("mine-2").trouble is None
    assert load_board(saved.path.with_name("mine-2.toml")).field("1F").cost == 5
    saved.stamp = saved.opened().stamp
    assert saved.save().trouble is None
    assert saved.path.read_text("utf-8").endswith("# a note of somebody else\n")


def test_another_name_never_overwrites_a_file(saved: Editor) -> None:
    other = saved.path.with_name("other.toml")
    other.write_bytes(b"\xff")
    assert saved.save("other").trouble == "taken"
    assert other.read_bytes() == b"\xff"


def test_a_file_that_was_deleted_meanwhile_is_written_again(saved: Editor) -> None:
    saved.path.unlink()
    assert saved.save().trouble is None
    assert load_board(saved.path).id == "mine"


def test_where_there_is_no_room_the_file_stays_as_it_was(saved: Editor) -> None:
    before = saved.path.read_bytes()
    saved.field("1F")["cost"] = 5
    with small_disk(4000):
        assert saved.save().trouble == "disk_full"
    assert saved.path.read_bytes() == before
    assert [path.name for path in saved.path.parent.iterdir()] == ["mine.toml"]
    assert saved.save().trouble is None


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """As somebody who may read the folder and not write to it."""
    mode, user = folder.stat().st_mode, os.geteuid()
    folder.chmod(0o555)
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)
        folder.chmod(mode)


def test_a_folder_that_may_not_be_written_to_is_told(saved: Editor) -> None:
    before = saved.path.read_bytes()
    with without_rights(saved.path.parent):
        assert saved.save().trouble == "unwritable"
    assert saved.path.read_bytes() == before


def test_a_folder_that_is_gone_is_told(saved: Editor) -> None:
    saved.path.unlink()
    saved.path.parent.rmdir()
    assert saved.save().trouble == "no_folder"
    saved.path.parent.write_bytes(b"")
    assert saved.save().trouble == "no_folder"
    saved.path.parent.unlink()
    saved.path.parent.mkdir()
    assert saved.save().trouble is None


def test_a_link_to_a_file_stays_a_link(saved: Editor) -> None:
    target = saved.path.rename(saved.path.with_name("kept.toml"))
    saved.path.symlink_to(target)
    saved.field("1F")["cost"] = 5
    assert saved.save().trouble is None
    assert saved.path.is_symlink()
    assert "cost   = 5" in target.read_text("utf-8")


# Whom it lets in


@pytest.fixture
def site(editor: Editor) -> Iterator[httpx.Client]:
    """The editor behind a port, asked by somebody with the token."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    with (
        served(editor.file) as url,
        httpx.Client(base_url=f"{url}/api/editor", headers=headers, timeout=30) as client,
    ):
        yield client


def wish(editor: Editor, **changes: Any) -> Draft:
    return {"name": "mine", "stamp": "", "draft": editor.draft} | changes


def ask(site: httpx.Client, path: str, body: Draft | None, **more: Any) -> httpx.Response:
    return site.get(path, **more) if body is None else site.post(path, json=body, **more)


def test_the_page_opens_checks_and_saves(site: httpx.Client, editor: Editor) -> None:
    assert site.get("/sheet").json()["sheet"]["name"] == "mine"
    body = {"name": "mine", "draft": editor.draft}
    assert site.post("/check", json=body).json()["problems"] == []
    assert site.post("/save", json=wish(editor)).json()["trouble"] is None
    assert load_board(editor.path).id == "mine"
    assert site.get("/sheet", params={"name": "mine"}).json()["sheet"]["stamp"]


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"],
)
def test_nobody_reads_or_writes_without_the_token(
    site: httpx.Client, editor: Editor, authorization: str
) -> None:
    body = {"name": "mine", "draft": editor.draft}
    for path, sent in (("/sheet", None), ("/check", body), ("/save", wish(editor))):
        headers = {"authorization": authorization.encode()}
        answer = ask(site, path, sent, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_token"), path
    assert not editor.path.exists()


def test_pages_of_other_origins_and_other_names_of_this_machine_are_refused(
    site: httpx.Client, editor: Editor
) -> None:
    foreign = site.post("/save", json=wish(editor), headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    rebound = site.post("/save", json=wish(editor), headers={"host": "evil.example"})
    assert rebound.status_code == 400
    assert not editor.path.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../mine"},
        {"name": "/etc/passwd"},
        {"name": ""},
        {"stamp": "x"},
        {"draft": None},
        {"draft": {}},
        {"more": 1},
    ],
)
def test_malformed_requests_are_refused_and_write_nothing(
    site: httpx.Client, editor: Editor, change: Draft
) -> None:
    answer = site.post("/save", json=wish(editor, **change))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_message")
    assert list(editor.path.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("edition", "chess"),
        ("fields", []),
        ("links", [{"ends": ["1A"], "note": "", "provenance": []}]),
        ("links", [{"ends": ["1A", "9Z"], "note": "", "provenance": []}]),
        ("links", [{"ends": ["1A", "1B"], "note": "x" * 3000, "provenance": []}]),
        ("links", [{"ends": ["1A", "1B"], "note": "", "provenance": [{"source": "x"}]}]),
        ("sources", [{"id": "x", "kind": "rumour", "title": "", "address": ""}]),
        ("coin_columns", ["AB"]),
        ("status", "printed"),
    ],
)
def test_malformed_drafts_are_refused_and_write_nothing(
    site: httpx.Client, editor: Editor, key: str, value: object
) -> None:
    editor.draft[key] = value
    assert site.post("/save", json=wish(editor)).status_code == 422
    assert list(editor.path.parent.iterdir()) == []


def test_bodies_that_no_board_needs_are_refused(site: httpx.Client) -> None:
    assert site.post("/save", content=b"x" * 2_000_000).status_code == 413
    assert site.post("/save", content=b"[" * 100_000).status_code == 422
    assert site.post("/save", content=b"\xff").status_code == 422
    assert site.get("/sheet", params={"name": "../x"}).status_code == 422


def test_a_file_that_was_broken_meanwhile_is_told_with_the_reason(
    site: httpx.Client, editor: Editor
) -> None:
    editor.path.write_text("format = 1", "utf-8")
    opened = site.get("/sheet").json()
    assert opened["sheet"] is None
    assert [problem["code"] for problem in opened["problems"]] == ["choice"]
