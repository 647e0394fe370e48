"""Every rule of the board format and of ruling A1: one change to a good board, one finding."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from industry.boards import BOARDS, BoardError, load_board
from industry.boards.check import board_remarks
from industry.boards.provenance import PRINT, Source, Statement
from industry.boards.store import MAX_BOARD_BYTES
from industry.texts import LANGUAGES, catalogue

from .edits import (
    added,
    blocks,
    board,
    field_block,
    format_1,
    good,
    in_field,
    problems,
    renewed,
    replaced,
    without,
)

Edit = Callable[[str], str]
Case = tuple[str, str, Edit]
"""The code and the place that the loader names, and the change that it is about."""
INDUSTRY = good("industry")
INDUSTRIA = good("industria")

FIRST_LINK = 'ends = ["1I", "1J"]'


def top(old: str, new: str) -> Edit:
    return lambda text: replaced(text, old, new)


def field(name: str, old: str, new: str) -> Edit:
    return lambda text: in_field(text, name, old, new)


def add(name: str, line: str) -> Edit:
    return lambda text: added(text, name, line)


def drop(name: str, key: str) -> Edit:
    return lambda text: without(text, name, key)


def change(name: str, line: str) -> Edit:
    return lambda text: renewed(text, name, line)


def link(new: str) -> Edit:
    return lambda text: replaced(text, FIRST_LINK, new)


def in_source(name: str, old: str, new: str) -> Edit:
    """Changes something that occurs once in the table of a source."""

    def edit(text: str) -> str:
        (block,) = (piece for piece in blocks(text) if f'[[source]]\nid    = "{name}"' in piece)
        return replaced(text, block, replaced(block, old, new))

    return edit


def no_tables(key: str) -> Edit:
    """A number where a list of tables belongs."""

    def edit(text: str) -> str:
        head, *rest = blocks(text)
        others = [piece for piece in rest if not piece.startswith(f"\n[[{key}]]")]
        return "".join([head, f"\n{key} = 3\n", *others])

    return edit


def as_factory(name: str, line: str) -> Edit:
    """A joker field that becomes a factory."""
    return lambda text: without(
        renewed(added(text, name, line), name, 'kind = "factory"'), name, "joker"
    )


SHAPE: list[Case] = [
    ("toml", "", top('edition = "industry"', 'edition = "industry')),
    ("toml", "", lambda text: text[:5000]),
    ("toml", "", lambda text: text + '\nid = "twice"\n[[[['),
    ("unknown_key", "colour", top("coin_columns", 'colour = "red"\ncoin_columns')),
    ("unknown_key", "1F", add("1F", "size = 2")),
    ("unknown_key", "1F", field("1F", "name   = {", 'name   = { it = "Miniera",')),
    ("unknown_key", "1C", field("1C", "points = 2 }", "points = 2, cost = 1 }")),
    ("unknown_key", "link 1", link(f"{FIRST_LINK}\nlength = 3")),
    ("format", "format", top("format  = 2", "format  = 3")),
    ("format", "format", top("format  = 2", 'format  = "2"')),
    ("format", "format", top("format  = 2", "format  = true")),
    ("format", "format", top("format  = 2\n", "")),
    ("board_id", "id", top('id      = "industry"', 'id      = "My board"')),
    ("board_id", "id", top('id      = "industry"', "id      = 7")),
    ("board_id", "id", top('id      = "industry"\n', "")),
    ("choice", "edition", top('edition = "industry"', 'edition = "industrie"')),
    ("choice", "edition", top('edition = "industry"\n', "")),
    ("choice", "status", top('status  = "reconstruction"', 'status  = "certain"')),
    ("choice", "1F", change("1F", 'kind = "mine"')),
    ("choice", "1F", drop("1F", "kind")),
    ("choice", "1E", change("1E", 'makes = "gold"')),
    ("choice", "3E", change("3E", 'makes = "electricity"')),
    ("choice", "1A", change("1A", 'joker = "gold"')),
    ("choice", "1C", field("1C", 'network = "river"', 'network = "canal"')),
    ("coin_letters", "coin_columns", top('coin_columns = ["F"]', 'coin_columns = ["M"]')),
    ("coin_letters", "coin_columns", top('coin_columns = ["F"]', 'coin_columns = ["f"]')),
    ("coin_letters", "coin_columns", top('coin_columns = ["F"]', 'coin_columns = "F"')),
    ("tables", "field", no_tables("field")),
    ("tables", "link", no_tables("link")),
    ("field_id", "field", field("1F", 'id     = "1F"', 'id     = "6F"')),
    ("field_id", "field", field("1F", 'id     = "1F"', "id     = 16")),
    ("field_id", "field", field("1F", 'id     = "1F"\n', "")),
    ("field_twice", "1F", lambda text: text + field_block(text, "1F")),
    ("field_missing", "3D", lambda text: replaced(text, field_block(text, "3D"), "")),
    ("field_missing", "5L", lambda text: replaced(text, field_block(text, "5L"), "")),
    ("name", "1F", drop("1F", "name")),
    ("name", "1F", change("1F", 'name = "Iron ore mine"')),
    ("name", "1F", change("1F", 'name = { en = "Mine", de = "Grube" }')),
    ("name", "1F", change("1F", 'name = { en = "Mine", de = "Grube", fr = " " }')),
    ("name", "1F", change("1F", f'name = {{ en = "{"x" * 61}", de = "Grube", fr = "Mine" }}')),
    ("number", "1F", change("1F", "cost = -1")),
    ("number", "1F", change("1F", "cost = 1.5")),
    ("number", "1F", change("1F", 'cost = "2"')),
    ("number", "1F", change("1F", "cost = true")),
    ("number", "1F", change("1F", "cost = 1001")),
    ("number", "1F", change("1F", "points = -1")),
    ("number", "2I", change("2I", "discount = 2")),
    ("number", "1C", field("1C", "points = 2 }", 'points = "two" }')),
    ("text", "1I", field("1I", 'note = "era 1"', 'note = " "')),
    ("text", "1I", field("1I", 'note = "era 1"', "note = 1")),
    ("text", "source 1", top('title = "German and English rulebooks"', 'title = ""')),
    ("missing_key", "source 1", top('title = "German and English rulebooks"\n', "")),
    ("choice", "source 1", in_source("rulebooks", 'kind  = "report"', 'kind  = "rumour"')),
    ("source_id", "source 1", in_source("rulebooks", '"rulebooks"', '"The rulebooks"')),
    ("source_twice", "source 2", in_source("katz2019", '"katz2019"', '"rulebooks"')),
    ("unknown_key", "source 1", in_source("rulebooks", "kind ", "year = 2010\nkind ")),
    ("source_unknown", "1E", field("1E", '"katz2019"', '"katz"')),
    ("source_unknown", "coin_columns", top('"rulebooks", note = "one', '"books", note = "one')),
    ("statement_empty", "1I", field("1I", ', note = "era 1"', "")),
    ("choice", "1J", field("1J", '"low"', '"unsure"')),
    ("unknown_key", "1J", field("1J", "confidence =", "certainty =")),
    ("provenance", "1G", add("1G", 'provenance = "printed"')),
    ("provenance", "1G", add("1G", 'provenance = ["printed"]')),
    ("unknown_key", "1G", add("1G", 'attested = ["cost"]')),
    ("word", "1F", field("1F", 'values = ["cost"]', 'values = ["colour"]')),
    ("word_list", "1F", field("1F", 'values = ["cost"]', 'values = "cost"')),
    ("word_list", "1F", change("1F", 'needs = "wood"')),
    ("word_list", "1F", change("1F", "needs = [1]")),
    ("word", "1F", change("1F", 'needs = ["gold"]')),
    ("word", "3K", change("3K", 'needs = ["ceramic", "electricity"]')),
    ("word", "1E", change("1E", 'networks = ["canal"]')),
    ("word_twice", "1F", change("1F", 'needs = ["wood", "wood"]')),
    ("word_twice", "1F", change("1F", 'networks = ["rail", "rail"]')),
    ("bonus_table", "1C", change("1C", "bonus = 2")),
    ("bonus_table", "1C", change("1C", "bonus = { points = 2 }")),
    ("link_ends", "link 1", link('ends = ["1I"]')),
    ("link_ends", "link 1", link('ends = ["1I", "1J", "1K"]')),
    ("link_ends", "link 1", link('ends = ["1I", "1M"]')),
    ("link_ends", "link 1", link("ends = 3")),
    ("link_ends", "link 1", link("")),
]
"""What the text looks like: keys, types, words."""

RULES: list[Case] = [
    ("coins_industry", "coin_columns", top('coin_columns = ["F"]', "coin_columns = []")),
    ("coins_industry", "coin_columns", top('coin_columns = ["F"]', 'coin_columns = ["A", "B"]')),
    ("coins_industry", "coin_columns", top('coin_columns = ["F"]', 'coin_columns = ["F", "F"]')),
    ("only_kind", "1K", add("1K", "cost = 1")),
    ("only_kind", "1A", add("1A", "cost = 1")),
    ("only_kind", "1A", add("1A", 'needs = ["wood"]')),
    ("only_kind", "1C", add("1C", 'makes = "wood"')),
    ("only_kind", "1K", add("1K", 'makes = "wood"')),
    ("only_kind", "1C", add("1C", "points = 2")),
    ("only_kind", "1A", add("1A", "points = 2")),
    ("only_kind", "1K", add("1K", "discount = 1")),
    ("only_kind", "1C", add("1C", 'networks = ["river"]')),
    ("only_kind", "1K", add("1K", 'networks = ["rail"]')),
    ("only_kind", "1E", add("1E", 'joker = "wood"')),
    ("only_kind", "1E", add("1E", 'bonus = { network = "rail", points = 2 }')),
    ("missing_key", "1A", drop("1A", "joker")),
    ("missing_key", "1C", drop("1C", "bonus")),
    ("needs_count", "1F", change("1F", 'needs = ["wood", "stone", "brick"]')),
    ("bonus_points", "2C", field("2C", "points = 2 }", "points = 4 }")),
    ("bonus_points", "2C", field("2C", "points = 2 }", "points = 1 }")),
    ("bonus_points", "1C", field("1C", "points = 2 }", "points = 3 }")),
    ("producer_early", "1G", add("1G", 'makes = "iron"')),
    ("producer_missing", "era 2", drop("2F", "makes")),
    ("producer_missing", "era 4", drop("4G", "makes")),
    ("jokers", "field", as_factory("1A", "cost = 1")),
    ("no_any_joker", "field", change("4A", 'joker = "plastic"')),
    ("discounts", "field", drop("2I", "discount")),
    ("discounts", "field", add("2J", "discount = 1")),
    ("link_loop", "1I–1I", link('ends = ["1I", "1I"]')),
    ("link_kinds", "1I–1K", link('ends = ["1I", "1K"]')),
    ("link_kinds", "1A–1B", link('ends = ["1A", "1B"]')),
    ("link_kinds", "1C–1D", link('ends = ["1C", "1D"]')),
    ("link_twice", "1I–2H", link('ends = ["2H", "1I"]')),
    ("link_twice", "1I–2H", link('ends = ["1I", "2H"]')),
    ("unreachable", "1L", change("1L", 'needs = ["cable"]')),
    ("unreachable", "2E", change("2E", 'needs = ["wood", "steel"]')),
]
"""What the values say: formats.md and ruling A1."""

OF_FORMAT_1: list[Case] = [
    ("text", "1F", change("1F", 'source = " "')),
    ("text", "1F", change("1F", "source = 1")),
    ("word_list", "1F", change("1F", 'attested = "name"')),
    ("word", "1F", change("1F", 'attested = ["colour"]')),
    ("source_missing", "1F", drop("1F", "source")),
    ("source_unused", "1F", drop("1F", "attested")),
    ("unknown_key", "1G", add("1G", "provenance = []")),
    ("unknown_key", "link 1", link(f'{FIRST_LINK}\nnote = "clay"')),
    ("unknown_key", "source", lambda text: text + '\n[[source]]\nid = "x"\n'),
]

OF_INDUSTRIA: list[Case] = [
    ("coins_industria", "coin_columns", top("coin_columns = []", 'coin_columns = ["F"]')),
    ("bonus_points", "2D", field("2D", "points = 2 }", "points = 3 }")),
    ("choice", "3E", change("3E", 'makes = "cable"')),
    ("choice", "1C", field("1C", 'network = "canal"', 'network = "river"')),
    ("producer_missing", "era 3", drop("3E", "makes")),
    ("discounts", "field", drop("3I", "discount")),
]

CASES = [
    *((INDUSTRY, case) for case in SHAPE + RULES),
    *((INDUSTRIA, case) for case in OF_INDUSTRIA),
    *((format_1(), case) for case in OF_FORMAT_1),
]


def named(value: object) -> str | None:
    """A readable name for a case: its code and its place."""
    return f"{value[0]}-{value[1]}" if isinstance(value, tuple) else "board"


@pytest.mark.parametrize("name", BOARDS)
def test_the_boards_of_the_program_have_no_problem_and_need_no_remark(name: str) -> None:
    assert problems(good(name), expected_id=name) == []
    assert board_remarks(load_board(name)) == []


@pytest.mark.parametrize(("text", "case"), CASES, ids=named)
def test_a_broken_rule_is_named_with_its_place(text: str, case: Case) -> None:
    code, place, edit = case
    found = problems(edit(text))
    assert (place, code) in [(problem.place, problem.code) for problem in found]


@pytest.mark.parametrize(("text", "case"), CASES, ids=named)
def test_every_finding_is_a_sentence_in_every_language(text: str, case: Case) -> None:
    for problem in problems(case[2](text)):
        for language in LANGUAGES:
            sentence = problem.sentence(language)
            assert problem.place in sentence
            assert len(sentence) > len(problem.place) + 10


@pytest.mark.parametrize("case", SHAPE, ids=named)
def test_one_wrong_shape_hides_no_other(case: Case) -> None:
    code, place, edit = case
    if code == "toml":
        return
    found = problems(edit(replaced(INDUSTRY, "status  = ", 'stat = "x"\nstatus  = ')))
    assert {(place, code), ("stat", "unknown_key")} <= {(p.place, p.code) for p in found}


def test_one_broken_rule_hides_no_other() -> None:
    text = INDUSTRY
    for edit in (add("1K", "cost = 1"), drop("2I", "discount"), link('ends = ["1I", "1K"]')):
        text = edit(text)
    assert [(p.place, p.code) for p in problems(text)] == [
        ("1K", "only_kind"),
        ("field", "discounts"),
        ("1I–1K", "link_kinds"),
    ]


def test_a_file_and_its_board_have_the_same_name() -> None:
    (problem,) = problems(INDUSTRY, expected_id="mine")
    assert (problem.place, problem.code) == ("id", "id_stem")
    assert problem.values == {"value": "industry", "stem": "mine"}


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_text("#" * (MAX_BOARD_BYTES + 1), encoding="utf-8")
    latin = tmp_path / "latin.toml"
    latin.write_bytes(INDUSTRY.encode("latin-1", errors="replace"))
    cases = {
        "industry_": "unknown_board",
        str(tmp_path / "missing.toml"): "unreadable",
        str(tmp_path): "unreadable",
        "/dev/zero": "too_large",
        str(large): "too_large",
        str(latin): "not_utf8",
    }
    for name, code in cases.items():
        with pytest.raises(BoardError) as caught:
            load_board(name)
        assert [problem.code for problem in caught.value.problems] == [code], name
        assert name in str(caught.value)


REMARKS = {"cost_high", "kinds_order", "verified_unattested"}
FILES = {"unknown_board", "unreadable", "too_large", "not_utf8", "id_stem"}


def test_every_problem_of_the_catalogue_is_reached() -> None:
    prefix = "board.problem."
    codes = {key.removeprefix(prefix) for key in catalogue("en") if key.startswith(prefix)}
    assert {code for _, (code, _, _) in CASES} | REMARKS | FILES == codes


# --- what the rules allow -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edit",
    [
        change("1F", "cost = 0"),
        drop("1F", "cost"),
        change("1F", "cost = 1000"),
        change("1F", 'networks = ["rail", "river", "power", "pipeline"]'),
        drop("1F", "networks"),
        field("2C", "points = 2 }", "points = 3 }"),
        add("1C", 'needs = ["stone"]'),
        change("2H", "points = 0"),
        add("2G", "# a remark of the owner"),
        change("1A", 'joker = "any"'),
        link('ends = ["1J", "1I"]'),
        link('ends = ["1E", "5H"]'),
    ],
)
def test_a_board_of_your_own_may_differ_in_its_values(edit: Edit) -> None:
    assert problems(edit(INDUSTRY)) == []


def test_the_order_of_fields_in_the_file_does_not_matter() -> None:
    head, *rest = blocks(INDUSTRY)
    turned = board("".join([head, *reversed(rest)]))
    assert [field.id for field in turned.fields] == [field.id for field in board(INDUSTRY).fields]
    assert turned.hash == board(INDUSTRY).hash


def test_a_resource_may_have_a_second_producer_in_a_later_era() -> None:
    assert problems(added(INDUSTRY, "2J", 'makes = "wood"')) == []


# --- needs must be reachable ----------------------------------------------------------------------


def needing(needs: dict[str, str]) -> str:
    """Industry with these needs."""
    text = INDUSTRY
    for name, line in needs.items():
        has_needs = "\nneeds " in field_block(text, name)
        text = renewed(text, name, line) if has_needs else added(text, name, line)
    return text


CIRCLE = {
    "1E": 'needs = ["stone", "brick"]',
    "1H": 'needs = ["wood", "brick"]',
    "1J": 'needs = ["stone", "wood"]',
}
"""Each of the three producers of era 1 waits for the two others."""


def unreachable(text: str) -> set[str]:
    found = problems(text)
    assert {problem.code for problem in found} <= {"unreachable"}
    return {problem.place for problem in found}


def test_two_jokers_open_a_circle_of_producers() -> None:
    assert unreachable(needing(CIRCLE)) == set()


def test_without_the_right_joker_the_circle_is_closed_and_each_field_is_named() -> None:
    text = renewed(needing(CIRCLE), "1B", 'joker = "glass"')
    assert unreachable(text) == {"1E", "1F", "1H", "1J", "1L"}


def test_the_any_joker_serves_one_need_only() -> None:
    one = renewed(renewed(needing(CIRCLE), "1A", 'joker = "any"'), "1B", 'joker = "glass"')
    assert "1J" in unreachable(one)
    with_stone = renewed(one, "1B", 'joker = "stone"')
    assert unreachable(with_stone) == set()
    two = renewed(one, "1B", 'joker = "any"')
    assert unreachable(two) == set()


def test_the_bank_of_a_later_era_needs_no_producer() -> None:
    """In the closed circle above nothing of era 2 is unreachable: the bank sells era 1."""
    text = renewed(needing(CIRCLE), "1B", 'joker = "glass"')
    assert not {place for place in unreachable(text) if place[0] != "1"}


def test_a_joker_of_a_later_era_comes_too_late() -> None:
    text = needing({"1G": 'needs = ["glass"]'})
    assert unreachable(text) == {"1G"}, "the glass joker is in era 2"
    assert unreachable(renewed(text, "1A", 'joker = "glass"')) == set()


def test_a_producer_that_cannot_be_reached_helps_nobody() -> None:
    text = needing({"3F": 'needs = ["computer"]'})
    text = renewed(renewed(text, "3B", 'joker = "iron"'), "3A", 'joker = "iron"')
    assert unreachable(text) == {"3F", "3G", "3L"}


# --- remarks --------------------------------------------------------------------------------------


def test_an_unusual_order_of_kinds_is_only_remarked() -> None:
    spec = board(INDUSTRY)
    bonus, factory = replace(spec.field("1D"), id="1E"), replace(spec.field("1E"), id="1D")
    fields = (*spec.fields[:3], factory, bonus, *spec.fields[5:])
    (remark,) = board_remarks(replace(spec, fields=fields))
    assert (remark.place, remark.code, remark.values) == ("1E", "kinds_order", {"left": "1D"})


def test_a_cost_that_looks_like_a_slip_is_remarked() -> None:
    spec = board(INDUSTRY)
    fields = tuple(replace(field, cost=99) if field.id == "1E" else field for field in spec.fields)
    (remark,) = board_remarks(replace(spec, fields=fields))
    assert (remark.place, remark.code) == ("1E", "cost_high")


def test_tiles_of_industria_have_no_order() -> None:
    spec = board(INDUSTRIA)
    turned = tuple(
        replace(field, id=place.id)
        for era in range(1, 6)
        for field, place in zip(reversed(spec.row(era)), spec.row(era), strict=True)
    )
    assert board_remarks(replace(spec, fields=turned)) == []


def test_a_verified_board_is_asked_for_the_source_of_every_value() -> None:
    verified = board(replaced(INDUSTRY, '"reconstruction"', '"verified"'))
    found = {remark.place: remark for remark in board_remarks(verified)}
    assert found["1H"].values == {"keys": ("kind", "name", "cost", "makes", "networks")}
    assert found["1F"].values == {"keys": ("networks",)}
    assert {remark.code for remark in found.values()} == {"verified_unattested"}


def test_a_verified_board_with_all_sources_needs_no_remark() -> None:
    keys = ("kind", "name", "cost", "needs", "makes", "points", "discount", "networks", "joker")
    spec = board(INDUSTRY)
    printed = Source("mine", PRINT, "German edition")
    stated = (Statement(printed, (*keys, "bonus")),)
    fields = tuple(replace(field, provenance=stated) for field in spec.fields)
    links = tuple((Statement(printed, ("ends",)),) for _ in spec.links)
    coin = (Statement(printed, ("coin_columns",)),)
    whole = replace(spec, status="verified", fields=fields, link_provenance=links, provenance=coin)
    assert board_remarks(whole) == []


def test_a_verified_board_is_asked_for_the_source_of_its_coin_and_links() -> None:
    verified = board(replaced(INDUSTRY, '"reconstruction"', '"verified"'))
    places = {remark.place for remark in board_remarks(verified)}
    assert {"coin_columns", "1I–1J"} <= places
    old = board(replaced(format_1(), '"reconstruction"', '"verified"'))
    assert "1I–1J" not in {remark.place for remark in board_remarks(old)}, "it had no place for it"


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_of_format_1_is_read_as_before(name: str) -> None:
    ours, theirs = board(good(name)), board(format_1(name))
    for new, old in zip(ours.fields, theirs.fields, strict=True):
        assert (new.rule_values(), new.name, new.attested) == (
            old.rule_values(),
            old.name,
            old.attested,
        )
    written = {line for line in format_1(name).splitlines() if line.startswith("source = ")}
    assert {f'source = "{field.source}"' for field in theirs.fields if field.source} == written


def test_what_a_source_states_is_data() -> None:
    mine = board(INDUSTRY).field("1F")
    assert [(s.source.id, s.values, s.confidence) for s in mine.provenance] == [
        ("katz2019", ("kind", "name", "needs", "points"), "high"),
        ("katz2019", ("cost",), "medium"),
        ("advantagegames", ("name",), "high"),
    ]
    assert mine.source == (
        "Japanese review, katz2019.sakura.ne.jp: developed in era 1 with wood, 2 points; "
        "Japanese review, katz2019.sakura.ne.jp: 2 Talers; medium to high; "
        "English review, advantagegames.blogspot.com"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_remarks_are_sentences_too(language: str) -> None:
    verified = board(replaced(INDUSTRY, '"reconstruction"', '"verified"'))
    for remark in board_remarks(verified):
        assert remark.sentence(language).startswith(remark.place)
