"""Explains a refusal: what is wrong, what would help, and the rule with its source."""

from collections.abc import Callable, Iterable, Sequence

from industry.boards import BoardSpec
from industry.engine import NOBODY, Number, Phase, Refusal, Source, field_id
from industry.texts import DEFAULT, has, say

Speaker = Callable[[Number], object]
"""Formats a number of a refusal for people."""


def explain(
    refusal: Refusal,
    board: BoardSpec,
    language: str = DEFAULT,
    names: Sequence[str] = (),
    *,
    to_you: bool = False,
) -> str:
    """Explains a refusal in one paragraph; seats are called by `names` if given."""
    parts = [
        what_is_wrong(refusal, board, language, names, to_you=to_you),
        what_helps(refusal, board, language, names),
    ]
    return " ".join(part for part in (*parts, citation(refusal, language)) if part)


def what_is_wrong(
    refusal: Refusal,
    board: BoardSpec,
    language: str = DEFAULT,
    names: Sequence[str] = (),
    *,
    to_you: bool = False,
) -> str:
    """Returns only the reason; `to_you` addresses the player whose move it was."""
    yours = f"refused.{refusal.code}"
    key = yours if to_you and has(yours, language) else f"fault.{refusal.code}"
    sentence = say(key, language, **_words(refusal, board, language, names))
    begins_with_name = any(name and sentence.startswith(name) for name in names)
    return sentence if begins_with_name else sentence[:1].upper() + sentence[1:]


def what_helps(
    refusal: Refusal, board: BoardSpec, language: str = DEFAULT, names: Sequence[str] = ()
) -> str:
    """Says what would make the move legal, or what to do instead; may be empty."""
    words = _words(refusal, board, language, names)
    keys = [f"remedy.{code}" for code in refusal.remedies]
    return " ".join(say(key, language, **words) for key in keys if has(key, language))


def citation(refusal: Refusal, language: str = DEFAULT) -> str:
    """Returns the rule's id, the rulebook section and the rulings."""
    rule = refusal.rule
    key = "citation_rulings" if rule.rulings else "citation"
    return say(
        key,
        language,
        rule=rule.id,
        section=say(f"section.{rule.section}", language),
        rulings=", ".join(rule.rulings),
    )


def field_name(board: BoardSpec, field: int, language: str = DEFAULT) -> str:
    """Returns id and name of a field: `1F Iron ore mine`."""
    return f"{field_id(field)} {board.field(field).name[language]}"


def seat_name(seat: int, language: str = DEFAULT, names: Sequence[str] = ()) -> str:
    """Returns the player's name if names are given, else the number of the seat (from 0)."""
    return names[seat] if 0 <= seat < len(names) else say("seat", language, seat=seat + 1)


def source_name(source: int, language: str = DEFAULT, names: Sequence[str] = ()) -> str:
    if source >= Source.SEAT:
        return seat_name(source - Source.SEAT, language, names)
    return say(f"source.{Source(source).name.lower()}", language)


def join_words(items: Iterable[str], language: str = DEFAULT, joint: str = "and") -> str:
    """Joins words to a list: `a, b and c`."""
    words = list(items)
    if not words:
        return say("nothing", language)
    if len(words) == 1:
        return words[0]
    return say(joint, language, first=", ".join(words[:-1]), last=words[-1])


def _words(
    refusal: Refusal, board: BoardSpec, language: str, names: Sequence[str]
) -> dict[str, object]:
    """Formats the numbers of a refusal for people."""
    speak = _speakers(board, language, names) | _amounts(language, "price" in refusal.numbers)
    return {
        name: speak[name](value) if name in speak else value
        for name, value in refusal.numbers.items()
    }


def _amounts(language: str, needs_talers: bool) -> dict[str, Speaker]:
    """Returns how amounts of Talers are formatted; needs can also be numbers of something else."""

    def talers(count: Number) -> object:
        return say("talers", language, count=count)

    amounts = ("purse", "price", "total", "missing", "high_bid", "lowest")
    return dict.fromkeys((*amounts, "needed") if needs_talers else amounts, talers)


def _speakers(board: BoardSpec, language: str, names: Sequence[str]) -> dict[str, Speaker]:
    """Returns how the other numbers are formatted, by their names."""

    def seat(number: Number) -> str:
        assert isinstance(number, int)
        return seat_name(number, language, names)

    def resource(number: Number) -> object:
        assert isinstance(number, int)
        return say(f"resource.{board.resources[number]}", language)

    def many(name: Callable[[int], str], joint: str = "and") -> Speaker:
        return lambda numbers: join_words(
            [name(n) for n in numbers] if isinstance(numbers, tuple) else [], language, joint
        )

    return {
        "seat": seat,
        "actor": seat,
        "owner": lambda n: seat(n) if n != NOBODY else say("nothing", language),
        "era": lambda n: n + 1,
        "phase": lambda n: say(f"phase.{Phase(n).name.lower()}", language),
        "field": lambda n: field_name(board, n, language),
        "resource": resource,
        "source": lambda n: source_name(n, language, names),
        "drawn": many(field_id),
        "bag": many(field_id),
        "available": many(field_id),
        "ways": many(lambda n: source_name(n, language, names), "or"),
        "sellers": many(seat),
        "needs": many(lambda n: str(resource(n))),
    }
