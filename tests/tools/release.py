"""Check that a tag fits what the files say: `python -m tests.tools.release v1.0.0`.

It needs no package, so that CI can refuse a tag before it does anything else.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Collection
from pathlib import Path

import bot
from tests.tools.addresses import urls

ROOT = Path(__file__).parents[2]


def numbers() -> dict[str, str]:
    """The number of the release, by the file that has it."""
    project = tomllib.loads(_read("pyproject.toml"))["project"]
    return {
        "pyproject.toml": project["version"],
        "bot/__init__.py": bot.__version__,
        "Dockerfile": _find(r"image\.version=(\S+)", _read("Dockerfile")),
        "compose.yaml": _find(r":-velha:([^}]+)}", _read("compose.yaml")),
    }


def missing_addresses() -> list[str]:
    """Name the addresses that the owner has yet to write into pyproject.toml."""
    return [name for name, address in urls().items() if re.search("OWNER|APPLICATION_ID", address)]


def newest_revision() -> str:
    """The revision of the tables, such as "1000"."""
    return max((ROOT / "bot/store/migrations/versions").glob("[0-9]*.py")).name[:4]


def problems(tag: str, changelog: str, released: Collection[str]) -> list[str]:
    """List in a sentence each what speaks against publishing this commit under a tag.

    `released` are the releases of which the tests know what they left behind.
    """
    number = tag.removeprefix("v")
    found = [f"{file} says {says}" for file, says in numbers().items() if says != number]
    if number not in released:
        found.append(f"tests/bot/released has no folder {number}: make released")
    heading = rf"## \[{re.escape(number)}\] - \d{{4}}-\d\d-\d\d\n"
    if not re.search(heading, changelog):
        return [*found, f"docs/en/CHANGELOG.md has no heading with {number} and a date"]
    revision = _find(rf"{heading}\nTables: revision (\d{{4}})", changelog)
    if revision != newest_revision():
        says = revision or "nothing"
        found.append(f"docs/en/CHANGELOG.md says {says} of tables at revision {newest_revision()}")
    return found


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


def main(tag: str) -> int:
    released = [folder.name for folder in (ROOT / "tests/bot/released").iterdir()]
    found = problems(tag, _read("docs/en/CHANGELOG.md"), released)
    for problem in found:
        print(f"{tag}: {problem}.", file=sys.stderr)
    for name in missing_addresses():
        print(f"pyproject.toml still needs: {name}. Then run `make addresses`.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
