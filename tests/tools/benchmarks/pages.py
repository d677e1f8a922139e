"""Random pages of lessons, of random games: no search for them can be cached."""

from __future__ import annotations

import random
from datetime import date, timedelta

from bot.domain.analysis import ReviewPage
from bot.domain.puzzles import PuzzlePage
from bot.domain.tutorial import Chapter, TutorialPage
from engine import Board, Record, Rules

LessonPage = ReviewPage | PuzzlePage | TutorialPage
SHAPES = [Rules(3, 3, 3), Rules(4, 4, 3), Rules(4, 4, 4), Rules(5, 5, 4), Rules(5, 5, 5)]


def some_game(rules: Rules, rng: random.Random) -> Record:
    """A game of random moves."""
    board = Board(rules)
    moves: list[int] = []
    while not board.is_terminal:
        moves.append(rng.choice(board.actions()))
        board = board.result(moves[-1])
    return Record(rules, tuple(moves))


def some_page(rng: random.Random) -> LessonPage:
    """A random page of a random game; one in a hundred takes long to compute."""
    game = some_game(rng.choice(SHAPES), rng)
    unfinished = Record(game.rules, game.moves[: rng.randrange(1, len(game.moves) - 2)])
    if rng.random() < 0.01:
        return _slow_page(unfinished, rng)
    chapter = rng.choice([Chapter.TREE, Chapter.NUMBERS])
    review = ReviewPage(game, rng.randrange(len(game.moves)))
    pages: list[LessonPage] = [review, TutorialPage(unfinished, chapter)]
    return rng.choice(pages)


def _slow_page(unfinished: Record, rng: random.Random) -> LessonPage:
    day = date(2026, 1, 1) + timedelta(days=rng.randrange(300))
    pages: list[LessonPage] = [PuzzlePage(day), TutorialPage(unfinished, Chapter.WATCH)]
    return rng.choice(pages)
