"""The help: short, in every language, and in the words of the options, buttons and menus."""

from __future__ import annotations

import re

from bot.views.catalogues import LANGUAGES
from bot.views.help import Help, HelpTexts
from bot.views.i18n import language_for
from bot.views.matches import MatchTexts
from engine import Level

MOST_WORDS = 200


def help_in(language: str, asked: Help | None = None) -> str:
    asked = asked or Help(language)
    return HelpTexts(language_for(language)).help(asked, MatchTexts(language_for(asked.locale)))


def test_the_help_is_short_and_whole() -> None:
    for language in LANGUAGES:
        said = help_in(language, Help(language, 7, "https://a.example", "https://b.example"))
        assert len([*filter(None, re.split(r"[ \n]", said))]) <= MOST_WORDS, language
        assert "{" not in said


def test_the_options_in_the_help_have_the_names_that_people_see() -> None:
    for language in LANGUAGES:
        quoted = {*re.findall(r"`([^`]+)`", help_in(language, Help(language, 7)))}
        assert quoted == {
            language_for(language).say(name) for name in ("opponent", "level", "board")
        }


def test_the_menu_in_the_help_has_the_name_that_people_see() -> None:
    for language in LANGUAGES:
        menu = language_for(language).say("Challenge to tic-tac-toe")
        assert f"*{menu}*" in help_in(language)


def test_every_level_is_in_the_help() -> None:
    for language in LANGUAGES:
        said, texts = help_in(language), MatchTexts(language_for(language))
        assert all(f"{texts.level(level)} " in said for level in Level), language
