"""Where answers come from: a keyboard, or a file or pipe."""

import sys

from rich.console import Console

from industry.texts.sanitize import printable

from .encoding_output import EncodedOutput


class Keyboard:
    """Asks for one line at a time; raises EOFError at the end of the input."""

    def __init__(self, console: Console, paper: EncodedOutput) -> None:
        self.console = console
        self.paper = paper
        self.is_person = sys.stdin is not None and sys.stdin.isatty()
        if self.is_person:
            _edit_lines()

    def ask(self, prompt: str) -> str:
        """Returns the next line; echoes it if it does not come from a keyboard, so that logs are
        readable.
        """
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
    """Enables arrow keys and history, if the system has them."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
