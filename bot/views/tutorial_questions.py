"""The questions of the tutorial: how they are asked and answered, and their buttons."""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.domain.pages import custom_id
from bot.domain.tutorial import Question, TutorialContent, TutorialPage, question_of
from bot.views.components import button
from bot.views.i18n import Texts, with_minus

_FIRST_CHOICE_ID = 10
"""Follows the page in the custom_id of the first choice."""


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
class QuestionTexts(Texts):
    """What is said before and after an answer, in one language."""

    def prompt(self, page: TutorialPage, question: str) -> str:
        """A question, asked for the first time or once more after a wrong answer."""
        if page.answer is None:
            return question
        again = self._("Not quite. Try once more!")
        return self._language.sentences(again, question)

    def feedback(self, content: TutorialContent) -> str:
        """Whether the last answer was right."""
        question = question_of(content)
        if question is not None and content.page.answer == question.right:
            return self._("Right!")
        return self._("Not quite.")


def choice_row(page: TutorialPage, question: Question) -> ui.ActionRow[Any]:
    """A button for each choice; wrong answers are red, and the right one is green once shown."""
    is_answer_shown = page.reveals(question.right)
    style = ButtonStyle.secondary if is_answer_shown else ButtonStyle.primary
    styles = dict.fromkeys(range(len(question.choices)), style)
    for answer in (page.wrong_answer, page.answer):
        if answer is not None:
            styles[answer] = ButtonStyle.danger
    if is_answer_shown:
        styles[question.right] = ButtonStyle.success
    buttons = [
        button(
            custom_id(page.with_answer(number, question.right), _FIRST_CHOICE_ID + number),
            label=with_minus(choice),
            style=styles[number],
        )
        for number, choice in enumerate(question.choices)
    ]
    return ui.ActionRow(*buttons)
