"""The message that shows a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.analysis import ReviewPage, has_turned
from bot.domain.ids import DELETED_USER_ID
from bot.domain.ladder import PASSED_BY_DRAWS, RUNGS, UNBEATABLE, is_on_ladder
from bot.domain.match_actions import ConcedePage, MatchAction, Press
from bot.domain.matches import Ending, EndReason, Match, Player, head_to_head_after
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.rematches import (
    can_have_rematch,
    easier_level,
    harder_level,
    has_bot_won,
    next_level,
)
from bot.views.components import CellStyle, board_rows, button, container_view, move_styles
from bot.views.descriptions import DescriptionTexts
from bot.views.i18n import (
    LEVELS,
    N_,
    NC_,
    Language,
    Sentence,
    Texts,
    language_for,
    relative_timestamp,
)
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from engine import MISERE, TIC_TAC_TOE, Cell, Level, Mark

# Translators, from here on: how a match ended: a line under its board, which everybody in the
# channel reads. {winner}, {loser}, {challenger} and {challenged} are names: they cannot be
# inflected, and nobody knows whether they are of men or women, so use the present tense or a colon
# where your language needs it.
ENDINGS: dict[EndReason, Sentence] = {
    EndReason.WON: N_("{winner} wins!"),
    # Translators: as people say it; Brazil's "Deu velha" gave the bot its name.
    EndReason.DRAWN: N_("It's a draw!"),
    EndReason.RESIGNED: N_("{winner} wins!"),
    EndReason.TIMED_OUT: N_("{winner} wins!"),
    EndReason.CALLED_OFF: N_("Time ran out, so this match doesn't count."),
    EndReason.STOPPED: N_("A moderator ended the match, without a result."),
    EndReason.LEFT: N_("A player left the game, so the match ended without a result."),
    EndReason.DECLINED: N_("{challenged} declined {challenger}'s challenge."),
    EndReason.CANCELLED: N_("{challenger} cancelled the challenge to {challenged}."),
    EndReason.LAPSED: N_("{challenged} didn't answer {challenger}'s challenge."),
}

LOSER_SENTENCES: dict[EndReason, Sentence] = {
    EndReason.RESIGNED: N_("{loser} resigned."),
    EndReason.TIMED_OUT: N_("{loser} ran out of time."),
}

BOT_WINS = N_("I win this time.")

# Translators: how a match of the reverse game ends.
MADE_THE_LINE = N_("{loser} made three in a row: here, that loses.")

HEADING_EMOJIS: Mapping[EndReason, str] = {
    EndReason.WON: "🏆",
    EndReason.RESIGNED: "🏆",
    EndReason.TIMED_OUT: "🏆",
    EndReason.DRAWN: "🤝",
}
"""The endings that are announced in a heading, and the emoji that it starts with."""

# Translators: said once, when somebody comes that far for the first time. {player} is a name.
FIRST_WIN = N_("First win on *{level}* for {player}!")

PASSED = N_("{player} has passed *{level}*!")

MADE_WAY = N_("Nobody had moved for a while, so this match made way for another.")

CHALLENGE_STOPPED = N_("A moderator ended the challenge.")

RESIGNED_UNPLAYED = N_("{loser} resigned before the first move, so this match doesn't count.")

# Translators, from here on: buttons under a board, several in a row: about 12 letters.
BUTTONS: Mapping[MatchAction, Sentence] = {
    MatchAction.HINT: NC_("button", "Hint"),
    MatchAction.RESIGN: NC_("button", "Resign"),
    MatchAction.REMATCH: NC_("button", "Rematch"),
    MatchAction.ACCEPT: NC_("button", "Accept"),
    MatchAction.DECLINE: NC_("button", "Decline"),
    MatchAction.CANCEL: NC_("button", "Cancel"),
    # Translators: on a board between two people: switches reminders of one's turns, in all matches.
    MatchAction.REMIND: NC_("button", "Remind me"),
    # Translators: on a board against the bot; whoever presses it plays in the bot's place.
    MatchAction.JOIN: NC_("button", "Join"),
}

_LEVEL_ARROWS = {MatchAction.EASIER: "▼", MatchAction.HARDER: "▲"}
"""Before a level's name: words would not fit a phone."""


