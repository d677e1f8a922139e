"""Every sentence that people read, and the catalogues that translate them.

The English sentences below are the source; each other language has a folder with a gettext
catalogue. `make texts` carries changes here over to the catalogues.
"""

from bot.texts.answers import AnswerTexts
from bot.texts.board import BoardTexts
from bot.texts.catalogues import LANGUAGES, language_for
from bot.texts.help import HelpTexts
from bot.texts.playground import PlaygroundTexts
from bot.texts.privacy import PrivacyTexts
from bot.texts.ranking import RankingTexts
from bot.texts.server import ServerTexts
from bot.texts.stats import StatsTexts

__all__ = [
    "LANGUAGES",
    "AnswerTexts",
    "BoardTexts",
    "HelpTexts",
    "PlaygroundTexts",
    "PrivacyTexts",
    "RankingTexts",
    "ServerTexts",
    "StatsTexts",
    "language_for",
]
