"""Tools of a checkout: set-up, Node for the page, the release. Standard library only."""
