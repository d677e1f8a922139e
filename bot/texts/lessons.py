"""What Velha says when it teaches: hints, reviews and puzzles, beside the lesson on minimax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from babel.dates import format_date
from babel.numbers import format_percent

from bot.texts.judgements import ASKED, BETTER, HIT, MISS
from bot.texts.minimax import MinimaxTexts
from bot.texts.words import N_, SYMBOLS, relative
from engine import (
    TRIES,
    Board,
    Cell,
    Grade,
    Mark,
    Puzzle,
    Record,
    Value,
    Verdict,
)

Replies = Mapping[Cell, Verdict | None]
"""The best answers to moves."""
NO_REPLIES: Replies = {}

MISTAKES: Mapping[tuple[Value, Value], str] = {
    (Value.DRAW, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a draw into a loss."),
    (Value.WIN, Value.DRAW): N_("Move {number}, {cell}: {symbol} turned a win into a draw."),
    (Value.WIN, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a win into a loss."),
}
STEPS: Sequence[str] = (
    N_("Start"),
    N_("Back"),
    N_("Next"),
    N_("End"),
    N_("Turning point"),
)
GRADES: Mapping[Grade, str] = {
    Grade.EASY: N_("easy"),
    Grade.MEDIUM: N_("medium"),
    Grade.HARD: N_("hard"),
}
TASKS: Mapping[Value, str] = {
    Value.WIN: N_("{symbol} to move: only one move forces a win. Which?"),
    Value.DRAW: N_("{symbol} to move: only one move holds a draw. Which?"),
}


class LessonTexts(MinimaxTexts):
    """What Velha says when it teaches, in one language."""

    # Hint

    def hint(
        self, verdicts: Sequence[Verdict], asked: Cell | None, reply: Verdict | None = None
    ) -> str:
        """What to play; of the cell that was asked about, what it leads to; and all the others."""
        board = verdicts[0].board
        title = self._("## Hint for move {number}: {symbol}")
        number, mark = (board.x | board.o).bit_count() + 1, board.to_move
        advice = self._advice(verdicts)
        said = [f"{BETTER} {advice}"]
        if asked is not None:
            verdict = next(verdict for verdict in verdicts if verdict.action == asked)
            told = self.judgement(verdict, reply)
            said = [*(said if told != advice else []), f"{ASKED} {told}"]
        more = self._(
            "-# Press a cell to know more. The finished match shows how many hints it took."
        )
        titled = title.format(number=number, symbol=SYMBOLS[mark])
        return "\n".join([titled, *said, self.legend(verdicts), more])

    def _advice(self, verdicts: Sequence[Verdict]) -> str:
        best = verdicts[0]
        cell = best.board.rules.coordinate(best.action)
        if best.worth.value is Value.LOSS:
            said = self._("Every move loses; **{cell}** holds out longest.").format(cell=cell)
        elif best.reason is None and len(best.best_actions) == len(verdicts) > 1:
            said = self._("Every move is as good as any other here.")
        else:
            return self.judgement(best)
        return f"{said} {self.outlook(best.worth, best.mark)}"

    # Review

    def review(
        self, record: Record, verdicts: Sequence[Verdict], ply: int, reply: Verdict | None = None
    ) -> str:
        return "\n".join(
            [
                self._("## Review"),
                f"-# {self.board(record.rules)} · {self._result(record.boards[-1])}",
                *(self._accuracy(mark, verdicts) for mark in Mark),
                *self._mistakes(verdicts),
                "",
                self._at(record, verdicts, ply, reply),
                "",
                self._("-# Accuracy: of the moves where one could go wrong, how many were right."),
                self._("-# Replay code: `{code}`").format(code=record.code),
            ]
        )

    def _result(self, board: Board) -> str:
        outcome = board.outcome()
        if outcome is None:
            return self._("broken off")
        if outcome.winner is None:
            return self._("a draw")
        return self._("{symbol} won").format(symbol=SYMBOLS[outcome.winner])

    def _accuracy(self, mark: Mark, verdicts: Sequence[Verdict]) -> str:
        made = [verdict for verdict in verdicts if verdict.mark is mark]
        if not made:
            return self._("{symbol} did not move.").format(symbol=SYMBOLS[mark])
        risky = [verdict for verdict in made if not verdict.is_safe]
        if not risky:
            return self._("{symbol} had no chance to make a mistake.").format(symbol=SYMBOLS[mark])
        kept = sum(verdict.kept_value for verdict in risky)
        return self._("{symbol} **{percent}** accuracy: {kept} of {n}").format(
            symbol=SYMBOLS[mark],
            percent=format_percent(kept / len(risky), locale=self.language),
            kept=kept,
            n=len(risky),
        )

    def _mistakes(self, verdicts: Sequence[Verdict]) -> list[str]:
        mistakes = [
            self._mistake(number, verdict)
            for number, verdict in enumerate(verdicts, start=1)
            if verdict.is_blunder
        ]
        return mistakes or [self._("No move changed the result that best play leads to.")]

    def _mistake(self, number: int, verdict: Verdict) -> str:
        rules = verdict.board.rules
        said = self._(MISTAKES[verdict.best.value, verdict.worth.value]).format(
            number=number, cell=rules.coordinate(verdict.action), symbol=SYMBOLS[verdict.mark]
        )
        return f"{said} {BETTER} {self._better(verdict)}"

    def _better(self, verdict: Verdict) -> str:
        cells = verdict.best_actions
        if verdict.best.value is Value.WIN:
            said = self._n("{cells} would have won.", "{cells} would have won.", len(cells))
        else:
            said = self._n("{cells} would have held.", "{cells} would have held.", len(cells))
        return said.format(cells=self.cells(verdict.board.rules, cells, "or"))

    def _at(
        self, record: Record, verdicts: Sequence[Verdict], ply: int, reply: Verdict | None
    ) -> str:
        """Where in the game we are: the move just made, and what it was good for."""
        if ply == 0:
            return self._("**Before the first move**")
        verdict, is_over = verdicts[ply - 1], record.boards[ply].is_terminal
        where = self._("**Move {number} of {total}: {symbol} {cell}**").format(
            number=ply,
            total=len(record.moves),
            symbol=SYMBOLS[verdict.mark],
            cell=record.rules.coordinate(verdict.action),
        )
        said = [self._why(verdict)]
        if verdict.is_blunder:
            said = [self._("A mistake."), self._better(verdict)]
        elif verdict.is_only_move:
            said.append(self._("It was the only good move."))
        if verdict.is_blunder and verdict.worth.value is Value.LOSS and reply is not None:
            said.append(self._answered(reply))
        elif not is_over:
            said.append(self.outlook(verdict.worth.after_the_move(), verdict.mark.other))
        if ply == len(record.moves) and not is_over:
            said.append(self._("Here the match was broken off."))
        return f"{where}\n{' '.join(said)}"

    def step_buttons(self) -> list[str]:
        return [self._(step) for step in STEPS]

    # Puzzle

    def puzzle(
        self,
        puzzle: Puzzle,
        day: date,
        tried: Sequence[Cell],
        replies: Replies = NO_REPLIES,
    ) -> str:
        """The task, and what came of each cell that was tried."""
        task = self._(TASKS[puzzle.value])
        return "\n".join(
            [
                self._("## Puzzle of {day}").format(day=format_date(day, "long", self.language)),
                f"{stars(puzzle.grade)} {self._(GRADES[puzzle.grade])}",
                f"-# {self.board(puzzle.board.rules)} · {self._position(puzzle.board)}",
                task.format(symbol=SYMBOLS[puzzle.board.to_move]),
                *(self._tried(puzzle, cell, replies.get(cell)) for cell in tried),
            ]
        )

    def _position(self, board: Board) -> str:
        """Where the marks stand, for who does not see the board."""
        held = {mark: [cell for cell in board.rules.cells if board[cell] is mark] for mark in Mark}
        listed = {mark: self.cells(board.rules, cells) for mark, cells in held.items() if cells}
        return " · ".join(f"{SYMBOLS[mark]} {cells}" for mark, cells in listed.items())

    def _tried(self, puzzle: Puzzle, cell: Cell, reply: Verdict | None) -> str:
        if cell == puzzle.solution:
            return f"{HIT} {self._solution(puzzle)}"
        worth, name = puzzle.worths[cell], puzzle.board.rules.coordinate(cell)
        if worth.value is Value.LOSS and reply is not None:
            return f"{MISS} {self._loses(name)} {self._answered(reply)}"
        return f"{MISS} **{name}**: {self.outlook(worth, puzzle.board.to_move)}"

    def _solution(self, puzzle: Puzzle) -> str:
        rules, mark = puzzle.board.rules, puzzle.board.to_move
        why = self.reason(rules, puzzle.solution, puzzle.reason, puzzle.value)
        return f"{why} {self.outlook(puzzle.worths[puzzle.solution].after_the_move(), mark.other)}"

    def tries_left(self, tries: int) -> str:
        return self._n("{n} try left.", "{n} tries left.", tries).format(n=tries)

    def puzzle_over(self, puzzle: Puzzle, day: date, tried: Sequence[Cell]) -> str:
        """The answer where it was not found, best play, and a line to share that gives no hint."""
        tomorrow = datetime.combine(day + timedelta(days=1), time(tzinfo=UTC))
        missed = self._("Not this time. {solution}").format(solution=self._solution(puzzle))
        return "\n".join(
            [
                *([] if puzzle.solution in tried else [f"{BETTER} {missed}"]),
                self._("Best play goes on like this: {line}").format(line=self._line(puzzle)),
                self._("Next puzzle: {when}. A line to share that gives nothing away:").format(
                    when=relative(tomorrow)
                ),
                f"```\n{share_line(puzzle, day, tried)}\n```",
            ]
        )

    def _line(self, puzzle: Puzzle) -> str:
        mark, name = puzzle.board.to_move, puzzle.board.rules.coordinate
        symbols = (SYMBOLS[mark], SYMBOLS[mark.other])
        moves = (f"{symbols[ply % 2]} {name(cell)}" for ply, cell in enumerate(puzzle.line))
        return ", ".join(moves)


def stars(grade: Grade) -> str:
    return "★" * grade + "☆" * (len(Grade) - grade)


def share_line(puzzle: Puzzle, day: date, tried: Sequence[Cell]) -> str:
    """The same in every language: the day, how hard it was, and how many tries it took."""
    solved = puzzle.solution in tried
    marks = "".join(HIT if cell == puzzle.solution else MISS for cell in tried)
    return f"Velha {day} {stars(puzzle.grade)} {marks} {len(tried) if solved else 'X'}/{TRIES}"
