"""The board editor: a local server with a page for one board file."""
