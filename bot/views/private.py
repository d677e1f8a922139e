"""The board of a private match, which one person sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.analysis import Review, ReviewPage
from bot.domain.match_actions import MatchAction, RestartPage
from bot.domain.matches import Match, PrivateMatch
from bot.domain.pages import custom_id
from bot.domain.private import PrivateAction, PrivatePage, again
from bot.domain.rematches import has_bot_won
from bot.views.analysis import position_text
from bot.views.components import button, container_view
from bot.views.descriptions import IN_WORDS
from bot.views.i18n import GAME_RULES, N_, NC_, Language
from bot.views.match_texts import (
    BUTTONS,
    REVIEW,
    draw_notes,
    last_move_or_line,
    players_line,
    result_lines,
    status_line,
)
from bot.views.matches import match_colour, match_rows

# Translators, from here on: a match against the bot that one person alone sees. Buttons are several
# in a row: about 12 letters.
# Translators: a button that starts the same match once more.
AGAIN = NC_("button", "Play again")

# Translators: a button that starts a match that everyone in the channel sees, and that counts.
FOR_EVERYBODY = NC_("button", "Play in public")

# Translators, from here on: small print under a board, several notes in one line: short, without a
# full stop.
# Translators: it changes no results, and passes no stop of the path.
DOES_NOT_COUNT = N_("just for you, so it doesn't count")

# Translators: {code} is what `/velha replay` takes.
CODE = N_("code for `/velha replay`: `{code}`")

_SMALL_PRINT_PLIES = 2
"""For so many plies, the board says that the match does not count."""


def private_view(private: PrivateMatch, match: Match, language: Language) -> ui.LayoutView:
    """The board of a match that goes on, and its controls."""
    cells = match.rules.cells
    custom_ids = {cell: custom_id(PrivatePage(private, cell=cell), 0) for cell in cells}
    hint = button(
        custom_id(PrivatePage(private, PrivateAction.HINT), 0),
        label=language.say(BUTTONS[MatchAction.HINT]),
    )
    lines = [
        players_line(language, match),
        status_line(language, match),
        *small_print(language, private, match),
    ]
    return container_view(
        "\n".join(lines),
        *match_rows(match, custom_ids, language.symbols, private.start),
        ui.ActionRow(hint, _describe_button(private, language)),
        symbols=language.symbols,
        colour=match_colour(match),
    )


def private_end_view(
    private: PrivateMatch, match: Match, review: Review, language: Language
) -> ui.LayoutView:
    """How a match ended and why, and what may come next."""
    assert match.ending is not None, "it is over"
    lines = [
        *result_lines(language, match, match.ending),
        position_text(language, review),
        *small_print(language, private, match),
    ]
    return container_view(
        "\n".join(lines),
        *match_rows(match, {}, language.symbols),
        ui.ActionRow(*_end_buttons(private, match, language)),
        symbols=language.symbols,
        colour=match_colour(match),
    )


def _end_buttons(
    private: PrivateMatch, match: Match, language: Language
) -> Iterator[ui.Button[Any]]:
    """What may come next; the review stands out for whom the bot has beaten."""
    styles = [ButtonStyle.primary, ButtonStyle.secondary]
    review_style, again_style = styles if has_bot_won(match) else reversed(styles)
    review = custom_id(ReviewPage(private), 0)
    yield button(review, label=language.say(REVIEW), style=review_style)
    once_more = custom_id(again(private), 0)
    yield button(once_more, label=language.say(AGAIN), style=again_style)
    public = custom_id(RestartPage(None, private.record.rules, private.level), 0)
    yield button(public, label=language.say(FOR_EVERYBODY))
    yield _describe_button(private, language)


def _describe_button(private: PrivateMatch, language: Language) -> ui.Button[Any]:
    page = PrivatePage(private, PrivateAction.DESCRIBE)
    return button(custom_id(page, 0), label=language.say(IN_WORDS))


def small_print(language: Language, private: PrivateMatch, match: Match) -> Iterator[str]:
    """What the board does not show, that the match does not count, and its code."""
    notes = language.vanishing_next(match.board) if match.is_live else []
    if match.is_live and match.rules in GAME_RULES and not notes:
        notes.append(language.rules(match.rules))
    notes += draw_notes(language, match)
    plies = len(private.record.moves) - private.start
    if plies:
        notes.append(last_move_or_line(language, match))
    if plies <= _SMALL_PRINT_PLIES:
        notes.append(language.say(DOES_NOT_COUNT))
    if private.record.moves:
        notes.append(language.say(CODE, code=private.record.code))
    yield f"-# {' · '.join(notes)}"
