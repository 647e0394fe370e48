"""Which package may import which, how long code may be, and that rules and rulings agree."""

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import industry.engine
from industry.arena import provenance
from industry.engine import RULES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "industry"
DOCS = ROOT / "docs"

# Packages

BELOW: dict[str, set[str]] = {
    "engine": set(),
    "texts": set(),
    "cups": set(),
    "boards": {"engine", "texts", "cups"},
    "notation": {"engine", "texts", "cups", "boards"},
    "industry": {"engine", "texts", "cups", "boards", "notation"},
    "bots": {"engine", "texts", "cups", "boards", "notation", "industry"},
}
"""What each package may import; `industry` is the package's own front door."""
BELOW["judge"] = {*BELOW["bots"], "bots"}
for _package in ("arena", "envs", "server"):
    BELOW[_package] = {*BELOW["judge"], "judge"}
BELOW["cli"] = {*BELOW["judge"], "judge", "arena", "envs", "server"}

MODULES = sorted(SOURCE.rglob("*.py"))


def package_of(module: Path) -> str:
    if module.name == "__main__.py":  # a second door to the commands
        return "cli"
    place = module.relative_to(SOURCE).parts
    return place[0] if len(place) > 1 else "industry"


def imported(module: Path) -> Iterator[str]:
    """The full name of everything a module imports, also within functions."""
    package = ["industry", *module.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def packages_imported(module: Path) -> set[str]:
    """The packages of our own that a module imports from, its own left out."""
    found = set()
    for name in imported(module):
        parts = name.split(".")
        if parts[0] == "industry":
            found.add(parts[1] if len(parts) > 1 and parts[1] in BELOW else "industry")
    return found - {package_of(module)}


def test_every_package_has_its_place() -> None:
    assert {package_of(module) for module in MODULES} <= set(BELOW)


def test_the_picture_of_packages_shows_who_may_import_whom() -> None:
    """A package imports those in the rows above its own, and every package is in the picture."""
    picture = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("```")[1]
    packages = BELOW.keys() - {"industry"}
    rows = [set(re.findall(r"\w+", line[:24])) & packages for line in picture.splitlines()]
    above: set[str] = set()
    for row in filter(None, rows):
        assert all(BELOW[package] - {"industry"} == above for package in row), row
        above |= row
    assert above == packages


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(module: Path) -> None:
    assert packages_imported(module) <= BELOW[package_of(module)]


def test_the_check_of_imports_sees_them() -> None:
    """Else the tests above would hold for any house."""
    assert packages_imported(SOURCE / "notation" / "game.py") >= {"boards", "engine"}
    assert packages_imported(SOURCE / "__init__.py") >= {"boards", "engine", "notation"}
    assert "industry.engine.board.Board" in imported(SOURCE / "engine" / "rules" / "draw.py")


def test_machines_that_share_work_compare_all_packages_that_the_work_uses() -> None:
    """Else a worker with another judge or another bot would give other results unnoticed."""
    used = set().union(
        *(packages_imported(module) for module in MODULES if package_of(module) == "arena")
    )
    assert used - {"texts", "industry"} <= set(provenance.PACKAGES)


# The engine's front door

INSIDERS = ("engine", "bots", "envs", "judge/lines")
"""Folders that run inside the compiled rules and may import the engine's modules."""
OUTSIDERS = [
    module
    for module in MODULES
    if not any(module.is_relative_to(SOURCE / folder) for folder in INSIDERS)
]


@pytest.mark.parametrize("module", OUTSIDERS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_engine_is_imported_through_its_front_door(module: Path) -> None:
    names = {name for name in imported(module) if name.startswith("industry.engine.")}
    assert names <= {f"industry.engine.{name}" for name in industry.engine.__all__}


def test_everything_behind_the_front_door_exists() -> None:
    for name in industry.engine.__all__:
        assert hasattr(industry.engine, name), name


# One answer to each question

PRICES = {"list_ways", "total_price", "claim_purse"}
"""The rules that say what a move would cost."""
ASKING_PRICES = {"notation/consequences.py", "notation/orders/choosing.py"}
"""The answer for every screen; and standing orders, which compare prices to make a move."""


def importers(*names: str) -> set[str]:
    """The modules outside the compiled rules that import one of these from the engine."""
    wanted = {f"industry.engine.{name}" for name in names}
    return {
        module.relative_to(SOURCE).as_posix()
        for module in OUTSIDERS
        if wanted & set(imported(module))
    }


def test_what_a_move_costs_is_asked_in_one_place() -> None:
    """Terminal, server and page show the same price and the same worth of a field."""
    assert importers(*PRICES) == ASKING_PRICES


def test_one_loop_replays_records_in_place() -> None:
    assert importers("advance") == {"notation/in_place.py"}


def test_records_are_built_in_one_place() -> None:
    """So no writer forgets a key, a version or the names of the bots."""
    builders = {
        module.relative_to(SOURCE).as_posix()
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Record"
    }
    assert builders == {"notation/record.py"}


COUNTS = {"Feature", "Tally", "Scratch"}
"""The records in which bots count; the modules that import them are looked at."""


def test_counts_of_bots_are_named_and_not_computed_from_numbers() -> None:
    """`tally.factories[network][WAITING]`, not `out[6 * network + 3]`."""
    computed = [
        f"{module.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}"
        for module in MODULES
        if COUNTS & {name.rpartition(".")[2] for name in imported(module)}
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Subscript)
        if any(
            isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult)
            for part in ast.walk(node.slice)
        )
    ]
    assert computed == []


