"""The text of a board's message, for everybody."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.match import Ending, How, Match, Player
from bot.game.people import SOMEBODY
from bot.game.press import Verb
from bot.game.tally import duel_after
from bot.texts.words import LEVELS, N_, NC_, SYMBOLS, Sentence, Texts, relative
from engine import TIC_TAC_TOE, Level

ENDINGS: dict[How, Sentence] = {
    How.WON: N_("{winner} wins!"),
    # Translators: as people say it; Brazil's "Deu velha" gave the bot its name.
    How.DRAWN: N_("It's a draw!"),
    How.RESIGNED: N_("{winner} wins!"),
    How.TIMED_OUT: N_("{winner} wins!"),
    How.CALLED_OFF: N_("Time ran out: the match was called off."),
    How.STOPPED: N_("A moderator ended the match, without a result."),
    How.LEFT: N_("A player left the game, so the match ended without a result."),
    How.DECLINED: N_("{challenged} declined {challenger}'s challenge."),
    How.CANCELLED: N_("{challenger} cancelled the challenge to {challenged}."),
    How.LAPSED: N_("{challenged} didn't answer {challenger}'s challenge."),
}
WHY: dict[How, Sentence] = {
    How.RESIGNED: N_("{loser} resigned."),
    How.TIMED_OUT: N_("{loser} ran out of time."),
}
HEADINGS: Mapping[How, str] = {
    How.WON: "🏆",
    How.RESIGNED: "🏆",
    How.TIMED_OUT: "🏆",
    How.DRAWN: "🤝",
}
"""The endings that get a heading, and the emoji it starts with."""
# Translators: said once, when somebody comes that far for the first time. {player} is a name.
FIRST_WIN = N_("🎉 {player}'s first win against *{level}*!")
FIRST_DRAW = N_("🎉 {player}'s first draw against *{level}*!")
CHALLENGE_STOPPED = N_("A moderator ended the challenge.")
RESIGNED_UNPLAYED = N_("{loser} resigned before the first move, so this match doesn't count.")
BUTTONS: Mapping[Verb, Sentence] = {
    Verb.HINT: NC_("button", "Hint"),
    Verb.RESIGN: NC_("button", "Resign"),
    Verb.REMATCH: NC_("button", "Rematch"),
    # Translators: buttons for another match against the bot, at a lower level or a higher one.
    Verb.EASIER: NC_("button", "Down to {level}"),
    Verb.HARDER: NC_("button", "Up to {level}"),
    Verb.ACCEPT: NC_("button", "Accept"),
    Verb.DECLINE: NC_("button", "Decline"),
    Verb.CANCEL: NC_("button", "Cancel"),
    # Translators: on a board against the bot; whoever presses it plays in the bot's place.
    Verb.JOIN: NC_("button", "Join"),
}


class BoardTexts(Texts):
    """A match, in one language."""

    def players(self, match: Match) -> str:
        return self._language.sides(self._player(match.x), self._player(match.o))

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
            "{symbol} {player} to move; time runs out {when}.",
            symbol=SYMBOLS[match.board.to_move],
            player=self._language.mention(match.players[match.board.to_move].user_id),
            when=relative(match.deadline_at),
        )

    def challenge(self, match: Match) -> str:
        # Translators: {when} is written by Discord, such as "in 5 minutes".
        return self._(
            "{challenged}, {challenger} has challenged you to a game of tic-tac-toe! The "
            "challenge expires {when}.",
            challenged=self._language.mention(match.challenged),
            challenger=self._language.mention(match.opened_by),
            when=relative(match.deadline_at),
        )

    def _ending(self, match: Match, ending: Ending) -> str:
        how, winner = ending.how, ending.winner
        said = CHALLENGE_STOPPED if how is How.STOPPED and not match.accepted else ENDINGS[how]
        names = {
            "winner": self._language.mention(match.players[winner].user_id) if winner else "",
            "loser": self._language.mention(match.players[winner.other].user_id) if winner else "",
            "challenged": self._language.mention(match.challenged),
            "challenger": self._language.mention(match.opened_by),
        }
        if how is How.RESIGNED and not match.moves:
            return self._(RESIGNED_UNPLAYED, **names)
        ended = self._(said, **names)
        heading = f"## {HEADINGS[how]} {ended}" if how in HEADINGS else ended
        return f"{heading}\n{self._(WHY[how], **names)}" if how in WHY else heading

    def rematch_asked(self, user_id: int) -> str:
        return self._("{player} wants a rematch.", player=self._language.mention(user_id))

    def footnote(self, match: Match) -> str | None:
        """What buttons show by colour only, and other facts, in small print; None if nothing."""
        ngettext = self._language.ngettext
        # Once a mark is about to vanish, saying so explains the rule.
        notes = self._language.vanishing_next(match.board) if match.is_live else []
        if match.rules != TIC_TAC_TOE and not notes:
            notes.append(self._language.board(match.rules))
        if match.is_live and not match.moves and match.rules.first_player_wins:
            notes.append(self._("whoever goes first can force a win"))
        if match.is_live and (left := match.board.draw_in_plies):
            notes.append(
                ngettext("{n} move left before a draw", "{n} moves left before a draw", left)
            )
        if not match.is_live and match.moves:
            notes.append(ngettext("after {n} move", "after {n} moves", len(match.moves)))
        if match.moves:
            notes.append(self._last_move_or_line(match))
        if not match.is_live and match.hints:
            notes.append(ngettext("with {n} hint", "with {n} hints", match.hints))
        return f"-# {' · '.join(notes)}" if notes else None

    def _last_move_or_line(self, match: Match) -> str:
        if match.outcome and match.outcome.line:
            line = self._language.cells(match.rules, match.outcome.line)
            # Translators: the cells in a row that decided the match.
            return self._("line: {cells}", cells=line)
        return self._(
            "last move: {symbol} {cell}",
            symbol=SYMBOLS[match.board.to_move.other],
            cell=match.rules.coordinate(match.moves[-1]),
        )

    def milestone_or_score(self, match: Match) -> str | None:
        """A first success against a level, or the score between two people; None if neither."""
        if SOMEBODY in (match.x.user_id, match.o.user_id):
            return None
        if match.is_first and match.bot_level and match.ending:
            said = FIRST_WIN if match.ending.winner else FIRST_DRAW
            player = match.o if match.x.is_bot else match.x
            name = self._language.mention(player.user_id)
            return self._(said, player=name, level=self.level(match.bot_level))
        have_met = match.duel is not None and match.duel.matches > 0
        if have_met and (duel := duel_after(match)):
            return self._language.duel(match.x.user_id, match.o.user_id, duel)
        return None

    def board_moved(self, link: str) -> str:
        return self._("The board has moved: {link}", link=link)

    def button(self, verb: Verb, level: Level | None = None) -> str:
        """A button's label; `level` is that of the match it opens, if the label names it."""
        return self._(BUTTONS[verb], level=self.level(level) if level else "")

    def review_button(self) -> str:
        return self._(NC_("button", "Review"))
