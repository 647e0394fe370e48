"""An engine in plain Python: develops what it can, bids a little, otherwise plays the first move.

    industry tournament --bots "exec:python3 examples/engine.py,apprentice" --games 60

docs/engine-protocol.md describes the lines that it reads and writes.
"""

import json
import sys
from random import Random


def choose(legal: list[str], seed: int) -> str:
    """Returns one of the legal moves, which are lines such as `2 bid 3`."""
    developments = [line for line in legal if " develop " in line]
    if developments:
        return Random(seed).choice(developments)
    bids = [line for line in legal if " bid " in line and int(line.split()[2]) <= 3]
    others = [line for line in legal if " bid " not in line and " subsidy" not in line]
    return (bids or others or legal)[-1]


def main() -> None:
    for line in sys.stdin:
        keyword, _, rest = line.strip().partition(" ")
        if keyword == "hello":
            print("hello 1 Example engine", flush=True)
        elif keyword == "go":
            asked = json.loads(rest)
            print("move", choose(asked["legal"], asked["seed"]), flush=True)
        elif keyword == "quit":
            break


main()
