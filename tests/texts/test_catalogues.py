"""Every sentence exists in every language, is used, and follows the conventions of its language."""

import ast
import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import industry
from industry.arena.ladder import own_bots
from industry.arena.report.data import MEASURES
from industry.boards.spec import EDITIONS, NETWORK_NAMES, RESOURCE_NAMES
from industry.cli.terminal_game.opponents import CHANCE
from industry.engine import RULES, Fault, Kind, Phase, Reason, Source
from industry.engine.raw_events import EventKind
from industry.judge.account import VERDICTS
from industry.judge.parts import DENIAL, FEATURE_GROUPS
from industry.judge.pictures import TERMS
from industry.notation.record import SCORE_PARTS
from industry.texts import DEFAULT, LANGUAGES, UnknownText, catalogue, say

PACKAGE = Path(industry.__file__).parent
TEXTS = PACKAGE / "texts"
OTHERS = tuple(language for language in LANGUAGES if language != DEFAULT)

SAME_IN_TWO_LANGUAGES = {
    *("profil", "club", "live", "name", "{count} partie", "{count} person"),
    *("places", "score", "table {number}"),
    "bot",
    "bot: {bot}",
    "canal",
    "final",
    "coach",
    "industria (2003)",
    "industry (2010)",
    "joker {resource}",
    "joker",
    "jokers",
    "pause",
    "pipeline",
    "points",
    "port",
    "pts",
    "regret",
    "revanche",
    "subvention",
    "tables",
    "technologie",
    "total",
    "verdict",
    *("adresse (url)", "mail", "webhook"),
    "{count} h",
    "{count} point",
    "{count} points",
    "{count} taler",
}
"""Words that really are the same, in small letters."""

BROWSER = (
    *("club.json", "cups.json", "editor.json", "extras.json", "lessons.json", "notices.json"),
    *("orders.json", "pages.json", "ratings.json", "reviews.json", "rulebook.json", "web.json"),
)
"""What only the browser client says; `test_browser_words` sees to it."""

SPOKEN_INDIRECTLY = {"and", "or", "citation", "citation_rulings"}
"""Keys without a dot that reach `say` through a variable: of `listing` and of `citation`."""


def names(enum: type[Any]) -> set[str]:
    return {member.name.lower() for member in enum}


FAMILIES: dict[str, set[str]] = {
    "edition.": set(EDITIONS),
    "event.": names(EventKind) | {"bank", "to_bank"},
    "fault.": names(Fault) - {"none"},
    "kind.": names(Kind),
    "lab.measure.": set(MEASURES),
    "network.": {name for networks in NETWORK_NAMES.values() for name in networks},
    "part.": {*SCORE_PARTS, "total"},
    "phase.": names(Phase),
    "terminal.bot.": set(own_bots()) - {CHANCE},
    "reason.": names(Reason),
    "resource.": {name for resources in RESOURCE_NAMES.values() for name in resources} | {"any"},
    "review.column.": {
        *("number", "move", "best", "loss", "verdict", "field", "owner", "price"),
        *("perfect", "surplus", "worth", "taler", "chance", "denial", "regret"),
    },
    "review.level.": {"above", "below", "between", "few", "games", "unmeasured"},
    "review.move.": {
        *("offer", "bid", "pass", "sell", "claim", "develop", "done", "subsidy", "cash", "none")
    },
    "review.term.": set(TERMS),
    "review.verdict.": set(VERDICTS),
    "review.why.": {
        *("loss", "fine", "gift", "harm"),
        *(f"{part}.{side}" for part in (*FEATURE_GROUPS, DENIAL) for side in ("best", "played")),
    },
    "section.": {rule.section for rule in RULES.values()},
    "source.": names(Source) - {"seat"},
    "verify.proof.": {
        "commitment",
        "contributions",
        "daily",
        "draw",
        "era_key",
        "seating",
        "secret_missing",
        "missing",
        "not_mine",
        "other_commitment",
        "starting_player",
    },
}
"""Keys made of a prefix and a word of the rules: exactly these must be there."""

DECISIONS = (Phase.OFFER, Phase.BID, Phase.SETTLE, Phase.DEVELOP)
REMEDIES_OF_SEVERAL_FAULTS = {
    "take_subsidy",
    "use_source",
    "no_source",
    *(f"phase_{phase.name.lower()}" for phase in DECISIONS),
}

