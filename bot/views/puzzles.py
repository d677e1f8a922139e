"""A puzzle, its solution, and the messages about it that everyone sees."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from discord import ButtonStyle, ui
from discord.app_commands import Choice

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.puzzles import (
    AnotherPage,
    Attempt,
    DailyPuzzle,
    PuzzlePage,
    PuzzlePost,
    PuzzleResult,
    PuzzleStats,
    PuzzleWordsPage,
    SharePage,
    WarmUpPage,
    is_puzzle_over,
    solution_board,
)
from bot.views.components import (
    CORRECT_STYLE,
    WRONG_STYLE,
    CellStyle,
    board_rows,
    button,
    container_view,
    move_styles,
    play_on_button,
    step_buttons,
)
from bot.views.descriptions import IN_WORDS
from bot.views.i18n import (
    N_,
    NC_,
    PLAY,
    Language,
    Sentence,
    language_for,
    relative_timestamp,
    time_timestamp,
)
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from bot.views.verdicts import (
    BEST_PLAY,
    BETTER_MOVE_EMOJI,
    CORRECT_EMOJI,
    WRONG_EMOJI,
    reason_for,
    reason_sentence,
    wrong_try,
)
from engine import TRIES, Board, Cell, Grade, Puzzle, Value

_ROW_LABELS = ("1️⃣", "2️⃣", "3️⃣", WRONG_EMOJI)
"""Solved on the first, second or third try, or not solved."""

_UNSOLVED = "X"
"""Stands for the number of tries where none was right."""

_MAX_BAR_LENGTH = 10

_MIN_PLAYED = 5
"""With fewer puzzles, a histogram would say little."""

_WEEK = 7

_MARK_ID = 4
"""Follows the page in the custom_ids of marks; those of the step buttons end with 0 and 1."""

# Translators, from here on: the daily puzzle, above or below its board. Buttons have about 12
# letters.
GRADES: Mapping[Grade, Sentence] = {
    # Translators: how hard a puzzle is.
    Grade.EASY: NC_("puzzle", "easy"),
    Grade.MEDIUM: NC_("puzzle", "medium"),
    Grade.HARD: NC_("puzzle", "hard"),
}


SOLVED: Sequence[Sentence] = (
    # Translators: headings; the puzzle was solved with the first try, the second, or the third.
    N_("Got it in one!"),
    N_("Got it in two!"),
    N_("Got it in three!"),
)

# Translators: a heading; all three tries were wrong.
NOT_SOLVED = N_("Not this time")

# Translators: a button that leads to the solution, move by move.
HOW = NC_("button", "Show me how")


def _puzzle_text(language: Language, daily_puzzle: DailyPuzzle) -> str:
    """The task, and the result of each try."""
    page = daily_puzzle.page
    puzzle = daily_puzzle.puzzle
    lines = [_title(language, page), *_practice(language, page)]
    lines.append(_grade_and_rules(language, puzzle))
    lines += _order_of_marks(language, puzzle.board)
    lines.append(_task(language, puzzle))
    lines += [_try_result(language, daily_puzzle, cell) for cell in page.tries]
    return "\n".join(lines)


def _title(language: Language, page: PuzzlePage) -> str:
    if isinstance(page, WarmUpPage):
        return language.say(N_("## A warm-up"))
    return language.say(N_("## Puzzle: {day}"), day=language.day(page.day))


def _practice(language: Language, page: PuzzlePage) -> Iterator[str]:
    if page.is_practice:
        yield language.say(N_("-# Just for practice, so it doesn't count."))


def _grade_and_rules(language: Language, puzzle: Puzzle) -> str:
    grade = f"{_stars(puzzle.grade)} {language.say(GRADES[puzzle.grade])}"
    return f"-# {grade} · {language.rules(puzzle.board.rules)}"


def _order_of_marks(language: Language, board: Board) -> Iterator[str]:
    """In which order the marks will vanish, which the board does not show."""
    if board.rules.repeats:
        # Translators: {marks} are the cells of either player, in the order they were taken.
        yield language.say(N_("Oldest first: {marks}"), marks=language.marks(board))


def _task(language: Language, puzzle: Puzzle) -> str:
    symbol = SYMBOLS[puzzle.board.to_move]
    if puzzle.value is Value.DRAW:
        return language.say(
            N_("You're {symbol}. Only one move saves you. Which one?"), symbol=symbol
        )
    # Translators: {n} is how many moves {symbol} makes; which of them is the first?
    return language.ngettext(
        "You're {symbol}. Win in {n} move. Which one?",
        "You're {symbol}. Win in {n} moves. Where do you start?",
        (puzzle.depth_plies + 1) // 2,
        symbol=symbol,
    )


def _try_result(language: Language, daily_puzzle: DailyPuzzle, cell: Cell) -> str:
    puzzle = daily_puzzle.puzzle
    if cell == puzzle.solution:
        return f"{CORRECT_EMOJI} {_solution(language, puzzle)}"
    verdict = daily_puzzle.verdicts[cell]
    is_over = is_puzzle_over(daily_puzzle.page.tries, puzzle)
    return wrong_try(language, verdict, secret=None if is_over else puzzle.solution)


def _solution(language: Language, puzzle: Puzzle) -> str:
    """Why the solution is right; the task has said what it leads to."""
    return reason_sentence(language, puzzle.board, puzzle.solution, puzzle.reason)


def _tries_left(language: Language, daily_puzzle: DailyPuzzle) -> str:
    """How many tries are left, and what to do with the cell picked."""
    count = TRIES - len(daily_puzzle.page.tries)
    lines = [language.ngettext("{n} try left.", "{n} tries left.", count)]
    if (picked := _picked_cell(daily_puzzle)) is not None:
        cell = daily_puzzle.puzzle.board.rules.coordinate(picked)
        lines.append(language.say(N_("**{cell}**? Press it again to lock it in."), cell=cell))
    return "\n".join(lines)


def _result_text(language: Language, daily_puzzle: DailyPuzzle) -> str:
    """Whether the puzzle is solved, the person's streak, and the solution."""
    page = daily_puzzle.page
    puzzle = daily_puzzle.puzzle
    tries_needed = Attempt(page.tries, puzzle.solution).tries_needed
    heading = NOT_SOLVED if tries_needed is None else SOLVED[tries_needed - 1]
    lines = [f"## {language.say(heading)}", *_practice(language, page)]
    lines.append(_grade_and_rules(language, puzzle))
    stats = daily_puzzle.stats
    if stats is not None and (streak := _streak(language, stats, page.day)):
        if stats.streak_on(page.day) == _WEEK:
            # Translators: behind a streak of seven days.
            praise = language.say(N_("A whole week! Same time tomorrow?"))
            streak = f"{streak} · {praise}"
        lines.append(streak)
    if daily_puzzle.solved_here is not None:
        lines.append(
            language.ngettext(
                "{n} person here has solved it.",
                "{n} people here have solved it.",
                daily_puzzle.solved_here,
            )
        )
    lines.append(_try_result(language, daily_puzzle, page.tries[-1]))
    if tries_needed is None:
        lines.append(f"{BETTER_MOVE_EMOJI} {_solution(language, puzzle)}")
    return "\n".join(lines)


