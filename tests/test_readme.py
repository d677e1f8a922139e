"""What the README promises in numbers and names is so, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest

from bot.client import NEEDED
from bot.commands.velha import Velha

ROOT = Path(__file__).parents[1]
READMES = ["README.md", "README.pt-BR.md"]
DOCS = [
    f"docs/{name}{lang}.md"
    for name in ("PRIVACY", "TERMS", "WRITE-YOUR-OWN")
    for lang in ("", ".pt-BR")
]
PAGES = [
    *READMES,
    *DOCS,
    "docs/running.md",
    ".github/CONTRIBUTING.md",
    ".github/SECURITY.md",
]


@pytest.mark.parametrize("name", READMES)
def test_the_invite_link_asks_for_what_the_bot_needs(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    link = re.search(r"https://discord.com/oauth2/authorize\?\S+", text)
    assert link is not None
    assert "scope=bot+applications.commands" in link.group()
    asked = re.search(r"permissions=(\d+)", link.group())
    assert asked is not None
    assert discord.Permissions(int(asked.group(1))) == NEEDED


@pytest.mark.parametrize("name", READMES)
def test_every_command_is_described(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    commands = Velha.__cog_app_commands__
    assert len(commands) == 12
    for command in commands:
        assert f"`/velha {command.name}`" in text


@pytest.mark.parametrize("name", PAGES)
def test_every_file_it_links_to_is_there(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert len(links) > 3 or name not in READMES
    for link in links:
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("name", PAGES)
def test_every_heading_it_links_to_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_every_figure_is_on_the_page_for_hosts() -> None:
    source = (ROOT / "bot/host/metrics.py").read_text(encoding="utf-8")
    page = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    names = re.findall(r'_gauge\("(\w+)"', source) + re.findall(r'"velha_(\w+)"', source)
    assert len(names) > 10
    assert [name for name in names if f"velha_{name}" not in page] == []
