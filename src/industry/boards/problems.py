"""Problems of board files: the place, a stable code, and the values involved."""

from dataclasses import dataclass

from industry.texts import say

Value = str | int | tuple[str, ...]
"""Of a problem; several words of the file are listed in its sentence."""


@dataclass(frozen=True, slots=True)
class Problem:
    """`place` is a field id, a link or a top-level key of the file; empty for the whole file."""

    place: str
    code: str
    values: dict[str, Value]

    def sentence(self, language: str = "en") -> str:
        """Returns what is wrong, and where."""
        values = {
            name: ", ".join(value) if isinstance(value, tuple) else value
            for name, value in self.values.items()
        }
        problem = say(f"board.problem.{self.code}", language, **values)
        if not self.place:
            return problem
        return say("board.at_place", language, place=self.place, problem=problem)


def era_place(era: int) -> str:
    """Returns the place of a problem with an era as a whole."""
    return f"era {era}"


class BoardError(ValueError):
    """The board file cannot be used; `problems` lists all reasons."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        self.name = name
        self.problems = problems
        more = len(problems) - 1
        rest = f" (and {more} more: see “industry board check {name}”)" if more else ""
        super().__init__(f"{name}: {problems[0].sentence()}{rest}")