def _step_text(language: Language, daily_puzzle: DailyPuzzle) -> str:
    """Best play from the solution on, and why the last move shown of it is good."""
    page = daily_puzzle.page
    lines = [language.say(BEST_PLAY, line=_best_play(daily_puzzle.puzzle, page.ply))]
    if (step := daily_puzzle.step) is not None:
        lines.append(f"{SYMBOLS[step.mark]} {reason_for(language, step)}")
        vanishing = language.vanishing_next(step.board.result(step.action))
        lines += [f"-# {line}" for line in vanishing]
    return "\n".join(lines)


def _own_results(language: Language, daily_puzzle: DailyPuzzle) -> str:
    """The person's results, once there are enough, and when the next one comes; or nothing."""
    stats = daily_puzzle.stats
    lines = []
    if stats is not None and stats.played >= _MIN_PLAYED:
        lines += [language.say(N_("-# Your puzzles by number of tries:")), *_histogram(stats)]
    return "\n".join([*lines, *_next_puzzle(language, daily_puzzle)])


def _next_puzzle(language: Language, daily_puzzle: DailyPuzzle) -> Iterator[str]:
    """When the next daily puzzle comes; nothing in practice."""
    next_at = daily_puzzle.next_at
    if next_at is not None and not daily_puzzle.page.is_practice:
        # Translators: {at} and {when} are written by Discord, such as "21:00" and "in 5 hours".
        sentence = N_("-# Next puzzle: {at}, {when}.")
        yield language.say(sentence, at=time_timestamp(next_at), when=relative_timestamp(next_at))


def _shared_result(language: Language, page: SharePage, user_id: int) -> str:
    """The same in every language: the day, how hard it was, and how many tries it took."""
    emojis = WRONG_EMOJI * page.wrong_tries
    tries = _UNSOLVED
    if page.is_solved:
        emojis += CORRECT_EMOJI
        tries = str(page.wrong_tries + 1)
    line = f"Velha {page.day} {_stars(page.grade)} {emojis} {tries}/{TRIES}"
    return f"{language.mention(user_id)}\n{line}"


