"""Why a move was worse, in words: positions whose only difference is known by construction."""

from collections.abc import Callable

import pytest

from industry.boards import load_board
from industry.engine import (
    COLUMNS,
    FIELDS,
    Draw,
    Kind,
    Options,
    Position,
    State,
    Status,
    play,
    start,
)
from industry.judge.parts import DENIAL, FEATURE_GROUPS, differences
from industry.judge.words import gifts, move_text, percent, reason, sentences, signed
from industry.texts import LANGUAGES, catalogue, say

SPEC = load_board("industry")
BOARD = SPEC.rules
PLAYERS = ["Ana", "Bo", "Cy", "Di"]
Change = Callable[[State], None]


def position(era: int, *changes: Change) -> Position:
    """A position of four in an era, with some things changed."""
    drawn, _ = play(start(BOARD, 4, 0, Options()), Draw((0, 1, 2, 3)))
    state = drawn.state.copy()
    state.era = era
    for change in changes:
        change(state)
    return Position(BOARD, state)


def owns(seat: int, field: int, status: Status = Status.DEVELOPED) -> Change:
    def change(state: State) -> None:
        state.owner[field] = seat
        state.status[field] = status

    return change


def has(name: str, seat: int, amount: int) -> Change:
    def change(state: State) -> None:
        getattr(state, name)[seat] += amount

    return change


def first(condition: Callable[[int], bool]) -> int:
    return next(field for field in range(FIELDS) if condition(field))


def is_factory(field: int) -> bool:
    return bool(BOARD.kind[field] == Kind.FACTORY)


def link() -> tuple[int, int]:
    ends = zip(BOARD.link_from, BOARD.link_to, strict=True)
    return next((one, two) for one, two in ends if is_factory(one) and is_factory(two))


def network() -> tuple[int, int]:
    """A factory, and a bonus field of its network."""
    bonus = first(lambda field: bool(BOARD.kind[field] == Kind.BONUS))
    wanted = BOARD.bonus_network[bonus]
    return first(lambda field: bool(BOARD.networks[field] >> wanted & 1)), bonus


def market() -> tuple[int, int]:
    """A factory, and a field of a later era that needs what it makes."""
    for resource, makers in enumerate(BOARD.makers):
        if BOARD.maker_count[resource] and is_factory(maker := makers[0]):
            for field in range(FIELDS):
                if resource in (BOARD.need_1[field], BOARD.need_2[field]) and field != maker:
                    return maker, field
    raise AssertionError("nobody needs anything")


ROAD, FACTORY_AND_STATION, MARKET = link(), network(), market()
DISCOUNT = first(lambda field: bool(BOARD.discount[field]))
JOKER = first(lambda field: bool(BOARD.kind[field] == Kind.JOKER))
COSTLY = first(lambda field: is_factory(field) and BOARD.cost[field] >= 2)

CASES: dict[str, tuple[list[Change], list[Change], list[Change]]] = {
    "points": ([], [has("points", 0, 4)], []),
    "links": ([owns(0, ROAD[0])], [owns(0, ROAD[1])], []),
    "network": ([owns(0, FACTORY_AND_STATION[0])], [owns(0, FACTORY_AND_STATION[1])], []),
    "income": ([owns(1, MARKET[1], Status.UNDEVELOPED)], [owns(0, MARKET[0])], []),
    "discount": ([], [owns(0, DISCOUNT)], []),
    "talers": ([], [has("talers", 0, 3)], []),
    "costs": ([], [], [owns(0, COSTLY, Status.UNDEVELOPED)]),
    "jokers": ([], [owns(0, JOKER, Status.HELD)], []),
    "subsidy": ([], [], [has("subsidies", 0, 1)]),
    "denial": ([], [], [has("points", 1, 4)]),
}
"""By part: what both positions have, what the better one has more, and the worse one."""


@pytest.mark.parametrize("era", [0, 1, 2])
@pytest.mark.parametrize("part", CASES)
def test_the_known_reason_is_found_and_reported(part: str, era: int) -> None:
    both, better, worse = CASES[part]
    if part == "discount":  # nobody owns a field before its era
        era += DISCOUNT // COLUMNS
    best = position(era, *both, *better)
    played = position(era, *both, *worse)
    found = {(entry["part"], entry["seat"]): entry for entry in differences(0, best, played)}
    entry = found[part, 2 if part == DENIAL else 1]
    assert entry["points"] > 0 if part == DENIAL else entry["points"] < 0
    for language in LANGUAGES:
        told = reason(entry, PLAYERS, language)
        template = str(catalogue(language)[f"review.why.{part}.best"])
        assert told.startswith(template.split("{")[0])
        if part == DENIAL:
            assert "Bo" in told


@pytest.mark.parametrize("part", CASES)
def test_reasons_for_the_played_move_are_named_as_such(part: str) -> None:
    both, better, worse = CASES[part]
    best = position(1, *both, *worse)
    played = position(1, *both, *better)
    seat = 2 if part == DENIAL else 1
    entry = next(
        entry
        for entry in differences(0, best, played)
        if (entry["part"], entry["seat"]) == (part, seat)
    )
    template = str(catalogue("en")[f"review.why.{part}.played"])
    assert reason(entry, PLAYERS, "en").startswith(template.split("{")[0])


def test_equal_positions_have_no_differences() -> None:
    assert differences(0, position(1), position(1)) == []


def test_a_decision_is_explained_by_its_loss_its_reasons_and_who_gained() -> None:
    decision = {
        "seat": 1,
        "line": "1 sell",
        "best": "1 claim",
        "loss": 0.081,
        "loss_se": 0.02,
        "parts": [{"part": "denial", "seat": 3, "points": 4.2}],
        "win_played": [0.2, 0.3, 0.3, 0.2],
        "win_best": [0.281, 0.3, 0.219, 0.2],
    }
    assert sentences(decision, PLAYERS, SPEC, "en") == [
        "Ana: better was “claim the field” instead of “sell”. It cost 8.1% of a win (± 2.0%).",
        "The better move leaves Cy about 4 points less.",
        "It gave Cy 8.1%.",
    ]
    assert "8,1\u00a0%" in sentences(decision, PLAYERS, SPEC, "de")[0]
    assert gifts({**decision, "win_best": [0.1, 0.4, 0.3, 0.2]}, PLAYERS, "en") == [
        "It took 10.0% from Bo."
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_can_be_said(language: str) -> None:
    lines = ["1 offer 1F", "2 bid 3", "2 pass", "1 sell", "1 claim", "1 done", "1 subsidy", None]
    said = [move_text(line, SPEC, language) for line in lines]
    assert len(set(said)) == len(lines)
    assert SPEC.field(5).name[language] in said[0]


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert percent(0.1234, "en") == "12.3%"
    assert percent(0.1234, "de") == "12,3\u00a0%"
    assert signed(-0.05, "en") == "−5.0%"
    assert signed(0.05, "fr") == "+5,0\u00a0%"


def test_every_part_has_its_sentences() -> None:
    for part in (*FEATURE_GROUPS, DENIAL):
        for side in ("best", "played"):
            assert say(f"review.why.{part}.{side}", points="X", rival="Y")
