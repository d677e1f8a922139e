"""A match in words, for people who cannot see its board."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.matches import Match
from bot.views.i18n import NC_, Texts
from engine import Board, Cell, Mark

# Translators, from here on: the position of a match in sentences, for people whose screen is read
# aloud. {cell} and {cells} are cells such as "A1, B2".
# Translators: a button on a board, for the position in words, as screen readers read it.
IN_WORDS = NC_("button", "As text")


class DescriptionTexts(Texts):
    """A match in words, in one language. The marks are letters, as screen readers read them."""

    def description(self, match: Match, user_id: int) -> str:
        """The position, as the match's message shows it, for the person who asks."""
        return self._language.sentences(
            *self._marks(match.board), self._status(match, user_id), *self._details(match)
        )

    def puzzle(self, board: Board) -> str:
        """The position of a puzzle, for the person who is to move."""
        return self._language.sentences(
            *self._marks(board), self._your_turn(board.to_move), *self._vanishing(board)
        )

    def _marks(self, board: Board) -> Iterator[str]:
        if not board.plies:
            yield self._("The board is empty.")
        for mark in Mark:
            if cells := board.held_by(mark):
                # Translators: where a player's marks are, such as "X: A1, C3."
                yield self._(
                    "{mark}: {cells}.", mark=_letter(mark), cells=self._cells(board, *cells)
                )

    def _status(self, match: Match, user_id: int) -> str:
        if match.ending is not None:
            return self._result(match)
        mover = match.board.to_move
        player = match.players[mover]
        if player.user_id == user_id:
            return self._your_turn(mover)
        # Translators: {mark} is X or O; {player} is a name.
        return self._(
            "{mark}'s turn: {player}.",
            mark=_letter(mover),
            player=self._language.mention(player.user_id),
        )

    def _your_turn(self, mark: Mark) -> str:
        # Translators: {mark} is X or O.
        return self._("Your turn, as {mark}.", mark=_letter(mark))

    def _result(self, match: Match) -> str:
        assert match.ending is not None, "the match is over"
        winner = match.ending.winner
        if winner is not None:
            # Translators: {mark} is X or O; {player} is a name.
            return self._(
                "{mark} wins: {player}.",
                mark=_letter(winner),
                player=self._language.mention(match.players[winner].user_id),
            )
        return self._("It's a draw!") if match.outcome else self._("This match is over.")

    def _details(self, match: Match) -> Iterator[str]:
        """What the board shows by variants of the marks."""
        if match.outcome and match.outcome.line:
            # Translators: the cells in a row that decided the match.
            yield self._("Line: {cells}.", cells=self._cells(match.board, *match.outcome.line))
        if match.moves:
            # Translators: {mark} is X or O.
            yield self._(
                "Last move: {mark}, {cell}.",
                mark=_letter(match.board.to_move.other),
                cell=self._cells(match.board, match.moves[-1]),
            )
        if match.is_live:
            yield from self._vanishing(match.board)

    def _vanishing(self, board: Board) -> Iterator[str]:
        if board.vanishing is not None:
            yield self._("Vanishes next: {cell}.", cell=self._cells(board, board.vanishing))

    def _cells(self, board: Board, *cells: Cell) -> str:
        return self._language.cells(board.rules, cells)

    def button(self) -> str:
        return self._(IN_WORDS)


def _letter(mark: Mark) -> str:
    return mark.value.upper()