# Translators, from here on: an answer that only the person sees who pressed the button.
STOPPED: Mapping[EndReason, Sentence] = {
    # Translators: [text]({link}) is a link to the board; translate the text.
    EndReason.RESIGNED: N_("You resigned. [Go to the board]({link})"),
    # Translators: [text]({link}) is a link to the board; translate the text.
    EndReason.CANCELLED: N_("You cancelled the challenge. [Go to the challenge]({link})"),
    # Translators: [text]({link}) is a link to the board; translate the text.
    EndReason.DECLINED: N_("You declined the challenge. [Go to the challenge]({link})"),
    # Translators: [text]({link}) is a link to the board; translate the text.
    EndReason.STOPPED: N_(
        "You ended the match as a moderator, without a result. [Go to the board]({link})"
    ),
    EndReason.LEFT: ENDINGS[EndReason.LEFT],
}

# Translators: [text]({link}) is a link to the message; translate the text.
STOPPED_CHALLENGE = N_("You ended the challenge as a moderator. [Go to the challenge]({link})")


# Translators, from here on: on a board, which everybody in the channel reads. {player} is a name,
# {level} of a level.
class MatchTexts(Texts):
    """A match, in one language."""

    def players(self, match: Match) -> str:
        return self._language.versus(self._player(match.x), self._player(match.o))

    def _player(self, player: Player) -> str:
        if player.level is None:
            return self._language.mention(player.user_id)
        return f"{self._language.mention(player.user_id)} ({self.level(player.level)})"

    def level(self, level: Level) -> str:
        return self._(LEVELS[level])

    def status(self, match: Match) -> str:
        """Whose turn it is and until when, or how it ended."""
        if match.ending is not None:
            return self._ending(match, match.ending)
        # Translators: {symbol} is ❌ or ⭕, here and everywhere. {when} is written by Discord, such
        # as "in 5 minutes".
        return self._(
            "{symbol} {player}'s turn. Deadline: {when}.",
            symbol=SYMBOLS[match.board.to_move],
            player=self._language.mention(match.players[match.board.to_move].user_id),
            when=relative_timestamp(match.deadline_at),
        )

    def challenge(self, match: Match) -> str:
        # Translators: {when} is written by Discord, such as "in 5 minutes".
        return self._(
            "{challenged}, {challenger} challenges you to tic-tac-toe! Deadline: {when}.",
            challenged=self._language.mention(match.challenged_id),
            challenger=self._language.mention(match.opened_by),
            when=relative_timestamp(match.deadline_at),
        )

    def _ending(self, match: Match, ending: Ending) -> str:
        reason = ending.reason
        names = self._names(match, ending.winner)
        if reason is EndReason.STOPPED and not match.accepted:
            return self._(CHALLENGE_STOPPED)
        if _made_way(match):
            return self._(MADE_WAY)
        if reason is EndReason.RESIGNED and not match.moves:
            return self._(RESIGNED_UNPLAYED, **names)
        lines = self.result(match, ending)
        if ending.winner and match.hints and is_on_ladder(match) and not has_bot_won(match):
            lines += self._next_level(match)
        if has_bot_won(match) and has_turned(match):
            review = self.review_button()
            lines.append(self._("Press **{review}** to see where the game turned.", review=review))
        return "\n".join(lines)

    def result(self, match: Match, ending: Ending) -> list[str]:
        """Who won, and how."""
        names = self._names(match, ending.winner)
        lines = [self._heading(match, ending, names)]
        if ending.reason in LOSER_SENTENCES:
            lines.append(self._(LOSER_SENTENCES[ending.reason], **names))
        elif ending.reason is EndReason.WON and match.rules == MISERE:
            lines.append(self._(MADE_THE_LINE, **names))
        return lines

    def _next_level(self, match: Match) -> Iterator[str]:
        """How to reach the next level, after a win with hints."""
        level = match.bot_level
        if level is not None and level is not RUNGS[-1]:
            next_name = self.level(next_level(level))
            yield self._("Win without hints to reach *{level}*.", level=next_name)

    def _heading(self, match: Match, ending: Ending, names: Mapping[str, str]) -> str:
        if match.bot_level and _celebrates_first(match):
            sentence = FIRST_WIN if ending.winner else PASSED
            player = match.o if match.x.is_bot else match.x
            name = self._language.mention(player.user_id)
            level = self.level(match.bot_level)
            return f"## 🎉 {self._(sentence, player=name, level=level)}"
        if has_bot_won(match):
            return f"## {self._(BOT_WINS)}"
        text = self._(ENDINGS[ending.reason], **names)
        emoji = HEADING_EMOJIS.get(ending.reason)
        return f"## {emoji} {text}" if emoji else text

    def _names(self, match: Match, winner: Mark | None) -> dict[str, str]:
        """The people of a match, by the placeholders that sentences about its end have."""
        mention = self._language.mention
        return {
            "winner": mention(match.players[winner].user_id) if winner else "",
            "loser": mention(match.players[winner.other].user_id) if winner else "",
            "challenged": mention(match.challenged_id),
            "challenger": mention(match.opened_by),
        }

    def rematch_request(self, user_id: int) -> str:
        return self._("{player} wants a rematch.", player=self._language.mention(user_id))

    # Translators, from here on: small print under a board, several notes in one line: short,
    # without a full stop.
    def footnote(self, match: Match) -> str | None:
        """What buttons show by colour only, and other facts, in small print; None if nothing."""
        ngettext = self._language.ngettext
        # Once a mark is about to vanish, saying so explains the rule.
        notes = self._language.vanishing_next(match.board) if match.is_live else []
        if match.rules != TIC_TAC_TOE and not notes:
            notes.append(self._language.rules(match.rules))
        if goal := self._goal(match):
            notes.append(goal)
        if joined_by := _joined_by(match):
            notes.append(self._("{player} has joined", player=self._language.mention(joined_by)))
        notes += self.draw_in(match)
        if not match.is_live and match.moves:
            notes.append(ngettext("after {n} move", "after {n} moves", len(match.moves)))
        if match.moves:
            notes.append(self.last_move_or_line(match))
        if not match.is_live and match.hints:
            notes.append(ngettext("with {n} hint", "with {n} hints", match.hints))
        return f"-# {' · '.join(notes)}" if notes else None

    def draw_in(self, match: Match) -> Iterator[str]:
        """How many moves are left, once a draw by their number is near."""
        if match.is_live and (plies_left := match.board.draw_in_plies):
            yield self._language.ngettext(
                "{n} move left before a draw", "{n} moves left before a draw", plies_left
            )

    def _goal(self, match: Match) -> str | None:
        """What passes the bot's level, while that is possible; None off the ladder."""
        if not match.is_live or not is_on_ladder(match):
            return None
        if match.hints:
            return self._("with a hint: just for fun")
        if match.bot_level in UNBEATABLE:
            return self._("to pass this level: two draws without hints")
        if match.bot_level in PASSED_BY_DRAWS:
            return self._("to pass this level: a win or two draws, without hints")
        return self._("to pass this level: a win without hints")

    def last_move_or_line(self, match: Match) -> str:
        if match.outcome and match.outcome.line:
            line = self._language.cells(match.rules, match.outcome.line)
            # Translators: the cells in a row that decided the match.
            return self._("line: {cells}", cells=line)
        return self._(
            "last move: {symbol} {cell}",
            symbol=SYMBOLS[match.board.to_move.other],
            cell=match.rules.coordinate(match.moves[-1]),
        )

    # Translators, from here on: on a board, or an answer to one person. A label of a button has
    # about 12 letters.
    def score(self, match: Match) -> str | None:
        """The score between two people; None if they have none, or it may not be shown."""
        if DELETED_USER_ID in (match.x.user_id, match.o.user_id):
            return None
        have_met = match.head_to_head is not None and match.head_to_head.matches > 0
        if have_met and (head_to_head := head_to_head_after(match)):
            return self._language.head_to_head(match.x.user_id, match.o.user_id, head_to_head)
        return None

    def board_moved(self, link: str) -> str:
        return self._("The board has moved. [Go to the board]({link})", link=link)

    def button(self, action: MatchAction) -> str:
        return self._(BUTTONS[action])

    def level_button(self, action: MatchAction, level: Level) -> str:
        """The label of a button for a match at a higher or a lower level."""
        return f"{_LEVEL_ARROWS[action]} {self.level(level)}"

    def play_me_button(self) -> str:
        return self._(NC_("button", "Play me"))

    def review_button(self) -> str:
        return self._(NC_("button", "Review"))

    def resign_question(self, match: Match) -> str:
        if not match.moves:
            return self._("Really resign?")
        return self._("Really resign? You'd lose the match.")

    def stop_confirmation(self, match: Match) -> str:
        """How a match ended, for the person who ended it."""
        assert match.ending is not None, "it was ended"
        is_challenge = match.ending.reason is EndReason.STOPPED and not match.accepted
        sentence = STOPPED_CHALLENGE if is_challenge else STOPPED[match.ending.reason]
        return self._(sentence, link=match.place.link)

    def move_confirmation(self, cell: str, link: str) -> str:
        # Translators: {cell} is a move by its cell, such as B2.
        return self._("You played **{cell}**. [Go to the board]({link})", cell=cell, link=link)


