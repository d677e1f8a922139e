"""The pages for learners: their listings, and the learner's files that grow from page to page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
LANGUAGES = {"en": "en", "pt-BR": "pt_BR", "es": "es"}
"""The folders of the pages, and the terminal's languages."""

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.py)(, .*)?\n")


@dataclass(frozen=True)
class Block:
    """A listing; `kind` is what stands behind its fence, such as `python`."""

    kind: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that it is the whole of, or goes on with."""
        match = _FILE.match(self.text) if self.kind == "python" else None
        return match[1] if match else None

    @property
    def goes_on(self) -> bool:
        """Whether it goes on with a file, as `# game.py, further down` says."""
        match = _FILE.match(self.text) if self.kind == "python" else None
        return match is not None and match[2] is not None

    @property
    def code(self) -> str:
        """The lines that it adds to a file."""
        return self.text.partition("\n")[2] if self.goes_on else self.text

    @property
    def is_examples(self) -> bool:
        return self.kind == "python" and self.text.startswith(">>>")

    @property
    def is_code(self) -> bool:
        """Whether it is code that a learner adds to the own file."""
        return self.kind == "python" and not self.is_examples and self.file is None


def pages(folder: str) -> list[str]:
    """The pages of the road in a language, in order."""
    found = DOCS.glob(f"{folder}/write-your-own/*.md")
    names = [path.relative_to(DOCS).as_posix() for path in found]
    return sorted(names, key=page_number)


def page_number(page: str) -> int:
    match = re.search(r"/(\d+)-", page)
    assert match is not None, page
    return int(match[1])


def text(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(text(page))]


def listings(page: str, name: str) -> list[str]:
    """The files of this name that the listings on a page make up."""
    files: list[str] = []
    for block in blocks(page):
        if block.file == name and block.goes_on:
            files[-1] = added(files[-1], block.code)
        elif block.file == name:
            files.append(block.text)
    return files


def added(file: str, code: str) -> str:
    """A file that goes on with more methods of its class, or with more functions."""
    return file + ("\n" if code.startswith(" ") else "\n\n") + code


@dataclass(frozen=True)
class Step:
    """A listing, and the learner's files as they are then, by name; what stood before it."""

    page: str
    block: Block
    before: Block | None
    files: dict[str, str]


def steps(folder: str) -> Iterator[Step]:
    """All listings of the road, in order."""
    files: dict[str, str] = {}
    for page in pages(folder):
        before = None
        for block in blocks(page):
            if block.file is not None and block.goes_on:
                files[block.file] = added(files[block.file], block.code)
            elif block.file is not None:
                files[block.file] = block.text
            elif block.is_code:
                files["tictactoe.py"] = added(files["tictactoe.py"], block.text)
            yield Step(page, block, before, dict(files))
            before = block
