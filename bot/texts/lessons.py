"""What Velha says when it teaches: reviews and puzzles, beside hints and the lesson on minimax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from bot.texts.judgements import BETTER, HIT, MISS, Judgements
from bot.texts.minimax import MinimaxTexts
from bot.texts.words import N_, NC_, SYMBOLS, Language, Sentence, relative
from engine import TRIES, Board, Cell, Grade, Mark, Puzzle, Reason, Record, Value, Verdict

Replies = Mapping[Cell, Verdict | None]
"""The best answers to moves."""
NO_REPLIES: Replies = {}

MISTAKES: Mapping[tuple[Value, Value], Sentence] = {
    (Value.DRAW, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a draw into a loss."),
    (Value.WIN, Value.DRAW): N_("Move {number}, {cell}: {symbol} turned a win into a draw."),
    (Value.WIN, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a win into a loss."),
}
STEPS: Sequence[Sentence] = (
    # Translators: five buttons in a row: a word or two each.
    NC_("move", "Start"),
    NC_("move", "Back"),
    NC_("move", "Next"),
    NC_("move", "End"),
    # Translators: leads to the move that decided the game.
    NC_("move", "Turning point"),
)
GRADES: Mapping[Grade, Sentence] = {
    # Translators: how hard a puzzle is.
    Grade.EASY: NC_("puzzle", "easy"),
    Grade.MEDIUM: NC_("puzzle", "medium"),
    Grade.HARD: NC_("puzzle", "hard"),
}
TASKS: Mapping[Value, Sentence] = {
    Value.WIN: N_("{symbol} to move: only one move forces a win. Which?"),
    Value.DRAW: N_("{symbol} to move: only one move holds a draw. Which?"),
}


class LessonTexts:
    """What Velha says when it teaches, in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language.code
        judgements = Judgements(language)
        self.hint = judgements.hint
        reviews = ReviewTexts(language, judgements)
        self.review, self.step_buttons = reviews.review, reviews.step_buttons
        puzzles = PuzzleTexts(language, judgements)
        self.puzzle, self.puzzle_over = puzzles.puzzle, puzzles.puzzle_over
        self.tries_left = puzzles.tries_left
        minimax = MinimaxTexts(language, judgements)
        self.learn_title, self.turn_buttons = minimax.learn_title, minimax.turn_buttons
        self.tree, self.numbers = minimax.tree, minimax.numbers
        self.pruning, self.costs = minimax.pruning, minimax.costs
        self.lesson_on_match = minimax.lesson_on_match


class ReviewTexts:
    """A game judged, in one language."""

    def __init__(self, language: Language, judgements: Judgements) -> None:
        self._language, self._ = language, language.say
        self._judgements = judgements

    def review(
        self, record: Record, verdicts: Sequence[Verdict], ply: int, reply: Verdict | None = None
    ) -> str:
        board = self._language.board(record.rules)
        return "\n".join(
            [
                self._("## Review"),
                f"-# {board} · {self._result(record.boards[-1])}",
                *(self._accuracy(mark, verdicts) for mark in Mark),
                *self._mistakes(verdicts),
                "",
                self._at(record, verdicts, ply, reply),
                "",
                self._("-# Accuracy: of the moves where one could go wrong, how many were right."),
                self._("-# Replay code: `{code}`", code=record.code),
            ]
        )

    def _result(self, board: Board) -> str:
        outcome = board.outcome()
        if outcome is None:
            # Translators: said of a match that did not come to its end.
            return self._("broken off")
        if outcome.winner is None:
            return self._("a draw")
        return self._("{symbol} won", symbol=SYMBOLS[outcome.winner])

    def _accuracy(self, mark: Mark, verdicts: Sequence[Verdict]) -> str:
        symbol = SYMBOLS[mark]
        made = [verdict for verdict in verdicts if verdict.mark is mark]
        if not made:
            return self._("{symbol} did not move.", symbol=symbol)
        risky = [verdict for verdict in made if not verdict.is_safe]
        if not risky:
            return self._("{symbol} had no chance to make a mistake.", symbol=symbol)
        kept = sum(verdict.kept_value for verdict in risky)
        # Translators: of {n} moves that could have been mistakes {kept} were not.
        return self._(
            "{symbol} **{percent}** accuracy: {kept} of {n}",
            symbol=symbol,
            percent=self._language.percent(kept / len(risky)),
            kept=kept,
            n=len(risky),
        )

    def _mistakes(self, verdicts: Sequence[Verdict]) -> list[str]:
        mistakes = [
            self.mistake(number, verdict)
            for number, verdict in enumerate(verdicts, start=1)
            if verdict.is_blunder
        ]
        return mistakes or [self._("No move changed the result that best play leads to.")]

    def mistake(self, number: int, verdict: Verdict) -> str:
        """What a blunder turned into what, and what would have been better."""
        said = self._(
            MISTAKES[verdict.best.value, verdict.worth.value],
            number=number,
            cell=verdict.board.rules.coordinate(verdict.action),
            symbol=SYMBOLS[verdict.mark],
        )
        return f"{said} {BETTER} {self._better(verdict)}"

    def _better(self, verdict: Verdict) -> str:
        best = verdict.best_actions
        cells = self._language.cells(verdict.board.rules, best, "or")
        if verdict.best.value is Value.WIN:
            # Translators: {cells} is one move or several, such as "A1 or B2".
            return self._language.ngettext(
                "{cells} would have won.", "{cells} would have won.", len(best), cells=cells
            )
        # Translators: {cells} as above; what they would have held is the draw.
        return self._language.ngettext(
            "{cells} would have held.", "{cells} would have held.", len(best), cells=cells
        )

    def _at(
        self, record: Record, verdicts: Sequence[Verdict], ply: int, reply: Verdict | None
    ) -> str:
        """Where in the game we are: the move just made, and what it was good for."""
        if ply == 0:
            return self._("**Before the first move**")
        verdict, is_over = verdicts[ply - 1], record.boards[ply].is_terminal
        where = self._(
            "**Move {number} of {total}: {symbol} {cell}**",
            number=ply,
            total=len(record.moves),
            symbol=SYMBOLS[verdict.mark],
            cell=record.rules.coordinate(verdict.action),
        )
        said = [self._judgements.why(verdict)]
        if verdict.is_blunder:
            said = [self._("A mistake."), self._better(verdict)]
        elif verdict.is_only_move and verdict.reason is not Reason.ONLY_MOVE:
            said.append(self._("It was the only good move."))
        if verdict.is_blunder and verdict.worth.value is Value.LOSS and reply is not None:
            said.append(self._judgements.answered(reply))
        elif not is_over:
            after = verdict.worth.after_the_move()
            said.append(self._judgements.outlook(after, verdict.mark.other))
        if ply == len(record.moves) and not is_over:
            said.append(self._("Here the match was broken off."))
        return f"{where}\n{' '.join(said)}"

    def step_buttons(self) -> list[str]:
        return [self._(step) for step in STEPS]


