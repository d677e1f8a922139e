"""The house stands as its plan says: imports point down, and the shell stays thin."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BELOW = {
    "engine": set(),
    "bot.game": {"engine"},
    "bot.texts": {"bot.game", "engine"},
    "bot.views": {"bot.texts", "bot.game", "engine"},
    "bot.replies": {"bot.views", "bot.texts", "bot.game"},
    "bot.store": {"bot.game", "engine"},
    "bot.service": {"bot.store", "bot.game", "engine"},
    "bot.commands": {"bot.replies", "bot.service", "bot.game", "engine"},
    "bot.host": {
        *("bot.environment", "bot.settings"),
        *("bot.replies", "bot.texts", "bot.service", "bot.store", "bot.game"),
    },
    "bot.logs": set(),
    "bot.reconnect": set(),
    "bot.environment": set(),
    "bot.sync": {"bot.store", "bot.texts"},
    "bot.settings": {"bot.environment", "bot.store"},
    "bot.playground": {"bot.texts"},
}
"""What each package may import; `bot.client` joins them all."""

MOST_LINES_OF_A_FUNCTION = 40
MOST_LINES_OF_A_CLASS = 150
MOST_LINES_OF_A_MODULE = 250

ENTRIES = ["bot.client", "bot.playground", "bot.run", "bot.__main__", "bot.store.migrations.env"]


def modules(package: str) -> dict[str, Path]:
    paths = (ROOT / package).rglob("*.py")
    names = ((path, path.relative_to(ROOT).with_suffix("")) for path in paths)
    return {".".join(name.parts).removesuffix(".__init__"): path for path, name in names}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module or "")
    return found


def package(module: str) -> str | None:
    """The one of the packages above that a module is part of."""
    return next((name for name in BELOW if f"{module}.".startswith(f"{name}.")), None)


@pytest.mark.parametrize(("module", "path"), modules("engine").items())
def test_the_engine_imports_only_the_standard_library_and_itself(module: str, path: Path) -> None:
    for name in imports(path):
        top = name.split(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, f"{module} imports {name}"


@pytest.mark.parametrize(("module", "path"), modules("bot").items())
def test_imports_in_the_bot_point_down(module: str, path: Path) -> None:
    own = package(module)
    assert own is not None or module in {"bot", *ENTRIES}, f"{module} has no place in the house"
    if own is None or module in ENTRIES:
        return
    for name in imports(path):
        other = package(name)
        assert other in {None, own, *BELOW[own]}, f"{module} imports {name}"
        assert other is not None or not name.startswith("bot."), f"{module} imports {name}"


@pytest.mark.parametrize("own", ["bot.game", "bot.service", "bot.store", "bot.texts"])
def test_what_happens_does_not_know_discord(own: str) -> None:
    for name, path in modules("bot").items():
        if package(name) == own:
            assert not {top for top in imports(path) if top.split(".")[0] == "discord"}, name


def test_nothing_imports_the_tests_and_a_deployed_bot_no_simulation() -> None:
    for module, path in (modules("bot") | modules("engine")).items():
        tops = {name.split(".")[0] for name in imports(path)}
        assert "tests" not in tops, module
        assert package(module) == "bot.playground" or "simcord" not in tops, module


def test_only_the_entry_knows_the_playground_and_only_when_asked() -> None:
    users = [module for module, path in modules("bot").items() if "bot.playground" in imports(path)]
    assert users == ["bot.__main__"]
    top_level = ast.parse((ROOT / "bot" / "__main__.py").read_text(encoding="utf-8")).body
    assert not any(
        "playground" in ast.dump(node) for node in top_level if isinstance(node, ast.ImportFrom)
    )


@pytest.mark.parametrize(("module", "path"), (modules("bot") | modules("engine")).items())
def test_rooms_stay_small(module: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MOST_LINES_OF_A_MODULE, module
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            most = MOST_LINES_OF_A_CLASS
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            most = MOST_LINES_OF_A_FUNCTION
        else:
            continue
        assert node.end_lineno is not None
        assert node.end_lineno - node.lineno < most, f"{module}: {node.name}"
