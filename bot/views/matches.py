"""The message that shows a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.analysis import ReviewPage
from bot.domain.match_actions import ConcedePage, MatchAction, Press, can_challenge_again
from bot.domain.matches import Match, Setup
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.rematches import can_have_rematch, easier_level, has_bot_won
from bot.views.components import CellStyle, board_rows, button, container_view, move_styles
from bot.views.descriptions import IN_WORDS
from bot.views.i18n import N_, NC_, Language, language_for
from bot.views.match_texts import (
    BUTTONS,
    PUZZLE,
    REVIEW,
    celebrates_goal,
    challenge_line,
    footnote,
    next_label,
    players_line,
    puzzle_line,
    rematch_request,
    resign_question,
    score_line,
    status_line,
)
from bot.views.path import trail_lines
from bot.views.symbols import PLAIN_SYMBOLS, Symbols
from engine import Cell, Level

_LIVE_COLOUR = discord.Colour.blurple()

_WON_COLOUR = discord.Colour.green()

_GOAL_COLOUR = discord.Colour.gold()

_PLAIN_COLOUR = discord.Colour.light_grey()


# Translators, from here on: on a board, or an answer to one person. A label of a button has about
# 12 letters.
def match_view(match: Match, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """The message that shows a match: a challenge, or the board and its controls.

    It is in the language of the match's place, whoever reads it.
    """
    language = language_for(match.place.locale, symbols)
    return _board_view(match, language) if match.accepted else _challenge_view(match, language)


def moved_view(match: Match, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """A link to the newer message of a match, which replaces its board in an older one."""
    language = language_for(match.place.locale, symbols)
    sentence = N_("The board has moved. [Go to the board]({link})")
    text = language.say(sentence, link=match.place.link)
    return container_view(text, symbols=symbols, colour=match_colour(match))


def resign_question_view(match: Match, language: Language) -> ui.LayoutView:
    """The message that asks a person to confirm that they resign."""
    concede = button(
        custom_id(ConcedePage(match.id, match.version), 0),
        label=language.say(BUTTONS[MatchAction.RESIGN]),
        style=ButtonStyle.danger,
    )
    return container_view(
        resign_question(language, match),
        ui.ActionRow(concede),
        symbols=language.symbols,
        colour=_LIVE_COLOUR,
    )


def match_colour(match: Match) -> discord.Colour:
    if match.ending is None:
        return _LIVE_COLOUR
    if celebrates_goal(match):
        return _GOAL_COLOUR
    if match.ending.winner is None or not match.moves or has_bot_won(match):
        return _PLAIN_COLOUR
    return _WON_COLOUR


def _offers_puzzle(match: Match) -> bool:
    """Whether a board leads to the puzzle of the day: after a match against the bot."""
    return not match.is_live and not match.is_between_people and bool(match.moves)


def _puzzle_button(language: Language) -> ui.Button[Any]:
    return button(custom_id(ShortcutPage(Shortcut.PUZZLE), 0), label=language.say(PUZZLE))


def _challenge_view(match: Match, language: Language) -> ui.LayoutView:
    symbols = language.symbols
    if not match.is_live:
        play_me = language.say(NC_("button", "Play me"))
        buttons = [button(custom_id(ShortcutPage(Shortcut.START), 0), label=play_me)]
        if can_challenge_again(match):
            buttons.insert(0, _control(match, MatchAction.CHALLENGE, language))
        return container_view(
            status_line(language, match),
            ui.ActionRow(*buttons),
            symbols=symbols,
            colour=match_colour(match),
        )
    lines = [
        challenge_line(language, match),
        players_line(language, match),
        score_line(language, match),
        footnote(language, match),
    ]
    answers = (
        _control(match, MatchAction.ACCEPT, language, ButtonStyle.success),
        _control(match, MatchAction.DECLINE, language, ButtonStyle.danger),
        _control(match, MatchAction.CANCEL, language),
    )
    return container_view(
        _text(lines), ui.ActionRow(*answers), symbols=symbols, colour=_LIVE_COLOUR
    )


def _board_view(match: Match, language: Language) -> ui.LayoutView:
    symbols = language.symbols
    players, status = players_line(language, match), status_line(language, match)
    lines = [players, status] if match.is_live else [status, players]
    if match.rematch_asked_by is not None and can_have_rematch(match):
        lines.append(rematch_request(language, match.rematch_asked_by))
    if match.trail is not None and not match.is_live:
        lines += trail_lines(language, match.trail)
    puzzle = puzzle_line(language) if _offers_puzzle(match) else None
    text = _text([*lines, score_line(language, match), footnote(language, match), puzzle])
    describe = _describe_button(match, language)
    custom_ids = {
        cell: str(Press(match.id, match.version, MatchAction.PLAY, cell))
        for cell in match.rules.cells
    }
    board = match_rows(match, custom_ids, symbols)
    rows = [*board, ui.ActionRow(*_controls(match, language), describe)]
    if _offers_puzzle(match):
        rows.append(ui.ActionRow(_puzzle_button(language)))
    return container_view(text, *rows, symbols=symbols, colour=match_colour(match))


def _text(lines: Sequence[str | None]) -> str:
    return "\n".join(filter(None, lines))


def match_rows(
    match: Match, custom_ids: Mapping[Cell, str], symbols: Symbols, start: int = 0
) -> list[ui.Item[Any]]:
    """The board of a match, with the last move after `start` plies, or the line that decided it."""
    board = match.board
    styles = move_styles(board, match.moves[-1], match.outcome) if len(match.moves) > start else {}
    if not match.is_live:
        ended = {cell: CellStyle(disabled=board[cell] is None) for cell in match.rules.cells}
        styles = ended | styles
    return board_rows(board, styles, custom_ids, symbols)


def _controls(match: Match, language: Language) -> list[ui.Button[Any]]:
    return _live_buttons(match, language) if match.is_live else _ended_buttons(match, language)


def _describe_button(match: Match, language: Language) -> ui.Button[Any]:
    press = Press(match.id, match.version, MatchAction.DESCRIBE)
    return button(str(press), label=language.say(IN_WORDS))


def _live_buttons(match: Match, language: Language) -> list[ui.Button[Any]]:
    if match.is_between_people:
        actions = [MatchAction.RESIGN, MatchAction.REMIND]
    elif match.has_open_seat:  # there is little to resign yet
        actions = [MatchAction.HINT, MatchAction.JOIN]
    else:
        actions = [MatchAction.HINT, MatchAction.RESIGN]
    return [_control(match, action, language) for action in actions]


def _ended_buttons(match: Match, language: Language) -> list[ui.Button[Any]]:
    """What may come next, with what helps most first: the review for whom the bot has beaten."""
    buttons: list[ui.Button[Any]] = []
    if can_have_rematch(match):
        buttons += _next_matches(match, language)
    if match.moves:
        review = button(custom_id(ReviewPage.of(match), 0), label=language.say(REVIEW))
        position = 0 if has_bot_won(match) and not _offers_relief(match) else len(buttons)
        buttons.insert(position, review)
    if buttons:
        buttons[0].style = ButtonStyle.primary
    return buttons


def _next_matches(match: Match, language: Language) -> Iterator[ui.Button[Any]]:
    """The matches that may follow: what is next on the path, a rematch, and an easier one."""
    following = match.trail and match.trail.following
    if following:
        yield _next_button(match, MatchAction.NEXT, following, language)
    yield _control(match, MatchAction.REMATCH, language)
    easier = easier_level(match)
    if easier and (following is None or following[:2] != (match.rules, easier)):
        yield _next_button(match, MatchAction.EASIER, Setup(match.rules, easier), language)


def _offers_relief(match: Match) -> bool:
    """Whether what is next is a match that counts for nothing, after many losses."""
    following = match.trail and match.trail.following
    return following is not None and following.level is Level.CHILD


def _next_button(
    match: Match, action: MatchAction, following: Setup, language: Language
) -> ui.Button[Any]:
    press = Press(match.id, match.version, action)
    return button(str(press), label=next_label(language, match, following))


def _control(
    match: Match,
    action: MatchAction,
    language: Language,
    style: ButtonStyle = ButtonStyle.secondary,
) -> ui.Button[Any]:
    press = Press(match.id, match.version, action)
    return button(str(press), label=language.say(BUTTONS[action]), style=style)
