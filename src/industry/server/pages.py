"""Serves the browser client: the files that its build has put into `static`."""

from pathlib import Path

from starlette.responses import FileResponse, HTMLResponse, Response

from .api import error_response

STATIC = Path(__file__).parent / "static"
ROUTES = (
    "",
    "table",
    "lobby",
    "new",
    "replay",
    "rules",
    "tutorial",
    "daily",
    "review",
    "me",
    "person",
    "operator",
    "cups",
    "cup",
    "club",
    "ratings",
    "unsubscribe",
)
"""The first path segments the client knows; for others it shows a page that says so."""
FOREVER = "public, max-age=31536000, immutable"
"""Files below `assets` have a hash of their content in their name."""

NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Industry</title>
<h1>Industry</h1>
<p>The server is running, but the pages of the game have not been built yet.</p>
<p>In a checkout, run <code>npm ci</code> and <code>npm run build</code> in the folder
<code>web</code>, then load this page again.</p>
<p>Programs can play already:
<a href="/api/openapi.json">the description of the interface</a>.</p>
</html>
"""


def page(path: str, static: Path = STATIC) -> Response:
    """Returns the file of a path, or the client's page for its own routes."""
    file = _file(path, static)
    if file is not None:
        hashed = path.startswith("assets/")
        return FileResponse(file, headers={"cache-control": FOREVER if hashed else "no-cache"})
    first, last = path.split("/")[0], path.split("/")[-1]
    if first == "api" or "." in last:
        return error_response("not_found")
    index = static / "index.html"
    if not index.is_file():
        return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-store"})
    status = 200 if first in ROUTES else 404
    return FileResponse(index, status, headers={"cache-control": "no-cache"})


def _file(path: str, static: Path) -> Path | None:
    """Returns the file of a path; None if there is none, or the path is not usable."""
    try:
        file = (static / path).resolve()
        return file if path and file.is_relative_to(static.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # a name that is too long, or contains a zero byte
        return None
