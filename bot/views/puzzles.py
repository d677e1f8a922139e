"""A puzzle, its solution, and the messages about it that everybody sees."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from discord import ButtonStyle, ui
from discord.app_commands import Choice

from bot.domain.pages import POSTED_PREFIX, Shortcut, ShortcutPage, custom_id
from bot.domain.puzzles import (
    MAX_GUESSES,
    Attempt,
    DailyPuzzle,
    PracticePage,
    PuzzlePage,
    PuzzlePost,
    PuzzleResult,
    PuzzleStats,
    SharePage,
    is_puzzle_over,
    solution_board,
)
from bot.views.analysis import ReviewTexts
from bot.views.components import (
    CORRECT_STYLE,
    WRONG_STYLE,
    CellStyle,
    board_rows,
    button,
    container_view,
    move_styles,
    step_buttons,
)
from bot.views.i18n import (
    N_,
    NC_,
    PLAY,
    Language,
    Sentence,
    Texts,
    language_for,
    relative_timestamp,
    time_timestamp,
)
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from bot.views.verdicts import (
    BETTER_MOVE_EMOJI,
    CORRECT_EMOJI,
    SELF_EXPLANATORY_REASONS,
    WRONG_EMOJI,
    VerdictTexts,
)
from engine import Board, Cell, Grade, Puzzle, Value

_ROW_LABELS = ("1️⃣", "2️⃣", "3️⃣", WRONG_EMOJI)
"""Solved on the first, second or third try, or not solved."""

_UNSOLVED = "X"
"""Stands for the number of tries where none was right."""

_MAX_BAR_LENGTH = 10

_MARK_ID = 4
"""Follows the page in the custom_ids of marks; those of the step buttons end with 0 to 3."""

# Translators, from here on: the daily puzzle, above or below its board. Buttons have about 12
# letters.
GRADES: Mapping[Grade, Sentence] = {
    # Translators: how hard a puzzle is.
    Grade.EASY: NC_("puzzle", "easy"),
    Grade.MEDIUM: NC_("puzzle", "medium"),
    Grade.HARD: NC_("puzzle", "hard"),
}


class PuzzleTexts(Texts):
    """A puzzle, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._verdict_texts = VerdictTexts(language)

    def puzzle(self, daily_puzzle: DailyPuzzle) -> str:
        """The task, and the result of each try."""
        page = daily_puzzle.page
        puzzle = daily_puzzle.puzzle
        lines = [self._("## Puzzle: {day}", day=self._language.day(page.day))]
        if page.is_practice:
            lines.append(self._("-# Just for practice: it doesn't count."))
        lines.append(f"{_stars(puzzle.grade)} {self._(GRADES[puzzle.grade])}")
        lines += self._position(puzzle.board)
        lines.append(self._task(puzzle))
        lines += [self._try_result(daily_puzzle, cell) for cell in page.guesses]
        return "\n".join(lines)

    def _position(self, board: Board) -> Iterator[str]:
        """The game, and where the marks are, for people who cannot see the board."""
        name = self._language.rules(board.rules)
        marks = self._language.marks(board)
        if board.rules.repeats:
            yield f"-# {name}"
            # Translators: {marks} are the cells of either player, in the order they were taken.
            yield self._("Oldest first: {marks}", marks=marks)
        else:
            yield f"-# {name} · {marks}"

    def _task(self, puzzle: Puzzle) -> str:
        symbol = SYMBOLS[puzzle.board.to_move]
        if puzzle.value is Value.DRAW:
            return self._("You are {symbol}. Only one move saves the draw: which?", symbol=symbol)
        # Translators: {n} is how many moves {symbol} makes; which of them is the first?
        return self._language.ngettext(
            "You are {symbol} and can win in {n} move. Which comes first?",
            "You are {symbol} and can win in {n} moves. Which comes first?",
            (puzzle.depth_plies + 1) // 2,
            symbol=symbol,
        )

    def _try_result(self, daily_puzzle: DailyPuzzle, cell: Cell) -> str:
        puzzle = daily_puzzle.puzzle
        reply = daily_puzzle.replies.get(cell)
        if cell == puzzle.solution:
            return f"{CORRECT_EMOJI} {self._solution(puzzle)}"
        reply_is_solution = reply is not None and reply.action == puzzle.solution
        if reply_is_solution and not is_puzzle_over(daily_puzzle.page.guesses, puzzle):
            # The reply would give the solution away.
            return f"{WRONG_EMOJI} {self._verdict_texts.loses(puzzle.board, cell)}"
        return self._verdict_texts.wrong_try(puzzle.board, cell, puzzle.worths[cell], reply)

    def _solution(self, puzzle: Puzzle) -> str:
        board = puzzle.board
        solution = puzzle.solution
        reason = self._verdict_texts.reason(board, solution, puzzle.reason, puzzle.value)
        if puzzle.reason in SELF_EXPLANATORY_REASONS:
            return reason
        after = puzzle.worths[solution].one_ply_later()
        outlook = self._verdict_texts.outlook(after, board.to_move.other)
        return self._language.sentences(reason, outlook)

    def tries_left(self, daily_puzzle: DailyPuzzle) -> str:
        """How many tries are left, and when the next puzzle comes."""
        count = MAX_GUESSES - len(daily_puzzle.page.guesses)
        sentence = self._language.ngettext("{n} try left.", "{n} tries left.", count)
        return "\n".join([sentence, *self._next_puzzle(daily_puzzle)])

    def puzzle_over(self, daily_puzzle: DailyPuzzle) -> str:
        """The solution if it was not found, best play, and the person's results."""
        page = daily_puzzle.page
        puzzle = daily_puzzle.puzzle
        step = daily_puzzle.step
        lines = []
        if puzzle.solution not in page.guesses:
            # Translators: {solution} is a whole sentence or two.
            sentence = self._("The solution: {solution}", solution=self._solution(puzzle))
            lines.append(f"{BETTER_MOVE_EMOJI} {sentence}")
        # Translators: {line} are moves, such as "❌ A1, ⭕ B2".
        lines.append(self._("If nobody slips: {line}", line=_best_play(puzzle, page.ply)))
        if step is not None:
            lines.append(f"{SYMBOLS[step.mark]} {self._verdict_texts.explanation(step)}")
            vanishing = self._language.vanishing_next(step.board.result(step.action))
            lines += [f"-# {line}" for line in vanishing]
        if daily_puzzle.stats is not None:
            heading = self._("-# Your puzzles, by number of tries:")
            lines.append(self.streak_and_tries(daily_puzzle.stats, page.day, heading))
        return "\n".join([*lines, *self._next_puzzle(daily_puzzle)])

    def _next_puzzle(self, daily_puzzle: DailyPuzzle) -> Iterator[str]:
        next_at = daily_puzzle.next_at
        if next_at is not None:
            # Translators: {at} and {when} are written by Discord, such as "21:00" and "in 5 hours".
            sentence = N_("-# Next puzzle: {at}, {when}.")
            yield self._(sentence, at=time_timestamp(next_at), when=relative_timestamp(next_at))

    def shared_result(self, page: SharePage, user_id: int) -> str:
        """The same in every language: the day, how hard it was, and how many tries it took."""
        emojis = WRONG_EMOJI * page.wrong_guesses
        tries = _UNSOLVED
        if page.is_solved:
            emojis += CORRECT_EMOJI
            tries = str(page.wrong_guesses + 1)
        line = f"Velha {page.day} {_stars(page.grade)} {emojis} {tries}/{MAX_GUESSES}"
        return f"{self._language.mention(user_id)}\n{line}"

    def yesterday(self, post: PuzzlePost) -> str:
        """How people in a server did the day before, the best first."""
        results = [self._result(result, post.gone) for result in post.yesterday]
        return "\n".join([self._("### Yesterday's puzzle"), *results])

    def _result(self, result: PuzzleResult, gone: Collection[int]) -> str:
        tries = _UNSOLVED if result.guesses_needed is None else result.guesses_needed
        streak = f" · 🔥 {result.streak}" if result.streak > 1 else ""
        return f"{tries}/{MAX_GUESSES} {self._language.member(result.user_id, gone)}{streak}"

    def past_day(self, day: date, *, is_solved: bool) -> str:
        """A day to choose, and whether its puzzle is solved."""
        name = self._language.day(day)
        # Translators: a choice of `/velha puzzle`; {day} is such as "November 21, 2026".
        return self._("{day} · solved", day=name) if is_solved else name

    def solve_button(self) -> str:
        return self._(NC_("button", "Solve"))

    def share_button(self) -> str:
        return self._(NC_("button", "Share"))

    def play_button(self) -> str:
        return self._(PLAY)

    def practice_button(self) -> str:
        return self._(NC_("button", "Practice"))

    def try_too_button(self) -> str:
        return self._(NC_("button", "Try it too"))

    # Translators, from here on: a line in somebody's results: about 40 letters.
    def streak_and_tries(self, stats: PuzzleStats, today: date, heading: str) -> str:
        """The streak, if there ever was one, and below `heading` a histogram of tries."""
        lines = [heading, *_histogram([*stats.solved, stats.missed])]
        if not stats.best:
            return "\n".join(lines)
        streak = self._language.ngettext(
            "🔥 {n} day in a row (best: {best})",
            "🔥 {n} days in a row (best: {best})",
            stats.streak_on(today),
            best=stats.best,
        )
        return "\n".join([streak, *lines])


