# Everything a machine needs beforehand: Python 3.11 or newer, Node, make and a C compiler.
# `make` alone prints the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
UV_VERSION := 0.13.8
WORKERS ?= auto
ARGS ?=
CORE := tests/rules tests/solver tests/game tests/bots

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.okey101-ready

export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := $(VENV)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The wheel of pyright brings its script along; it runs on the system's node and looks nothing up.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
unexport VIRTUAL_ENV
# Tests start hundreds of processes: compiled anew in each, the modules would take half of the time.
unexport PYTHONDONTWRITEBYTECODE

WEB_STAMP := web/node_modules/.okey101-ready
PAGE := src/okey101/_web/index.html
PAGE_SOURCES := $(shell find web/src web/public clients/js/src src/okey101/i18n -type f -not -name '*.py*') \
	web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json

.PHONY: help setup page play test test-core test-long test-pythons browser desktop proxies roots units databases shots docs release lint format bench mutants build clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## prepare .venv (quick when nothing changed)
	@:

$(STAMP): pyproject.toml uv.lock Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "okey101 needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	@$(BIN)/python -c 'import pip' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@[ "$$($(BIN)/uv --version 2>/dev/null | cut -d ' ' -f 2)" = "$(UV_VERSION)" ] \
		|| $(BIN)/python -m pip install -qq "uv==$(UV_VERSION)"
	@$(BIN)/uv sync --frozen --quiet
	@touch $@

$(WEB_STAMP): web/package.json web/package-lock.json
	@command -v npm >/dev/null || { echo "the page needs Node.js 20 with npm" >&2; exit 1; }
	@npm ci --prefix web --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

$(PAGE): $(WEB_STAMP) $(PAGE_SOURCES)
	@cd web && node_modules/.bin/vite build --logLevel warn
	@touch $@

page: $(PAGE) ## build the page that the server shows
	@:

play: setup page ## start the game in the browser (ARGS="--port 9000" for options)
	@OKEY101_SEARCH=$${OKEY101_SEARCH:-on} $(BIN)/okey101 serve --open $(ARGS) || test $$? -eq 130

browser: ## install Chromium and DejaVu for the tests of the page, where that can be done
	@scripts/need_chromium.sh

desktop: ## the same, and fonts besides DejaVu for the long tests
	@scripts/need_chromium.sh desktop

proxies: setup ## fetch nginx and Caddy for the test of the documented proxies, where that can be done
	@scripts/need_proxies.sh

test: ## run the tests but the long ones, and every example of the documents
	@$(MAKE) -j2 setup page
	@$(MAKE) browser proxies units databases
	@$(BIN)/uv sync --frozen --quiet --inexact --group docs
	@# Meanwhile pytest compiles the tests, so that not every worker has to.
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null 2>&1 & \
		(cd web && npm run --silent test && npm run --silent size); found=$$?; wait; exit $$found
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-core: setup ## the tests of rules, solver, game, records and bots, for the inner loop
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(CORE) $(ARGS)

roots: ## install debootstrap for the long tests of the container, where that can be done
	@scripts/need_program.sh debootstrap debootstrap "the container is not rehearsed"

units: ## install systemd-analyze for the test of the unit, where that can be done
	@scripts/need_program.sh systemd-analyze systemd "the unit is not rated"

databases: ## install PostgreSQL for the tests of many nodes, where that can be done
	@scripts/need_program.sh $(firstword $(wildcard /usr/lib/postgresql/*/bin/initdb) initdb) postgresql "PostgreSQL is not tested"

test-long: setup page desktop proxies units databases roots ## the same with the tests marked long, in full size
	@$(BIN)/uv sync --frozen --quiet --inexact --group cluster --group docs
	@cd web && npm run --silent test && npm run --silent size
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --long $(ARGS)
	@# The page again, by two nodes behind a proxy that remembers nobody.
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --nodes 2 tests/page

test-pythons: setup ## the core's tests under every Python that is here (PYTHONS="3.13" for some)
	@scripts/test_pythons.sh $(WORKERS) $(ARGS)

docs: setup $(WEB_STAMP) ## build the site into build/site, in both languages (ARGS="-E" for all of it anew)
	@$(BIN)/uv sync --frozen --quiet --inexact --group docs
	@$(BIN)/python -m sphinx -q -W --keep-going -c docs/site -d build/trees/en $(ARGS) . build/site
	@OKEY101_SITE_LANGUAGE=tr \
		$(BIN)/python -m sphinx -q -W --keep-going -c docs/site -d build/trees/tr $(ARGS) . build/site/tr
	@# The client in JavaScript, as npm installs it: a reader needs no copy of the source.
	@rm -rf build/js && mkdir -p build/js build/site/clients/js
	@cp clients/js/package.json clients/js/README.md build/js
	@web/node_modules/.bin/tsc -p clients/js --outDir build/js/dist
	@npm pack ./build/js --pack-destination build/site/clients/js --silent >/dev/null
	@echo "the site is in build/site: open build/site/index.html"

shots: setup page ## write docs/img/page-*.webp: every screen, at phone and desktop size
	@$(BIN)/python scripts/make_shots.py $(ARGS)
	@$(BIN)/uv sync --frozen --quiet --inexact --group docs
	@$(BIN)/python scripts/make_movie.py

lint: setup $(WEB_STAMP) ## ruff, mypy, pyright, the floors, what texts have to hold, and the page's checks
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pyright
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/make_docs.py --check
	@$(BIN)/python scripts/make_strength.py --check
	@PYTHONPATH=scripts $(BIN)/python -m lints
	@cd web && npm run --silent check && npm run --silent lint

format: setup ## let ruff format and repair what it can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@if [ -d web/node_modules ]; then cd web && npm run --silent format; fi

bench: setup ## measure, and write benchmarks/results.md
	@$(BIN)/uv sync --frozen --quiet --inexact --group bench
	@$(BIN)/python -m benchmarks $(ARGS)

mutants: setup ## see whether the tests notice single changes, and write benchmarks/mutants.md
	@PYTHONPATH=scripts $(BIN)/python -m mutants --write $(ARGS)

build: setup page ## wheel and sdist into dist/
	@$(BIN)/uv build --quiet

release: setup page ## make VERSION=1.2.3 ready: build, check, changelog, signed tag; uploads nothing
	@[ -n "$(VERSION)" ] || { echo "which version? make release VERSION=1.2.3" >&2; exit 1; }
	@$(BIN)/python scripts/release.py "$(VERSION)" --site

clean: ## remove what make made, .venv included
	@rm -rf $(VENV) web/node_modules src/okey101/_web dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .mutants
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
