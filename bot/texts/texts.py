"""What Velha says of matches, in public and to one person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.game.match import Ending, How, Match, Player
from bot.game.outcome import Refused
from bot.game.people import SOMEBODY
from bot.game.press import Verb
from bot.game.refusal import Refusal
from bot.game.tally import stands
from bot.texts.words import LEVELS, N_, NC_, SYMBOLS, Language, Sentence, relative
from engine import TIC_TAC_TOE, Board, Level

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
"""The endings that are an event, and what announces them."""
# Translators: said once, when somebody comes that far for the first time. {player} is a name.
FIRST_WIN = N_("🎉 {player}'s first win against *{level}*!")
FIRST_DRAW = N_("🎉 {player}'s first draw against *{level}*!")
STOPPED: Mapping[How, Sentence] = {
    How.RESIGNED: N_("You resigned: {link}"),
    How.CANCELLED: N_("You cancelled the challenge: {link}"),
    How.DECLINED: N_("You declined the challenge: {link}"),
    How.STOPPED: N_("You ended the match as a moderator, without a result: {link}"),
}
STOPPED_CHALLENGE = N_("You ended the challenge as a moderator: {link}")
CHALLENGE_STOPPED = N_("A moderator ended the challenge.")
BUTTONS: Mapping[Verb, Sentence] = {
    Verb.HINT: NC_("button", "Hint"),
    Verb.RESIGN: NC_("button", "Resign"),
    Verb.CONCEDE: NC_("button", "Resign"),
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
REFUSALS: Mapping[Refusal, Sentence] = {
    Refusal.NOT_A_PLAYER: N_(
        "This isn't your match. Start one with `/velha start` in a free channel."
    ),
    # Translators: Join is a green button.
    Refusal.MAY_JOIN: N_("This isn't your match yet. The green button lets you play in my place."),
    Refusal.NOT_YOUR_TURN: N_("It's not your turn."),
    Refusal.CELL_TAKEN: N_("That cell is taken."),
    Refusal.MATCH_OVER: N_("This match is over."),
    Refusal.MATCH_GOING_ON: N_("This match is still going on."),
    Refusal.OPEN_CHALLENGE: N_("The challenge hasn't been accepted yet."),
    Refusal.NOT_THE_CHALLENGED: N_("Only the challenged player can answer."),
    Refusal.NOT_THE_CHALLENGER: N_("Only the challenger can cancel the challenge."),
    Refusal.SEAT_FOR_OTHERS: N_(
        "That button is for someone else: whoever presses it plays against you."
    ),
    Refusal.SEAT_TAKEN: N_("It's too late to join this match."),
    Refusal.REMATCH_ASKED: N_("You've already asked: now the other player has to agree."),
    Refusal.OUTDATED: N_("That board was out of date. Here's how it stands now."),
    Refusal.HINT_BETWEEN_PEOPLE: N_("Hints are for matches against me."),
    Refusal.HINT_OLD: N_("This hint is old: the match has moved on. {link}"),
    Refusal.BOARD_MOVED: N_("The match goes on in a newer message: {link}"),
    Refusal.BOARD_GONE: N_("Done, but I can't show it here: `/velha board` brings the board back."),
    Refusal.TIME_IS_UP: N_("Too late: time ran out."),
    Refusal.UNKNOWN_MATCH: N_("I don't know this match. Start one: `/velha start`"),
    Refusal.UNKNOWN_BUTTON: N_("This button no longer works. Start a match: `/velha start`"),
    Refusal.SHARED_ALREADY: N_("You've already shared this one."),
    Refusal.ONLY_TO_LOOK_AT: N_("That one is just for show."),
    Refusal.CHANNEL_BUSY: N_(
        "This channel already has a match: {link}\n`/velha board` brings it down here."
    ),
    # Translators: {when} is written by Discord, such as "in 5 minutes".
    Refusal.CHALLENGE_HERE: N_(
        "A challenge is open here: {challenger} is waiting for {opponent}. "
        "It expires {when}: {link}"
    ),
    # Translators: {channels} is a list of channels, such as "#games or #bots".
    Refusal.BOARDS_ELSEWHERE: N_("In this server, boards go in {channels}."),
    Refusal.UNKNOWN_OPTION: N_("I don't know one of those options: choose from the list."),
    Refusal.NO_MATCH_HERE: N_("There's no match in this channel. Start one: `/velha start`"),
    Refusal.NOTHING_TO_REVIEW: N_("No match has finished here yet. Start one: `/velha start`"),
    Refusal.NO_SUCH_GAME: N_("No match has that code. You'll find a match's code in its review."),
    Refusal.NO_SERVER_HERE: N_(
        "Only servers have settings. Here, use the options of `/velha start`."
    ),
    Refusal.NO_RANKING_HERE: N_("The ranking is turned off in this server."),
    Refusal.RANKING_IN_SERVERS: N_("Only servers have a ranking."),
    # Translators: permissions have the names that Discord shows in your language; so below.
    Refusal.NOT_YOURS_TO_SET: N_("Only someone with the Manage Server permission can change that."),
    Refusal.NOT_YOURS_TO_STOP: N_(
        "Only the players, or someone with the Manage Messages permission, can stop this match."
    ),
    Refusal.OPPONENT_IS_YOU: N_("You can't play against yourself."),
    Refusal.OPPONENT_IS_A_BOT: N_("Other bots don't play: challenge a person, or me."),
    Refusal.NO_CHALLENGES: N_("{opponent} isn't taking challenges."),
    Refusal.STATS_HIDDEN: N_("{opponent} keeps that private."),
    Refusal.STATS_OF_A_BOT: N_("I only keep results for people, not for bots."),
    Refusal.OPPONENT_ABSENT: N_("{opponent} can't see this channel."),
    # Translators: {when} is written by Discord, such as "in 5 seconds".
    Refusal.TOO_FAST: N_("Not so fast: you can do that again {when}."),
    Refusal.NEEDS_VIEW_CHANNEL: N_("I need the View Channel permission here."),
    Refusal.NEEDS_SEND_MESSAGES: N_("I need the Send Messages permission here."),
    Refusal.NEEDS_SEND_IN_THREADS: N_("I need the Send Messages in Threads permission here."),
    Refusal.NEEDS_EXTERNAL_APPS: N_(
        "I'm not a member of this server, so you need the Use External Apps permission here."
    ),
    Refusal.SUPERSEDED: N_("You've asked for something newer, so I skipped this."),
    Refusal.TOO_BUSY: N_(
        "I have too much to think about right now. Nothing is lost: try again in a moment."
    ),
    # Translators: its memory is the database.
    Refusal.STORE_UNAVAILABLE: N_(
        "I can't reach my memory right now. Nothing is lost: try again in a moment."
    ),
    Refusal.BROKEN: N_("Something went wrong on my side. I've made a note of it."),
}


class Texts:
    """What Velha says of matches, in one language."""

    def __init__(self, language: Language) -> None:
        self._language, self._ = language, language.say

    # The board's message

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
        ended = self._(said, **names)
        heading = f"## {HEADINGS[how]} {ended}" if how in HEADINGS else ended
        return f"{heading}\n{self._(WHY[how], **names)}" if how in WHY else heading

    def rematch_asked(self, user_id: int) -> str:
        return self._("{player} wants a rematch.", player=self._language.mention(user_id))

    def footnote(self, match: Match) -> str | None:
        """In small print what the buttons say by colour only, and where to look back afterwards."""
        # Once a mark is about to vanish, that says the rule.
        notes = self._language.vanishing_next(match.board) if match.is_live else []
        if match.rules != TIC_TAC_TOE and not notes:
            notes.append(self._language.board(match.rules))
        if match.is_live and not match.moves and match.rules.first_player_wins:
            notes.append(self._("whoever goes first can force a win"))
        if match.is_live:
            notes += self._end_in_sight(match.board)
        if not match.is_live and (plies := len(match.moves)):
            notes.append(self._language.ngettext("after {n} move", "after {n} moves", plies))
        if match.moves:
            notes.append(self._last_move_or_line(match))
        if not match.is_live and match.hints:
            notes.append(self._language.ngettext("with {n} hint", "with {n} hints", match.hints))
        return f"-# {' · '.join(notes)}" if notes else None

    def _end_in_sight(self, board: Board) -> Iterator[str]:
        """That a game which could go on for ever is about to be called a draw."""
        if left := board.draw_in_plies:
            yield self._language.ngettext(
                "{n} move left before a draw", "{n} moves left before a draw", left
            )

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

    def came_to(self, match: Match) -> str | None:
        """What there is to say of a match beside how it ended: a success, or how two stand."""
        if SOMEBODY in (match.x.user_id, match.o.user_id):
            return None
        if match.is_first and match.bot_level and match.ending:
            said = FIRST_WIN if match.ending.winner else FIRST_DRAW
            player = match.o if match.x.is_bot else match.x
            name = self._language.mention(player.user_id)
            return self._(said, player=name, level=self.level(match.bot_level))
        have_met = match.duel is not None and match.duel.matches > 0
        if have_met and (duel := stands(match)):
            return self._language.duel(match.x.user_id, match.o.user_id, duel)
        return None

    def board_moved(self, link: str) -> str:
        return self._("The board has moved: {link}", link=link)

    # Buttons

    def button(self, verb: Verb, level: Level | None = None) -> str:
        """What stands on a button; `level` is that of the match it opens, where it names one."""
        return self._(BUTTONS[verb], level=self.level(level) if level else "")

    def review_button(self) -> str:
        return self._(NC_("button", "Review"))

    # What one person is told

    def resign_question(self) -> str:
        return self._("Really resign? You'd lose the match.")

    def lesson_question(self) -> str:
        return self._("You're playing me: a lesson on your match counts as a hint.")

    def example_button(self) -> str:
        return self._(NC_("button", "An example"))

    def my_match_button(self) -> str:
        return self._(NC_("button", "My match (a hint)"))

    def refusal(self, refused: Refused) -> str:
        """Why nothing happened."""
        match, person = refused.match, refused.person
        until = match.deadline_at if match else refused.until
        return self._(
            REFUSALS[refused.refusal],
            link=match.place.link if match else "",
            challenger=self._language.mention(match.opened_by) if match else "",
            opponent=self._language.mention(match.challenged if match else person or 0),
            when=relative(until) if until else "",
            channels=self._language.channels(refused.channels, "or"),
        )

    def play_in_a_thread(self) -> str:
        return self._("Or play in a thread: make one, and type `/velha start` there.")

    def stopped(self, match: Match) -> str:
        """What became of a match, as whoever ended it is told."""
        assert match.ending is not None, "it was ended"
        is_challenge = match.ending.how is How.STOPPED and not match.accepted
        said = STOPPED_CHALLENGE if is_challenge else STOPPED[match.ending.how]
        return self._(said, link=match.place.link)

    def played(self, cell: str, link: str) -> str:
        # Translators: {cell} is a move by its cell, such as B2.
        return self._("You played **{cell}**: {link}", cell=cell, link=link)
