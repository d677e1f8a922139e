"""Writes out the files that the pages for learners link, from the listings on them.

python -m tests.engine.make_files
"""

from __future__ import annotations

from pathlib import Path

from tests.engine.road import DOCS, LANGUAGES, listings, page_number, pages

LINKED = {
    1: "tictactoe.py",
    4: "finished.py",
    5: "any_game.py",
    6: "alphabeta.py",
    7: "limited.py",
    8: "game.py",
}
"""By the number of the page."""


def files() -> list[tuple[Path, str]]:
    """The path of each file, and what is to stand in it."""
    return [
        (DOCS / folder / "write-your-own" / "files" / name, listings(page, name)[0])
        for folder in LANGUAGES
        for page in pages(folder)
        for name in [LINKED.get(page_number(page))]
        if name is not None
    ]


if __name__ == "__main__":
    for path, listing in files():
        path.parent.mkdir(exist_ok=True)
        path.write_text(listing, encoding="utf-8")
