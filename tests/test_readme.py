"""What the README and the docs promise in numbers and names is so, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest

from bot.client.bot import REQUIRED_PERMISSIONS
from bot.client.cog import Velha
from tests.tools import addresses

ROOT = Path(__file__).parents[1]
READMES = [path.relative_to(ROOT).as_posix() for path in addresses.pages()]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", ".github/*.md")
    for path in ROOT.glob(pattern)
)
ENGLISH = {
    "README.pt-BR.md": "README.md",
    **{
        page.replace("/en/", f"/{folder}/"): page
        for page in PAGES
        for folder in ("pt-BR", "es", "fr", "de")
        if page.startswith("docs/en/") and page.replace("/en/", f"/{folder}/") in PAGES
    },
}
"""The English page by that which says the same in another language."""
LINK = r"""(?:\]\(|src=")(?!https?://|#)([^)#"]+)"""


def shape(name: str) -> list[str]:
    """What two pages have in common that say the same in two languages."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"^(#+|\d+\.|-|\||```\w*|!|<\w+)(?=[ \[]|$)", text, re.MULTILINE)


def language_of(name: str) -> str:
    """The language of a page: that of its folder, or of its name."""
    found = re.search(r"docs/([\w-]+)/|README\.([\w-]+)\.md", name)
    return (found[1] or found[2]) if found else "en"


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page end in."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_the_invite_link_asks_for_what_the_bot_needs() -> None:
    link = addresses.urls()["Add to Discord"]
    assert "scope=bot+applications.commands" in link
    asked = re.search(r"permissions=(\d+)", link)
    assert asked is not None
    assert discord.Permissions(int(asked.group(1))) == REQUIRED_PERMISSIONS


@pytest.mark.parametrize("name", READMES)
def test_a_readme_has_the_addresses_of_the_project(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert all(address in text for address in addresses.urls().values())
    assert addresses.addressed(text) == text


@pytest.mark.parametrize("name", ENGLISH)
def test_the_languages_are_in_step(name: str) -> None:
    assert shape(name) == shape(ENGLISH[name])


@pytest.mark.parametrize("name", PAGES)
def test_pictures_speak_the_language_of_the_page(name: str) -> None:
    """Where there is none in that language, it is in English."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for picture, language, extension in re.findall(r"pictures/(\w+)\.([\w-]+)\.(\w+)", text):
        own = ROOT / f".github/pictures/{picture}.{language_of(name)}.{extension}"
        assert language == (language_of(name) if own.exists() else "en")


@pytest.mark.parametrize("name", [name for name in PAGES if "PLAYING" in name])
def test_every_command_is_described(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    commands = Velha.__cog_app_commands__
    for command in commands:
        assert f"`/velha {command.name}`" in text


@pytest.mark.parametrize("name", PAGES)
def test_every_file_it_links_to_is_there(name: str) -> None:
    page = ROOT / name
    links = re.findall(LINK, page.read_text(encoding="utf-8"))
    assert len(links) > 3 or name not in READMES
    for link in links:
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("name", PAGES)
def test_every_heading_it_links_to_is_there(name: str) -> None:
    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", text):
        assert anchor in anchors(page.parent / target if target else page), anchor