def _yesterday(language: Language, post: PuzzlePost) -> str:
    """How people in a server did the day before, the best first."""
    results = [_person_result(language, result, post.gone) for result in post.yesterday]
    return "\n".join([language.say(N_("### Yesterday's puzzle")), *results])


def _person_result(language: Language, result: PuzzleResult, gone: Collection[int]) -> str:
    tries = _UNSOLVED if result.tries_needed is None else result.tries_needed
    streak = f" · 🔥 {result.streak}" if result.streak > 1 else ""
    return f"{tries}/{TRIES} {language.member(result.user_id, gone)}{streak}"


def _past_day(language: Language, day: date, *, is_solved: bool) -> str:
    """A day to choose, and whether its puzzle is solved."""
    name = language.day(day)
    # Translators: a choice of `/velha puzzle`; {day} is such as "21 November 2026".
    return language.say(N_("{day} · solved"), day=name) if is_solved else name


def _picked_cell(daily_puzzle: DailyPuzzle) -> Cell | None:
    """The cell picked where the puzzle is posted, if it can still be tried."""
    page = daily_puzzle.page
    can_be_tried = page.picked in daily_puzzle.puzzle.worths and page.picked not in page.tries
    return page.picked if can_be_tried else None


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


def puzzle_view(daily_puzzle: DailyPuzzle, language: Language) -> ui.LayoutView:
    """A puzzle: pressing a free cell tries it; afterwards, one can step through the solution."""
    page = daily_puzzle.page
    puzzle = daily_puzzle.puzzle
    if is_puzzle_over(page.tries, puzzle):
        return _solution_view(daily_puzzle, language)
    styles = dict.fromkeys(page.tries, WRONG_STYLE)
    if (picked := _picked_cell(daily_puzzle)) is not None:
        styles[picked] = CellStyle(ButtonStyle.primary)
    custom_ids = {
        cell: custom_id(replace(page, tries=(*page.tries, cell), picked=None), 0)
        for cell in puzzle.worths
        if cell not in page.tries
    }
    return container_view(
        _puzzle_text(language, daily_puzzle),
        *board_rows(puzzle.board, styles, custom_ids, language.symbols),
        _tries_left(language, daily_puzzle),
        ui.ActionRow[Any](
            _words_button(page.day, language), *_todays_button(daily_puzzle, language)
        ),
        symbols=language.symbols,
    )


def _todays_button(
    daily_puzzle: DailyPuzzle, language: Language, style: ButtonStyle = ButtonStyle.secondary
) -> Iterator[ui.Button[Any]]:
    """What leads from a warm-up to the puzzle that counts."""
    if isinstance(daily_puzzle.page, WarmUpPage) and daily_puzzle.today is not None:
        page_id = custom_id(PuzzlePage(daily_puzzle.today), 0)
        yield button(page_id, label=language.say(NC_("button", "Today's puzzle")), style=style)


def _words_button(day: date, language: Language) -> ui.Button[Any]:
    words_id = custom_id(PuzzleWordsPage(day), 0)
    return button(words_id, label=language.say(IN_WORDS))


