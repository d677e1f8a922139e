"""How long each page for learners takes whoever reads all of it and types its code.

python -m tests.engine.minutes [FOLDER]     such as pt-BR; English without
"""

from __future__ import annotations

import re
import sys

from tests.engine.road import BLOCK, Block, pages, text

WORDS_A_MINUTE = 120
"""Read, of prose and of what is shown: slowly, as one reads what is new."""
CHARACTERS_A_MINUTE = 80
"""Typed, of code without its indentation, with the slips that are mended."""
SLOWLY_TYPED = 60
_FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
_EXERCISES = re.compile(r"^## (Exerc|Ejerc)", re.MULTILINE)
_LINK = re.compile(r"\]\([^)]*\)")
_MARKED = re.compile(r"  # \w+$", re.MULTILINE)


def shown_of(page: str) -> str:
    """All that is open, up to the exercises, which are for those who have time left."""
    return _FOLDED.sub("", _EXERCISES.split(text(page))[0])


def minutes(page: str, characters_a_minute: int = CHARACTERS_A_MINUTE) -> float:
    """To read and type what is shown."""
    shown = shown_of(page)
    words = len(_LINK.sub("]", BLOCK.sub("", shown)).split())
    typed = 0
    for kind, listing in BLOCK.findall(shown):
        block = Block(kind, listing)
        if kind == "sh" or (kind == "python" and not block.is_examples):
            typed += sum(map(len, _lines_to_type(block)))
        else:
            words += len(re.findall(r"[\w'-]+", listing))
    return words / WORDS_A_MINUTE + typed / characters_a_minute


def _lines_to_type(block: Block) -> list[str]:
    """Of a listing in which some lines are marked as new or changed, only these."""
    lines = [line.strip() for line in block.code.splitlines()]
    marked = [_MARKED.sub("", line) for line in lines if _MARKED.search(line)]
    return marked or lines


def promised(page: str) -> int:
    """The minutes at the head of a page."""
    found = re.search(r"\b(\d+) min", text(page))
    assert found is not None, page
    return int(found[1])


if __name__ == "__main__":
    for page in pages(sys.argv[1] if len(sys.argv) > 1 else "en"):
        slowly = minutes(page, SLOWLY_TYPED)
        print(f"{minutes(page):5.1f} {slowly:5.1f} {promised(page):5}  {page}")
