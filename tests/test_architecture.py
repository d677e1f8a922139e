"""Imports point down, and the engine stands alone."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "engine": set[str](),
    "bot.domain": {"engine"},
    "bot.store": {"bot.domain", "engine"},
    "bot.views": {"bot.domain", "engine"},
    "bot.messaging": {"bot.views", "bot.domain", "engine"},
    "bot.runtime": {"bot.messaging", "bot.views", "bot.store", "bot.domain", "engine"},
    "bot.features": {
        *("bot.runtime", "bot.messaging", "bot.views", "bot.store", "bot.domain", "engine"),
    },
    "bot.client": {
        *("bot.features", "bot.runtime", "bot.messaging", "bot.views", "bot.store", "bot.domain"),
        *("bot.config", "engine"),
    },
    "bot.ops": {
        *("bot.client", "bot.features", "bot.messaging", "bot.views", "bot.store", "bot.domain"),
        *("bot.config", "bot.environment", "bot.exits", "bot.logs"),
    },
    "bot.exits": {"bot.client", "bot.store"},
    "bot.config": {"bot.environment"},
    "bot.environment": set[str](),
    "bot.logs": set[str](),
}
"""What each package may import. The playground, `run` and `__main__` may import all of them."""

WITHOUT_DISCORD = ["bot.domain", "bot.store"]


def modules(package: str) -> dict[str, Path]:
    paths = (ROOT / package).rglob("*.py")
    names = ((path, path.relative_to(ROOT).with_suffix("")) for path in paths)
    return {".".join(name.parts).removesuffix(".__init__"): path for path, name in names}


@cache
def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module or "")
            if node.module == "bot":  # its modules, and its version
                found |= {f"bot.{alias.name}" for alias in node.names} - {"bot.__version__"}
    return found


def package(module: str) -> str | None:
    """The one of the packages above that a module is part of."""
    return next((name for name in MAY_IMPORT if f"{module}.".startswith(f"{name}.")), None)


def test_the_engine_imports_only_the_standard_library_and_itself() -> None:
    for module, path in modules("engine").items():
        for name in imports(path):
            top = name.split(".")[0]
            assert top == "engine" or top in sys.stdlib_module_names, f"{module} imports {name}"


def test_imports_point_down() -> None:
    for module, path in modules("bot").items():
        own = package(module)
        if own is not None and "migrations" not in module:
            for name in imports(path):
                other = package(name)
                assert other in {None, own, *MAY_IMPORT[own]}, f"{module} imports {name}"
                assert other or not name.startswith("bot."), f"{module} imports {name}"


WITHOUT_SCREENS = {
    "bot_moves",
    "choices",
    "counting",
    "forgetting",
    "match_actions",
    "match_messages",
    "openings",
    "posts",
    "pruning",
}
"""Files that are part of a feature of another name."""


def test_a_feature_has_the_same_name_in_each_of_its_packages() -> None:
    views = {path.stem for path in (ROOT / "bot" / "views").glob("*.py")}
    features = {path.stem for path in (ROOT / "bot" / "features").glob("*.py")}
    assert features - views == WITHOUT_SCREENS


STORED_BY = {
    "compare_and_set(": {"bot.store.matches", "bot.features.counting"},
    "update(matches)": {
        "bot.store.matches",
        "bot.store.match_rows",  # ends those that cannot be read
        "bot.features.forgetting",  # takes people and places off those that are over
        "bot.features.choices",  # takes the scores of those who hide off boards
    },
}
"""Who changes rows of matches: nobody else, so that none ends uncounted."""


def test_a_match_that_ends_is_stored_by_the_function_that_counts_it() -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules("bot").items()}
    for statement, users in STORED_BY.items():
        assert {name for name, text in texts.items() if statement in text} == users


def test_domain_and_store_do_not_import_discord() -> None:
    for module, path in modules("bot").items():
        if package(module) in WITHOUT_DISCORD:
            assert not {name for name in imports(path) if name.split(".")[0] == "discord"}, module


def test_nothing_imports_the_tests_and_a_deployed_bot_no_simulation() -> None:
    for module, path in (modules("bot") | modules("engine")).items():
        tops = {name.split(".")[0] for name in imports(path)}
        assert "tests" not in tops, module
        assert module.startswith("bot.playground") or "simcord" not in tops, module


def test_only_the_command_line_knows_the_playground_and_only_when_asked() -> None:
    outside = {m: p for m, p in modules("bot").items() if not m.startswith("bot.playground")}
    users = [
        module
        for module, path in outside.items()
        if any(name.startswith("bot.playground") for name in imports(path))
    ]
    assert users == ["bot.__main__"]
    top_level = ast.parse((ROOT / "bot" / "__main__.py").read_text(encoding="utf-8")).body
    assert not any(
        "playground" in ast.dump(node)
        for node in top_level
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
