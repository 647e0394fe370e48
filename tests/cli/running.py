"""Run the command line: inside this process, or as a program of its own where it must be one."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from industry.cli import main

Stream = IO[Any] | int | None

PROGRAM = (sys.executable, "-c", "from industry.cli import main; main()")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        """The only line of the output."""
        return json.loads(self.out)


def run(*args: object) -> Outcome:
    """The whole command line as `industry` runs it: exit code and both outputs."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([str(arg) for arg in args])
        except SystemExit as leaving:
            code = leaving.code
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    assert isinstance(code, int)
    return Outcome(code, *texts)


def start(
    *args: object,
    stdin: Stream = None,
    stdout: Stream = subprocess.PIPE,
    stderr: Stream = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
    preexec_fn: Callable[[], object] | None = None,
) -> subprocess.Popen[bytes]:
    """The program in its own process, by default with its outputs in pipes."""
    return subprocess.Popen(
        [*PROGRAM, *map(str, args)],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=env,
        preexec_fn=preexec_fn,
    )


def write_jsonl(path: Path, games: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    return path
