# Two commands: `make play` and `make test`. Each first sets up .venv; both need Python 3.11+.
PYTHON ?= python3
BIN := .venv/bin
POT := .venv/velha.pot

.PHONY: play test lint format texts picture

play: .venv/installed
	$(BIN)/python -m bot playground

test: .venv/installed
	$(BIN)/python -m pytest

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Carry changed sentences over to the catalogues; what is new there waits for its translation.
texts: .venv/installed
	$(BIN)/pybabel -q extract --no-wrap --no-location -k locale_str -k _n:1,2 -o $(POT) bot
	for language in bot/texts/*/velha.po; do \
	  $(BIN)/pybabel -q update --no-wrap --no-fuzzy-matching --ignore-obsolete --omit-header \
	    -l $$(basename $$(dirname $$language)) -i $(POT) -o $$language; \
	done

# Take the README's picture anew; needs Chromium or Chrome.
picture: .venv/installed
	$(BIN)/python -m pip install --quiet playwright==1.65.2
	$(BIN)/python -m tests.picture

.venv/installed: requirements.txt requirements-dev.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Velha needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
