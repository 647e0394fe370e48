"""Builds the browser client before a wheel, an editable install or a source archive is made.

INDUSTRY_SKIP_WEB=1 leaves the client out; INDUSTRY_BUILD_WEB=1 builds it even if it is up to date.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # a build sees only its own dependencies

from tools import node, page


class WebBuild(BuildHookInterface[Any]):
    """Fills src/industry/server/static from web/."""

    def dependencies(self) -> list[str]:
        return [node.WHEEL] if page.is_due(Path(self.root)) and not node.is_installed() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if page.is_due(Path(self.root)):
            self.app.display_info("Building the browser client")
            page.build(Path(self.root))
