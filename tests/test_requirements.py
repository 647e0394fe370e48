"""A server is installed from pinned packages whose hashes are known."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;\\]+)")


def pins(name: str) -> set[tuple[str, str]]:
    """The packages and versions that a file of requirements names."""
    text = (ROOT / "requirements" / name).read_text("utf-8")
    found = (PIN.match(line) for line in text.splitlines())
    return {(match[1], match[2]) for match in found if match}


def test_what_a_server_needs_is_pinned_in_the_versions_that_the_tests_use() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    names = {re.match(r"[a-z0-9-]+", line)[0] for line in wanted}  # type: ignore[index]
    locked, tested = pins("locked.txt"), pins("constraints.txt")
    assert names - {name for name, _ in locked} == set(), "run `make locked`"
    assert locked - tested == set(), "run `make locked`"


def test_every_pinned_package_has_hashes_and_names_no_index() -> None:
    text = (ROOT / "requirements" / "locked.txt").read_text("utf-8")
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert {PIN.match(block) is not None for block in blocks} == {True}
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert "://" not in text
    assert "--index" not in text


def test_the_source_archive_has_the_pins_and_the_installation_uses_them() -> None:
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    assert "requirements" in hatch["build"]["targets"]["sdist"]["include"]
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    assert page.count("--require-hashes -r ./industry/requirements/locked.txt") == 2
