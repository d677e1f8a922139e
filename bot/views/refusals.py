"""Why something did not happen, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import MatchAction, RestartPage
from bot.domain.pages import custom_id
from bot.domain.private import PrivatePage, new_private
from bot.domain.refusals import RefusalReason, Refused
from bot.views.components import button, container_view
from bot.views.i18n import (
    GO_TO_BOARD,
    N_,
    NC_,
    Language,
    Sentence,
    language_for,
    relative_timestamp,
    time_timestamp,
)
from bot.views.match_texts import BUTTONS
from bot.views.settings import CHECK

# Translators, from here on: why nothing happened, then what to press instead: an answer that only
# the person sees who pressed or typed something. {opponent} and {challenger} are names.
# Permissions have the names that Discord shows in your language.
REFUSALS: Mapping[RefusalReason, Sentence] = {
    RefusalReason.NOT_A_PLAYER: N_(
        "This isn't your match. Start one in another channel with `/velha start`."
    ),
    # Translators: {join} is a button, in the language of the board.
    RefusalReason.MAY_JOIN: N_("This isn't your match yet. Press **{join}** to take my place."),
    RefusalReason.NOT_YOUR_TURN: N_("It's not your turn."),
    RefusalReason.CELL_TAKEN: N_("That square is taken. Press a free one."),
    RefusalReason.MATCH_OVER: N_("This match is over. Start another with `/velha start`."),
    RefusalReason.MATCH_GOING_ON: N_("This match isn't over yet."),
    RefusalReason.OPEN_CHALLENGE: N_("The challenge hasn't been accepted yet."),
    RefusalReason.NOT_THE_CHALLENGED: N_("Only the person who was challenged can answer."),
    RefusalReason.NOT_THE_CHALLENGER: N_("Only the challenger can cancel the challenge."),
    RefusalReason.SEAT_FOR_OTHERS: N_("That button lets someone else join and play you."),
    RefusalReason.SEAT_TAKEN: N_(
        "It's too late to join. Start a match in another channel with `/velha start`."
    ),
    RefusalReason.REMATCH_ASKED: N_("You've already asked. Now it's up to them."),
    RefusalReason.OUTDATED: N_("That board was out of date. Here's the latest."),
    RefusalReason.HINT_BETWEEN_PEOPLE: N_("Hints are for matches against me."),
    RefusalReason.HINT_OLD: N_(
        "This hint is old. The match has moved on. [Go to the board]({link})"
    ),
    RefusalReason.BOARD_MOVED: N_("The board has moved. [Go to the board]({link})"),
    RefusalReason.BOARD_GONE: N_(
        "Done, but I can't show it here. Bring the board back with `/velha board`."
    ),
    RefusalReason.TIME_IS_UP: N_("Too late, time's up."),
    RefusalReason.UNKNOWN_MATCH: N_("I can't find this match. Start one with `/velha start`."),
    RefusalReason.UNKNOWN_BUTTON: N_(
        "This button no longer works. `/velha help` shows what you can do."
    ),
    RefusalReason.SHARED_ALREADY: N_("You've already shared this one."),
    RefusalReason.SHOWN_ALREADY: N_("I've already asked everyone about this one."),
    RefusalReason.MOMENT_ELSEWHERE: N_(
        "This only works for your last ten matches, in the channel you played them in."
    ),
    RefusalReason.ONLY_TO_LOOK_AT: N_("That one is just for show."),
    # Translators: {at} is written by Discord, such as "21:00".
    RefusalReason.PUZZLE_TO_COME: N_("That puzzle isn't out yet. The next one comes out at {at}."),
    # Translators: {when} is written by Discord, such as "3 weeks ago".
    RefusalReason.NO_PUZZLE_YET: N_("No puzzle that day. The first came out {when}."),
    RefusalReason.CHANNEL_BUSY: N_("This channel already has a match."),
    # Translators: {when} is written by Discord, such as "in 5 minutes".
    RefusalReason.CHALLENGE_HERE: N_(
        "A challenge is open here. {challenger} is waiting for {opponent}. ⏳ {when}"
    ),
    # Translators: {channels} is a list of channels, such as "#games or #bots".
    RefusalReason.BOARDS_ELSEWHERE: N_("In this server, we play in {channels}."),
    RefusalReason.UNKNOWN_OPTION: N_("I don't know one of those options. Pick from the list."),
    RefusalReason.NO_MATCH_HERE: N_(
        "There's no match in this channel. Start one with `/velha start`."
    ),
    RefusalReason.NOTHING_TO_REVIEW: N_(
        "No match has finished here yet. Start one with `/velha start`."
    ),
    RefusalReason.NO_SUCH_GAME: N_(
        "No match has that code. You'll find a match's code in its review."
    ),
    RefusalReason.NO_SERVER_HERE: N_(
        "Only servers have settings. Here, use the options of `/velha start`."
    ),
    RefusalReason.NO_RANKING_HERE: N_(
        "There's no ranking in this server. See your own results with `/velha stats`."
    ),
    RefusalReason.RANKING_IN_SERVERS: N_(
        "Only servers have a ranking. See your own results with `/velha stats`."
    ),
    RefusalReason.NOT_YOURS_TO_SET: N_("Only someone with **Manage Server** can change that."),
    RefusalReason.NOT_YOURS_TO_STOP: N_(
        "Only the players, or someone with **Manage Messages**, can end this match."
    ),
    RefusalReason.OPPONENT_IS_YOU: N_(
        "Against yourself? You'd always win. Challenge someone else."
    ),
    RefusalReason.OPPONENT_IS_A_BOT: N_("Other bots don't play. Challenge a person, or play me."),
    RefusalReason.NO_CHALLENGES: N_(
        "{opponent} isn't taking challenges. Play me with `/velha start`."
    ),
    RefusalReason.STATS_HIDDEN: N_("{opponent} keeps their results private."),
    RefusalReason.STATS_OF_A_BOT: N_("I only keep results for people, not for bots."),
    RefusalReason.OPPONENT_ABSENT: N_(
        "{opponent} can't see this channel. Challenge them in another."
    ),
    RefusalReason.TOO_FAST: N_("That was a lot at once. Try again in a minute."),
    RefusalReason.UNKNOWN_CHANNEL: N_(
        "I can't play in this kind of channel. Try another with `/velha start`."
    ),
    RefusalReason.NEEDS_VIEW_CHANNEL: N_(
        "I can't see this channel. Ask an admin to give me **View Channel**."
    ),
    # Translators: {check} is a button in the settings.
    RefusalReason.NEEDS_CHECK: N_(
        "I can't write here. An admin can see why with `/velha settings`, under **{check}**."
    ),
    RefusalReason.NEEDS_SEND_MESSAGES: N_(
        "I can't write here. Ask an admin to give me **Send Messages**."
    ),
    RefusalReason.NEEDS_SEND_IN_THREADS: N_(
        "I can't write in threads. Ask an admin to give me **Send Messages in Threads**."
    ),
    RefusalReason.NEEDS_EXTERNAL_APPS: N_(
        "I'm not a member of this server. Ask an admin to allow **Use External Apps**."
    ),
    RefusalReason.SUPERSEDED: N_("You've moved on, so I skipped this."),
    RefusalReason.TOO_BUSY: N_(
        "I've got too much to think about right now. Nothing's lost. Try again in a moment."
    ),
    # Translators: its memory is the database.
    RefusalReason.STORE_UNAVAILABLE: N_(
        "I can't reach my memory right now. Nothing's lost. Try again in a moment."
    ),
    RefusalReason.BROKEN: N_(
        "Something went wrong on my side, and I've made a note of it. Try again."
    ),
}


# Translators, from here on: below such an answer; a button has about 25 letters.
# Translators: a button that ends one's own match in the channel, and starts another there.
RESTART = NC_("button", "End mine, play here")

# Translators: a button that ends a match of someone else's that stands still, and starts one.
PLAY_HERE = NC_("button", "Play here")

# Translators: a button that starts the match that was asked for on a board that nobody else sees.
PLAY_PRIVATELY = NC_("button", "Play in private")

# Translators: what to do where no match can be started; with a match that "counts", one gets on.
COUNTS_IN_THREAD = N_(
    "For a match that counts, type `/velha start` in a thread or in a direct message to me."
)

COUNTS_IN_DM = N_("For a match that counts, type `/velha start` in a direct message to me.")

MAKE_THREAD = N_("Make a thread, and type `/velha start` there.")

# Translators: above a button that ends one's own match here.
RESTART_LOSES = N_("If you end yours, you lose it.")

CHANNEL_BUSY_REASONS = (RefusalReason.CHANNEL_BUSY, RefusalReason.CHALLENGE_HERE)
"""The refusals whose match is in the way."""


def refusal_sentence(language: Language, refused: Refused) -> str:
    """Why nothing happened."""
    return language.say(
        REFUSALS[refused.reason],
        channels=language.any_channel(refused.channels),
        check=language.say(CHECK),
        **_match_values(language, refused),
    )


def _match_values(language: Language, refused: Refused) -> dict[str, str]:
    """The placeholders that a match fills; without one, its person and time do."""
    mention = language.mention
    match = refused.match
    if match is None:
        return {
            "link": "",
            "join": language.say(BUTTONS[MatchAction.JOIN]),
            "challenger": "",
            "opponent": mention(refused.person_id or DELETED_USER_ID),
            "when": relative_timestamp(refused.until) if refused.until else "",
            "at": time_timestamp(refused.until) if refused.until else "",
        }
    return {
        "link": match.place.link,
        "join": language_for(match.place.locale).say(BUTTONS[MatchAction.JOIN]),
        "challenger": mention(match.opened_by),
        "opponent": mention(match.challenged_id),
        "when": relative_timestamp(match.deadline_at),
    }


def is_offered_more(refused: Refused) -> bool:
    """Whether a refusal comes with buttons: a match was not opened."""
    return refused.reason in CHANNEL_BUSY_REASONS or _private_page(refused) is not None


def _private_page(refused: Refused) -> PrivatePage | None:
    """The private match in place of one against the bot that was not opened."""
    unopened = refused.unopened
    if unopened is None or unopened.is_between_people:
        return None
    return new_private(unopened)


def not_opened_view(
    refused: Refused, user_id: int, language: Language, *, can_make_thread: bool
) -> ui.LayoutView:
    """Why a match was not opened, and what one can do instead."""
    lines, buttons = [refusal_sentence(language, refused)], [*_instead(refused, user_id, language)]
    if _loses_own(refused, user_id):
        lines.append(language.say(RESTART_LOSES))
    is_busy = refused.reason in CHANNEL_BUSY_REASONS
    if _private_page(refused) is None:
        lines += [language.say(MAKE_THREAD)] if can_make_thread else []
    elif refused.unopened is not None and refused.unopened.place.guild_id is not None:
        # A thread is of its channel, where boards may not be allowed.
        advice = COUNTS_IN_THREAD if can_make_thread and is_busy else COUNTS_IN_DM
        lines.append(language.say(advice))
    return container_view(
        "\n".join(lines),
        *[ui.ActionRow[Any](*buttons)] if buttons else [],
        symbols=language.symbols,
        colour=discord.Colour.light_grey(),
    )


def _instead(refused: Refused, user_id: int, language: Language) -> Iterator[ui.Button[Any]]:
    """A private match, the board of the match in the way, and one that takes its place."""
    say = language.say
    if page := _private_page(refused):
        yield button(custom_id(page, 0), label=say(PLAY_PRIVATELY), style=ButtonStyle.primary)
    match, request = refused.match, refused.request
    if match is None:
        return
    yield ui.Button(url=match.place.link, label=say(GO_TO_BOARD))
    if request and _makes_way(refused, user_id):
        restart = RestartPage(match.id, request.rules, request.level, request.first)
        label = PLAY_HERE if match.mark_of(user_id) is None else RESTART
        yield button(custom_id(restart, 0), label=say(label))


def _makes_way(refused: Refused, user_id: int) -> bool:
    """Whether the match in the way can be ended for the one that was asked for."""
    match, request = refused.match, refused.request
    if match is None or request is None or request.opponent_id is not None:
        return False
    return match.mark_of(user_id) is not None or refused.gives_way


def _loses_own(refused: Refused, user_id: int) -> bool:
    """Whether ending the match in the way is a loss of the person's own."""
    match = refused.match
    is_in_play = match is not None and match.mark_of(user_id) is not None and bool(match.moves)
    return is_in_play and _makes_way(refused, user_id)
