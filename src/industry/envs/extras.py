"""Errors for missing libraries that only an extra of this package installs."""


def missing(library: str, extra: str) -> ImportError:
    """Returns the error for an adapter whose library is not installed."""
    return ImportError(f"{library} is not installed: pip install 'industry[{extra}]'")
