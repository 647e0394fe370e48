"""The tests find a browser, fetch one where there is none, or say what is missing."""

import multiprocessing
import tarfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Playwright

from . import chromium, fetching
from .chromium import Chooser
from .fetching import Chromium, NotFetched, Tell
from .missing import NoChromium, is_required

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing on the PATH, nothing in the usual places and an empty cache."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("INDUSTRY_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "LINUX", ())


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which browsers were tried; those whose name begins with “good” start."""
    tried: list[str] = []

    def start(self: Chromium, playwright: Playwright) -> Browser:
        tried.append(self.name if self.path is None else self.path.name)
        if not tried[-1].startswith("good"):
            raise Error("Executable doesn't exist")
        return object()  # type: ignore[return-value]

    monkeypatch.setattr(Chromium, "start", start)
    return tried


PLAYWRIGHT: Playwright = None  # type: ignore[assignment]
"""Nothing is really started."""


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def found(system: str) -> list[Path | None]:
    return [browser.path for browser in chromium.installed(system)]


# Where they are


@pytest.mark.parametrize("name", ["chromium", "google-chrome-stable", "microsoft-edge"])
def test_browsers_on_the_path_are_found(tmp_path: Path, name: str) -> None:
    assert found("linux") == []
    program = put(tmp_path / "bin" / name)
    assert found("linux") == [program]


def test_the_usual_places_of_linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = put(tmp_path / "opt/google/chrome/chrome")
    monkeypatch.setattr(chromium, "LINUX", (str(tmp_path / "none"), str(program)))
    assert found("linux") == [program]


def test_the_usual_places_of_macos(tmp_path: Path) -> None:
    program = put(tmp_path / "Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    assert program in found("darwin")


@pytest.mark.parametrize("variable", ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"])
def test_the_usual_places_of_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    program = put(tmp_path / "programs/Microsoft/Edge/Application/msedge.exe")
    monkeypatch.setenv(variable, str(tmp_path / "programs"))
    assert found("win32") == [program]


# Which is taken


def test_one_that_does_not_start_is_passed_over(tmp_path: Path, started: list[str]) -> None:
    put(tmp_path / "bin" / "chromium")
    chooser = Chooser(fetches=(lambda tell: Chromium("fetched", Path("good")),))
    chooser.launch(PLAYWRIGHT)
    chooser.launch(PLAYWRIGHT)
    once_more = ["chromium", "Playwright's Chromium"]  # another process may have fetched one
    assert started == ["chromium", "Playwright's Chromium", *once_more, "good", "good"]


def test_a_browser_that_is_named_is_the_only_one_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[str]
) -> None:
    put(tmp_path / "bin" / "chromium")
    monkeypatch.setenv("INDUSTRY_CHROMIUM", "/somewhere/odd")
    with pytest.raises(NoChromium, match="INDUSTRY_CHROMIUM=/somewhere/odd does not start"):
        Chooser().launch(PLAYWRIGHT)
    assert started == ["odd"]


def test_the_ways_to_fetch_one_are_tried_in_turn_and_the_sentence_names_them(
    started: list[str],
) -> None:
    def unreachable(tell: Tell) -> Chromium:
        raise NotFetched("the first is out of reach")

    def broken(tell: Tell) -> Chromium:
        return Chromium("the second", Path("broken"))

    told: list[str] = []
    chooser = Chooser(fetches=(unreachable, broken))
    with pytest.raises(NoChromium) as missing:
        chooser.launch(PLAYWRIGHT, told.append)
    assert str(missing.value) == (
        "no browser for the tests was found or could be fetched (the first is out of reach; "
        "the second does not start). Install Chromium, Chrome or Edge, or name one: "
        "INDUSTRY_CHROMIUM=/path/to/program"
    )
    assert told == ["That did not work: the first is out of reach."]
    tried = len(started)
    with pytest.raises(NoChromium):
        chooser.launch(PLAYWRIGHT)
    assert len(started) == tried, "it is known that there is none"


def test_of_several_processes_only_one_fetches(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    count = tmp_path / "count"
    processes = [context.Process(target=fetch_in_vain, args=(count,)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert count.read_text() == "x"


def fetch_in_vain(count: Path) -> None:
    """Fetches long enough that the other processes have to wait."""

    def fetch(tell: Tell) -> Chromium:
        with count.open("a") as file:
            file.write("x")
        multiprocessing.Event().wait(2)
        raise NotFetched("in vain")

    def start(self: Chromium, playwright: Playwright) -> Browser:
        raise Error("Executable doesn't exist")

    Chromium.start = start  # type: ignore[method-assign]
    with pytest.raises(NoChromium, match="in vain"):
        Chooser(fetches=(fetch,)).launch(PLAYWRIGHT)


# Fetching


def test_an_archive_with_another_checksum_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "package.tgz"
    with tarfile.open(archive, "w:gz"):
        pass
    with pytest.raises(NotFetched, match="checksum"):
        fetching.check_integrity(archive)


def test_a_download_that_takes_too_long_is_ended() -> None:
    with pytest.raises(NotFetched, match="not finished after 1 seconds"):
        fetching._run(["/bin/sh", "-c", "while :; do :; done"], 1)


def test_a_failed_download_gives_its_reason() -> None:
    with pytest.raises(NotFetched, match="Error: host not found"):
        fetching._run(["/bin/sh", "-c", "echo working; echo Error: host not found; exit 1"], 30)


# Without one


@pytest.mark.parametrize(("value", "required"), [("true", True), ("1", True), ("", False)])
def test_tests_fail_without_a_browser_where_ci_is_set(
    monkeypatch: pytest.MonkeyPatch, value: str, required: bool
) -> None:
    monkeypatch.setenv("CI", value)
    assert is_required() == required


def test_one_sentence_at_the_end_says_what_is_missing(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        "from tests.browser.missing import pytest_terminal_summary as pytest_terminal_summary"
    )
    pytester.makepyfile(
        """
        import pytest
        from tests.browser.missing import NoChromium

        @pytest.mark.parametrize("page", range(3))
        def test_page(page):
            pytest.skip(str(NoChromium(["no network"])))
        """
    )
    pytester.syspathinsert(Path(__file__).parents[2])
    said = pytester.runpytest("-p", "no:cacheprovider").stdout.str()
    line = "3 browser tests were skipped: no browser for the tests was found or could be fetched"
    assert said.count(line) == 1
