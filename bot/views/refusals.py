"""Why something did not happen, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.refusals import Refusal, Refused
from bot.views.i18n import N_, Sentence, Texts, relative

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


_HOLDS_A_CHANNEL = (Refusal.CHANNEL_BUSY, Refusal.CHALLENGE_HERE)


class RefusalTexts(Texts):
    """Refusals, in one language."""

    def refusal(self, refused: Refused, *, can_make_thread: bool = False) -> str:
        """Why nothing happened; `can_make_thread` says that there is another place to play."""
        match = refused.match
        opponent_id = match.challenged if match else refused.person or 0
        until = match.deadline_at if match else refused.until
        sentence = self._(
            REFUSALS[refused.refusal],
            link=match.place.link if match else "",
            challenger=self._language.mention(match.opened_by) if match else "",
            opponent=self._language.mention(opponent_id),
            when=relative(until) if until else "",
            channels=self._language.channels(refused.channels, "or"),
        )
        if not (can_make_thread and refused.refusal in _HOLDS_A_CHANNEL):
            return sentence
        in_a_thread = self._("Or play in a thread: make one, and type `/velha start` there.")
        return f"{sentence}\n{in_a_thread}"
