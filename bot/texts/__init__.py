"""Every sentence that people read, and the catalogues that translate them.

The English sentences below are the source; each other language has a folder with a gettext
catalogue. `make texts` carries changes here over to the catalogues.
"""

from bot.texts.catalogues import (
    LANGUAGES,
    help_texts_for,
    lesson_texts_for,
    playground_texts_for,
    privacy_texts_for,
    ranking_texts_for,
    server_texts_for,
    stats_texts_for,
    texts_for,
    translate,
)
from bot.texts.help import HelpTexts
from bot.texts.lessons import LessonTexts
from bot.texts.playground import PlaygroundTexts
from bot.texts.texts import Texts

__all__ = [
    "LANGUAGES",
    "HelpTexts",
    "LessonTexts",
    "PlaygroundTexts",
    "Texts",
    "help_texts_for",
    "lesson_texts_for",
    "playground_texts_for",
    "privacy_texts_for",
    "ranking_texts_for",
    "server_texts_for",
    "stats_texts_for",
    "texts_for",
    "translate",
]
