"""A match in words, for people who cannot see its board."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.matches import Match
from bot.views.i18n import NC_, Texts
from engine import Cell, Mark

# Translators, from here on: the position of a match in sentences, for people whose screen is read
# aloud. {cell} and {cells} are cells such as "A1, B2".
# Translators: a button on a board, for the position in words, as screen readers read it.
IN_WORDS = NC_("button", "As text")


class DescriptionTexts(Texts):
    """A match in words, in one language. The marks are letters, as screen readers read them."""

    def description(self, match: Match, user_id: int) -> str:
        """The position, as the match's message shows it, for the person who asks."""
        return self._language.sentences(
            *self._marks(match), self._status(match, user_id), *self._details(match)
        )

    def _marks(self, match: Match) -> Iterator[str]:
        if not match.moves:
            yield self._("The board is empty.")
        for mark in Mark:
            if cells := match.board.held_by(mark):
                # Translators: where a player's marks are, such as "X: A1, C3."
                yield self._(
                    "{mark}: {cells}.", mark=_letter(mark), cells=self._cells(match, *cells)
                )

    def _status(self, match: Match, user_id: int) -> str:
        if match.ending is not None:
            return self._result(match)
        mover = match.board.to_move
        player = match.players[mover]
        if player.user_id == user_id:
            # Translators: {mark} is X or O.
            return self._("Your turn, as {mark}.", mark=_letter(mover))
        # Translators: {mark} is X or O; {player} is a name.
        return self._(
            "{mark}'s turn: {player}.",
            mark=_letter(mover),
            player=self._language.mention(player.user_id),
        )

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
            yield self._("Line: {cells}.", cells=self._cells(match, *match.outcome.line))
        if match.moves:
            # Translators: {mark} is X or O.
            yield self._(
                "Last move: {mark}, {cell}.",
                mark=_letter(match.board.to_move.other),
                cell=self._cells(match, match.moves[-1]),
            )
        if match.is_live and match.board.vanishing is not None:
            yield self._("Vanishes next: {cell}.", cell=self._cells(match, match.board.vanishing))

    def _cells(self, match: Match, *cells: Cell) -> str:
        return self._language.cells(match.rules, cells)

    def button(self) -> str:
        return self._(IN_WORDS)


def _letter(mark: Mark) -> str:
    return mark.value.upper()
