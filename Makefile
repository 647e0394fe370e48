# Set-up and checks. Every target installs what it needs into .venv; uv is used where it is there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
VERSIONS := requirements/constraints.txt
UV := $(shell command -v uv 2>/dev/null)

.PHONY: play test tests warm web check format lint types proof golden versions clean

play: $(READY)
	$(BIN)/industry play

# Files of tests run side by side, those of one file in their order; first machine code for all.
test: warm tests

warm: $(READY)
	$(BIN)/python -m tests.warm

tests: $(READY)
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# Types and tests of the browser client alone; `test` has them too, and plays it in a browser.
web: $(READY)
	cd web && npm run check && npm test

# Types are checked while machine code is made: neither keeps two cores busy to its end.
check: format lint
	$(MAKE) -j2 types warm
	$(MAKE) tests

# What takes too long for every day: two hundred crashes of the server under load.
proof: $(READY)
	INDUSTRY_KILLS=200 $(BIN)/python -m pytest tests/server/test_crashes.py -s

format: $(READY)
	$(BIN)/ruff format --check src tests benchmarks examples

lint: $(READY)
	$(BIN)/ruff check src tests benchmarks examples

types: $(READY)
	$(BIN)/mypy

# Rewrite the transcripts beside the golden games; review the difference before committing it.
golden: $(READY)
	$(BIN)/python -m tests.golden.transcripts

# Take up newer versions of the dependencies; needs uv.
versions:
	uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--extra test pyproject.toml -o $(VERSIONS)

$(READY): pyproject.toml hatch_build.py $(VERSIONS)
ifdef UV
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python -c $(VERSIONS) -e ".[test]"
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(VERSIONS) -e ".[test]"
endif
	@touch $(READY)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build