def _best_play(puzzle: Puzzle, shown_ply: int) -> str:
    """Best play as a list of moves, with the one at `shown_ply` in bold; 0 is before the first."""
    board = puzzle.board
    moves = []
    for ply, cell in enumerate(puzzle.line, start=1):
        mark = board.to_move if ply % 2 else board.to_move.other
        move = f"{SYMBOLS[mark]} {board.rules.coordinate(cell)}"
        moves.append(f"**{move}**" if ply == shown_ply else move)
    return " · ".join(moves)


def _stars(grade: Grade) -> str:
    """A grade as filled stars, followed by empty ones up to the hardest."""
    return "★" * grade + "☆" * (len(Grade) - grade)


def _histogram(counts: Sequence[int]) -> list[str]:
    """A bar for each count, the longest for the largest."""
    max_count = max(*counts, 1)
    rows = []
    for label, count in zip(_ROW_LABELS, counts, strict=True):
        bar = "▰" * round(_MAX_BAR_LENGTH * count / max_count)
        rows.append(f"{label} {bar} {count}")
    return rows


def puzzle_view(daily_puzzle: DailyPuzzle, language: Language) -> ui.LayoutView:
    """A puzzle: pressing a free cell tries it; afterwards, one can step through the solution."""
    page = daily_puzzle.page
    puzzle = daily_puzzle.puzzle
    if is_puzzle_over(page.guesses, puzzle):
        return _solution_view(daily_puzzle, language)
    texts = PuzzleTexts(language)
    styles = dict.fromkeys(page.guesses, WRONG_STYLE)
    custom_ids = {
        cell: custom_id(replace(page, guesses=(*page.guesses, cell)), 0)
        for cell in puzzle.worths
        if cell not in page.guesses
    }
    return container_view(
        texts.puzzle(daily_puzzle),
        *board_rows(puzzle.board, styles, custom_ids, language.symbols),
        texts.tries_left(daily_puzzle),
        symbols=language.symbols,
    )


