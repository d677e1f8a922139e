"""Two languages added to the terminal with one file each: long sentences, and wide letters."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns
from subprocess import run

import pytest
from babel.messages import Catalog

from engine import Board
from engine.terminal.drawing import columns
from engine.terminal.game_texts import GameTexts
from engine.terminal.search_costs import search_cost_lines
from tests.bot.languages import english_in, long_catalogue, wide_catalogue
from tests.catalogues import ROOT
from tests.engine.test_language import language_with
from tests.tools.make_texts import compile_catalogue

TEMPLATE = ROOT / "engine" / "terminal" / "terminal.pot"

Shown = Callable[[str], str]
"""What a command shows in the language."""


def engine_with(catalogue: Catalog, folder: Path) -> Shown:
    copytree(ROOT / "engine", folder / "engine", ignore=ignore_patterns("__pycache__"))
    language = str(catalogue.locale_identifier)
    compile_catalogue(catalogue, folder / "engine" / "terminal" / f"{language}.po")
    environment = {**os.environ, "LANGUAGE": language, "PYTHONUTF8": "1", "NO_COLOR": "1"}

    def shown(options: str) -> str:
        command = [sys.executable, "-m", "engine", *options.split()]
        finished = run(command, cwd=folder, env=environment, capture_output=True, check=True)
        return finished.stdout.decode()

    return shown


@pytest.fixture(scope="module", params=[long_catalogue, wide_catalogue], ids=["long", "wide"])
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    made_up: Catalog = request.param(TEMPLATE)
    return made_up


@pytest.fixture(scope="module")
def shown(catalogue: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return engine_with(catalogue, tmp_path_factory.mktemp("engine"))


@pytest.mark.parametrize(
    "options",
    [
        "tree",
        "play easy --self-play --seed 1 --review --hint",
        "play child --self-play --seed 1 --board infinite",
    ],
)
def test_everything_is_in_the_language(options: str, shown: Shown) -> None:
    screen = shown(options)
    if "ß" in screen:
        assert not re.search(r"{\w+}", screen)
    else:
        assert not english_in(screen)


def test_the_help_is_in_the_language(shown: Shown) -> None:
    assert re.search(r"ß|\uff41", shown("--help"))


def test_tables_are_aligned(catalogue: Catalog) -> None:
    texts = GameTexts(language_with(catalogue))
    *rows, _positions = search_cost_lines(Board.parse("xo. .x. ..o"), texts)
    numbers = [re.sub(r"(?<=\d)(   .*| +[\d,.]+)$", "", row) for row in rows[1:]]
    assert len(numbers) > 6
    assert len({columns(number) for number in numbers}) == 1, rows