CODES = {
    ("say", 0): "",
    ("_whole", 0): "",
    ("NotationError", 0): "notation.",
    ("RecordError", 0): "record.",
    ("page_text", 0): "review.page.",
    ("Problem", 1): "board.problem.",
    ("note", 1): "board.problem.",
    ("problem", 0): "board.problem.",
}
"""Functions whose argument at this place is a key, or a key without this prefix."""


# --- the files -----------------------------------------------------------------------------------


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key stands twice among {keys}"
    return dict(pairs)


def leaves(node: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Entries by key: everything that does not hold further keys."""
    for key, value in node.items():
        if isinstance(value, dict) and not {"one", "other"} & set(value):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


@cache
def files(language: str) -> dict[str, dict[str, Any]]:
    """The entries of every catalogue file of a language."""
    return {
        path.name: dict(leaves(json.loads(path.read_text("utf-8"), object_pairs_hook=unique)))
        for path in sorted((TEXTS / language).glob("*.json"))
    }


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Every text of a language with its key, plural forms one by one."""
    for key, entry in catalogue(language).items():
        if isinstance(entry, dict):
            yield from ((f"{key} ({form})", text) for form, text in entry.items())
        else:
            yield key, entry


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def without_placeholders(text: str) -> str:
    return re.sub(r"\{\w*\}", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_is_a_text_or_a_pair_of_plural_forms(language: str) -> None:
    for name, entries in files(language).items():
        for key, entry in entries.items():
            forms = entry if isinstance(entry, dict) else {"one": entry, "other": entry}
            assert set(forms) == {"one", "other"}, f"{name}: {key}"
            for text in forms.values():
                assert isinstance(text, str), f"{name}: {key}"
                assert text.strip() == text != "", f"{name}: {key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_stands_in_one_file_only(language: str) -> None:
    keys = [key for entries in files(language).values() for key in entries]
    assert len(keys) == len(set(keys))
    assert set(keys) == set(catalogue(language))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys_in_the_same_files(language: str) -> None:
    assert list(files(language)) == list(files(DEFAULT))
    for name, entries in files(DEFAULT).items():
        assert set(files(language)[name]) == set(entries), name


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_names_the_same_values(language: str) -> None:
    for key, entry in catalogue(DEFAULT).items():
        other = catalogue(language)[key]
        assert isinstance(other, dict) == isinstance(entry, dict), key
        for text in other.values() if isinstance(other, dict) else [other]:
            english = entry["other"] if isinstance(entry, dict) else entry
            assert placeholders(text) == placeholders(english), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_has_a_name_and_every_brace_is_closed(language: str) -> None:
    for key, text in sentences(language):
        assert all(re.fullmatch(r"[a-z_]+", name) for name in placeholders(text)), key
        said = text.format(**dict.fromkeys(placeholders(text), "X"))
        assert "{" not in said and "}" not in said, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_chosen_by_a_count(language: str) -> None:
    for key, entry in catalogue(language).items():
        if isinstance(entry, dict):
            assert "count" in placeholders(entry["other"]), key
            assert placeholders(entry["one"]) == placeholders(entry["other"]), key


@pytest.mark.parametrize(
    ("language", "none", "one", "two"),
    [
        ("en", "0 points", "1 point", "2 points"),
        ("de", "0 Punkte", "1 Punkt", "2 Punkte"),
        ("fr", "0 point", "1 point", "2 points"),
    ],
)
def test_none_one_and_two_take_the_form_of_the_language(
    language: str, none: str, one: str, two: str
) -> None:
    assert [say("points", language, count=count) for count in (0, 1, 2)] == [none, one, two]


def test_minus_one_is_one_and_minus_five_are_many() -> None:
    for language in LANGUAGES:
        for negative, positive in ((-1, 1), (-5, 5)):
            said = say("talers", language, count=negative)
            assert said == "-" + say("talers", language, count=positive)


def test_an_unknown_key_or_language_is_an_error_and_never_silence() -> None:
    with pytest.raises(UnknownText):
        say("fault.no_such_fault")
    with pytest.raises(UnknownText):
        say("talers", "eo", count=1)


# --- translated ----------------------------------------------------------------------------------


def says_something(text: str) -> bool:
    return any(letter.isalpha() for letter in without_placeholders(text))


def equal_texts() -> set[str]:
    """What reads the same in two languages under the same key, in small letters."""
    texts = [dict(sentences(language)) for language in LANGUAGES]
    return {
        text.casefold()
        for first, second in combinations(texts, 2)
        for key, text in first.items()
        if says_something(text) and second[key].casefold() == text.casefold()
    }


def test_no_entry_is_left_untranslated() -> None:
    assert equal_texts() - SAME_IN_TWO_LANGUAGES == set()


def test_every_exception_from_translation_is_needed() -> None:
    assert SAME_IN_TWO_LANGUAGES - equal_texts() == set()


# --- used ----------------------------------------------------------------------------------------


@cache
def modules() -> tuple[ast.Module, ...]:
    return tuple(ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py")))


def words_of(node: ast.AST) -> set[str]:
    """The string constants in a piece of code, without docstrings and the pieces of f-strings."""
    left_out = {
        id(inner)
        for outer in ast.walk(node)
        if isinstance(outer, ast.JoinedStr | ast.Expr)
        for inner in ast.iter_child_nodes(outer)
    }
    return {
        inner.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant)
        and isinstance(inner.value, str)
        and id(inner) not in left_out
    }


def prefixes_of(module: ast.Module) -> set[str]:
    """What the f-strings of a module begin with, where that is the beginning of a key."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            start = str(node.values[0].value)
            if any(key.startswith(start) for key in catalogue(DEFAULT)):
                found.add(start)
    return {start for start in found if "." in start}


def called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def written_out(node: ast.expr) -> set[str]:
    """The texts that an expression can be, as far as they are written there.

    A name in braces stands for its family: `f"coins_{board.edition}"` is one text per edition.
    """
    match node:
        case ast.Constant(str(text)):
            return {text}
        case ast.IfExp(_, yes, no):
            return written_out(yes) | written_out(no)
        case ast.Subscript(ast.Dict(_, values)):
            return {text for value in values for text in written_out(value)}
        case ast.JoinedStr([ast.Constant(str(start)), ast.FormattedValue(ast.Attribute(_, name))]):
            return {f"{start}{word}" for word in FAMILIES.get(f"{name}.", ())}
    return set()


@cache
def keys_given_to_speakers() -> frozenset[str]:
    """The keys that the code writes out where a sentence is asked for."""
    return frozenset(
        f"{CODES[called(call), place]}{text}"
        for module in modules()
        for call in ast.walk(module)
        if isinstance(call, ast.Call)
        for place, argument in enumerate(call.args)
        if (called(call), place) in CODES
        for text in written_out(argument)
    )


def keys_spoken() -> set[str]:
    """All keys that the code can say: written out, or made of a prefix and a word it knows."""
    found = set(keys_given_to_speakers() | SPOKEN_INDIRECTLY)
    for module in modules():
        words = words_of(module)
        found |= {word for word in words if "." in word}
        for prefix in prefixes_of(module):
            found |= {f"{prefix}{word}" for word in FAMILIES.get(prefix, words)}
            if prefix == "refused.":
                found |= {f"refused.{code}" for code in FAMILIES["fault."]}
            if prefix == "remedy.":
                found |= {f"remedy.{code}" for code in remedies()}
    return found


def remedies() -> set[str]:
    return FAMILIES["fault."] | REMEDIES_OF_SEVERAL_FAULTS


def suffixes(prefix: str) -> set[str]:
    return {key.removeprefix(prefix) for key in catalogue(DEFAULT) if key.startswith(prefix)}


def test_no_entry_is_unused() -> None:
    elsewhere = {key for name in BROWSER for key in files(DEFAULT)[name]}
    assert set(catalogue(DEFAULT)) - keys_spoken() - elsewhere == set()


def test_every_key_that_the_code_writes_out_has_a_sentence() -> None:
    assert keys_given_to_speakers() - set(catalogue(DEFAULT)) == set()


@pytest.mark.parametrize("prefix", FAMILIES)
def test_every_word_of_the_rules_has_its_entry_and_no_other_has(prefix: str) -> None:
    assert suffixes(prefix) == FAMILIES[prefix]


def test_a_player_is_spoken_to_wherever_a_fault_names_the_seat() -> None:
    """The table says “You can’t bid 7”; a check of records says “Seat 2 cannot bid 7”."""
    faults = dict(sentences(DEFAULT))
    naming = {code for code in suffixes("fault.") if "{seat}" in faults.get(f"fault.{code}", "")}
    assert suffixes("refused.") == naming - {"no_seat"}
    for language in LANGUAGES:
        for key, text in sentences(language):
            assert not key.startswith("refused.") or "{seat}" not in text, key


def test_remedies_belong_to_faults() -> None:
    assert suffixes("remedy.") <= remedies()
    assert suffixes("remedy.") >= REMEDIES_OF_SEVERAL_FAULTS


def test_the_search_for_keys_finds_what_it_should() -> None:
    """Else the two tests above would pass for an empty reason."""
    assert {"verify.points", "record.name", "board.problem.link_loop"} <= keys_given_to_speakers()
    assert {"talers", "notation.verb", "board.problem.coins_industria"} <= keys_given_to_speakers()
    assert "fault.no_such_fault" not in keys_spoken()
    assert "language" not in words_of(ast.parse('"""language"""\nx = f"language {y}"'))


# --- written as the language is written ----------------------------------------------------------

NO_BREAK = "\u00a0\u202f"


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_hold_no_control_characters_and_no_stray_spaces(language: str) -> None:
    for key, text in sentences(language):
        assert not any(unicodedata.category(letter).startswith("C") for letter in text), key
        assert not re.search(rf"[ {NO_BREAK}]{{2}}", text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotes_apostrophes_dots_and_minus_are_typographic(language: str) -> None:
    for key, text in sentences(language):
        assert not set("'\"`") & set(text), key
        assert "..." not in text, key
        assert not re.search(r"(?<!\w)-\d", text), key


@pytest.mark.parametrize(
    ("language", "opening", "closing"), [("en", "“", "”"), ("de", "„", "“"), ("fr", "«", "»")]
)
def test_quotation_marks_are_those_of_the_language(
    language: str, opening: str, closing: str
) -> None:
    for key, text in sentences(language):
        marks = "".join(letter for letter in text if letter in "“”„«»‹›‚")
        assert marks == (opening + closing) * (len(marks) // 2), key


def test_french_high_punctuation_never_stands_alone_on_a_line() -> None:
    for key, text in sentences("fr"):
        said = without_placeholders(text.replace("}", "}x"))
        assert not re.search(rf"(?<![{NO_BREAK}])[:;!?»]", said), key
        assert not re.search(rf"«(?![{NO_BREAK}])", said), key


@pytest.mark.parametrize("language", ["en", "de"])
def test_english_and_german_punctuation_follows_its_word(language: str) -> None:
    for key, text in sentences(language):
        assert not re.search(rf"[ {NO_BREAK}][:;!?,.](?!\w)", text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_answer_in_whole_sentences(language: str) -> None:
    """Faults, remedies and events: each begins like a sentence and ends with a full stop."""
    for key, text in sentences(language):
        if key.startswith(("fault.", "refused.", "remedy.", "event.")) and not key.endswith("bank"):
            assert text[0].isupper() or text[0] == "{", key
            assert text.endswith("."), key


NOT_OUR_WORDS = {
    "en": (
        r"(?i)\b(he|him|his|himself|onlookers?|anew|whoever)\b",
        r"(?<![Tt]here )\bis no (?!longer)",
        r"\w …",
    ),
    "de": (r"Siegpunkt", r"(?i)\bder eigene Platz", r"\b(die|der|an die|zur) Bank\b"),
    "fr": (r"à soi\b", r"(?i)\bbots?\b", r"\bmis(er|ez|ent)\b", r"points? de victoire", r"\w …"),
}
"""One word for one thing: players are `they`, points are not `Siegpunkte` in one place only."""

DELIBERATE = {"pages.note.unofficial"}
"""Speaks of the author of the game."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_were_given_up_do_not_come_back(language: str) -> None:
    for key, text in sentences(language):
        if key not in DELIBERATE:
            said = without_placeholders(text.replace("}", "}x"))
            assert not [word for word in NOT_OUR_WORDS[language] if re.search(word, said)], key


def test_a_round_is_a_manche_and_a_turn_a_tour() -> None:
    for key, text in sentences("fr"):
        english = dict(sentences("en"))[key]
        if re.search(r"(?i)\brounds?\b", english):
            assert re.search(r"(?i)\bmanches?\b|à la ronde", text), key