def _solution_view(daily_puzzle: DailyPuzzle, language: Language) -> ui.LayoutView:
    texts = PuzzleTexts(language)
    page = daily_puzzle.page
    puzzle = daily_puzzle.puzzle
    labels = ReviewTexts(language).step_labels()
    back, forward = step_buttons(page, page.ply, len(puzzle.line), labels)
    return container_view(
        texts.puzzle(daily_puzzle),
        *_solution_rows(page, puzzle, language.symbols),
        texts.puzzle_over(daily_puzzle),
        ui.ActionRow[Any](back, forward, *_solution_buttons(page, puzzle, texts)),
        symbols=language.symbols,
    )


def _solution_rows(page: PuzzlePage, puzzle: Puzzle, symbols: Symbols) -> list[ui.Item[Any]]:
    """The board at one ply of the solution; each mark leads to the ply that made it.

    Before the first ply, it shows the tries and the solution, which leads to that ply.
    """
    board = solution_board(puzzle, page.ply)
    if page.ply == 0:
        styles = _try_styles(page, puzzle)
        plies = {puzzle.solution: 1}
    else:
        styles = move_styles(board, puzzle.line[page.ply - 1])
        moves = enumerate(puzzle.line[: page.ply], start=1)
        plies = {cell: ply for ply, cell in moves if board[cell]}
    custom_ids = {cell: custom_id(replace(page, ply=ply), _MARK_ID) for cell, ply in plies.items()}
    return board_rows(board, styles, custom_ids, symbols)


