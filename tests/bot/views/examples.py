"""Examples of lessons and matches, their views, and functions that read views."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from discord import ButtonStyle, ui

from bot.client.command_choices import BOARDS
from bot.domain.analysis import (
    Game,
    Hint,
    HintPage,
    Retry,
    RetryPage,
    Review,
    ReviewPage,
    ReviewView,
)
from bot.domain.matches import Ending, EndReason, Match, Place, Player
from bot.domain.pages import INERT_PREFIX
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, SharePage
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.i18n import Language, language_for
from bot.views.matches import match_view
from bot.views.mistakes import retry_view
from bot.views.puzzles import puzzle_view, share_view
from engine import (
    TIC_TAC_TOE,
    TRIES,
    Board,
    Cell,
    Grade,
    Level,
    Mark,
    Puzzle,
    Record,
    Rules,
    Value,
    Verdict,
    Worth,
    advise,
    choose_move,
    daily_puzzle,
    review,
    rules_named,
)
from engine.solver import new_solver
from tests.bot.custom_ids import parse_page
from tests.bot.example_matches import make_bot_match

EN, PT = language_for("en"), language_for("pt-BR")
WEEK = [date(2026, 7, 1) + timedelta(days=days) for days in range(7)]
LONG_INFINITE = date(2026, 1, 11)
"""The day of a puzzle that is won in seven plies, in which five marks vanish."""
COLOURS = {Value.WIN: "🟩", Value.DRAW: "⬜", Value.LOSS: "🟥"}
STYLES = {
    Value.WIN: ButtonStyle.success,
    Value.DRAW: ButtonStyle.secondary,
    Value.LOSS: ButtonStyle.danger,
}
MARKS = {None: "None", Mark.X: "❌", Mark.O: "⭕"}

MISTAKEN = Record.read("H0V892FV3B60V2DD1XJY")
"""A game on all cells of 5x5 with 23 mistakes: the longest review of a thousand games."""
LONG_WAY = Record(TIC_TAC_TOE, (4, 0, 6, 8, 1, 7, 2))
"""A game that X wins two moves later than it could have."""
MISSED_FORK = Record(TIC_TAC_TOE, (0, 4, 8, 2, 6, 3, 7))
"""O, with its second move, lets X make a fork, and loses."""
NOBODY_ERRED = Record(TIC_TAC_TOE, (4, 0, 8, 2, 1, 7, 3, 5, 6))
X_IS_LOST = Record(TIC_TAC_TOE, (0, 2, 1))
BUSY = Record(TIC_TAC_TOE, (0, 4, 8))

solver_of = cache(new_solver)
WORDS = {
    EN: {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "loss"},
    PT: {Value.WIN: "vitória", Value.DRAW: "empate", Value.LOSS: "derrota"},
}
languages = pytest.mark.parametrize("language", [EN, PT])


def childs_game(rules: Rules, seed: int) -> Record:
    """A game in which both sides play at the level CHILD."""
    rng = random.Random(seed)
    board = Board(rules)
    moves: list[Cell] = []
    while not board.is_terminal:
        moves.append(choose_move(board, Level.CHILD, rng))
        board = board.result(moves[-1])
    return Record(rules, tuple(moves))


@cache
def games() -> list[Record]:
    """A game on every board that people can choose, and some special ones."""
    played = [childs_game(rules_named(board.value), seed=1) for board in BOARDS]
    assert max(len(game.moves) for game in played) == len(MISTAKEN.moves) == 25
    return [
        *played,
        MISTAKEN,
        LONG_WAY,
        NOBODY_ERRED,
        Record(),
        Record(Rules(5, 5, 5)),
        Record(moves=(4,)),
    ]


@cache
def verdicts_on(record: Record) -> Sequence[Verdict]:
    return review(record.moves, record.rules)


@cache
def judged(record: Record) -> Game:
    """A game as somebody sees it who has its code."""
    return Game(record, verdicts_on(record))


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


def attempts(puzzle: Puzzle) -> list[tuple[Cell, ...]]:
    """The tries at a puzzle: up to three wrong ones, and the solution, first and last."""
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    wrong_guesses = [tuple(wrong[:count]) for count in range(TRIES + 1)]
    return [*wrong_guesses, (puzzle.solution,), (*wrong[-2:], puzzle.solution)]


def retries(game: Record) -> Iterator[tuple[RetryPage, Verdict | None]]:
    """The retries of each mistake in a game: without a move, and with every other move."""
    for ply, mistake in enumerate(verdicts_on(game), 1):
        if mistake.is_blunder:
            yield RetryPage(game, ply), None
            for verdict in advice_on(mistake.board):
                if verdict.action != mistake.action:
                    yield RetryPage(game, ply, verdict.action), verdict


@cache
def every_view(language: Language) -> list[ui.LayoutView]:
    """The views of all hints, reviews, retries and puzzles."""
    return [*_game_views(language), *_puzzle_views(language)]


def _game_views(language: Language) -> Iterator[ui.LayoutView]:
    for game in games():
        for ply in (None, *range(len(game.moves) + 1)):
            yield review_view(Review(ReviewPage(game, ply), judged(game)), language)
        yield review_view(Review(ReviewPage(game, view=ReviewView.MORE), judged(game)), language)
        for page, verdict in retries(game):
            yield retry_view(Retry(page, judged(game), verdict), language)
        for record in unfinished(game):
            for hint in _hints(record):
                yield hint_view(hint, language)


def _hints(record: Record) -> Iterator[Hint]:
    """The hints on a position, also in a match with the longest id and version."""
    advice = advice_on(record.boards[-1])
    match = make_bot_match(rules=record.rules, moves=record.moves, id=2**63 - 1, version=10**9 - 1)
    for page in (HintPage(record), HintPage(record, record.boards[-1].actions()[-1])):
        yield Hint(page, advice)
        yield Hint(page, advice, match=match)
    yield Hint(HintPage(record), advice, match=match, is_detailed=False)


def _puzzle_views(language: Language) -> Iterator[ui.LayoutView]:
    for day in WEEK:
        puzzle = daily_puzzle(day)
        for cells in attempts(puzzle):
            yield puzzle_view(DailyPuzzle(PuzzlePage(day, cells), puzzle), language)
        for ply, (_, step) in enumerate(solution_of(puzzle)):
            page = PuzzlePage(day, (puzzle.solution,), ply)
            yield puzzle_view(DailyPuzzle(page, puzzle, step=step), language)
    yield share_view(SharePage(WEEK[0], Grade.HARD, TRIES), 10**19 - 1, language)


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


def coordinates(text: str) -> list[str]:
    return re.findall(r"\b[A-E][1-5]\b", text)


def targets(controls: list[ui.Button[Any]]) -> list[Any]:
    """The page that each button opens; None if it is disabled or opens none."""
    return [None if button.disabled else parse_page(button.custom_id or "") for button in controls]


def is_inert(button: ui.Button[Any]) -> bool:
    """Whether a button does nothing although it is not disabled."""
    return (button.custom_id or "").startswith(INERT_PREFIX) and not button.disabled


def outlook(board: Board) -> str:
    """The sentence about the result of best play, as the solver's line implies it."""
    solution = solver_of(board.rules).solve(board)
    if solution.distance_plies is None:
        return "With best play from here, nobody wins."
    if solution.value is Value.DRAW:
        return "With best play from here, it's a draw."
    winner = board.to_move if solution.value is Value.WIN else board.to_move.other
    players = [board.to_move, board.to_move.other]
    movers = [players[ply % 2] for ply in range(len(solution.principal_variation))]
    last_mover = movers[-1]
    moves = movers.count(last_mover)
    if last_mover is winner:
        reason, preposition = "wins", "in"
    else:
        reason, preposition = "loses: it must complete a line", "within"
    when = "on its next move" if moves == 1 else f"{preposition} {moves} moves"
    return f"With best play from here, {MARKS[last_mover]} {reason} {when}."


