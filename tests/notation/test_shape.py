"""Texts that would cost too much to parse are found before."""

import time
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from industry.notation import RecordError, record_from_json, record_from_toml
from industry.notation.shape import MOST_HEADER_PARTS, MOST_PARTS, is_too_deep

from .samples import finished


@pytest.mark.parametrize(
    "text",
    [
        *("a.b.c.d = 1", "a . b . c . d = 1", "\"a\".'b'.c.d = 1", "x = {a.b.c.d = 1}"),
        *("[a.b.c]", "[[a.b.c]]", "[[ a . b . c ]]", "  [a.b.c]", "x = 1\n[a.b.c]"),
        *('x = """a"""""\na.b.c.d = 1', "x = 'y' # z\na.b.c.d = 1", "x = [\n1,\n]\na.b.c.d = 1"),
    ],
)
def test_keys_and_headers_with_more_parts_than_a_record_has_are_refused(text: str) -> None:
    assert is_too_deep(text)
    with pytest.raises(RecordError):
        record_from_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        *("a.b.c = 1", "[a.b]", "[[a.b]]", "x = 'a.b.c.d.e'", 'x = "a.\\".b.c.d.e"'),
        *('x = """a.b\n.c.d.e"""', "x = '''a.b.c.d'''", "x = 1 # a.b.c.d.e", "x = [1.0, 2.0, 3.5]"),
        *("x = {a.b = 1, c.d = 2}", "x = 1979-05-27T07:32:00.999", "x = [\n[1.5],\n[2.5]]"),
    ],
)
def test_texts_in_strings_and_numbers_are_no_keys(text: str) -> None:
    assert not is_too_deep(text)
    tomllib.loads(text)


def depth(data: object) -> int:
    """How many tables are within each other."""
    if isinstance(data, dict):
        return 1 + max((depth(value) for value in data.values()), default=0)
    return max((depth(value) for value in data), default=0) if isinstance(data, list) else 0


@given(
    st.lists(
        st.sampled_from(["a", "'", '"', ".", "=", "[", "]", "{", "}", "#", "\n", " ", "1", ","])
    )
)
def test_whatever_is_let_through_is_parsed_to_few_levels(letters: list[str]) -> None:
    """Each nesting that no brackets announce is at most as deep as a record's."""
    text = "".join(letters)
    try:
        data = tomllib.loads(text)
    except ValueError:
        return
    if not is_too_deep(text):
        brackets = text.count("{") + text.count("[")
        assert depth(data) <= (1 + brackets) * (MOST_PARTS + MOST_HEADER_PARTS)


@pytest.mark.parametrize(
    "text",
    [
        *("a." * 32_000 + "a=1", '"""\\' * 16_000, '"' * 65_000, "'''" * 21_000, "[ " * 32_000),
        *("a\n" * 32_000, "'a' " * 16_000, '"""\\"""' * 9_000, "#" * 65_000),
    ],
)
def test_the_search_reads_every_character_once(text: str) -> None:
    begin = time.process_time()
    is_too_deep(text)
    assert time.process_time() - begin < 0.5


def test_keys_that_stand_twice_are_found_in_one_pass() -> None:
    """6,500 keys of 64 KB took version 0.1.0 forty million comparisons."""
    pairs = ",".join(f'"k{number}":1' for number in range(40_000))
    begin = time.thread_time()
    with pytest.raises(RecordError) as refused:
        record_from_json("{" + pairs + ',"k39999":2}')
    assert refused.value.code == "key_twice"
    assert time.thread_time() - begin < 3, "comparing every two keys takes more than 8 seconds"


def test_a_whole_record_is_not_too_deep() -> None:
    import tomli_w

    assert not is_too_deep(tomli_w.dumps(finished()))
