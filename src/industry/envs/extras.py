"""What to say when a library is missing that only an extra of this package installs."""


def missing(library: str, extra: str) -> ImportError:
    """The error for an adapter whose library is not there."""
    return ImportError(f"{library} is not installed: pip install 'industry[{extra}]'")
