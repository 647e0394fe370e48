"""One move is one line, and a line is one move: nothing between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from industry.boards.spec import FIELD_IDS
from industry.engine import (
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Draw,
    Move,
    Offer,
    Pass,
    Sell,
    Source,
    Subsidy,
)
from industry.notation import NotationError, read_move, write_move

from .samples import EDITIONS, board, finished

INDUSTRY = board("industry")
NEEDY = next(field for field in INDUSTRY.fields if len(field.needs) == 2)
FREE = next(field for field in INDUSTRY.fields if field.kind == "factory" and not field.needs)
FIRST, SECOND = NEEDY.needs

seats = st.integers(0, 3)
fields = st.integers(0, 59)


@st.composite
def moves(draw: st.DrawFn, edition: str) -> Move:
    field = draw(fields)
    needs = len(board(edition).field(field).needs)
    sources = st.tuples(*[st.integers(0, Source.SEAT + 3)] * needs)
    seat = draw(seats)
    choices: list[Move] = [
        Draw(tuple(draw(st.lists(fields, min_size=1, max_size=12)))),
        Offer(seat, field),
        Bid(seat, draw(st.integers(0, 999_999_999))),
        Cash(seat, field),
        Develop(seat, field, draw(sources)),
        *(make(seat) for make in (Pass, Sell, Claim, Done, Subsidy)),
    ]
    return draw(st.sampled_from(choices))


@pytest.mark.parametrize("edition", EDITIONS)
@given(data=st.data())
def test_every_move_is_read_back_from_its_line(edition: str, data: st.DataObject) -> None:
    move = data.draw(moves(edition))
    assert read_move(write_move(move, board(edition)), board(edition)) == move


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_line_of_a_whole_game_is_written_back_as_it_was(edition: str) -> None:
    lines = finished(edition)["moves"]
    assert [write_move(read_move(line, board(edition)), board(edition)) for line in lines] == lines


@given(st.text(max_size=300))
def test_any_other_text_is_refused_as_no_move(line: str) -> None:
    try:
        move = read_move(line, INDUSTRY)
    except NotationError as error:
        assert str(error)
    else:
        assert write_move(move, INDUSTRY) == line


WORDS = ["draw", "1", "4", "5", "01", "bid", "pass", "offer", "develop", "2H", "1A", "3", "10"]
WORDS += ["wood=own", "stone=2", "done", "subsidy", "cash", "", "sell", "claim", "+3", "٣"]


@given(st.lists(st.sampled_from(WORDS), max_size=5))
def test_words_of_moves_in_any_order_are_a_move_exactly_or_not_at_all(words: list[str]) -> None:
    line = " ".join(words)
    try:
        move = read_move(line, INDUSTRY)
    except NotationError:
        return
    assert write_move(move, INDUSTRY) == line


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "spaces"),
        (" 1 pass", "spaces"),
        ("1 pass ", "spaces"),
        ("1  pass", "spaces"),
        ("1 bid 2 ", "spaces"),
        ("draw  1A", "spaces"),
        ("draw", "draw_empty"),
        ("draw 1a", "field"),
        ("draw 1A,1B", "field"),
        ("draw 6A", "field"),
        ("draw 1M", "field"),
        ("draw 01A", "field"),
        ("Draw 1A", "seat"),
        ("0 pass", "seat"),
        ("5 pass", "seat"),
        ("01 pass", "seat"),
        ("١ pass", "seat"),
        ("pass", "seat"),
        ("1\tpass", "seat"),
        ("1", "verb_missing"),
        ("1 Pass", "verb"),
        ("1 pass\n", "verb"),
        ("1 take", "verb"),
        ("1 pass 1F", "shape"),
        ("1 done done", "shape"),
        ("1 bid", "shape"),
        ("1 bid 03", "shape"),
        ("1 bid +3", "shape"),
        ("1 bid -1", "shape"),
        ("1 bid 3.0", "shape"),
        ("1 bid ٣", "shape"),
        ("1 bid 3 Talers", "shape"),
        ("1 bid 1_000", "shape"),
        ("1 bid 1234567890", "shape"),
        ("1 offer", "shape"),
        ("1 offer 1A 1B", "shape"),
        ("1 offer 1f", "field"),
        ("1 cash", "shape"),
        ("1 develop", "shape"),
        ("1 develop Bank", "field"),
        (f"1 develop {NEEDY.id}", "needs"),
        (f"1 develop {NEEDY.id} {FIRST}=own", "needs"),
        (f"1 develop {NEEDY.id} {SECOND}=own {FIRST}=own", "needs"),
        (f"1 develop {NEEDY.id} {FIRST}=own {FIRST}=own", "needs"),
        (f"1 develop {NEEDY.id} {FIRST}=own {SECOND}=own {SECOND}=own", "needs"),
        (f"1 develop {NEEDY.id} {FIRST}=5 {SECOND}=own", "source"),
        (f"1 develop {NEEDY.id} {FIRST}=0 {SECOND}=own", "source"),
        (f"1 develop {NEEDY.id} {FIRST}= {SECOND}=own", "source"),
        (f"1 develop {NEEDY.id} {FIRST}=Bank {SECOND}=own", "source"),
        (f"1 develop {NEEDY.id} {FIRST}=own={SECOND} {SECOND}=own", "shape"),
        (f"1 develop {NEEDY.id} own own", "shape"),
        (f"1 develop {FREE.id} stone=own", "no_needs"),
    ],
)
def test_the_grammar_is_strict(line: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_move(line, INDUSTRY)
    assert caught.value.code == code


def test_the_order_of_needs_is_reported_where_it_is_wrong() -> None:
    with pytest.raises(NotationError, match=f"{FIRST}=… {SECOND}=…"):
        read_move(f"1 develop {NEEDY.id} {SECOND}=own {FIRST}=own", INDUSTRY)


def test_a_refused_line_is_shown_short_and_without_control_characters() -> None:
    with pytest.raises(NotationError) as caught:
        read_move("1 \x1b[31m\ud800" + "x" * 150, INDUSTRY)
    sentence = str(caught.value)
    assert sentence.encode("utf-8").isascii() or sentence.isprintable()
    assert "\\x1b[31m\\ud800xxx" in sentence
    assert len(sentence) < 250


def test_fields_are_named_by_era_and_column() -> None:
    assert [FIELD_IDS[0], FIELD_IDS[11], FIELD_IDS[12], FIELD_IDS[59]] == ["1A", "1L", "2A", "5L"]
    assert read_move("3 offer 5L", INDUSTRY) == Offer(2, 59)
