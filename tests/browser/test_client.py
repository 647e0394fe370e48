"""The client's own checks, and how little is loaded."""

import gzip
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tools.node import find_node

from .screens import Screens
from .tables import make_table

WEB = Path(__file__).parents[2] / "web"
STATIC = WEB.parent / "src" / "industry" / "server" / "static"
MOST_FIRST_LOAD = 190_000
"""Bytes, compressed, until the first page or the table is shown."""


@pytest.mark.parametrize("script", [pytest.param("check", marks=pytest.mark.proof), "test"])
def test_the_client_passes_its_own_checks(script: str) -> None:
    """Unit tests; `make check` looks at format, lint and types by itself."""
    node = find_node()
    run = [*node.npm, "run", script]
    done = subprocess.run(run, cwd=WEB, env=node.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.parametrize("page", ["start", "table"])
def test_the_first_load_is_small(screens: Screens, page: str) -> None:
    """Scripts, styles and fonts that a browser really asks for until the page is shown."""
    loaded: set[str] = set()
    context = screens.context(language="en")
    context.on("response", lambda response: loaded.add(urlsplit(response.url).path))
    path, shown = (
        ("/", "h1") if page == "start" else (make_table(screens.site).link(0), ".decision")
    )
    screens.open(path, context=context).locator(shown).first.wait_for()
    files = [STATIC / name.lstrip("/") for name in loaded if name.startswith("/assets/")]
    assert {".js", ".css", ".woff2"} <= {file.suffix for file in files}
    size = sum(len(gzip.compress(file.read_bytes())) for file in files)
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
