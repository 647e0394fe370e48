"""Builds the browser's page from web/ if necessary."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .node import find_node

ROOT = Path(__file__).parents[1]
SOURCES = ("web", "src/industry/texts", "src/industry/fonts", "src/industry/boards/picture")
NOT_SOURCES = {"node_modules", "fixtures"}


def is_due(root: Path = ROOT) -> bool:
    """Returns whether the page is missing or older than its sources.

    INDUSTRY_SKIP_WEB=1 leaves the page out; INDUSTRY_BUILD_WEB=1 builds it in any case.
    """
    if os.environ.get("INDUSTRY_SKIP_WEB") == "1":
        return False
    if os.environ.get("INDUSTRY_BUILD_WEB") == "1":
        return True
    page = root / "src/industry/server/static/index.html"
    if not page.exists():
        return True
    if (root / "PKG-INFO").exists():
        return False  # a source archive carries the built page
    return page.stat().st_mtime < max(path.stat().st_mtime for path in _sources(root))


def build(root: Path = ROOT) -> None:
    """Installs the build tools of the page, and builds it into src/industry/server/static."""
    _npm(root, "ci", "--no-audit", "--no-fund")
    bundle(root)


def bundle(root: Path = ROOT) -> None:
    """Builds the page with what is installed in web/node_modules."""
    _npm(root, "run", "build")


def _npm(root: Path, *arguments: str) -> None:
    node = find_node()
    subprocess.run(
        [*node.npm, *arguments],
        cwd=root / "web",
        env=node.environment,
        stdout=sys.stderr,  # the front end that builds a wheel may read stdout itself
        check=True,
    )


def _sources(root: Path) -> Iterator[Path]:
    for source in SOURCES:
        for folder, folders, names in os.walk(root / source):
            folders[:] = [name for name in folders if name not in NOT_SOURCES]
            yield from (Path(folder) / name for name in names)


if __name__ == "__main__":
    build()
