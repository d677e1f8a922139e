"""Examples of lessons and matches, their views, and functions that read views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

from discord import ui

from bot.domain.analysis import (
    REFUTATION_PLIES,
    Game,
    Hint,
    Review,
    ReviewPage,
    ReviewView,
)
from bot.domain.mistakes import Mistake, MistakePage, MistakeStep
from bot.domain.pages import INERT_PREFIX
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, SharePage
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.i18n import Language, language_for
from bot.views.mistakes import mistake_view
from bot.views.puzzles import puzzle_view, share_view
from engine import (
    INFINITE,
    TIC_TAC_TOE,
    TRIES,
    Board,
    Cell,
    Grade,
    Puzzle,
    Record,
    Rules,
    Verdict,
    Worth,
    advise,
    daily_puzzle,
    judge,
    line_of_play,
    refutation,
    review,
)
from engine.solver import new_solver
from tests.bot.custom_ids import parse_page
from tests.bot.example_matches import make_bot_match

EN, PT = language_for("en"), language_for("pt-BR")
LONG_INFINITE = date(2026, 1, 11)
"""The day of a puzzle that is won in seven plies, in which five marks vanish."""

MISTAKEN = Record.read("H0V892FV3B60V2DD1XJY")
"""A game on all cells of 5x5 with 23 mistakes: the longest review of a thousand games."""
MISSED_FORK = Record(TIC_TAC_TOE, (0, 4, 8, 2, 6, 3, 7))
"""O, with its second move, lets X make a fork, and loses."""
AGAIN = Record(INFINITE, (1, 3, 0, 7, 4, 8, 5, 1, 3))
"""X's first mark vanishes, and O plays on its cell; A1 vanishes next, and A3 would have held."""
GAMES = [MISTAKEN, MISSED_FORK, AGAIN]

solver_of = cache(new_solver)


@cache
def judged(record: Record) -> Game:
    """A game as somebody sees it who has its code."""
    return Game(record, review(record.moves, record.rules))


@cache
def advice_on(board: Board) -> Sequence[Verdict]:
    return advise(board)


@cache
def worths_on(board: Board) -> dict[Cell, Worth]:
    return solver_of(board.rules).analyse(board)


def unfinished(record: Record) -> list[Record]:
    """The beginning of a game: no move, half of the moves, and all before the end."""
    last = len(record.moves) - record.boards[-1].is_terminal
    return [Record(record.rules, record.moves[:ply]) for ply in sorted({0, last // 2, last})]


def mistakes(game: Record) -> Iterator[Mistake]:
    """The first mistake in a game: without a try, with every one, and with the right move shown."""
    ply = judged(game).mistake_plies[0]
    verdict = judged(game).verdicts[ply - 1]
    page = MistakePage(MistakeStep.TRY, game, ply, in_review=True)
    yield Mistake(page, verdict)
    for answer in advice_on(verdict.board):
        yield Mistake(replace(page, tries=(answer.action,)), verdict, answer=answer)
    shown = replace(page, step=MistakeStep.SHOW)
    yield Mistake(shown, verdict, answer=advice_on(verdict.board)[0])


@cache
def every_view(language: Language) -> list[ui.LayoutView]:
    """The views of hints, reviews, mistakes and puzzles, the longest among them."""
    return [*_game_views(language), *_puzzle_views(language)]


def _game_views(language: Language) -> Iterator[ui.LayoutView]:
    for game in GAMES:
        for ply in (None, *range(len(game.moves) + 1)):
            line = line_of_play(judged(game).verdicts[ply - 1]) if ply else ()
            yield review_view(Review(ReviewPage(game, ply), judged(game), line), language)
        yield review_view(Review(ReviewPage(game, view=ReviewView.MORE), judged(game)), language)
        if ply := judged(game).lost_ply:
            moves = refutation(judged(game).verdicts[ply - 1], plies=REFUTATION_PLIES)
            for shown in range(len(moves) + 1):
                page = ReviewPage(game, ply, ReviewView.REFUTATION, shown)
                yield review_view(Review(page, judged(game), refutation=moves), language)
        for mistake in mistakes(game):
            yield mistake_view(mistake, language)
        for record in unfinished(game):
            for hint in _hints(record):
                yield hint_view(hint, language)


def _hints(record: Record) -> Iterator[Hint]:
    """The hints on a position, in a match with the longest id and version."""
    advice = advice_on(record.boards[-1])
    match = make_bot_match(rules=record.rules, moves=record.moves, id=2**63 - 1, version=10**9 - 1)
    for cell in (None, match.board.actions()[-1]):
        yield Hint(match, advice, cell)
    yield Hint(match, advice, is_detailed=False)


def _puzzle_views(language: Language) -> Iterator[ui.LayoutView]:
    day, puzzle = LONG_INFINITE, daily_puzzle(LONG_INFINITE)
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    for cells in ((), tuple(wrong[:2]), tuple(wrong[:TRIES])):
        yield puzzle_view(with_tries(DailyPuzzle(PuzzlePage(day, cells), puzzle)), language)
    for ply, (_, step) in enumerate(solution_of(puzzle)):
        page = PuzzlePage(day, (puzzle.solution,), ply)
        yield puzzle_view(DailyPuzzle(page, puzzle, step=step), language)
    yield share_view(SharePage(day, Grade.HARD, TRIES), 10**19 - 1, language)


def with_tries(daily: DailyPuzzle) -> DailyPuzzle:
    """A puzzle with the verdicts on what was tried."""
    return replace(daily, verdicts={c: judge(daily.puzzle.board, c) for c in daily.page.tries})


def buttons(view: ui.LayoutView) -> list[ui.Button[Any]]:
    return [item for item in view.walk_children() if isinstance(item, ui.Button)]


def squares(view: ui.LayoutView, rules: Rules) -> dict[Cell, ui.Button[Any]]:
    """The buttons of the board, by cell."""
    return dict(zip(rules.cells, buttons(view), strict=False))


def controls(view: ui.LayoutView, rules: Rules) -> list[ui.Button[Any]]:
    """The buttons below the board."""
    return buttons(view)[len(rules.cells) :]


def text_of(view: ui.LayoutView) -> str:
    texts = (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))
    return "\n".join(texts)


def components_of(view: ui.LayoutView) -> list[dict[str, Any]]:
    return [item.to_component_dict() for item in view.children]


def targets(controls: list[ui.Button[Any]]) -> list[Any]:
    """The page that each button opens; None if it is disabled or opens none."""
    return [None if button.disabled else parse_page(button.custom_id or "") for button in controls]


def is_inert(button: ui.Button[Any]) -> bool:
    """Whether a button does nothing although it is not disabled."""
    return (button.custom_id or "").startswith(INERT_PREFIX) and not button.disabled


def solution_of(puzzle: Puzzle) -> Iterator[tuple[Board, Verdict | None]]:
    """Yield each position of the solution of a puzzle, with the move that led to it."""
    board = puzzle.board
    yield board, None
    for cell in puzzle.line:
        step = next(verdict for verdict in advice_on(board) if verdict.action == cell)
        board = board.result(cell)
        yield board, step
