"""Identifies the exact program: machines that share work must run the same one."""

import hashlib
import sys
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import industry

PACKAGES = ("engine", "boards", "notation", "bots", "judge", "arena")
"""The packages that games and reviews depend on; others may differ."""
KINDS = (".py", ".toml", ".json")


@dataclass(frozen=True)
class Provenance:
    """Version, a digest of the sources that work depends on, and the Python that runs them."""

    version: str
    digest: str
    python: str

    def data(self) -> dict[str, str]:
        return asdict(self)

    def fault(self, other: dict[str, str] | None) -> str | None:
        """Returns what is wrong with a worker of that provenance, as the end of a sentence."""
        if other is None:
            return (
                "does not have the package industry, or an old one: install "
                f"industry {self.version} with the extra lab there."
            )
        if other["version"] != self.version:
            return (
                f"has industry {other['version']}, and here it is {self.version}: install the "
                "same version everywhere."
            )
        if other["digest"] != self.digest:
            return (
                f"has industry {self.version} with other sources than here: install the same "
                "ones everywhere."
            )
        if other["python"] != self.python:
            return (
                f"runs Python {other['python']}, and here it is {self.python}: use the same "
                "version everywhere."
            )
        return None


@lru_cache(1)
def provenance() -> Provenance:
    """Returns this process's provenance; the sources are read once."""
    package = Path(industry.__file__).parent
    digest = hashlib.sha256()
    for name in PACKAGES:
        for path in sorted((package / name).rglob("*")):
            if path.suffix in KINDS:
                digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    python = ".".join(str(number) for number in sys.version_info[:2])
    return Provenance(industry.__version__, digest.hexdigest()[:20], python)
