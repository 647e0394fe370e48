"""A package with bots as anyone might write one: real files, found by its entry points."""

from collections.abc import Mapping
from pathlib import Path

MODULE = "foreign_bots"

HEAD = '''"""Bots of somebody else."""

import os, sys, time
from industry.engine import Bid, Develop, Subsidy


class Foreign:
    level = 0
    description = "Made for a test."
'''


def choosing(*lines: str) -> str:
    """Returns the body of a bot that decides by these lines."""
    head = "    def choose(self, position, legal, seconds, rng):\n"
    return head + "".join(f"        {line}\n" for line in lines)


BODIES = {
    "first": choosing("return legal[0]"),
    "builder": choosing(
        "good = [m for m in legal if isinstance(m, Develop)]",
        "good += [m for m in legal if isinstance(m, Bid) and m.talers <= 3]",
        "return (good or [m for m in legal if not isinstance(m, Subsidy)])[0]",
    ),
    "spy": choosing(
        "with open(os.environ['SPY'], 'a') as file: print(len(legal), seconds, file=file)",
        "return rng.choice(legal)",
    ),
    "vandal": choosing(
        "position.state.talers[:] = [99] * 4",
        "position.state.owner[:] = [position.actor] * 60",
        "return legal[0]",
    ),
    "talker": choosing("print('thinking aloud')", "return legal[0]"),
    "illegal": choosing("return Bid(position.actor, 149)"),
    "nonsense": choosing("return 'the best one'"),
    "raises": choosing("raise ValueError('no idea')"),
    "quits": choosing("sys.exit('enough')"),
    "slow": choosing("time.sleep(1.1)", "return legal[0]"),
    "hangs": choosing("while position.actor == 0: pass", "return legal[0]"),
    "crashes": choosing("if position.actor == 0: os.kill(os.getpid(), 9)", "return legal[0]"),
    "compiler": "    is_warm = False\n"
    "    def warm_up(self):\n"
    "        Compiler.is_warm = True\n"
    + choosing("if not Compiler.is_warm: raise RuntimeError('cold')", "return legal[0]"),
}
"""Bots by name. Most do one thing wrong each; two of them only on the first seat."""


def install(folder: Path, bodies: Mapping[str, str] = BODIES) -> Path:
    """Writes a package with these bots into a folder that can be on the path."""
    source, entries = HEAD, {}
    for name, body in bodies.items():
        source += f"\n\nclass {name.capitalize()}(Foreign):\n{body}"
        entries[name] = f"{MODULE}:{name.capitalize()}"
    (folder / f"{MODULE}.py").write_text(source, encoding="utf-8")
    return announce(folder, entries)


def announce(folder: Path, entries: Mapping[str, str]) -> Path:
    """Writes what an installer leaves behind: bots by name, and where they are found."""
    info = folder / f"{MODULE}-1.0.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    lines = "".join(f"{name} = {place}\n" for name, place in entries.items())
    (info / "entry_points.txt").write_text(f"[industry.bots]\n{lines}", encoding="utf-8")
    return folder