def _try_styles(page: PuzzlePage, puzzle: Puzzle) -> dict[Cell, CellStyle]:
    """The styles of the cells that were tried, and of the solution."""
    styles = dict.fromkeys(page.guesses, WRONG_STYLE)
    if puzzle.solution in page.guesses:
        styles[puzzle.solution] = CORRECT_STYLE
    else:
        styles[puzzle.solution] = CellStyle(ButtonStyle.success, emoji=BETTER_MOVE_EMOJI)
    return styles


def _solution_buttons(
    page: PuzzlePage, puzzle: Puzzle, texts: PuzzleTexts
) -> Iterator[ui.Button[Any]]:
    """The buttons after a puzzle: share it, if the attempt counted; practise it again; play."""
    if not page.is_practice:
        wrong_guesses = Attempt(page.guesses, puzzle.solution).wrong_guesses
        share_id = custom_id(SharePage(page.day, puzzle.grade, wrong_guesses), 0)
        yield button(share_id, label=texts.share_button(), style=ButtonStyle.primary)
    practice = PracticePage(page.day)
    yield button(custom_id(practice, 0), label=texts.practice_button())
    yield button(custom_id(ShortcutPage(Shortcut.START), 0), label=texts.play_button())


def post_view(post: PuzzlePost, puzzle: Puzzle, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """The daily puzzle, posted for a whole server; each person solves it in private."""
    language = language_for(post.place.locale, symbols)
    texts = PuzzleTexts(language)
    page = PuzzlePage(post.day)
    custom_ids = {cell: f"{POSTED_PREFIX}{cell}" for cell in puzzle.board.rules.cells}
    solve_button = button(custom_id(page, 0), label=texts.solve_button(), style=ButtonStyle.primary)
    items: list[str | ui.Item[Any]] = [
        texts.puzzle(DailyPuzzle(page, puzzle)),
        *board_rows(puzzle.board, {}, custom_ids, symbols),
        ui.ActionRow[Any](solve_button),
    ]
    if post.yesterday:
        items += [ui.Separator(), texts.yesterday(post)]
    return container_view(*items, symbols=symbols)


def share_view(page: SharePage, user_id: int, language: Language) -> ui.LayoutView:
    """A person's result, for everybody to see, with a button to solve the same puzzle."""
    texts = PuzzleTexts(language)
    try_too_button = button(custom_id(PuzzlePage(page.day), 0), label=texts.try_too_button())
    text = texts.shared_result(page, user_id)
    return container_view(text, ui.ActionRow(try_too_button), symbols=language.symbols)


def day_choices(
    days: Sequence[date],
    solved: Collection[date],
    typed: str,
    typed_day: date | None,
    language: Language,
) -> list[Choice[str]]:
    """Those of the days whose name or ISO date contains what is typed, or that it means."""
    texts = PuzzleTexts(language)
    query = typed.strip().casefold()
    choices = []
    for day in days:
        name = texts.past_day(day, is_solved=day in solved)
        if day == typed_day or query in name.casefold() or query in str(day):
            choices.append(Choice(name=name, value=str(day)))
    return choices
