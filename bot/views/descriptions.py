"""A match in words, for people who cannot see its board."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.matches import Match
from bot.views.i18n import N_, NC_, Language
from engine import Board, Cell, Mark

# Translators, from here on: the position of a match in sentences, for people whose screen is read
# aloud. {cell} and {cells} are cells such as "A1, B2".
# Translators: a button on a board, for the position in words, as screen readers read it.
IN_WORDS = NC_("button", "As text")


def match_in_words(language: Language, match: Match, user_id: int) -> str:
    """The position, as the match's message shows it, for the person who asks."""
    return language.sentences(
        *_marks(language, match.board),
        _status(language, match, user_id),
        *_details(language, match),
    )


def puzzle_in_words(language: Language, board: Board) -> str:
    """The position of a puzzle, for the person who is to move."""
    return language.sentences(
        *_marks(language, board), _your_turn(language, board.to_move), *_vanishing(language, board)
    )


def _marks(language: Language, board: Board) -> Iterator[str]:
    if not board.plies:
        yield language.say(N_("The board is empty."))
    for mark in Mark:
        if cells := board.held_by(mark):
            yield language.say(
                # Translators: where a player's marks are, such as "X: A1, C3."
                N_("{mark}: {cells}."),
                mark=_letter(mark),
                cells=_cells(language, board, *cells),
            )


def _status(language: Language, match: Match, user_id: int) -> str:
    if match.ending is not None:
        return _result(language, match)
    mover = match.board.to_move
    player = match.players[mover]
    if player.user_id == user_id:
        return _your_turn(language, mover)
    return language.say(
        # Translators: {mark} is X or O; {player} is a name.
        N_("{mark}'s turn: {player}."),
        mark=_letter(mover),
        player=language.mention(player.user_id),
    )


def _your_turn(language: Language, mark: Mark) -> str:
    # Translators: {mark} is X or O.
    return language.say(N_("Your turn, as {mark}."), mark=_letter(mark))


def _result(language: Language, match: Match) -> str:
    assert match.ending is not None, "the match is over"
    say, winner = language.say, match.ending.winner
    if winner is not None:
        return say(
            # Translators: {mark} is X or O; {player} is a name.
            N_("{mark} wins: {player}."),
            mark=_letter(winner),
            player=language.mention(match.players[winner].user_id),
        )
    return say(N_("It's a draw!")) if match.outcome else say(N_("This match is over."))


def _details(language: Language, match: Match) -> Iterator[str]:
    """What the board shows by variants of the marks."""
    if match.outcome and match.outcome.line:
        yield language.say(
            # Translators: the cells in a row that decided the match.
            N_("Line: {cells}."),
            cells=_cells(language, match.board, *match.outcome.line),
        )
    if match.moves:
        yield language.say(
            # Translators: {mark} is X or O.
            N_("Last move: {mark}, {cell}."),
            mark=_letter(match.board.to_move.other),
            cell=_cells(language, match.board, match.moves[-1]),
        )
    if match.is_live:
        yield from _vanishing(language, match.board)


def _vanishing(language: Language, board: Board) -> Iterator[str]:
    if board.vanishing is not None:
        yield language.say(
            N_("Vanishes next: {cell}."), cell=_cells(language, board, board.vanishing)
        )


def _cells(language: Language, board: Board, *cells: Cell) -> str:
    return language.cells(board.rules, cells)


def _letter(mark: Mark) -> str:
    """A mark as screen readers read it."""
    return mark.value.upper()
