"""What the commands that measure speeds share: for how long, and as a table or as JSON."""

import argparse
import json
from collections.abc import Callable
from typing import TypeVar

Results = TypeVar("Results")


def speed_parser(description: str | None, seconds: float) -> argparse.ArgumentParser:
    """Returns the options of such a command; `seconds` is the default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=seconds, help="time per measurement")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    return parser


def print_results(results: Results, show: Callable[[Results], None], *, as_json: bool) -> None:
    """Prints what was measured; `show` prints it as a table."""
    if as_json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
