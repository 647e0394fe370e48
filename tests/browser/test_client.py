"""The client's own checks: types, warnings of Svelte, unit tests, and how little is loaded."""

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

WEB = Path(__file__).parents[2] / "web"
STATIC = WEB.parent / "src" / "industry" / "server" / "static"
MOST_FIRST_LOAD = 150_000
"""Bytes, compressed, until the first page or the table is shown."""


@pytest.mark.parametrize("script", ["check", "test"])
def test_the_client_passes_its_own_checks(script: str) -> None:
    npm = shutil.which("npm")
    assert npm is not None
    done = subprocess.run([npm, "run", script], cwd=WEB, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def imported(name: str, known: set[str]) -> set[str]:
    """A built file with all that it imports before it can run."""
    text = (STATIC / "assets" / name).read_text(encoding="utf-8")
    known.add(name)
    for other in re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', text):
        if other not in known:
            imported(other, known)
    return known


@pytest.mark.parametrize("page", ["Start", "TablePage"])
def test_the_first_load_is_small(built_client: None, page: str) -> None:
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    entry = re.findall(r'src="/assets/([\w.-]+\.js)"', html)[0]
    first = next(path.name for path in (STATIC / "assets").glob(f"{page}-*.js"))
    scripts = imported(first, imported(entry, set()))
    files = [STATIC / "assets" / name for name in scripts] + list(STATIC.glob("assets/*.css"))
    size = sum(len(gzip.compress(path.read_bytes())) for path in files)
    assert size < MOST_FIRST_LOAD


def test_the_lock_file_names_no_host(built_client: None) -> None:
    assert "resolved" not in (WEB / "package-lock.json").read_text(encoding="utf-8")


def test_the_security_policy_allows_nothing_inline_and_no_other_host(site: str) -> None:
    for path in ("/", "/rules", "/table/abcdefghijkl", "/api/boards"):
        policy = httpx.get(f"{site}{path}").headers["content-security-policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == "'self'"
        assert not {"script-src", "style-src", "connect-src"} & set(rules)
        assert "unsafe" not in policy


def test_nothing_in_the_page_needs_an_exception_from_the_security_policy(
    built_client: None,
) -> None:
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|<style|\son\w+=", html)
    for path in STATIC.glob("assets/*.js"):
        markup = re.findall(r"`(<[^`]*>)`", path.read_text(encoding="utf-8"))
        assert not [text for text in markup if re.search(r'\sstyle="', text)], path.name
