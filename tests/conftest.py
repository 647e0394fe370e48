"""The files that take longest come first, so that no process waits long for another at the end."""

from collections import Counter

import pytest

LONG = (
    "browser/test_table_game.py",
    "engine/test_compiled.py",
    "browser/test_table_access.py",
    "test_docs.py",
    "browser/test_table_course.py",
    "browser/test_pages_access.py",
    "envs/test_openspiel.py",
    "server/test_crashes.py",
    "server/test_admin.py",
    "arena/test_cluster.py",
    "cli/test_simulate_lab.py",
    "envs/test_example.py",
    "browser/test_client.py",
    "server/test_promises.py",
    "server/test_serve.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:  # side by side, only one test of a name would run, without a word
        raise pytest.UsageError(f"tests share a name: {', '.join(twice)}")
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    path = item.path.as_posix()
    return next((n for n, name in enumerate(LONG) if path.endswith(f"tests/{name}")), len(LONG))
