"""What is said of a match: lines and notes under its board, and the labels of its buttons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.domain.analysis import has_turned, key_ply_of, mark_at
from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import MatchAction
from bot.domain.matches import (
    Ending,
    EndReason,
    HeadToHead,
    Match,
    Player,
    Setup,
    head_to_head_after,
)
from bot.domain.path import SECOND_MARKS, STOPS
from bot.domain.rematches import has_bot_won
from bot.views.i18n import (
    GAME_RULES,
    LEVELS,
    N_,
    NC_,
    Language,
    Sentence,
    relative_timestamp,
)
from bot.views.path import board_name, live_notes, stop_name
from bot.views.symbols import SYMBOLS
from engine import MISERE, TIC_TAC_TOE, Level, Mark

FIRST_WINS = [goal for goal in STOPS if goal.mark is None]
"""The stops where a win that passes is a first win: with a side, there may have been others."""

# Translators, from here on: how a match ended: a line under its board, which everyone in the
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
    EndReason.STOPPED: N_("A moderator ended the match, so it doesn't count."),
    EndReason.LEFT: N_("A player left the game, so this match doesn't count."),
    EndReason.DECLINED: N_("{challenged} declined {challenger}'s challenge."),
    EndReason.CANCELLED: N_("{challenger} cancelled the challenge to {challenged}."),
    EndReason.LAPSED: N_("{challenged} didn't answer {challenger}'s challenge."),
}

LOSER_SENTENCES: dict[EndReason, Sentence] = {
    EndReason.RESIGNED: N_("{loser} resigned."),
    EndReason.TIMED_OUT: N_("{loser} ran out of time."),
}

BOT_WINS = N_("I win this time.")

BOT_IS_BEATEN = N_("{winner} got me!")

# Translators: small print under a draw against the bot, to someone who is new to it. Where people
# call a draw something else, say what Brazil calls it: it is the bot's name.
NAMED_AFTER_DRAWS = N_("-# In Brazil, a draw is called *velha*. That's me.")

# Translators: under every third draw between the same two people.
ANOTHER_DRAW = N_("Another draw. You two know each other.")

# Translators: how a match of the reverse game ends.
MADE_THE_LINE = N_("{loser} made three in a row, and here that loses.")

HEADING_EMOJIS: Mapping[EndReason, str] = {
    EndReason.WON: "🏆",
    EndReason.RESIGNED: "🏆",
    EndReason.TIMED_OUT: "🏆",
    EndReason.DRAWN: "🤝",
}
"""The endings that are announced in a heading, and the emoji that it starts with."""

FEAT = N_("A draw against *{level}*. Respect!")

# Translators: said once, when someone passes a stop of the path by their first win there. {player}
# is a name, {stop} a board and a level, such as "infinite, *easy*".
FIRST_WIN = N_("First win for {player} at {stop}!")

# Translators: said once, when someone passes a stop of the path. {player} is a name, {stop} a
# board, a level and perhaps a side, such as "3x3, *hard*, going first".
PASSED = N_("{player} has passed {stop}!")

MADE_WAY = N_("This match had gone quiet, so a new one took its place.")

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
    # Translators: under a challenge that was declined, or not answered.
    MatchAction.CHALLENGE: NC_("button", "Challenge again"),
    # Translators: on a board between two people: switches reminders of one's turns, in all matches.
    MatchAction.REMIND: NC_("button", "Remind me"),
    # Translators: on a board against the bot; the person who presses it plays in the bot's place.
    MatchAction.JOIN: NC_("button", "Join"),
}

# Translators: on a board: the person who presses it gets the puzzle of the day.
PUZZLE = NC_("button", "Puzzle")

# Translators: on a board; the person who presses it goes through the match, move by move.
REVIEW = NC_("button", "Review")


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
        "You ended the match as a moderator, so it doesn't count. [Go to the board]({link})"
    ),
    EndReason.LEFT: ENDINGS[EndReason.LEFT],
}

# Translators: [text]({link}) is a link to the message; translate the text.
STOPPED_CHALLENGE = N_("You ended the challenge as a moderator. [Go to the challenge]({link})")


# Translators, from here on: on a board, which everyone in the channel reads. {player} is a name,
# {level} of a level.
def players_line(language: Language, match: Match) -> str:
    """Who plays whom; and which game, if it is not the usual one."""
    players = language.versus(_player(language, match.x), _player(language, match.o))
    if match.rules == TIC_TAC_TOE:
        return f"**{players}**"
    return f"**{language.game_name(match.rules)}**\n**{players}**"


def _player(language: Language, player: Player) -> str:
    if player.level is None:
        return language.mention(player.user_id)
    return f"{language.mention(player.user_id)} ({language.say(LEVELS[player.level])})"


def status_line(language: Language, match: Match) -> str:
    """Whose turn it is and until when, or how it ended."""
    if match.ending is not None:
        return _ending(language, match, match.ending)
    if not match.is_between_people:
        return language.say(
            N_("{symbol} {player}'s turn"),
            symbol=SYMBOLS[match.board.to_move],
            player=language.mention(match.players[match.board.to_move].user_id),
        )
    return language.say(
        # Translators: {symbol} is ❌ or ⭕, here and everywhere. {when} is written by Discord, such
        # as "in 5 minutes".
        N_("{symbol} {player}'s turn · ⏳ {when}"),
        symbol=SYMBOLS[match.board.to_move],
        player=language.mention(match.players[match.board.to_move].user_id),
        when=relative_timestamp(match.deadline_at),
    )


def challenge_line(language: Language, match: Match) -> str:
    return language.say(
        # Translators: {when} is written by Discord, such as "in 5 minutes".
        N_("{challenged}, {challenger} challenges you to tic-tac-toe! ⏳ {when}"),
        challenged=language.mention(match.challenged_id),
        challenger=language.mention(match.opened_by),
        when=relative_timestamp(match.deadline_at),
    )


def _ending(language: Language, match: Match, ending: Ending) -> str:
    say, reason = language.say, ending.reason
    names = _names(language, match, ending.winner)
    if reason is EndReason.STOPPED and not match.accepted:
        return say(CHALLENGE_STOPPED)
    if _made_way(match):
        return say(MADE_WAY)
    if reason is EndReason.RESIGNED and not match.moves:
        return say(RESIGNED_UNPLAYED, **names)
    lines = result_lines(language, match, ending)
    if reason is EndReason.DRAWN:
        lines += _draw_lines(language, match)
    lines += _decision(language, match)
    return "\n".join(lines)


def _draw_lines(language: Language, match: Match) -> Iterator[str]:
    """What else there is to say about a draw, once in a while."""
    say, score = language.say, _head_to_head(match)
    if match.bot_level is Level.IMPOSSIBLE and not match.hints:
        yield say(FEAT, level=say(LEVELS[Level.IMPOSSIBLE]))
    elif match.trail and match.trail.stops == 0:
        yield say(NAMED_AFTER_DRAWS)
    elif score and score.drawn % 3 == 0:
        yield say(ANOTHER_DRAW)


def result_lines(language: Language, match: Match, ending: Ending) -> list[str]:
    """Who won, and how."""
    names = _names(language, match, ending.winner)
    lines = [*_headings(language, match, ending, names)]
    if ending.reason in LOSER_SENTENCES:
        lines.append(language.say(LOSER_SENTENCES[ending.reason], **names))
    elif ending.reason is EndReason.WON and match.rules == MISERE:
        lines.append(language.say(MADE_THE_LINE, **names))
    return lines


def _decision(language: Language, match: Match) -> Iterator[str]:
    """The move that decided a match against the bot or, if the bot has won, that one did."""
    review = language.say(REVIEW)
    if ply := key_ply_of(match):
        yield language.say(
            # Translators: {cell} is a move, such as "⭕ B2"; {review} is a button.
            N_("💡 {cell} decided it. **{review}** shows how."),
            cell=f"{SYMBOLS[mark_at(ply)]} {match.rules.coordinate(match.moves[ply - 1])}",
            review=review,
        )
    elif has_bot_won(match) and has_turned(match):
        yield language.say(N_("Press **{review}** to see where the match turned."), review=review)


def _headings(
    language: Language, match: Match, ending: Ending, names: Mapping[str, str]
) -> Iterator[str]:
    """Who won or what was passed; of a draw, both."""
    passed = _passed(language, match, ending)
    if passed and ending.winner:
        yield f"## {passed}"
        return
    yield _heading(language, match, ending, names)
    if passed:
        yield passed


def _passed(language: Language, match: Match, ending: Ending) -> str | None:
    """The stop of the path that a match has passed, or its second mark."""
    goal = match.trail.goal if match.trail and celebrates_goal(match) else None
    if goal is None:
        return None
    sentence = FIRST_WIN if ending.winner and goal in FIRST_WINS else PASSED
    player = language.mention(match.players[match.person_mark].user_id)
    text = language.say(sentence, player=player, stop=stop_name(language, goal))
    return f"{'⭐' if goal in SECOND_MARKS else '🎉'} {text}"


def _heading(language: Language, match: Match, ending: Ending, names: Mapping[str, str]) -> str:
    say = language.say
    if has_bot_won(match):
        return f"## {say(BOT_WINS)}"
    is_beaten = match.bot_level and ending.reason is EndReason.WON
    text = say(BOT_IS_BEATEN if is_beaten else ENDINGS[ending.reason], **names)
    emoji = HEADING_EMOJIS.get(ending.reason)
    return f"## {emoji} {text}" if emoji else text


def _names(language: Language, match: Match, winner: Mark | None) -> dict[str, str]:
    """The people of a match, by the placeholders that sentences about its end have."""
    mention = language.mention
    return {
        "winner": mention(match.players[winner].user_id) if winner else "",
        "loser": mention(match.players[winner.other].user_id) if winner else "",
        "challenged": mention(match.challenged_id),
        "challenger": mention(match.opened_by),
    }


def rematch_request(language: Language, user_id: int) -> str:
    return language.say(N_("{player} wants a rematch."), player=language.mention(user_id))


# Translators, from here on: small print under a board, several notes in one line: short, without a
# full stop.
def footnote(language: Language, match: Match) -> str | None:
    """What buttons show by colour only, and other facts, in small print; None if nothing."""
    ngettext = language.ngettext
    # Once a mark is about to vanish, saying so explains the rule.
    notes = language.vanishing_next(match.board) if match.is_live else []
    if match.rules in GAME_RULES and not notes:
        notes.append(language.rules(match.rules))
    if match.is_live:
        notes += live_notes(language, match)
    if joined_by := _joined_by(match):
        notes.append(language.say(N_("{player} has joined"), player=language.mention(joined_by)))
    notes += draw_notes(language, match)
    if not match.is_live and match.moves:
        notes.append(ngettext("after {n} move", "after {n} moves", len(match.moves)))
    if match.moves:
        notes.append(last_move_or_line(language, match))
    if not match.is_live and match.hints:
        notes.append(ngettext("with {n} hint", "with {n} hints", match.hints))
    return f"-# {' · '.join(notes)}" if notes else None


def draw_notes(language: Language, match: Match) -> Iterator[str]:
    """How many moves are left, once a draw by their number is near."""
    if match.is_live and (plies_left := match.board.draw_in_plies):
        yield language.ngettext(
            "{n} move left before a draw", "{n} moves left before a draw", plies_left
        )


def last_move_or_line(language: Language, match: Match) -> str:
    if match.outcome and match.outcome.line:
        line = language.cells(match.rules, match.outcome.line)
        # Translators: the cells in a row that decided the match.
        return language.say(N_("line: {cells}"), cells=line)
    return language.say(
        N_("last move: {symbol} {cell}"),
        symbol=SYMBOLS[match.board.to_move.other],
        cell=match.rules.coordinate(match.moves[-1]),
    )


def puzzle_line(language: Language) -> str:
    """A line that leads to the puzzle of the day: true also for who has solved it."""
    new = language.say(N_("there's a new puzzle today"))
    return f"-# 🧩 {new}"


# Translators, from here on: on a board, or an answer to one person. A label of a button has about
# 12 letters.
def score_line(language: Language, match: Match) -> str | None:
    """The score between two people; None if they have none, or it may not be shown."""
    score = _head_to_head(match)
    return language.head_to_head(match.x.user_id, match.o.user_id, score) if score else None


def _head_to_head(match: Match) -> HeadToHead | None:
    if DELETED_USER_ID in (match.x.user_id, match.o.user_id):
        return None
    have_met = match.head_to_head is not None and match.head_to_head.matches > 0
    return head_to_head_after(match) if have_met else None


def next_label(language: Language, match: Match, following: Setup) -> str:
    """The label of a button for a match at another level, or on another board."""
    if following in SECOND_MARKS:
        return f"⭐ {board_name(language, following.rules)}"
    if following.rules != match.rules:
        return f"▶ {board_name(language, following.rules)}"
    levels = list(Level)
    rises = match.bot_level and levels.index(following.level) - levels.index(match.bot_level)
    arrow = "▶" if not rises else "▲" if rises > 0 else "▼"
    return f"{arrow} {language.say(LEVELS[following.level])}"


def resign_question(language: Language, match: Match) -> str:
    if not match.moves:
        return language.say(N_("Really resign?"))
    return language.say(N_("Really resign? You'd lose the match."))


def stop_confirmation(language: Language, match: Match) -> str:
    """How a match ended, for the person who ended it."""
    assert match.ending is not None, "it was ended"
    is_challenge = match.ending.reason is EndReason.STOPPED and not match.accepted
    sentence = STOPPED_CHALLENGE if is_challenge else STOPPED[match.ending.reason]
    return language.say(sentence, link=match.place.link)


def move_confirmation(language: Language, cell: str, link: str) -> str:
    return language.say(
        # Translators: {cell} is a move by its cell, such as B2.
        N_("You played **{cell}**. [Go to the board]({link})"),
        cell=cell,
        link=link,
    )


def _joined_by(match: Match) -> int | None:
    """The person who has taken the bot's seat, until the next move but one."""
    has_joined = match.is_open and match.is_between_people and match.is_live
    return match.challenged_id if has_joined and len(match.moves) <= 1 else None


def celebrates_goal(match: Match) -> bool:
    """Whether to celebrate that a match has passed its goal: not of somebody unknown."""
    has_passed = match.trail is not None and match.trail.is_passed
    return has_passed and match.mark_of(DELETED_USER_ID) is None


def _made_way(match: Match) -> bool:
    """Whether a match was called off before its time was up."""
    if match.ending is None or match.ending.reason is not EndReason.CALLED_OFF:
        return False
    return match.ended_at is not None and match.ended_at < match.deadline_at
