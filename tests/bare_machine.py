"""The README's two commands on a machine that has only Python and make.

    python -m tests.bare_machine                          # both commands, all tests
    python -m tests.bare_machine play                     # set-up, and the server answers
    python -m tests.bare_machine test -- tests/cli -k bad # only these tests

Makes a minimal Debian in a folder with debootstrap (Python, venv, make and certificates; no
browser, Node, uv, fonts, PostgreSQL or git), clones the last commit into it and runs `make play`
and `make test` there as a user without rights. Needs root. Settings for the package indexes are
taken from outside: PIP_*, npm_config_*, proxies, certificates and /etc/pip.conf.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
PACKAGES = ("python3", "python3-venv", "make", "ca-certificates")
USER = "player"
HOME = f"/home/{USER}"
CHECKOUT = f"{HOME}/industry"
MARK = "industry-bare-machine"
"""A file that says that a folder was made by this script and may be used again."""
SETTINGS = re.compile(r"(PIP_|npm_config_|UV_).*|(https?|no|all)_proxy", re.IGNORECASE)
CERTIFICATES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
MOUNTED = """
set -e
mount --make-rprivate /
mount -t proc proc "$0/proc"
mkdir -p "$0/dev/shm"
mount -t tmpfs -o mode=1777 shm "$0/dev/shm"
mkdir -p "$0/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 pts "$0/dev/pts"
ln -sf pts/ptmx "$0/dev/ptmx"
chroot --userspec="$1" "$0" /usr/bin/env -i "${@:2}"
exit $?
"""
"""The shell stays as the first process: when it is killed, all the others are."""
PLAY_SECONDS = 900
"""How long the set-up and the start of the server may take."""


class Machine:
    """A minimal root in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, suite: str, mirror: list[str]) -> None:
        """Installs the root, or takes the one that an earlier call left there."""
        if (self.folder / MARK).exists():
            print(f"Using the root in {self.folder}")
            return
        print(f"Making a minimal {suite} in {self.folder} (one to three minutes)", flush=True)
        log = self.folder.parent / f"{self.folder.name}.log"
        command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite]
        with log.open("w", encoding="utf-8") as said:
            done = subprocess.run([*command, str(self.folder), *mirror], stdout=said, stderr=said)
        if done.returncode != 0:
            raise SystemExit(f"debootstrap failed; see {log}")
        subprocess.run(["chroot", str(self.folder), "useradd", "--create-home", USER], check=True)
        (self.folder / MARK).touch()

    def take_checkout(self, again: bool) -> None:
        """Makes a clean clone of the last commit, in place of an older one.

        With `again`, what an earlier call installed and built in it stays.
        """
        inside = self.folder / CHECKOUT.lstrip("/")
        source = f"file://{ROOT}"
        if again and inside.exists():
            git = ["git", "-C", str(inside), "-c", "safe.directory=*"]
            subprocess.run([*git, "fetch", "--quiet", source, "HEAD"], check=True)
            subprocess.run([*git, "reset", "--quiet", "--hard", "FETCH_HEAD"], check=True)
        else:
            shutil.rmtree(inside, ignore_errors=True)
            subprocess.run(["git", "clone", "--quiet", source, str(inside)], check=True)
        owner = (self.folder / HOME.lstrip("/")).stat()
        subprocess.run(["chown", "-R", f"{owner.st_uid}:{owner.st_gid}", str(inside)], check=True)
        said = ["git", "-C", str(inside), "-c", "safe.directory=*", "log", "-1", "--format=%h %s"]
        print("Commit:", subprocess.run(said, check=True, capture_output=True, text=True).stdout)

    def take_settings(self) -> dict[str, str]:
        """Returns a new user's variables, and copies what reaching the package indexes needs."""
        for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf"):
            self._copy(name)
        found = {"HOME": HOME, "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "dumb"}
        for name, value in os.environ.items():
            if not (SETTINGS.fullmatch(name) or name in CERTIFICATES):
                continue
            if value.startswith("/") and not self._copy(value):
                continue  # a folder of this machine
            found[name] = value
        return found

    def _copy(self, name: str) -> bool:
        if not Path(name).is_file():
            return False
        inside = self.folder / name.lstrip("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.unlink(missing_ok=True)
        shutil.copyfile(name, inside)
        return True

    def run(self, line: str, settings: dict[str, str]) -> subprocess.Popen[str]:
        """Starts a line of shell in the checkout; everything that it starts ends with it."""
        variables = [f"{name}={value}" for name, value in settings.items()]
        inside = [*variables, "/bin/sh", "-c", f"cd {CHECKOUT} && exec {line}"]
        user = (self.folder / HOME.lstrip("/")).stat()
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", MOUNTED]
        return subprocess.Popen(
            [*apart, str(self.folder), f"{user.st_uid}:{user.st_gid}", *inside],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def try_play(machine: Machine, settings: dict[str, str]) -> None:
    """Checks that `make play` sets up and prints an address at which page and server answer."""
    began = time.monotonic()
    process = machine.run("make play", settings)
    assert process.stdout is not None
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PLAY_SECONDS)
    try:
        for line in process.stdout:
            print(f"  {time.monotonic() - began:4.0f} s  {line}", end="", flush=True)
            address = re.search(r"http://127\.0\.0\.1:\d+", line)
            if address:
                check_site(address[0])
                return
    finally:
        signal.alarm(0)
        process.kill()
        process.wait()
    raise SystemExit("make play ended without an address")


def give_up(number: int, frame: FrameType | None) -> None:
    raise SystemExit(f"make play printed no address within {PLAY_SECONDS} seconds")


def check_site(address: str) -> None:
    """Checks the page, one of its scripts, and a table against bots."""
    html = urllib.request.urlopen(address).read().decode()
    script = re.search(r'src="(/assets/[\w.-]+\.js)"', html)
    if script is None:
        raise SystemExit(f"{address} shows no page of ours")
    urllib.request.urlopen(f"{address}{script[1]}").read()
    urllib.request.urlopen(f"{address}/api/boards").read()
    print("make play works: the page, its script and the boards were served.", flush=True)


def try_test(machine: Machine, settings: dict[str, str], chosen: list[str]) -> None:
    """Runs `make test`, or some of its tests; without a browser it fails."""
    began = time.monotonic()
    choice = " ".join(f"'{argument}'" for argument in chosen)
    process = machine.run("make test", settings | {"CI": "true", "PYTEST_ADDOPTS": choice})
    assert process.stdout is not None
    for line in process.stdout:
        print(f"  {time.monotonic() - began:4.0f} s  {line}", end="", flush=True)
    if process.wait() != 0:
        raise SystemExit("make test failed")
    print("make test works.")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=("play", "test", "both"), default="both")
    parser.add_argument("tests", nargs="*", help="arguments for pytest, after --")
    parser.add_argument("--root", type=Path, help="keep the root in this folder, and use it again")
    parser.add_argument("--again", action="store_true", help="with what is installed there already")
    parser.add_argument("--suite", default="bookworm", help="of Debian")
    parser.add_argument("--mirror", nargs=1, default=[], help="address of Debian's packages")
    arguments = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        sys.exit("This needs root and debootstrap.")
    with tempfile.TemporaryDirectory(prefix="bare-") as temporary:
        machine = Machine((arguments.root or Path(temporary) / "root").absolute())
        machine.make(arguments.suite, arguments.mirror)
        machine.take_checkout(arguments.again)
        settings = machine.take_settings()
        if arguments.command != "test":
            try_play(machine, settings)
        if arguments.command != "play":
            try_test(machine, settings, arguments.tests)


if __name__ == "__main__":
    main()
