"""Problems of board files: the place, a stable code, and the values involved."""

from dataclasses import dataclass

from industry.texts import say


@dataclass(frozen=True, slots=True)
class Problem:
    """`place` is a field id, a link or a top-level key of the file."""

    place: str
    code: str
    values: dict[str, str | int]

    def sentence(self, language: str = "en") -> str:
        return say(f"board.problem.{self.code}", language, place=self.place, **self.values)


class BoardError(ValueError):
    """The board file cannot be used; `problems` lists all reasons."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        self.name = name
        self.problems = problems
        more = len(problems) - 1
        rest = f" (and {more} more: see “industry board check {name}”)" if more else ""
        super().__init__(f"{name}: {problems[0].sentence()}{rest}")