def solution_of(puzzle: Puzzle) -> Iterator[tuple[Board, Verdict | None]]:
    """Yield each position of the solution of a puzzle, with the move that led to it."""
    board = puzzle.board
    yield board, None
    for cell in puzzle.line:
        step = next(verdict for verdict in advice_on(board) if verdict.action == cell)
        board = board.result(cell)
        yield board, step


def buttons_in(view: ui.LayoutView) -> list[Any]:
    """All buttons and selects of a view that send interactions."""
    return [item for item in view.walk_children() if item.is_dispatchable()]


def bot_match(moves: tuple[int, ...] = (), rules: Rules = TIC_TAC_TOE) -> Match:
    return Match(
        id=2**62,
        place=Place(1, 2, "pt-BR", 3),
        x=Player(11),
        o=Player(12, Level.IMPOSSIBLE),
        opened_by=11,
        accepted=True,
        deadline_at=datetime(2030, 1, 1, tzinfo=UTC),
        rules=rules,
        moves=moves,
    )


def english_match_view(match: Match) -> ui.LayoutView:
    """The view of a match in English."""
    return match_view(replace(match, place=replace(match.place, locale="en-US")))


def every_kind_of_match() -> list[Match]:
    """A new match and a challenge, matches of each early ending and result, and a rematch."""
    match = bot_match()
    challenge = replace(match, accepted=False, o=Player(12))
    games = ((4,), (0, 3, 1, 4, 2), (0, 1, 2, 4, 3, 5, 7, 6, 8))
    return [
        match,
        challenge,
        *(replace(match, early_ending=Ending(reason)) for reason in EndReason),
        *(replace(challenge, early_ending=Ending(reason)) for reason in EndReason),
        *(bot_match(moves) for moves in games),
        replace(match, early_ending=Ending(EndReason.WON), rematch_asked_by=11),
    ]
