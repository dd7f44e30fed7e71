# Paper Round. `make` lists what there is. Needs Python 3.11, 3.12 or 3.13; uses uv where it is installed.

PYTHON ?=
ONCE ?=
PORT ?=
ARGS ?=
UPGRADE ?=

PY := .venv/bin/python
SOURCES := bot cogs config

.DEFAULT_GOAL := help
.PHONY: help try run test test-browser check bench bench-search bench-summaries lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

try: .venv/has-try ## the whole bot in your browser, no token needed (ONCE=1: only the tour; PORT=8000)
	@$(PY) -m bot try $(if $(filter-out 0,$(ONCE)),--once) $(if $(PORT),--port $(PORT)) $(ARGS)

run: .venv/has-run ## the bot on Discord; the token comes from PAPERROUND_DISCORD__TOKEN or the settings
	@$(PY) -m bot run $(ARGS)

test: .venv/has-test ## all tests but the browser's (ARGS=tests/search: some of them)
	$(PY) -m pytest $(ARGS)

test-browser: .venv/has-browser ## the tests that drive the page in Chromium, which must be installed
	PAPERROUND_TEST_BROWSER=1 $(PY) -m pytest tests/browser $(ARGS)

check: .venv/has-check ## format, lint, types, import rules, dependencies, dead code, spelling, documents
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	.venv/bin/basedpyright --pythonpath $(PY)
	.venv/bin/lint-imports --no-logo
	$(PY) -m deptry $(SOURCES)
	$(PY) -m vulture
	.venv/bin/codespell
	$(PY) -m pytest -q tests/test_documents.py

bench: .venv/has-bench ## the benchmarks (ARGS is given to each)
	@for bench in tests/bench/bench_*.py; do \
		[ ! -e "$$bench" ] || { echo "== $$bench"; $(PY) "$$bench" $(ARGS) || exit 1; }; \
	done

bench-search: .venv/has-bench ## the search beside what others do (ARGS=--quick, --million, --only typing ...)
	$(PY) tests/bench/bench_search.py $(ARGS)

bench-summaries: .venv/has-bench ## the rankers side by side, on summaries that authors wrote
	$(PY) tests/bench/bench_summaries.py $(ARGS)

lock: ## write requirements/*.txt anew (UPGRADE=1: with the newest versions)
	@UPGRADE="$(filter-out 0,$(UPGRADE))" sh requirements/lock.sh

clean: ## remove .venv and everything else that can be made again
	rm -rf .venv build dist .ruff_cache .hypothesis .import_linter_cache
	find $(SOURCES) tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp stands only after its lock was installed whole.
.venv/has-%: requirements/%.txt requirements/build.txt requirements/install.sh pyproject.toml
	@PYTHON="$(PYTHON)" sh requirements/install.sh $*
	@touch $@
