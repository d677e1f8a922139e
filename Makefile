# Two commands: `make play` and `make test`. Each first sets up .venv; both need Python 3.11+.
PYTHON ?= python3
BIN := .venv/bin
LOCK := $(BIN)/uv --quiet pip compile --universal --python-version 3.11 --generate-hashes --no-strip-extras --custom-compile-command 'make lock'

.PHONY: play test transcripts screens lint format texts browser picture released addresses lock

play: .venv/playable
	$(BIN)/python -m bot playground

test: .venv/installed
	$(BIN)/python -m pytest

# Write anew what people see; read the diff before you commit it.
transcripts: .venv/installed
	$(BIN)/python -m pytest tests/transcripts --numprocesses=0 --snapshot-update

# Write each screen in one language beside English, to be read: `make screens IN=es`, in screens/es.
screens: .venv/installed
	SCREENS_IN=$(IN) $(BIN)/python -m pytest tests/transcripts --numprocesses=0 --snapshot-update \
		--ignore-glob '*judge*' --ignore-glob '*terminal*' --ignore-glob '*solutions*'

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Carry changed sentences over to the catalogues, with the comments that begin with "Translators:",
# compile what is translated, and say what is not.
texts: .venv/installed
	$(BIN)/python -m tests.tools.make_texts

# What tests in a browser need besides Chromium or Chrome; without it, `make test` skips them.
browser: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check playwright==1.65.2

# Take the pictures of the README and the docs anew; needs Chromium or Chrome.
picture: browser
	$(BIN)/python -m tests.tools.picture

# Write anew what this release leaves behind, which every later one has to read; needs pg_dump, and a
# PostgreSQL named by TEST_DATABASE_URL.
released: .venv/installed
	$(BIN)/python -m tests.tools.released

# Write the addresses that pyproject.toml has into the READMEs.
addresses: | $(BIN)/pip
	$(BIN)/python -m tests.tools.addresses

# Write what pyproject.toml asks for, and what that needs in turn, into the requirement files. What is
# in them keeps its version; delete them first to have the newest of all that is not pinned.
lock: | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) pyproject.toml --group play --constraints requirements.txt --output-file requirements-play.txt
	$(LOCK) pyproject.toml --group dev --constraints requirements-play.txt --output-file requirements-dev.txt

.venv/playable: requirements-play.txt | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-play.txt
	touch $@

.venv/installed: requirements-dev.txt | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ .venv/playable

# What comes last: without Debian's python3-venv, .venv is made, but has no pip.
$(BIN)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Velha needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
