"""From a match to the message that shows it: pure functions, no event loop needed.

Every button, disabled ones too, is a `PressButton`. discord.py 2.7.1 forgets a dynamic item for
the whole process once a view that mixes it with ordinary buttons is re-sent or stops.
"""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, ui

from bot.match import Match
from bot.press import Press, Verb
from bot.texts import Texts
from bot.texts.texts import SYMBOLS
from engine import Cell

_LIVE = discord.Colour.blurple()
_DECIDED = discord.Colour.green()
_UNDECIDED = discord.Colour.light_grey()


class PressButton(ui.DynamicItem[ui.Button[Any]], template=r"(?s:.*)"):
    """Any button of ours; it takes every custom_id, so that even an unknown one is answered."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, ui.Button), "buttons are all we send"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        interaction.client.dispatch("press", interaction, Press.parse(self.custom_id))


def match_view(match: Match, texts: Texts) -> ui.LayoutView:
    """The message of a match as it stands: a challenge, or the board and its controls."""
    was_played = match.accepted
    return _view(match, *(_board(match, texts) if was_played else _challenge(match, texts)))


def moved_view(match: Match, texts: Texts) -> ui.LayoutView:
    """What is left of a board's message once a newer one shows the board."""
    return _view(match, ui.TextDisplay(texts.board_moved(match.place.link)))


def _view(match: Match, *items: ui.Item[Any]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=_colour(match)))
    return view


def _colour(match: Match) -> discord.Colour:
    if match.ending is None:
        return _LIVE
    return _DECIDED if match.ending.winner else _UNDECIDED


def _challenge(match: Match, texts: Texts) -> list[ui.Item[Any]]:
    if not match.is_live:
        return [ui.TextDisplay(texts.status(match))]
    text = f"{texts.challenge(match)}\n{texts.players(match)}"
    buttons = (
        _button(match, Verb.ACCEPT, ButtonStyle.success, texts.accept_button()),
        _button(match, Verb.DECLINE, ButtonStyle.danger, texts.decline_button()),
        _button(match, Verb.CANCEL, ButtonStyle.secondary, texts.cancel_button()),
    )
    return [ui.TextDisplay(text), ui.ActionRow(*buttons)]


def _board(match: Match, texts: Texts) -> list[ui.Item[Any]]:
    lines = [f"**{texts.players(match)}**", texts.status(match)]
    if match.asks_rematch is not None:
        lines.append(texts.rematch_asked(match.asks_rematch))
    return [ui.TextDisplay("\n".join(lines)), *_grid(match), *_controls(match, texts)]


def _grid(match: Match) -> list[ui.Item[Any]]:
    cells, width = match.rules.cells, match.rules.columns
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return [ui.ActionRow(*(_square(match, cell) for cell in row)) for row in rows]


def _square(match: Match, cell: Cell) -> PressButton:
    mark = match.board[cell]
    return PressButton(
        ui.Button(
            style=_square_style(match, cell),
            label=None if mark else match.rules.coordinate(cell),
            emoji=SYMBOLS[mark] if mark else None,
            disabled=mark is not None or not match.is_live,
            custom_id=str(Press(match.id, match.version, Verb.PLAY, cell)),
        )
    )


def _square_style(match: Match, cell: Cell) -> ButtonStyle:
    if match.outcome and cell in match.outcome.line:
        return ButtonStyle.success
    is_last = match.moves[-1:] == (cell,)
    return ButtonStyle.primary if is_last else ButtonStyle.secondary


def _controls(match: Match, texts: Texts) -> list[ui.Item[Any]]:
    if match.is_live:
        button = _button(match, Verb.RESIGN, ButtonStyle.secondary, texts.resign_button())
    elif match.can_have_rematch:
        button = _button(match, Verb.REMATCH, ButtonStyle.primary, texts.rematch_button())
    else:
        return []
    return [ui.ActionRow(button)]


def _button(match: Match, verb: Verb, style: ButtonStyle, label: str) -> PressButton:
    press = Press(match.id, match.version, verb)
    return PressButton(ui.Button(style=style, label=label, custom_id=str(press)))