class PuzzleTexts:
    """A puzzle, in one language."""

    def __init__(self, language: Language, judgements: Judgements) -> None:
        self._language, self._ = language, language.say
        self._judgements = judgements

    def puzzle(
        self, puzzle: Puzzle, day: date, tried: Sequence[Cell], replies: Replies = NO_REPLIES
    ) -> str:
        """The task, and what came of each cell that was tried."""
        board, grade = puzzle.board, puzzle.grade
        name = self._language.board(board.rules)
        return "\n".join(
            [
                self._("## Puzzle of {day}", day=self._language.day(day)),
                f"{stars(grade)} {self._(GRADES[grade])}",
                f"-# {name} · {self._position(board)}",
                self._(TASKS[puzzle.value], symbol=SYMBOLS[board.to_move]),
                *(self._tried(puzzle, cell, replies.get(cell)) for cell in tried),
            ]
        )

    def _position(self, board: Board) -> str:
        """Where the marks stand, for who does not see the board."""
        held = {mark: [cell for cell in board.rules.cells if board[cell] is mark] for mark in Mark}
        return " · ".join(
            f"{SYMBOLS[mark]} {self._language.cells(board.rules, cells)}"
            for mark, cells in held.items()
            if cells
        )

    def _tried(self, puzzle: Puzzle, cell: Cell, reply: Verdict | None) -> str:
        judgements = self._judgements
        if cell == puzzle.solution:
            return f"{HIT} {self._solution(puzzle)}"
        worth, name = puzzle.worths[cell], puzzle.board.rules.coordinate(cell)
        if worth.value is Value.LOSS and reply is not None:
            return f"{MISS} {judgements.loses(name)} {judgements.answered(reply)}"
        return f"{MISS} **{name}**: {judgements.outlook(worth, puzzle.board.to_move)}"

    def _solution(self, puzzle: Puzzle) -> str:
        board, solution = puzzle.board, puzzle.solution
        why = self._judgements.reason(board.rules, solution, puzzle.reason, puzzle.value)
        after = puzzle.worths[solution].after_the_move()
        return f"{why} {self._judgements.outlook(after, board.to_move.other)}"

    def tries_left(self, tries: int) -> str:
        return self._language.ngettext("{n} try left.", "{n} tries left.", tries)

    def puzzle_over(self, puzzle: Puzzle, day: date, tried: Sequence[Cell]) -> str:
        """The answer where it was not found, best play, and a line to share that gives no hint."""
        tomorrow = relative(datetime.combine(day + timedelta(days=1), time(tzinfo=UTC)))
        # Translators: {solution} is a whole sentence or two.
        missed = self._("Not this time. {solution}", solution=self._solution(puzzle))
        return "\n".join(
            [
                *([] if puzzle.solution in tried else [f"{BETTER} {missed}"]),
                # Translators: {line} are moves, such as "❌ A1, ⭕ B2".
                self._("Best play goes on like this: {line}", line=_line(puzzle)),
                # Translators: {when} is written by Discord, such as "in 5 hours".
                self._(
                    "Next puzzle: {when}. A line to share that gives nothing away:", when=tomorrow
                ),
                f"```\n{share_line(puzzle, day, tried)}\n```",
            ]
        )


def _line(puzzle: Puzzle) -> str:
    mark, name = puzzle.board.to_move, puzzle.board.rules.coordinate
    symbols = (SYMBOLS[mark], SYMBOLS[mark.other])
    return ", ".join(f"{symbols[ply % 2]} {name(cell)}" for ply, cell in enumerate(puzzle.line))


def stars(grade: Grade) -> str:
    return "★" * grade + "☆" * (len(Grade) - grade)


def share_line(puzzle: Puzzle, day: date, tried: Sequence[Cell]) -> str:
    """The same in every language: the day, how hard it was, and how many tries it took."""
    solved = puzzle.solution in tried
    marks = "".join(HIT if cell == puzzle.solution else MISS for cell in tried)
    return f"Velha {day} {stars(puzzle.grade)} {marks} {len(tried) if solved else 'X'}/{TRIES}"
