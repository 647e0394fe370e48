"""Builds a release into dist/: `python -m tools.release`.

Refuses uncommitted changes, a version without a dated section at the top of the changelog, and
incomplete archives. The source archive is built from a clean clone, the wheel from the source
archive. The wheel is then installed into an empty environment without Node; a game is played and
checked with it, and its server must show the page and seat bots.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from .node import WHEEL, is_installed

ROOT = Path(__file__).parents[1]
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
SECTION = re.compile(r"^## (\S+)(?: — (\S+))?", re.MULTILINE)
IN_SOURCES = (
    "src/industry/server/static/index.html",
    "requirements/constraints.txt",
    "tools/setup.py",
    "tests/conftest.py",
    "web/package-lock.json",
    "Makefile",
    "README.md",
)
IN_WHEEL = ("industry/server/static/index.html", "industry/texts/de/web.json")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
TABLE = {
    "id": "release",
    "options": {"players": 3},
    "seats": [{"kind": "human", "name": "Ana"}, *[{"kind": "bot", "bot": "apprentice"}] * 2],
}


class Refused(Exception):
    """This cannot be released; the message says why."""


def main() -> int:
    try:
        release(ROOT)
    except Refused as reason:
        sys.stderr.write(f"No release: {reason}\n")
        return 1
    return 0


def release(root: Path) -> None:
    version = checked_version(root)
    with tempfile.TemporaryDirectory(prefix="release-") as temporary:
        work = Path(temporary)
        sources, wheel = build(root, work)
        check_archive(names_of(sources), [f"industry-{version}/{name}" for name in IN_SOURCES])
        check_archive(names_of(wheel), IN_WHEEL)
        for path in (sources, wheel):
            if path.name.split("-")[1].removesuffix(".tar.gz") != version:
                raise Refused(f"{path.name} is not of version {version}.")
        try_out(wheel, root, work, version)
        (root / "dist").mkdir(exist_ok=True)
        for path in (sources, wheel):
            shutil.copy(path, root / "dist")
            print(f"dist/{path.name}")


# What must hold before


def checked_version(root: Path) -> str:
    """Returns the version of the sources, if they are committed and the changelog has its date."""
    changed = _run(["git", "status", "--porcelain"], root).splitlines()
    if changed:
        names = ", ".join(line[3:] for line in changed[:5])
        raise Refused(f"{len(changed)} changes are not committed ({names}).")
    found = VERSION.search((root / "src/industry/__init__.py").read_text(encoding="utf-8"))
    if found is None:
        raise Refused("src/industry/__init__.py states no version.")
    version = found[1]
    section = SECTION.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if section is None or section[1] != version:
        raise Refused(
            f"the version is {version}, and the first section of CHANGELOG.md is "
            f"{section[1] if section else 'missing'}."
        )
    try:
        date.fromisoformat(section[2] or "")
    except ValueError:
        raise Refused(
            f"CHANGELOG.md has no date for {version} (## {version} — 2030-12-31)."
        ) from None
    return version


def check_archive(names: Iterable[str], expected: Iterable[str]) -> None:
    missing = sorted(set(expected) - set(names))
    if missing:
        raise Refused(f"the archive lacks {', '.join(missing)}.")


def names_of(archive: Path) -> list[str]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as file:
            return file.namelist()
    with tarfile.open(archive) as file:
        return file.getnames()


# Building


def build(root: Path, work: Path) -> tuple[Path, Path]:
    """Builds the source archive from a clean clone, and the wheel from that archive."""
    print("Building from a clean clone (about two minutes)", flush=True)
    clone, made = work / "clone", work / "made"
    _run(["git", "clone", "--quiet", f"file://{root}", str(clone)], work)
    python = _environment(work / "build")
    _install(python, "hatchling>=1.27", *([] if is_installed() else [WHEEL]))
    hatchling = [str(python), "-m", "hatchling", "build", "-d", str(made), "-t"]
    _run([*hatchling, "sdist"], clone)
    sources = next(made.glob("*.tar.gz"))
    shutil.unpack_archive(sources, work / "unpacked")
    _run([*hatchling, "wheel"], next((work / "unpacked").iterdir()))
    return sources, next(made.glob("*.whl"))


# Trying it out


def try_out(wheel: Path, root: Path, work: Path, version: str) -> None:
    """Installs the wheel into an empty environment, and plays."""
    print("Installing the wheel into an empty environment and playing a game", flush=True)
    python = _environment(work / "empty")
    _install(python, "-c", str(root / "requirements/constraints.txt"), str(wheel))
    home = work / "home"
    home.mkdir()
    variables = {"PATH": str(python.parent), "HOME": str(home), "XDG_DATA_HOME": str(home)}
    environment = {key: os.environ[key] for key in ("SYSTEMROOT",) if key in os.environ} | variables
    industry = [str(python), "-m", "industry"]
    said = _run([*industry, "--version"], home, environment)
    if version not in said:
        raise Refused(f"the installed program says: {said.strip()}, and not {version}.")
    play = ["simulate", "--games", "1", "--seed", "release", "--record", "game.jsonl"]
    _run([*industry, *play], home, environment)
    _run([*industry, "verify", "game.jsonl"], home, environment)
    try_server(industry, home, environment)


def try_server(industry: list[str], home: Path, environment: dict[str, str]) -> None:
    """Checks that the page is served, and that bots take seats at a table."""
    command = [*industry, "serve", "--port", "0"]
    server = subprocess.Popen(
        command,
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None and server.stderr is not None
        found = re.search(r"http://\S+/", server.stdout.readline())
        if found is None:
            server.kill()
            raise Refused(f"the server does not start: {server.stderr.read()}")
        with urllib.request.urlopen(found[0]) as page:
            if b"/assets/" not in page.read():
                raise Refused("the server shows no page.")
        body = json.dumps(TABLE).encode()
        kind = {"content-type": "application/json"}
        wish = urllib.request.Request(f"{found[0]}api/tables", body, kind)
        with urllib.request.urlopen(wish) as made:
            json.load(made)
    finally:
        server.terminate()
        server.communicate()


# Programs


def _environment(folder: Path) -> Path:
    _run([sys.executable, "-m", "venv", str(folder)], folder.parent)
    return folder / PROGRAMS / ("python.exe" if os.name == "nt" else "python")


def _install(python: Path, *what: str) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, *what], python.parent)


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-30:])
        raise Refused(f"{' '.join(command)} failed:\n{said}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
