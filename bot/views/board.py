"""The message that shows a match: pure functions, no event loop needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.game.match import Match
from bot.game.page import ReviewPage, custom_id
from bot.game.press import Press, Verb
from bot.game.rematch import can_have_rematch, easier, harder
from bot.texts import AnswerTexts, BoardTexts, language_for
from bot.texts.words import SYMBOLS
from bot.views.controls import Control, button, grid, line_style, one_block
from engine import Cell, Level

_LIVE = discord.Colour.blurple()
_DECIDED = discord.Colour.green()
_UNDECIDED = discord.Colour.light_grey()


def match_view(match: Match) -> ui.LayoutView:
    """The message that shows a match: a challenge, or the board and its controls."""
    texts = _texts(match)
    return _board(match, texts) if match.accepted else _challenge(match, texts)


def moved_view(match: Match) -> ui.LayoutView:
    """What replaces a board once a newer message shows it: a link to that message."""
    text = _texts(match).board_moved(match.place.link)
    return one_block(text, colour=_colour(match))


def _texts(match: Match) -> BoardTexts:
    """The sentences in the language of the match's place, whoever reads them."""
    return BoardTexts(language_for(match.place.locale))


def resign_question(match: Match, texts: AnswerTexts) -> ui.LayoutView:
    """The message that asks somebody to confirm that they resign."""
    concede = button(
        str(Press(match.id, match.version, Verb.CONCEDE)),
        label=texts.resign_button(),
        style=ButtonStyle.danger,
    )
    return one_block(texts.resign_question(match), ui.ActionRow(concede), colour=_LIVE)


def note(sentence: str) -> ui.LayoutView:
    """A message of one sentence, which takes the place of a page."""
    return one_block(sentence, colour=_UNDECIDED)


def _colour(match: Match) -> discord.Colour:
    if match.ending is None:
        return _LIVE
    return _DECIDED if match.ending.winner else _UNDECIDED


def _challenge(match: Match, texts: BoardTexts) -> ui.LayoutView:
    if not match.is_live:
        return one_block(texts.status(match), colour=_colour(match))
    lines = [
        texts.challenge(match),
        texts.players(match),
        texts.milestone_or_score(match),
        texts.footnote(match),
    ]
    buttons = (
        _control(match, Verb.ACCEPT, texts, ButtonStyle.success),
        _control(match, Verb.DECLINE, texts, ButtonStyle.danger),
        _control(match, Verb.CANCEL, texts),
    )
    return one_block(_text(lines), ui.ActionRow(*buttons), colour=_LIVE)


def _board(match: Match, texts: BoardTexts) -> ui.LayoutView:
    asks = match.rematch_asked_by if can_have_rematch(match) else None
    wish = None if asks is None else texts.rematch_asked(asks)
    names = f"**{texts.players(match)}**"
    lines = [names, texts.status(match)] if match.is_live else [texts.status(match), names]
    board = grid(match.rules, lambda cell: _square(match, cell))
    text = _text([*lines, wish, texts.milestone_or_score(match), texts.footnote(match)])
    return one_block(text, *board, *_controls(match, texts), colour=_colour(match))


def _text(lines: list[str | None]) -> str:
    return "\n".join(filter(None, lines))


def _square(match: Match, cell: Cell) -> Control:
    mark = match.board[cell]
    return button(
        str(Press(match.id, match.version, Verb.PLAY, cell)),
        label=None if mark else match.rules.coordinate(cell),
        emoji=SYMBOLS[mark] if mark else None,
        style=_square_style(match, cell),
        disabled=_is_dim(match, cell),
    )


def _is_dim(match: Match, cell: Cell) -> bool:
    """Whether a cell is disabled, which dims it: about to vanish, or still free at the end."""
    return cell == match.board.vanishing if match.is_live else match.board[cell] is None


def _square_style(match: Match, cell: Cell) -> ButtonStyle:
    if match.outcome and cell in match.outcome.line:
        return line_style(match.board[cell], match.outcome.winner)
    is_last = match.moves[-1:] == (cell,)
    return ButtonStyle.primary if is_last else ButtonStyle.secondary


def _controls(match: Match, texts: BoardTexts) -> list[ui.Item[Any]]:
    buttons = list(_buttons_during(match, texts) if match.is_live else _buttons_after(match, texts))
    return [ui.ActionRow(*buttons)] if buttons else []


def _buttons_during(match: Match, texts: BoardTexts) -> Iterator[Control]:
    if match.has_open_seat:
        yield _control(match, Verb.JOIN, texts, ButtonStyle.success)
    if not match.is_between_people:
        yield _control(match, Verb.HINT, texts)
    yield _control(match, Verb.RESIGN, texts, ButtonStyle.danger)


def _buttons_after(match: Match, texts: BoardTexts) -> Iterator[Control]:
    if can_have_rematch(match):
        yield _control(match, Verb.REMATCH, texts, ButtonStyle.primary)
        if level := easier(match):
            yield _control(match, Verb.EASIER, texts, level=level)
        if level := harder(match):
            yield _control(match, Verb.HARDER, texts, level=level)
    if match.moves:
        yield button(custom_id(ReviewPage.of(match), 0), label=texts.review_button())


def _control(
    match: Match,
    verb: Verb,
    texts: BoardTexts,
    style: ButtonStyle = ButtonStyle.secondary,
    level: Level | None = None,
) -> Control:
    address = str(Press(match.id, match.version, verb))
    return button(address, label=texts.button(verb, level), style=style)
