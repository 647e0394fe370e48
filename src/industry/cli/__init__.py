"""`industry …`: one module per command, loaded only when the command is called."""

from .app import main

__all__ = ["main"]
