"""The help: short in every language, and in the words of the options."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.views.catalogues import LANGUAGES
from bot.views.help import Help, help_view
from bot.views.i18n import language_for
from tests.bot.views.examples import text_of

MOST_WORDS = 120
ASKED = Help("en", 7, "https://a.example", "https://b.example")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_help_is_short_and_names_options_as_people_see_them(code: str) -> None:
    language = language_for(code)
    said = text_of(help_view(replace(ASKED, locale=code), language))
    assert len(re.split(r"[ \n]+", said)) <= MOST_WORDS, "a no-break space joins"
    options = {language.say(name) for name in ("opponent", "level", "board")}
    assert {*re.findall(r"`([^`]+)`", said)} == options
