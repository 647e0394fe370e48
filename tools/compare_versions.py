"""Compares the games of two versions: `python -m tools.compare_versions 37d3e3a [OTHER]`.

Each version is a commit of this repository, a folder with a checkout, or a file that `--save`
wrote; the second defaults to the working tree. Both replay the golden games, count move sequences,
simulate random games and let bots play, for given seeds. The digests of all results are compared,
so that a change of names or speed that changes a single move is found. Exits with 1 if anything
differs. Bots that use the clock are left out: their games depend on the machine.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
PERFT = ROOT / "tests" / "perft"

PROBE = """
import hashlib, json, sys
from pathlib import Path
from industry.boards import load_board
from industry.notation import record_from_data, record_from_toml, replay, replay_steps
from industry.notation.perft import perft

golden, perft_files = Path(sys.argv[1]), Path(sys.argv[2])

def board_of(record):
    return load_board(golden / "boards" / f"{record.board}.toml")

def digest(texts):
    return hashlib.sha256("\\n".join(texts).encode()).hexdigest()

found = {}
for name in ("industry", "industria"):
    found[f"board hash of {name}"] = load_board(name).hash
for path in sorted((golden / "games").glob("*.toml")):
    record = record_from_toml(path.read_text(encoding="utf-8"))
    games = replay_steps(record, board_of(record))
    found[f"golden game {path.stem}"] = digest(
        text
        for game in games
        for text in (game.position.digest(), repr(game.events[-1]), *game.legal_moves())
    )
for path in sorted(perft_files.glob("*.json")):
    data = json.loads(path.read_text(encoding="utf-8"))
    record = record_from_data(data["record"])
    position = replay(record, board_of(record), data["at"]).position
    found[f"perft {path.stem}"] = str(perft(position, data["depth"]))
print(json.dumps(found))
"""
"""Runs inside each version, so it uses only names that versions share."""

TABLES = [(edition, players) for edition in ("industry", "industria") for players in (3, 4)]
COMPILED_GAMES = 600
INTERPRETED_GAMES = 12
"""So few that nothing is compiled for them."""
BOT_GAMES = 6
BOTS = ("apprentice", "foreman", "engineer")


def digests_of(checkout: Path, quick: bool) -> dict[str, str]:
    """Returns the digests of everything that a checkout plays, by name."""
    found: dict[str, str] = json.loads(
        _python(checkout, "-c", PROBE, str(GOLDEN), str(PERFT)).decode()
    )
    if quick:
        return found
    for name, arguments in _simulations():
        with tempfile.TemporaryDirectory() as empty:
            cache = empty if str(INTERPRETED_GAMES) in arguments else None
            lines = _python(checkout, "-m", "industry", "simulate", *arguments, cache=cache)
        found[name] = hashlib.sha256(lines).hexdigest()
    return found


def _simulations() -> Iterator[tuple[str, list[str]]]:
    for edition, players in TABLES:
        table = ["--edition", edition, "--players", str(players), "--record", "-"]
        table += ["--seed", "compare", "--processes", "1"]
        for games in (COMPILED_GAMES, INTERPRETED_GAMES):
            name = f"{games} random games of {edition} with {players}"
            yield name, [*table, "--games", str(games), "--legal-counts"]
        for bot in BOTS:
            name = f"{BOT_GAMES} games of the {bot} in {edition} with {players}"
            yield name, [*table, "--games", str(BOT_GAMES), "--bots", bot]


def _python(checkout: Path, *arguments: str, cache: str | None = None) -> bytes:
    """Runs Python on a checkout; `cache` is another folder for machine code."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "PYTHONHASHSEED": "0"}
    if cache is not None:
        environment["INDUSTRY_CACHE_DIR"] = cache
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, cwd=checkout, capture_output=True)
    if done.returncode:
        sys.exit(f"{checkout} fails at {' '.join(arguments)}:\n{done.stderr.decode()}")
    return done.stdout


@contextmanager
def checkout_of(version: str) -> Iterator[Path]:
    """Yields a folder with the version: the given one, or a temporary worktree of the commit."""
    if Path(version).is_dir():
        yield Path(version).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "checkout"
        _git("worktree", "add", "--quiet", "--detach", str(place), version)
        describe_package(place)
        try:
            yield place
        finally:
            _git("worktree", "remove", "--force", str(place))


def describe_package(folder: Path) -> None:
    """Lets Python find the version and the bots of a checkout, as those of an installed package."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    source = (folder / "src" / "industry" / "__init__.py").read_text("utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    info = folder / "src" / f"industry-{version}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: industry\nVersion: {version}\n"
    (info / "METADATA").write_text(head, "utf-8")
    bots = project.get("entry-points", {}).get("industry.bots", {})  # only in 0.1.0
    lines = ["[industry.bots]", *(f"{name} = {place}" for name, place in bots.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")


def _git(*arguments: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *arguments], check=True)


def results_of(version: str, quick: bool) -> dict[str, str]:
    """Returns the digests of a version."""
    if version.endswith(".json"):
        found: dict[str, str] = json.loads(Path(version).read_text(encoding="utf-8"))
        return found
    with checkout_of(version) as checkout:
        return digests_of(checkout, quick)


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Returns the names of everything that differs."""
    names = before.keys() | after.keys()
    return sorted(name for name in names if before.get(name) != after.get(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", help="a commit, a folder with a checkout, or a saved file")
    parser.add_argument("after", nargs="?", default=str(ROOT), help="default: the working tree")
    parser.add_argument("--quick", action="store_true", help="golden games and perft only")
    parser.add_argument("--save", type=Path, help="write the digests of the first version here")
    arguments = parser.parse_args()
    before = results_of(arguments.before, arguments.quick)
    if arguments.save:
        arguments.save.write_text(json.dumps(before, indent=1), encoding="utf-8")
    after = results_of(arguments.after, arguments.quick)
    if arguments.quick:
        before = {name: before[name] for name in after if name in before}
    different = differences(before, after)
    for name in different:
        print(f"differs: {name}")
    print(f"{len(after) - len(different)} of {len(after)} results are the same")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
