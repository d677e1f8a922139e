"""The house stands as its plan says: imports point down, and the shell stays thin."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

STOREYS = [
    {"engine"},
    {"bot.match", "bot.press", "bot.page", "bot.options", "bot.clock", "bot.logs"},
    {"bot.threads", "bot.pool", "bot.mind"},
    {"bot.texts", "bot.store", "bot.migrations", "bot.settings", "bot.buttons"},
    {"bot.board_view", "bot.lesson_view", "bot.arena"},
    {"bot.circumstances"},
    {"bot.screen"},
    {"bot.lessons", "bot.desk"},
    {"bot.cog"},
    {"bot.client"},
    {"bot.playground"},
    {"bot.__main__"},
]
"""From the ground up: a module imports from its own storey or from those below."""


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


def storey(module: str) -> int | None:
    for level, names in enumerate(STOREYS):
        if any(module == name or module.startswith(f"{name}.") for name in names):
            return level
    return None


@pytest.mark.parametrize(("module", "path"), modules("engine").items())
def test_the_engine_imports_only_the_standard_library_and_itself(module: str, path: Path) -> None:
    for name in imports(path):
        top = name.split(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, f"{module} imports {name}"


@pytest.mark.parametrize(("module", "path"), modules("bot").items())
def test_imports_in_the_bot_point_down(module: str, path: Path) -> None:
    own = storey(module)
    assert own is not None or module == "bot", f"{module} has no place in the house"
    for name in imports(path):
        other = storey(name)
        if own is not None and other is not None and name != "bot.playground":
            assert other <= own, f"{module} imports {name}"


@pytest.mark.parametrize(
    "module", ["bot.match", "bot.press", "bot.arena", "bot.store", "bot.texts"]
)
def test_the_rules_of_the_house_do_not_know_discord(module: str) -> None:
    for name, path in modules("bot").items():
        if name == module or name.startswith(f"{module}."):
            assert not {top for top in imports(path) if top.split(".")[0] == "discord"}, name


def test_nothing_imports_the_tests_and_a_deployed_bot_no_simulation() -> None:
    for module, path in (modules("bot") | modules("engine")).items():
        tops = {name.split(".")[0] for name in imports(path)}
        assert "tests" not in tops, module
        assert module == "bot.playground" or "simcord" not in tops, module


def test_only_the_entry_knows_the_playground_and_only_when_asked() -> None:
    users = [module for module, path in modules("bot").items() if "bot.playground" in imports(path)]
    assert users == ["bot.__main__"]
    top_level = ast.parse((ROOT / "bot" / "__main__.py").read_text(encoding="utf-8")).body
    assert not any(
        "playground" in ast.dump(node) for node in top_level if isinstance(node, ast.ImportFrom)
    )
