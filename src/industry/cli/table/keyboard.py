"""Where the answers come from: a person's keyboard, or a file or pipe in its place."""

import sys

from rich.console import Console

from industry.texts.shown import printable

from .paper import Paper


class Keyboard:
    """Asks for one line after another; raises EOFError at the end of the input."""

    def __init__(self, console: Console, paper: Paper) -> None:
        self.console = console
        self.paper = paper
        self.is_person = sys.stdin is not None and sys.stdin.isatty()
        if self.is_person:
            _edit_lines()

    def ask(self, prompt: str) -> str:
        """The next line. What does not come from a keyboard is shown, so that a log is readable."""
        if self.is_person:
            return printable(input(self.paper.fit(f"{prompt} > ")))
        self.console.print(f"{prompt} > ", end="")
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            raise EOFError
        line = printable(line.rstrip("\r\n"))
        self.console.print(line, soft_wrap=True)
        return line


def _edit_lines() -> None:
    """Arrow keys and history, where the system has them."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
