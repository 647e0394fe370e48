"""Every refusal: its code, its rule, the numbers that failed, and what would help."""

import pytest

from industry import IllegalMove, new_game, play
from industry.engine import RULES, Fault
from industry.notation import explain
from industry.texts import LANGUAGES, has, say

from .positions import WORKSHOP
from .refusal_table import CASES, Case


def test_every_fault_is_reached() -> None:
    assert {case.fault for case in CASES} == set(Fault) - {Fault.NONE}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refusal_names_its_rule_and_the_numbers_that_failed(case: Case) -> None:
    refusal = case.at.refusal(case.move)
    assert (refusal.fault, refusal.rule.id) == (case.fault, case.rule)
    assert refusal.rule is RULES[case.rule]
    assert refusal.code == case.fault.name.lower()
    assert {name: refusal.numbers[name] for name in case.numbers} == case.numbers


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refusal_names_what_would_help(case: Case) -> None:
    remedies = case.at.refusal(case.move).remedies
    assert [code for code in remedies if has(f"remedy.{code}")] == case.helps.split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refusal_is_explained_with_rule_section_and_rulings(case: Case, language: str) -> None:
    refusal = case.at.refusal(case.move)
    text = explain(refusal, case.board, language)
    section = say(f"section.{refusal.rule.section}", language)
    citation = ", ".join((refusal.rule.id, section, *refusal.rule.rulings))
    assert text.endswith(f"({citation})")
    assert not set("{}") & set(text)
    assert len(text.removesuffix(f"({citation})").strip()) > 10


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_explanation_has_the_same_remedies_in_every_language(case: Case, language: str) -> None:
    remedies = case.at.refusal(case.move).remedies
    assert [code for code in remedies if has(f"remedy.{code}", language)] == case.helps.split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_explanation_calls_players_by_their_names(case: Case, language: str) -> None:
    """All but the explanation that a seat does not exist."""
    refusal = case.at.refusal(case.move)
    names = ["ana", "Bo", "Cy", "Dee"][: case.at.players]
    for to_you in (True, False):
        told = explain(refusal, case.board, language, names, to_you=to_you)
        numbered = [say("seat", language, seat=seat + 1) for seat in range(case.at.players)]
        assert not any(words.lower() in told.lower() for words in numbered)
        assert not told.startswith("Ana"), "a name is written as its player wrote it"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refused_move_changes_nothing(case: Case) -> None:
    at = case.at
    before = at.position.digest()
    with pytest.raises(IllegalMove) as error:
        play(at.position, at.move(case.move))
    assert error.value.refusal == at.refusal(case.move)
    assert at.position.digest() == before
    assert at.position.state.events == list(case.at.position.state.events)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_of_a_refused_move_tells_a_program_why(case: Case) -> None:
    with pytest.raises(IllegalMove) as error:
        case.at.play(case.move)
    assert str(error.value).startswith(f"{case.fault.name.lower()} (")
    assert f"[{case.rule}: " in str(error.value)


def test_the_error_of_a_game_tells_a_person_why() -> None:
    game = new_game(["Ana", "Bo", "Cy"], board=WORKSHOP)
    game.play("draw 1A 1F 1K")
    with pytest.raises(IllegalMove) as error:
        game.play("2 offer 1A")
    assert str(error.value) == explain(error.value.refusal, WORKSHOP)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refused_move_is_not_among_the_legal_ones(case: Case) -> None:
    at = case.at
    move = at.move(case.move)
    for seat in range(at.players):
        assert move not in at.position.legal_moves_of(seat)
