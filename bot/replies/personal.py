"""Outcomes that only the person who asked sees."""

from __future__ import annotations

from bot.game.outcome import (
    DeletionQuestioned,
    Download,
    Forgotten,
    Help,
    Kept,
    Personal,
    Ranked,
    ServerSettings,
    Stats,
)
from bot.replies.answer import Answer
from bot.texts import HelpTexts, PrivacyTexts, RankingTexts, ServerTexts, StatsTexts
from bot.texts.words import Language
from bot.views.help import help_view
from bot.views.privacy import delete_question, privacy_view
from bot.views.ranking import ranking_view
from bot.views.server import settings_view
from bot.views.stats import stats_view


async def show_personal(answer: Answer, outcome: Personal, language: Language) -> None:
    """Show an outcome to the person who asked, and nobody else."""
    texts = PrivacyTexts(language)
    match outcome:
        case Kept():
            await answer.show_alone(privacy_view(outcome, texts))
        case Stats():
            await answer.show_alone(stats_view(outcome, StatsTexts(language), is_public=False))
        case Ranked():
            await answer.show_alone(ranking_view(outcome, RankingTexts(language)))
        case ServerSettings():
            await answer.show_alone(settings_view(outcome, ServerTexts(language)))
        case DeletionQuestioned(of_server):
            await answer.show_alone(delete_question(texts, of_server=of_server))
        case Download(content, is_packed):
            await answer.send_file("velha.json.gz" if is_packed else "velha.json", content)
        case Forgotten():
            await answer.say_done(texts.forgotten())
        case Help():
            await answer.show(help_view(outcome, HelpTexts(language)), in_place=False)
