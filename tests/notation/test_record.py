"""The game record: what is written is read back, and anything else is refused in a sentence."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from industry.engine import Breakdown
from industry.notation import (
    NotationError,
    Record,
    RecordError,
    Result,
    new_game,
    record_from_data,
    record_from_json,
    record_from_toml,
    verify,
)
from industry.notation.options import CHOICES, OF_EDITION
from tests.support import proof

from .samples import EDITIONS, TABLES, board, finished, running

names = st.one_of(
    st.sampled_from(['"', "\\", "'''", "Zoë 👩‍🚀", "O'Neill", "= [x]", "#", "日本", "a\\nb", " "]),
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp")),
        min_size=1,
        max_size=100,
    ),
)
numbers = st.integers(-1_000_000, 1_000_000)
breakdowns = st.builds(Breakdown, *[numbers] * 6)
lines = st.one_of(
    st.sampled_from(["draw 1A 1F 1K", "1 offer 1F", "2 pass", "1 develop 2H stone=own"]),
    st.text(st.characters(codec="utf-8"), max_size=30),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    edition = draw(st.sampled_from(EDITIONS))
    players = draw(st.sampled_from([3, 4]))

    def per_seat(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
        return st.tuples(*[values] * players)

    return Record(
        edition=edition,
        board=draw(names),
        board_hash=draw(names),
        players=draw(per_seat(names)),
        starting_player=draw(st.integers(1, players)),
        moves=tuple(draw(st.lists(lines, max_size=8))),
        options={name: draw(st.sampled_from(CHOICES[name])) for name in OF_EDITION[edition]},
        result=draw(
            st.none()
            | st.builds(
                Result,
                per_seat(numbers),
                st.lists(st.integers(1, players), max_size=4).map(tuple),
                per_seat(breakdowns),
            )
        ),
        legal_counts=draw(st.none() | st.lists(numbers, max_size=8).map(tuple)),
    )


@given(records())
def test_a_record_is_read_back_from_its_toml(record: Record) -> None:
    assert record_from_toml(record.to_toml()) == record


@given(records())
def test_a_record_is_read_back_from_its_line_of_json(record: Record) -> None:
    line = record.to_json()
    assert "\n" not in line
    assert record_from_json(line) == record


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_whole_game_says_the_same_in_both_languages(edition: str, players: int) -> None:
    data = finished(edition, players)
    record = record_from_json(json.dumps(data))
    assert record_from_toml(tomli_w.dumps(data)) == record
    assert record_from_toml(record.to_toml()) == record
    assert record.data() == {key: data[key] for key in record.data()}
    assert record.data().keys() == data.keys()


def test_a_game_that_still_runs_has_no_result() -> None:
    record = record_from_data(running())
    assert record.result is None
    assert "result" not in record.data()


def test_keys_that_the_format_does_not_know_are_ignored() -> None:
    data = finished()
    plain = record_from_data(data)
    data |= {"seed": 7, "clock": {"preset": ["live"]}}
    data["result"]["rated"] = True
    data["result"]["breakdown"][0]["comment"] = "lucky"
    assert record_from_data(data) == plain


def test_names_are_any_printable_text() -> None:
    joined = "👩‍🚀"  # several characters and an invisible one, joined to a single picture
    game = new_game(["Ana “the Bank”", joined, "Zoë\\"])
    assert record_from_toml(game.record().to_toml()).players[1] == joined


@pytest.mark.parametrize("name", ["", "x" * 101, "a\nb", "\x1b[31m", "\x00", "\u202eabc", "\ud800"])
def test_names_without_end_or_with_control_characters_are_refused(name: str) -> None:
    data = running()
    data["players"][1] = name
    with pytest.raises(RecordError) as caught:
        record_from_data(data)
    assert caught.value.code in ("name", "name_print")


# ---- wrong values


def changed(**values: object) -> dict[str, Any]:
    return running() | values


def without(key: str) -> dict[str, Any]:
    data = running()
    del data[key]
    return data


@pytest.mark.parametrize("key", sorted(running().keys()))
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(RecordError, match=f"“{key}”"):
        record_from_data(without(key))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "not_a_table"),
        ([], "not_a_table"),
        ("industry", "not_a_table"),
        (changed(format=2), "version"),
        (changed(format="1"), "type_number"),
        (changed(format=True), "type_number"),
        (changed(format=1.0), "type_number"),
        (changed(rules_version=0), "version"),
        (changed(edition="industrie"), "edition"),
        (changed(edition=["industry"]), "type_text"),
        (changed(board=None), "type_text"),
        (changed(board_hash=5), "type_text"),
        (changed(players=["a", "b"]), "players"),
        (changed(players=list("abcde")), "players"),
        (changed(players="abc"), "type_list"),
        (changed(players=["a", "b", 3]), "type_texts"),
        (changed(starting_player=0), "starting_player"),
        (changed(starting_player=4), "starting_player"),
        (changed(starting_player=10**30), "too_large"),
        (changed(moves={"1": "draw"}), "type_list"),
        (changed(moves=["draw 1A", 2]), "type_texts"),
        (changed(moves=["1 pass"] * 10_001), "too_many"),
        (changed(options=[]), "type_table"),
        (changed(options={}), "option_missing"),
        (changed(legal_counts=5), "type_list"),
        (changed(legal_counts=[1, "2"]), "type_numbers"),
        (changed(legal_counts=[1, -(10**30)]), "too_large"),
        (changed(result=None), "type_table"),
        (changed(result={}), "missing"),
        (changed(result={"points": [1, 2], "winners": [], "breakdown": []}), "result_seats"),
        (changed(result={"points": [1] * 3, "winners": [], "breakdown": [1] * 3}), "type_table"),
    ],
)
def test_a_wrong_value_is_refused_by_its_own_sentence(data: object, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        record_from_data(data)
    assert caught.value.code == code


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_option_of_the_other_edition_is_refused(edition: str) -> None:
    other = EDITIONS[1 - EDITIONS.index(edition)]
    for name in OF_EDITION[other]:
        data = running(edition)
        data["options"][name] = CHOICES[name][0]
        with pytest.raises(RecordError, match=f"{name}.* {edition}"):
            record_from_data(data)


@pytest.mark.parametrize("value", ["sometimes", "", True, None, 1, ["net"], {}])
def test_an_option_takes_only_its_own_values(value: object) -> None:
    data = running()
    data["options"]["claim_afford"] = value
    with pytest.raises(RecordError, match="net, full_price"):
        record_from_data(data)


def test_an_unknown_option_is_refused() -> None:
    data = running()
    data["options"]["free_claim"] = "on"
    with pytest.raises(RecordError, match="free_claim"):
        record_from_data(data)


# ---- broken text


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,", '{"format":1', "nul", '{"a":1,}', "{'a':1}", '"\x00"', "[" * 100_000],
)
def test_broken_json_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="JSON"):
        record_from_json(text)


@pytest.mark.parametrize("text", ["a", "a =", "a = [", "\x00", "a=1\na=2", "a = " + "[" * 100_000])
def test_broken_toml_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="TOML"):
        record_from_toml(text)


@pytest.mark.parametrize("digits", [40, 5_000])
def test_numbers_without_end_are_refused(digits: int) -> None:
    number = "9" * digits
    with pytest.raises(RecordError):
        record_from_json(json.dumps(running()).replace('"format": 1', f'"format": {number}'))
    with pytest.raises(RecordError):
        record_from_toml(f"format = {number}")
    with pytest.raises(RecordError):
        record_from_toml(f"format = 0x{number}")


def test_a_key_that_stands_twice_is_refused() -> None:
    line = json.dumps(running())
    with pytest.raises(RecordError, match="“edition”"):
        record_from_json('{"edition":"industria",' + line[1:])


def test_an_option_nested_almost_too_deeply_is_refused() -> None:
    for depth in (400, 800, 950, 990):
        nested = "[" * depth + "]" * depth
        text = json.dumps(running()).replace('"net"', nested)
        with pytest.raises(RecordError):
            record_from_json(text)


def test_a_record_cut_anywhere_is_refused() -> None:
    text = json.dumps(running())
    for end in range(0, len(text), 17):
        with pytest.raises(RecordError):
            record_from_json(text[:end])


# ---- junk anywhere

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["draw", "1 pass", "industria", 10**5000, -1, 0, {}, [], [[]], {"": None}]),
    st.lists(st.integers(-3, 9), max_size=4),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)
Place = tuple[str | int, ...]


def places(node: object, path: Place = ()) -> Iterator[Place]:
    """The way to every value of the data, at any depth."""
    yield path
    if isinstance(node, dict | list):
        entries = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in entries:
            yield from places(value, (*path, key))


def replaced(data: Any, path: Place, value: object) -> Any:
    if not path:
        return value
    twin = copy.deepcopy(data)
    node = twin
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return twin


SAMPLES = {table: finished(*table) for table in TABLES}
PLACES = {table: list(places(data)) for table, data in SAMPLES.items()}


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=proof.amount(60, 1000))
@given(data=st.data())
def test_junk_at_any_place_is_refused_or_found_wrong_but_never_breaks_anything(
    table: tuple[str, int], data: st.DataObject
) -> None:
    top = st.sampled_from([place for place in PLACES[table] if len(place) < 2])
    place = data.draw(top | st.sampled_from(PLACES[table]))
    value = data.draw(junk)
    broken = replaced(SAMPLES[table], place, value)
    try:
        record = record_from_data(broken)
    except RecordError as error:
        assert str(error)
        return
    mismatch = verify(record, board(table[0]))
    if mismatch is not None:
        assert mismatch.reason


@settings(max_examples=proof.amount(40, 1000))
@given(st.data())
def test_a_character_changed_anywhere_in_a_toml_record_never_breaks_anything(
    data: st.DataObject,
) -> None:
    text = record_from_data(SAMPLES["industria", 3]).to_toml()
    at = data.draw(st.integers(0, len(text) - 1))
    changed_text = text[:at] + data.draw(st.characters(codec="utf-8")) + text[at + 1 :]
    try:
        record = record_from_toml(changed_text)
    except (RecordError, NotationError) as error:
        assert str(error)
        return
    verify(record, board("industria"))
