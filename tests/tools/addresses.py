"""Write the project's addresses into its READMEs, as pyproject.toml has them: `make addresses`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATTERNS = {
    "Repository": r"(?<=git clone )\S+",
    "Add to Discord": r"https://discord\.com/oauth2/authorize\?[^\s)]+",
}
"""How each address is found in a page, by its name in pyproject.toml."""


def urls() -> dict[str, str]:
    """The addresses in pyproject.toml, by their names."""
    project: dict[str, dict[str, str]] = tomllib.loads(_read("pyproject.toml"))["project"]
    return project["urls"]


def pages() -> list[Path]:
    return [*ROOT.glob("README*.md"), *ROOT.glob("docs/*/README.md")]


def addressed(page: str) -> str:
    """Return the text of a page with the addresses of pyproject.toml."""
    for name, address in urls().items():
        page = re.sub(PATTERNS[name], address, page)
    return page


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    for path in pages():
        path.write_text(addressed(path.read_text(encoding="utf-8")), encoding="utf-8")