def _solution_view(daily_puzzle: DailyPuzzle, language: Language) -> ui.LayoutView:
    """The result and what may come next or, after *Show me how*, the solution to step through."""
    page = daily_puzzle.page
    puzzle = daily_puzzle.puzzle
    rows = _solution_rows(page, puzzle, language.symbols)
    if page.ply > 0:
        another_id = custom_id(AnotherPage(page.day), 0)
        practice = button(another_id, label=language.say(NC_("button", "Practice")))
        following = [*_todays_button(daily_puzzle, language)] or [practice]
        steps = step_buttons(lambda ply: replace(page, ply=ply), page.ply, len(puzzle.line))
        text = _step_text(language, daily_puzzle)
        row = ui.ActionRow[Any](*steps, *following)
        return container_view(text, *rows, row, symbols=language.symbols)
    return container_view(
        _result_text(language, daily_puzzle),
        *rows,
        *filter(None, [_own_results(language, daily_puzzle)]),
        ui.ActionRow[Any](*_result_buttons(daily_puzzle, language)),
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
        styles = move_styles(board, puzzle.line[page.ply - 1], board.outcome())
        moves = enumerate(puzzle.line[: page.ply], start=1)
        plies = {cell: ply for ply, cell in moves if board[cell]}
    custom_ids = {cell: custom_id(replace(page, ply=ply), _MARK_ID) for cell, ply in plies.items()}
    return board_rows(board, styles, custom_ids, symbols)


def _try_styles(page: PuzzlePage, puzzle: Puzzle) -> dict[Cell, CellStyle]:
    """The styles of the cells that were tried, and of the solution."""
    styles = dict.fromkeys(page.tries, WRONG_STYLE)
    if puzzle.solution in page.tries:
        styles[puzzle.solution] = CORRECT_STYLE
    else:
        styles[puzzle.solution] = CellStyle(ButtonStyle.success, emoji=BETTER_MOVE_EMOJI)
    return styles


def _result_buttons(daily_puzzle: DailyPuzzle, language: Language) -> Iterator[ui.Button[Any]]:
    """The buttons after a puzzle: share it, if the attempt counted; how it goes; and what next.

    A phone shows three in a row: playing on takes the place of a match.
    """
    say, page, puzzle = language.say, daily_puzzle.page, daily_puzzle.puzzle
    attempt = Attempt(page.tries, puzzle.solution)
    share_style, how_style = ButtonStyle.primary, ButtonStyle.secondary
    if attempt.tries_needed is None or daily_puzzle.is_shared:
        share_style, how_style = how_style, share_style
    if isinstance(page, WarmUpPage):
        how_style = ButtonStyle.secondary  # today's puzzle is what comes next
    yield from _todays_button(daily_puzzle, language, ButtonStyle.primary)
    if not page.is_practice:
        share_id = custom_id(SharePage(page.day, puzzle.grade, attempt.wrong_tries), 0)
        yield button(share_id, label=say(NC_("button", "Share")), style=share_style)
    yield button(custom_id(replace(page, ply=1), 0), label=say(HOW), style=how_style)
    if daily_puzzle.play_on is not None:
        yield play_on_button(daily_puzzle.play_on, language)
    else:
        yield button(custom_id(ShortcutPage(Shortcut.START), 0), label=say(PLAY))


def post_view(post: PuzzlePost, puzzle: Puzzle, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """The daily puzzle, posted for a whole server; each person solves it in private.

    A press on a cell opens the private puzzle, where that cell is marked.
    """
    language = language_for(post.place.locale, symbols)
    page = PuzzlePage(post.day)
    custom_ids = {
        cell: custom_id(replace(page, picked=cell), 0) for cell in puzzle.board.rules.cells
    }
    solve = language.say(NC_("button", "Solve"))
    solve_button = button(custom_id(page, 0), label=solve, style=ButtonStyle.primary)
    items: list[str | ui.Item[Any]] = [
        _puzzle_text(language, DailyPuzzle(page, puzzle)),
        *board_rows(puzzle.board, {}, custom_ids, symbols),
        ui.ActionRow[Any](solve_button, _words_button(post.day, language)),
    ]
    if post.yesterday:
        items += [ui.Separator(), _yesterday(language, post)]
    return container_view(*items, symbols=symbols)


def share_view(page: SharePage, user_id: int, language: Language) -> ui.LayoutView:
    """A person's result, for everyone to see, with a button to solve the same puzzle."""
    try_too = language.say(NC_("button", "Try it too"))
    try_too_button = button(custom_id(PuzzlePage(page.day), 0), label=try_too)
    text = _shared_result(language, page, user_id)
    return container_view(text, ui.ActionRow(try_too_button), symbols=language.symbols)


def day_choices(
    days: Sequence[date],
    solved: Collection[date],
    typed: str,
    language: Language,
) -> list[Choice[str]]:
    """Those of the days whose name or ISO date contains what is typed."""
    query = typed.strip().casefold()
    choices = []
    for day in days:
        name = _past_day(language, day, is_solved=day in solved)
        if query in name.casefold() or query in str(day):
            choices.append(Choice(name=name, value=str(day)))
    return choices


# Translators, from here on: a line in someone's results: about 40 letters.
def streak_and_tries(language: Language, stats: PuzzleStats, today: date, heading: str) -> str:
    """The streak, if there is one, and below `heading` a histogram of tries."""
    streak = filter(None, [_streak(language, stats, today)])
    return "\n".join([*streak, heading, *_histogram(stats)])


def _streak(language: Language, stats: PuzzleStats, today: date) -> str:
    """The streak, and the best one if that was longer; or nothing."""
    days = stats.streak_on(today)
    if days == 0:
        return ""
    # Translators: so many daily puzzles were solved; a day between them may have been missed.
    streak = language.ngettext("🔥 streak: {n} day", "🔥 streak: {n} days", days)
    if stats.best <= days:
        return streak
    # Translators: behind a streak, how many days the longest one ever had.
    best = language.say(N_("best: {n}"), n=language.number(stats.best))
    return f"{streak} · {best}"


def _histogram(stats: PuzzleStats) -> list[str]:
    """A bar for each number of tries, the longest for the largest."""
    counts = [*stats.solved, stats.missed]
    max_count = max(*counts, 1)
    rows = []
    for label, count in zip(_ROW_LABELS, counts, strict=True):
        bar = "▰" * round(_MAX_BAR_LENGTH * count / max_count)
        rows.append(f"{label} {bar} {count}")
    return rows
