"""The board editor behind a port, for as long as a test needs it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from industry.cli._server import open_listener
from industry.server.app import uvicorn_config
from industry.server.editor.app import editor_app
from industry.server.editor.board_file import BoardFile

TOKEN = "the-secret-of-this-editor"


@contextmanager
def served(file: BoardFile) -> Iterator[str]:
    """The address, without the token that opens it."""
    with open_listener("127.0.0.1", 0) as door:
        server = uvicorn.Server(uvicorn_config(editor_app(file, TOKEN)))
        thread = threading.Thread(target=server.run, args=([door],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
