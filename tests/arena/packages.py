"""A package with bots as anyone might write one: real files, found by its entry points."""

from collections.abc import Mapping
from pathlib import Path

HEAD = """
import os, sys, time
from industry.engine import Bid, Pass

class Foreign:
    level = 0
    description = "Made for a test."
"""

CHOOSE = "    def choose(self, position, legal, seconds, rng):\n"


def choosing(*lines: str) -> str:
    """The body of a bot that decides by these lines."""
    return CHOOSE + "".join(f"        {line}\n" for line in lines)


BODIES = {
    "first": choosing("return legal[0]"),
    "illegal": choosing("return Bid(position.actor, 149)"),
    "nonsense": choosing("return 'the best one'"),
    "raises": choosing("raise ValueError('no idea')"),
    "quits": choosing("sys.exit('enough')"),
    "slow": choosing("time.sleep(1.2)", "return legal[0]"),
    "hangs": choosing("while True: pass"),
    "crashes": choosing("os.kill(os.getpid(), 9)"),
    "vandal": choosing(
        "position.state.talers[:] = [99] * 4",
        "position.state.phase = 5",
        "return legal[0]",
    ),
    "talker": choosing("print('thinking aloud')", "return legal[0]"),
    "spy": choosing(
        "seen = ' '.join(sorted(vars(position.state)))",
        "open(os.environ['SPY'], 'a').write(f'{seen}|{len(legal)}\\n')",
        "return rng.choice(legal)",
    ),
    "unmade": "    def __init__(self):\n        open(os.environ['ONCE'], 'x').close()\n"
    + choosing("return legal[0]"),
}
"""Bots by name. `first` and `talker` behave; the others do one thing wrong each."""


def install(folder: Path, bodies: Mapping[str, str] = BODIES) -> Path:
    """Write a package with these bots into a folder that can stand on the path."""
    module = "foreign_bots"
    source, entries = HEAD, "[industry.bots]\n"
    for name, body in bodies.items():
        kind = name.capitalize()
        source += f"\nclass {kind}(Foreign):\n{body}"
        entries += f"{name} = {module}:{kind}\n"
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")
    return folder
