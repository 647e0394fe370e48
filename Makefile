# Set-up and checks. Every target installs what it needs into .venv (tools/setup.py).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
VERSIONS := requirements/constraints.txt
LOCKED := requirements/locked.txt
# Where this is set, every process compiles all its modules again: those of the libraries, too.
unexport PYTHONDONTWRITEBYTECODE
CHECKED := src tests benchmarks examples tools

# Tests run side by side; a process that has none left takes over half of another one's.
PYTEST := $(BIN)/python -m pytest
SIDE_BY_SIDE := -n auto --dist worksteal

.PHONY: play ready test quick rest tests test-quick browser warm web web-check check format lint
.PHONY: types proof golden pictures versions locked audit release bare clean

play:
	@$(PYTHON) -m tools.setup play
	$(BIN)/industry play

ready:
	@$(PYTHON) -m tools.setup test

# Everything that must hold before a change is taken over. Tests that need neither machine code nor
# a server run while the rules are compiled, all others afterwards.
test: browser
	@echo "Compiling the rules to machine code (one to two minutes, once); meanwhile the first tests"
	@$(MAKE) --no-print-directory -j2 warm quick; first=$$?; \
		$(MAKE) --no-print-directory rest && exit $$first

browser: ready
	@$(BIN)/python -m tests.browser.chromium

warm: ready
	@$(BIN)/python -m tests.warm

quick: ready
	$(PYTEST) --part quick

rest: ready
	$(PYTEST) $(SIDE_BY_SIDE) --part rest

tests: ready
	$(PYTEST) $(SIDE_BY_SIDE)

# Rules, notation, boards, texts and engine, without machine code, servers and browsers.
test-quick: ready
	$(PYTEST) $(SIDE_BY_SIDE) --part quick

# Format, lint and types of the browser client.
web-check: ready
	$(BIN)/python -m tools.node npm --prefix web run check

# The same and its unit tests; `test` has those too, and plays it in a browser.
web: web-check
	$(BIN)/python -m tools.node npm --prefix web test

check: format lint browser
	$(MAKE) -j2 types web-check
	$(MAKE) test

# All tests and what takes too long for every day: 200 kills of the server, whole suites of others.
proof: browser warm
	$(PYTEST) $(SIDE_BY_SIDE) --proof --ignore tests/server/attacks
	$(PYTEST) --proof -s tests/server/attacks

format: ready
	$(BIN)/ruff format --check $(CHECKED)

lint: ready
	$(BIN)/ruff check $(CHECKED)

types: ready
	$(BIN)/mypy

# Rewrite the transcripts beside the golden games; review the difference before committing it.
golden: ready
	$(BIN)/python -m tests.golden.transcripts

# Take the pictures of the README and the documents again.
pictures: browser
	$(BIN)/python -m tests.browser.pictures

# Take up newer versions of the dependencies; needs uv.
versions:
	uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--extra test pyproject.toml -o $(VERSIONS)
	$(MAKE) locked

# Pin what a server needs with hashes, in the same versions; needs uv.
locked:
	uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate \
		--generate-hashes --extra postgres -c $(VERSIONS) pyproject.toml -o $(LOCKED)

# Compare all pinned versions with the published advisories; needs a network.
audit: ready
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(VENV)/audit/bin/pip-audit --disable-pip --require-hashes -r $(LOCKED)
	$(BIN)/python -m tools.node npm --prefix web audit

# Wheel and source archive into dist/, tried out; refuses what is unfinished.
release: ready
	@$(BIN)/python -m tools.release

# Both commands of the README in a root that has only Python and make; needs root and debootstrap.
bare: ready
	$(BIN)/python -m tests.bare_machine

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build
