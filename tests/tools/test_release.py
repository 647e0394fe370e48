"""`make release` refuses what is unfinished."""

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

import industry
from tools.release import (
    IN_SOURCES,
    ROOT,
    SECTION,
    Refused,
    check_archive,
    checked_version,
    names_of,
)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="a release needs git")

INIT = '__version__ = "1.2.3"\n'
CHANGES = "# Changelog\n\n## 1.2.3 — 2030-12-31\n\nWords.\n\n## 1.2.2 — 2030-01-01\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository that is ready to be released."""
    (tmp_path / "src/industry").mkdir(parents=True)
    (tmp_path / "src/industry/__init__.py").write_text(INIT)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Test", "-c", "user.email=test@localhost"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "State")


def test_what_is_committed_and_dated_has_a_version(checkout: Path) -> None:
    assert checked_version(checkout) == "1.2.3"


@pytest.mark.parametrize("name", ["new.txt", "CHANGELOG.md"])
def test_uncommitted_changes_are_refused_by_name(checkout: Path, name: str) -> None:
    (checkout / name).write_text(f"{CHANGES}More.\n", encoding="utf-8")
    with pytest.raises(Refused, match=f"1 changes are not committed .{name}"):
        checked_version(checkout)


@pytest.mark.parametrize(
    ("heading", "reason"),
    [
        ("## 1.2.3", "no date for 1.2.3"),
        ("## 1.2.3 — soon", "no date for 1.2.3"),
        ("## 1.2.3 — 2030-02-31", "no date for 1.2.3"),
        ("## 1.2.4 — 2030-12-31", "the version is 1.2.3, and the first section .* is 1.2.4"),
        ("## Unreleased", "the first section .* is Unreleased"),
        ("Nothing.", "the first section .* is 1.2.2"),
    ],
)
def test_a_version_without_a_dated_section_is_refused(
    checkout: Path, heading: str, reason: str
) -> None:
    changes = CHANGES.replace("## 1.2.3 — 2030-12-31", heading)
    (checkout / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    commit(checkout)
    with pytest.raises(Refused, match=reason):
        checked_version(checkout)


def test_an_archive_that_lacks_something_is_refused_by_name(tmp_path: Path) -> None:
    archive = tmp_path / "industry-1.2.3.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        for name in IN_SOURCES[:-1]:
            (tmp_path / "file").touch()
            file.add(tmp_path / "file", name)
    check_archive(names_of(archive), IN_SOURCES[:-1])
    with pytest.raises(Refused, match=f"lacks {IN_SOURCES[-1]}"):
        check_archive(names_of(archive), IN_SOURCES)


def test_every_version_of_the_changelog_has_a_date_and_the_first_is_this_one() -> None:
    sections = SECTION.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert sections[0][0] == industry.__version__
    assert all(day for _, day in sections)
    assert sections == sorted(sections, key=lambda section: section[1], reverse=True)
