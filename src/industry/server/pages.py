"""The browser client: files that its build has put into `static`."""

from pathlib import Path

from starlette.responses import FileResponse, HTMLResponse, Response

from .api import coded

STATIC = Path(__file__).parent / "static"
ROUTES = ("", "table", "lobby", "new", "replay", "rules", "tutorial")
"""First parts of the addresses that the client knows; for others it has a page that says so."""
FOREVER = "public, max-age=31536000, immutable"
"""Files below `assets` have their content's hash in their name."""

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
    """The file of a path, or the page of the client for its own addresses."""
    file = (static / path).resolve()
    if path and file.is_relative_to(static.resolve()) and file.is_file():
        hashed = path.startswith("assets/")
        return FileResponse(file, headers={"cache-control": FOREVER if hashed else "no-cache"})
    first, last = path.split("/")[0], path.split("/")[-1]
    if first == "api" or "." in last:
        return coded("not_found")
    index = static / "index.html"
    if not index.is_file():
        return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-store"})
    status = 200 if first in ROUTES else 404
    return FileResponse(index, status, headers={"cache-control": "no-cache"})
