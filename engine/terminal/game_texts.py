"""The sentences about games and moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.board import Board, Mark
from engine.reasons import Reason
from engine.review import Verdict
from engine.rules import Cell, Rules
from engine.terminal.drawing import SIGNS, SYMBOLS, VALUE_COLOURS, coloured
from engine.terminal.language import N_, Language
from engine.variants import INFINITE, MISERE
from engine.worth import Value, Worth

# Translators, from here on: the rules of a game, said in a terminal before the first move.
_GAMES: Mapping[Rules, str] = {
    INFINITE: N_("Each player keeps three marks: with the fourth, the oldest vanishes."),
    MISERE: N_("Whoever gets three in a row loses."),
}
# Translators, from here on: what a move leads to; stands alone, or behind a colon.
_VALUES = {Value.WIN: N_("a win"), Value.DRAW: N_("a draw"), Value.LOSS: N_("a loss")}
# Translators, from here on: what a move does, in brackets behind it, as in "B2 (blocks)".
_REASONS: Mapping[Reason, str] = {
    Reason.WIN: N_("completes a line"),
    Reason.MISSED_WIN: N_("misses an immediate win"),
    Reason.OWN_LINE: N_("completes a line"),
    Reason.UNBLOCKS: N_("{vanishing} vanishes and no longer blocks"),
    # Translators: {cells} is a cell or several, {other} is the other player.
    Reason.ALLOWED_WIN: N_("lets {other} win at {cells}"),
    Reason.MISSED_ZUGZWANG: N_("misses {cells}, after which {other} can only lose"),
    Reason.ALLOWED_ZUGZWANG: N_("after {other}'s {cells}, {symbol} can only lose"),
    Reason.MISSED_UNBLOCKING: N_("misses {cells}, after which {other}'s block vanishes"),
    Reason.ALLOWED_UNBLOCKING: N_("after {other}'s {cells}, {symbol}'s block vanishes"),
    Reason.MISSED_FORK: N_("misses a fork at {cells}"),
    Reason.ALLOWED_FORK: N_("lets {other} fork at {cells}"),
    # Translators: each move is a threat to win; {cells} is the first.
    Reason.MISSED_THREATS: N_("misses a win by threats from {cells} on"),
    Reason.ALLOWED_THREATS: N_("lets {other} win by threats from {cells} on"),
    # Translators: {cells} is a cell; there each reply leaves threats that win.
    Reason.MISSED_QUIET_MOVE: N_("misses {cells}, with more threats than {other} can stop"),
    Reason.ALLOWED_QUIET_MOVE: N_(
        "lets {other} play {cells}, with more threats than {symbol} can stop"
    ),
    Reason.BLOCK: N_("blocks"),
    # Translators: "fork" as players of chess say it.
    Reason.FORK: N_("a fork: two ways to win"),
    Reason.DOUBLE_THREAT: N_("two threats at once"),
    Reason.FORCED_SEQUENCE: N_("threatens, and wins even if blocked"),
    Reason.ZUGZWANG: N_("{other} can only lose"),
    Reason.QUIET_WIN: N_("can't be stopped any more"),
    Reason.THROWN_WIN: N_("throws away a win"),
    Reason.BLOCK_FORK: N_("prevents a fork"),
    Reason.BLOCK_DOUBLE_THREAT: N_("prevents two threats at once"),
    Reason.ONLY_MOVE: N_("all others lose"),
    Reason.THREAT: N_("threatens to win"),
    Reason.MOST_REPLIES_LOSE: N_("a trap: most replies lose"),
    Reason.LONGEST_DEFENCE: N_("holds out longest"),
    Reason.LOSES: N_("loses, whatever {symbol} does"),
    Reason.NOTHING_LEFT: N_("no line can be completed any more"),
    Reason.CENTRE: N_("the centre"),
    Reason.OPPOSITE_CORNER: N_("the opposite corner"),
    Reason.CORNER: N_("a corner"),
    Reason.SIDE: N_("a side"),
    Reason.SOME_REPLIES_LOSE: N_("a trap: some replies lose"),
    Reason.OPEN_LINES: N_("the most open lines"),
    Reason.CLOSED_LINES: N_("closes the most lines"),
    Reason.SOME_MOVES_LOSE: N_("some others lose"),
    Reason.EVERY_MOVE_DRAWS: N_("as good as any"),
}


# Translators, from here on: said in a terminal, while somebody plays or afterwards. {symbol} is X
# or O, {cell} a cell, {line} begins the line, such as "3. X + B2".
class GameTexts:
    """The sentences about games and moves, in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._say = language.say

    def introduction(self, rules: Rules, person: Mark | None) -> Iterator[str]:
        """The sentences before the first move: the rules, and how to type moves."""
        if rules in _GAMES:
            yield self._say(_GAMES[rules])
        if person:
            last = rules.coordinate(rules.cells[-1])
            yield self._say(
                N_("You are {symbol}. Type a square, A1 to {last}; q quits."),
                symbol=SYMBOLS[person],
                last=last,
            )
        yield self._say(N_("(X) or (O) is the last move, *X* or *O* a finished line."))

    def notes(self, board: Board) -> list[str]:
        """Which mark vanishes next, and how soon the ply limit makes a draw."""
        notes = []
        if (cell := board.vanishing) is not None:
            symbol = SYMBOLS[board.to_move]
            name = board.rules.coordinate(cell)
            # Translators: a mark and its cell, such as "X on A1".
            vanishes = N_("{symbol} on {cell} vanishes next.")
            notes.append(self._say(vanishes, symbol=symbol, cell=name))
        if plies := board.draw_in_plies:
            draw = self.language.ngettext(
                "A draw in {n} move, unless somebody wins.",
                "A draw in {n} moves, unless somebody wins.",
                plies,
            )
            notes.append(draw)
        return notes

    def result(self, board: Board, person: Mark | None) -> str:
        """The result of a finished game."""
        if board.winner is None and board.rules.repeats:
            return self.language.ngettext(
                "It's a draw after {n} move!", "It's a draw after {n} moves!", board.plies
            )
        if board.winner is None:
            return self._say(N_("It's a draw!"))
        if person is None:
            return self._say(N_("{symbol} wins!"), symbol=SYMBOLS[board.winner])
        return self._say(N_("You win!") if board.winner is person else N_("You lose."))

    def legend(self, rules: Rules) -> str:
        """The meaning of the signs in free cells, for the player to move."""
        names = {value: self._say(name) for value, name in _VALUES.items()}
        if rules.repeats:
            names[Value.DRAW] = self._ply_limit_draw(rules)
        return "  ".join(f"{SIGNS[value]} {name}" for value, name in names.items())

    def advice(self, best: Verdict) -> str:
        return self._say(N_("Best: {move}."), move=self._move(best))

    def judgement(self, number: int, verdict: Verdict) -> str:
        """A move of a game: its value, its reason, and what would have been better."""
        sign = coloured(SIGNS[verdict.worth.value], VALUE_COLOURS[verdict.worth.value])
        line = f"{number:>3}. {SYMBOLS[verdict.mark]} {sign} {self._move(verdict)}"
        rules = verdict.board.rules
        if verdict.is_only_move and verdict.reason is not Reason.ONLY_MOVE:
            return self._say(N_("{line}; the only move"), line=line)
        if verdict.missed_wins:
            wins = self._cells(verdict.missed_wins, rules)
            return self._say(N_("{line}; at once: {cells}"), line=line, cells=wins)
        if verdict.is_blunder:
            better = self._cells(verdict.best_actions, rules)
            # Translators: {better} is cells, {value} is "a win" or "a draw".
            text = N_("{line}; better: {better} ({value})")
            best = self.value(verdict.best_worth, rules)
            return self._say(text, line=line, better=better, value=best)
        return line

    def _move(self, verdict: Verdict) -> str:
        """A move, its reason, and what it leads to, as in `B2 (blocks): a draw`."""
        board = verdict.board
        cell = board.rules.coordinate(verdict.action)
        outlook = self._outlook(verdict.worth.one_ply_later(), board.to_move.other, board.rules)
        return f"{cell} ({self._reason(verdict)}): {outlook}"

    def _reason(self, verdict: Verdict) -> str:
        board, cause = verdict.board, verdict.cause
        return self._say(
            _REASONS[verdict.reason],
            symbol=SYMBOLS[verdict.mark],
            other=SYMBOLS[verdict.mark.other],
            cells=self._cells(cause.cells, board.rules) if cause and cause.cells else "",
            vanishing="" if board.vanishing is None else board.rules.coordinate(board.vanishing),
        )

    def line_of_play(self, verdict: Verdict, line: Sequence[Cell]) -> str:
        """The line of play that shows why a move is bad."""
        mark = verdict.mark.other if verdict.reason is Reason.LOSES else verdict.mark
        moves = []
        for cell in line:
            moves.append(f"{SYMBOLS[mark]} {verdict.board.rules.coordinate(cell)}")
            mark = mark.other
        # Translators: {moves} are moves, such as "X A1, O B2".
        best_play = self._say(N_("Best play: {moves}"), moves=", ".join(moves))
        return f"     {best_play}"

    def _cells(self, cells: Sequence[Cell], rules: Rules) -> str:
        return self.language.items([rules.coordinate(cell) for cell in cells])

    def _outlook(self, worth: Worth, mark: Mark, rules: Rules) -> str:
        """What best play leads to from a position with this worth to `mark`, who is to move."""
        if worth.value is Value.DRAW or worth.distance_plies is None:
            return self.value(worth, rules)
        winner = mark if worth.value is Value.WIN else mark.other
        if worth.distance_plies == 0:
            return self._say(N_("{symbol} wins"), symbol=SYMBOLS[winner])
        last_mover = mark if worth.distance_plies % 2 else mark.other
        moves = (worth.distance_plies + 1) // 2  # those of the last mover
        if last_mover is not winner:
            return self._loss_within(moves, SYMBOLS[last_mover])
        return self._win_with(moves, SYMBOLS[winner])

    def _win_with(self, moves: int, symbol: str) -> str:
        if moves == 1:
            return self._say(N_("{symbol} wins next"), symbol=symbol)
        return self.language.ngettext(
            "{symbol} wins with {n} more move",
            "{symbol} wins with {n} more moves",
            moves,
            symbol=symbol,
        )

    def _loss_within(self, moves: int, symbol: str) -> str:
        """How soon a player has to complete a line where that loses."""
        if moves == 1:
            return self._say(N_("{symbol} must complete a line next, and loses"), symbol=symbol)
        return self.language.ngettext(
            "{symbol} must complete a line within {n} move, and loses",
            "{symbol} must complete a line within {n} moves, and loses",
            moves,
            symbol=symbol,
        )

    def value(self, worth: Worth, rules: Rules) -> str:
        """A win, a draw or a loss."""
        if worth.distance_plies is None:
            return self._ply_limit_draw(rules)
        return self._say(_VALUES[worth.value])

    def _ply_limit_draw(self, rules: Rules) -> str:
        """A draw that only the ply limit ends, as neither player can force a win."""
        return self._say(N_("a draw at move {n}"), n=rules.most_plies)