_LIVE_COLOUR = discord.Colour.blurple()

_WON_COLOUR = discord.Colour.green()

_FIRST_COLOUR = discord.Colour.gold()

_PLAIN_COLOUR = discord.Colour.light_grey()


def match_view(match: Match, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """The message that shows a match: a challenge, or the board and its controls.

    It is in the language of the match's place, whoever reads it.
    """
    language = language_for(match.place.locale, symbols)
    return _board_view(match, language) if match.accepted else _challenge_view(match, language)


def moved_view(match: Match, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """A link to the newer message of a match, which replaces its board in an older one."""
    language = language_for(match.place.locale, symbols)
    text = MatchTexts(language).board_moved(match.place.link)
    return container_view(text, symbols=symbols, colour=match_colour(match))


def resign_question_view(match: Match, language: Language) -> ui.LayoutView:
    """The message that asks a person to confirm that they resign."""
    texts = MatchTexts(language)
    concede = button(
        custom_id(ConcedePage(match.id, match.version), 0),
        label=texts.button(MatchAction.RESIGN),
        style=ButtonStyle.danger,
    )
    return container_view(
        texts.resign_question(match),
        ui.ActionRow(concede),
        symbols=language.symbols,
        colour=_LIVE_COLOUR,
    )


def _joined_by(match: Match) -> int | None:
    """The person who has taken the bot's seat, until the next move but one."""
    has_joined = match.is_open and match.is_between_people and match.is_live
    return match.challenged_id if has_joined and len(match.moves) <= 1 else None


def match_colour(match: Match) -> discord.Colour:
    if match.ending is None:
        return _LIVE_COLOUR
    if _celebrates_first(match):
        return _FIRST_COLOUR
    if match.ending.winner is None or not match.moves or has_bot_won(match):
        return _PLAIN_COLOUR
    return _WON_COLOUR


def _celebrates_first(match: Match) -> bool:
    """Whether to celebrate a first success: not for a player whose data is deleted."""
    return match.is_first and match.mark_of(DELETED_USER_ID) is None


def _made_way(match: Match) -> bool:
    """Whether a match was called off before its time was up."""
    if match.ending is None or match.ending.reason is not EndReason.CALLED_OFF:
        return False
    return match.ended_at is not None and match.ended_at < match.deadline_at


def _challenge_view(match: Match, language: Language) -> ui.LayoutView:
    texts = MatchTexts(language)
    symbols = language.symbols
    if not match.is_live:
        play = button(custom_id(ShortcutPage(Shortcut.START), 0), label=texts.play_me_button())
        return container_view(
            texts.status(match), ui.ActionRow(play), symbols=symbols, colour=match_colour(match)
        )
    lines = [
        texts.challenge(match),
        texts.players(match),
        texts.score(match),
        texts.footnote(match),
    ]
    buttons = (
        _control(match, MatchAction.ACCEPT, texts, ButtonStyle.success),
        _control(match, MatchAction.DECLINE, texts, ButtonStyle.danger),
        _control(match, MatchAction.CANCEL, texts),
    )
    return container_view(
        _text(lines), ui.ActionRow(*buttons), symbols=symbols, colour=_LIVE_COLOUR
    )


def _board_view(match: Match, language: Language) -> ui.LayoutView:
    texts = MatchTexts(language)
    symbols = language.symbols
    players = f"**{texts.players(match)}**"
    status = texts.status(match)
    lines = [players, status] if match.is_live else [status, players]
    if match.rematch_asked_by is not None and can_have_rematch(match):
        lines.append(texts.rematch_request(match.rematch_asked_by))
    text = _text([*lines, texts.score(match), texts.footnote(match)])
    describe = _describe_button(match, language)
    controls = ui.ActionRow(*_controls(match, texts), describe)
    custom_ids = {
        cell: str(Press(match.id, match.version, MatchAction.PLAY, cell))
        for cell in match.rules.cells
    }
    board = match_rows(match, custom_ids, symbols)
    return container_view(text, *board, controls, symbols=symbols, colour=match_colour(match))


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


def _controls(match: Match, texts: MatchTexts) -> list[ui.Button[Any]]:
    return _live_buttons(match, texts) if match.is_live else _ended_buttons(match, texts)


def _describe_button(match: Match, language: Language) -> ui.Button[Any]:
    press = Press(match.id, match.version, MatchAction.DESCRIBE)
    return button(str(press), label=DescriptionTexts(language).button())


def _live_buttons(match: Match, texts: MatchTexts) -> list[ui.Button[Any]]:
    if match.is_between_people:
        actions = [MatchAction.RESIGN, MatchAction.REMIND]
    elif match.has_open_seat:  # there is little to resign yet
        actions = [MatchAction.HINT, MatchAction.JOIN]
    else:
        actions = [MatchAction.HINT, MatchAction.RESIGN]
    return [_control(match, action, texts) for action in actions]


def _ended_buttons(match: Match, texts: MatchTexts) -> list[ui.Button[Any]]:
    """What may come next, with what helps most first: the review for whom the bot has beaten."""
    buttons = []
    if can_have_rematch(match):
        buttons += [
            _control(match, action, texts, level=level)
            for action, level in _next_matches(match).items()
        ]
    if match.moves:
        review = button(custom_id(ReviewPage.of(match), 0), label=texts.review_button())
        position = 0 if has_bot_won(match) else len(buttons)
        buttons.insert(position, review)
    if buttons:
        buttons[0].style = ButtonStyle.primary
    return buttons


def _next_matches(match: Match) -> dict[MatchAction, Level | None]:
    """The matches that may follow, with the bot's level where the button names it."""
    actions: dict[MatchAction, Level | None] = {}
    if level := harder_level(match):
        actions[MatchAction.HARDER] = level
    actions[MatchAction.REMATCH] = None
    if level := easier_level(match):
        actions[MatchAction.EASIER] = level
    return actions


def _control(
    match: Match,
    action: MatchAction,
    texts: MatchTexts,
    style: ButtonStyle = ButtonStyle.secondary,
    level: Level | None = None,
) -> ui.Button[Any]:
    press = Press(match.id, match.version, action)
    label = texts.level_button(action, level) if level else texts.button(action)
    return button(str(press), label=label, style=style)
