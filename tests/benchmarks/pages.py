"""Lessons as people come to them: pages of games that nobody has seen before."""

from __future__ import annotations

import random
from datetime import date, timedelta

from bot.domain.analysis import HintPage, ReviewPage
from bot.domain.puzzles import PuzzlePage
from bot.domain.tutorial import Chapter, TutorialPage
from engine import Board, Record, Rules

LessonPage = HintPage | ReviewPage | PuzzlePage | TutorialPage
SHAPES = [Rules(3, 3, 3), Rules(4, 4, 3), Rules(4, 4, 4), Rules(5, 5, 4), Rules(5, 5, 5)]


def some_game(rules: Rules, rng: random.Random) -> Record:
    board, moves = Board(rules), list[int]()
    while not board.is_terminal:
        moves.append(rng.choice(board.actions()))
        board = board.result(moves[-1])
    return Record(rules, tuple(moves))


def some_page(rng: random.Random) -> LessonPage:
    """Any page, of a game that nobody has seen before; one in a hundred takes long."""
    game = some_game(rng.choice(SHAPES), rng)
    going_on = Record(game.rules, game.moves[: rng.randrange(1, len(game.moves) - 2)])
    if rng.random() < 0.01:
        day = date(2026, 1, 1) + timedelta(days=rng.randrange(300))
        slow: list[LessonPage] = [PuzzlePage(day), TutorialPage(going_on, Chapter.COMPARISON)]
        return rng.choice(slow)
    chapter = rng.choice([Chapter.TREE, Chapter.NUMBERS, Chapter.FASTEST_WIN])
    review = ReviewPage(game, rng.randrange(len(game.moves)))
    pages: list[LessonPage] = [review, HintPage(going_on), TutorialPage(going_on, chapter)]
    return rng.choice(pages)