CLIENT = [
    path for kind in ("ts", "svelte", "css") for path in (ROOT / "web" / "src").rglob(f"*.{kind}")
]
PATTERN = re.compile(r"\.(?:match|matchAll|replace|replaceAll|search)\(/|new RegExp\(")


FILLS_TEMPLATES = {"i18n.svelte.ts"}


def test_no_part_of_the_client_searches_a_sentence_by_a_pattern() -> None:
    """Sentences come finished, with names; what the page must know is sent as data."""
    sources = [path for path in CLIENT if not path.name.endswith((".css", ".test.ts"))]
    parts = {path: path.read_text("utf-8") for path in sources}
    speakers = {
        path: text
        for path, text in parts.items()
        if path.suffix == ".svelte" or re.search(r"import .*\bsay\b", text)
    }
    assert len(speakers) > len([path for path in parts if path.suffix == ".svelte"])
    searching = {path.name for path, text in speakers.items() if PATTERN.search(text)}
    assert searching - FILLS_TEMPLATES == set()


# The engine: no chance, no clock, no machine

COMPILER = re.compile(r"engine/(compiled|playout)\w*\.py")
"""Where the rules meet Numba. Its cache lives in a folder, so `os` may be asked for it there."""
IMPURE = {"random", "time", "uuid", "secrets", "datetime", "os"}


