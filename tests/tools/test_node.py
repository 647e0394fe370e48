"""Node is the machine's own where it is new enough, else that of the wheel."""

import os
import subprocess
from pathlib import Path

import pytest

from tools import node, page


def fake(folder: Path, version: str) -> None:
    """Programs called node and npm in a folder."""
    folder.mkdir(exist_ok=True)
    for name in ("node", "npm"):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
        program.chmod(0o755)


@pytest.mark.parametrize("version", ["v20.19.0", "v22.12.1", "v24.0.0"])
def test_a_node_that_is_new_enough_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    fake(tmp_path, version)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert node.find_node().npm == (str(tmp_path / "npm"),)


@pytest.mark.parametrize("version", ["v18.20.0", "v20.18.9", "v21.7.0", "v22.11.0", "nonsense"])
def test_an_older_one_is_passed_over_for_that_of_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    fake(tmp_path, version)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = node.find_node()
    assert not found.node.startswith(str(tmp_path))
    said = subprocess.run([*found.npm, "--version"], env=found.environment, capture_output=True)
    assert said.returncode == 0


def test_without_any_node_a_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(node, "find_spec", lambda name: None)
    with pytest.raises(node.NoNode, match="Install Node"):
        node.find_node()
    assert node.main(["npm", "--version"]) == 1
    assert "Install Node" in capsys.readouterr().err


def test_the_page_is_built_when_it_is_missing_or_older_than_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("INDUSTRY_SKIP_WEB", "INDUSTRY_BUILD_WEB"):
        monkeypatch.delenv(name, raising=False)
    source = tmp_path / "web" / "src" / "main.ts"
    built = tmp_path / "src/industry/server/static/index.html"
    for path in (source, built):
        path.parent.mkdir(parents=True)
    source.touch()
    assert page.is_due(tmp_path)
    built.touch()
    os.utime(source, (1, 1))
    assert not page.is_due(tmp_path)
    os.utime(built, (0, 0))
    assert page.is_due(tmp_path)
    (tmp_path / "PKG-INFO").touch()  # a source archive carries the page
    assert not page.is_due(tmp_path)
