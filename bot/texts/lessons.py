"""The texts of all lessons."""

from __future__ import annotations

from bot.texts.judgements import Judgements
from bot.texts.minimax import MinimaxTexts
from bot.texts.mistakes import MistakeTexts
from bot.texts.puzzles import PuzzleTexts
from bot.texts.reviews import ReviewTexts
from bot.texts.words import Language


class LessonTexts:
    """Hints, reviews, puzzles and the lesson on minimax, in one language."""

    def __init__(self, language: Language) -> None:
        self.judgements = Judgements(language)
        self.mistakes = MistakeTexts(language, self.judgements)
        self.reviews = ReviewTexts(language, self.judgements, self.mistakes)
        self.puzzles = PuzzleTexts(language, self.judgements)
        self.minimax = MinimaxTexts(language)