@pytest.mark.parametrize(
    "module",
    [module for module in MODULES if package_of(module) == "engine"],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_the_engine_knows_no_chance_no_clock_and_no_machine(module: Path) -> None:
    forbidden = IMPURE - {"os"} if is_compiler(module) else IMPURE
    assert not {name.split(".")[0] for name in imported(module)} & forbidden


def is_compiler(module: Path) -> bool:
    return COMPILER.fullmatch(module.relative_to(SOURCE).as_posix()) is not None


NUMERIC = ("arena", "bots", "envs", "judge")
"""Packages that play many games."""


def test_only_the_compiler_and_its_users_need_numba_and_numpy() -> None:
    """Numba in the engine's compiler alone; numpy also in the packages that play many games."""
    for module in MODULES:
        roots = {name.split(".")[0] for name in imported(module)}
        if not is_compiler(module):
            assert "numba" not in roots, module
            assert "numpy" not in roots or package_of(module) in NUMERIC, module


@pytest.mark.parametrize(
    "code",
    [
        "import industry",
        "import industry.engine, industry.boards, industry.notation, industry.texts",
        "import industry.cli",
        "from industry import new_game; new_game(seed=1).draw()",
        "import sys; sys.argv = ['industry', '--help']\n"
        "from industry.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass",
    ],
    ids=["industry", "packages", "cli", "first move", "help"],
)
def test_numba_and_numpy_are_loaded_only_if_needed(code: str) -> None:
    report = "\nimport sys; print([n for n in ('numba', 'numpy') if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


# The rulebooks

INDEX = (DOCS / "rulebook-index.md").read_text(encoding="utf-8")
RULE_ID = re.compile(r"`([a-z]+(?:\.[a-z]+)+)`")
SOURCES = re.compile(r"00[0-4]:\d+(-\d+)?(\.\d)?( · 00[0-4]:\d+(-\d+)?(\.\d)?)?")


def table(heading: str) -> list[list[str]]:
    """The cells of the table below a heading of the index."""
    section = INDEX.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


SENTENCES = [
    row
    for heading in ("German: Industry", "English: Industry", "French: Industria")
    for row in table(heading)
]
UNSTATED = table("Rules that no sentence states")


def test_every_sentence_of_the_rulebooks_names_rules_that_exist() -> None:
    for source, sentence, rules, _ in SENTENCES:
        assert SOURCES.fullmatch(source), source
        assert sentence.endswith("."), source
        found = RULE_ID.findall(rules)
        assert found, f"{source} names no rule"
        assert set(found) <= set(RULES), source


def test_every_rule_is_in_the_index() -> None:
    stated = {rule for row in SENTENCES for rule in RULE_ID.findall(row[2])}
    unstated = {rule for row in UNSTATED for rule in RULE_ID.findall(row[0])}
    assert stated | unstated == set(RULES)
    assert not stated & unstated


def test_no_source_is_listed_twice() -> None:
    sources = [source for row in SENTENCES for source in row[0].split(" · ")]
    assert len(sources) == len(set(sources))


def test_a_sentence_without_a_rule_says_why() -> None:
    rows = table("Sentences without a rule")
    assert rows
    for _, sentence, reason in rows:
        assert sentence.endswith(".")
        assert reason.endswith(".")


def test_the_index_quotes_no_passage() -> None:
    """At most three words of a rulebook's own."""
    assert all(len(quote.split()) <= 3 for quote in re.findall(r"“([^”]*)”", INDEX))


# The rulings

RULINGS_PAGE = (DOCS / "rulings.md").read_text(encoding="utf-8")
RULINGS = {
    match[1]: match[2]
    for match in re.finditer(
        r"^### ([A-J]\d+) · .*\n((?:(?!^##).*\n)*)", RULINGS_PAGE, re.MULTILINE
    )
}
"""Every ruling with the text below its heading."""
NUMBER = re.compile(r"\b[A-J][1-9][0-9]?\b")


def prose(module: Path) -> Iterator[str]:
    """Comments and docstrings."""
    text = module.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def cited(*folders: Path) -> dict[str, Path]:
    """The rulings that comments and docstrings cite, each with a module that does."""
    return {
        number: module
        for folder in folders
        for module in folder.rglob("*.py")
        for text in prose(module)
        for number in NUMBER.findall(text)
    }


def test_the_rulings_are_numbered_without_gaps() -> None:
    counts = {"A": 5, "B": 6, "C": 9, "D": 4, "E": 15, "F": 4, "G": 3, "H": 9, "I": 10, "J": 7}
    expected = [f"{letter}{n}" for letter, last in counts.items() for n in range(1, last + 1)]
    assert list(RULINGS) == expected
    assert all("**Ruling:**" in text for text in RULINGS.values())


def test_every_ruling_that_is_cited_exists() -> None:
    in_rules = {number: rule.id for rule in RULES.values() for number in rule.rulings}
    in_code = cited(SOURCE, ROOT / "tests")
    in_index = dict.fromkeys(NUMBER.findall(INDEX), "the index")
    for number, place in (in_rules | in_code | in_index).items():
        assert number in RULINGS, f"{number}, cited in {place}"


def test_rules_and_rulings_cite_each_other() -> None:
    for number, text in RULINGS.items():
        linked = set(RULE_ID.findall(text.partition("- Rules:")[2]))
        assert linked == {rule.id for rule in RULES.values() if number in rule.rulings}, number


def test_every_ruling_says_where_it_is_carried_out() -> None:
    for number, text in RULINGS.items():
        assert ("- Rules:" in text) != ("- Code:" in text), number


def test_links_lead_to_the_module_that_holds_the_rule() -> None:
    for label, target in re.findall(r"\[([^\]]+)\]\((\.\./[^)]+)\)", RULINGS_PAGE):
        module = (DOCS / target).resolve()
        assert module.is_file(), target
        if label.startswith("`"):
            assert label.strip("`") in module.read_text(encoding="utf-8"), label


def test_every_ruling_on_the_game_is_tested_by_name() -> None:
    """A to I say how the game is played; each is cited in a docstring of tests/rules."""
    tested = cited(ROOT / "tests" / "rules")
    assert {number for number in RULINGS if number[0] != "J"} <= set(tested)


# Size

LONGEST_FUNCTION = 40
LONGEST_MODULE = 400
PROGRAM = [
    *MODULES,
    *(p for f in ("tools", "benchmarks", "examples") for p in (ROOT / f).rglob("*.py")),
]
GENERATED = {"protocol.ts"}
REASON = f"longer than {LONGEST_FUNCTION} lines"


def long_functions(module: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if node.end_lineno - node.lineno >= LONGEST_FUNCTION:
                yield node


@pytest.mark.parametrize("module", PROGRAM, ids=lambda m: str(m.relative_to(ROOT)))
def test_long_functions_give_the_reason_in_their_docstring(module: Path) -> None:
    unexplained = [
        node.name
        for node in long_functions(module)
        if REASON not in " ".join((ast.get_docstring(node) or "").split())
    ]
    assert unexplained == []


@pytest.mark.parametrize("module", PROGRAM, ids=lambda m: str(m.relative_to(ROOT)))
def test_no_module_is_longer_than_four_hundred_lines(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_no_module_of_the_client_is_longer_than_four_hundred_lines() -> None:
    """ESLint counts lines of code, and functions; here empty lines and styles count as well."""
    lengths = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in CLIENT
        if path.name not in GENERATED
    }
    assert lengths
    assert {name for name, length in lengths.items() if length > LONGEST_MODULE} == set()


def test_the_client_is_linted_and_formatted_by_make_check() -> None:
    scripts = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["scripts"]
    assert "prettier --check" in scripts["lint"] and "eslint --max-warnings 0" in scripts["lint"]
    assert "npm run lint" in scripts["check"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (check,) = re.findall(r"^check:((?:.|\n\t)*)$", makefile, re.MULTILINE)
    assert "web-check" in check.split()
    rules = (ROOT / "web" / "eslint.config.js").read_text("utf-8")
    assert f"'max-lines': ['error', {LONGEST_MODULE}]" in rules
    assert f"'max-lines-per-function': ['error', {LONGEST_FUNCTION}]" in rules


def test_the_check_of_sizes_sees_long_functions() -> None:
    assert [node.name for node in long_functions(SOURCE / "engine" / "events.py")] == ["event_of"]


# Docstrings

STATEMENTS = SOURCE / "engine" / "rules"
"""Here a docstring states the rule, in the words of the rulebook."""


NO_CALL = re.compile(r"property|command|^\w+\.(group|command|get|post|put|delete)\b")
"""Decorators of functions that nobody calls by name: their docstrings are help or a summary."""


def promises(module: Path) -> Iterator[tuple[str, str]]:
    """Name and docstring of every function of a module."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name != "__init__":
            text = ast.get_docstring(node)
            if text and not any(NO_CALL.search(ast.unparse(d)) for d in node.decorator_list):
                yield node.name, text


VERB = re.compile(r"[A-Z][a-z]+s\b")


@pytest.mark.parametrize(
    "module",
    [module for module in PROGRAM if STATEMENTS not in module.parents],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_docstrings_of_functions_begin_with_a_verb(module: Path) -> None:
    """“Returns …”, “Checks …”, “Plays …”: a reader learns what happens or what comes back."""
    others = [f"{name}: {text}" for name, text in promises(module) if not VERB.match(text)]
    assert others == []
