"""The path in words: what passes a stop, and where someone is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.domain.matches import Match, Setup, Trail
from bot.domain.path import (
    GOALS,
    SECOND_MARKS,
    STOPS,
    Path,
    Progress,
    is_passed,
    next_goal,
    stops_passed,
)
from bot.views.i18n import LEVELS, N_, Language, Sentence
from engine import TIC_TAC_TOE, Level, Mark, Rules

# Translators, from here on: a stop of the path, in a list and under a board. {game} is a short name
# such as "3x3" or "infinite", {level} of a level.
_BEAT_ME: Mapping[Mark | None, Sentence] = {
    None: N_("Beat me at {game}, *{level}*"),
    Mark.X: N_("Beat me at {game}, *{level}*, going first"),
    Mark.O: N_("Beat me at {game}, *{level}*, going second"),
}

_DRAW_ONCE: Mapping[Mark | None, Sentence] = {
    Mark.X: N_("Draw with me at {game}, *{level}*, going first"),
}

_DRAW_TWICE: Mapping[Mark | None, Sentence] = {
    Mark.X: N_("Draw with me twice at {game}, *{level}*, going first"),
    Mark.O: N_("Draw with me twice at {game}, *{level}*, going second"),
}

_PLACES: Mapping[Mark | None, Sentence] = {
    None: N_("{game}, *{level}*"),
    Mark.X: N_("{game}, *{level}*, going first"),
    Mark.O: N_("{game}, *{level}*, going second"),
}

# Translators: how many of a whole: of the path's stops those passed, or of the draws that pass a
# stop those that count, such as "1 of 2".
_OF_ALL = N_("{n} of {total}")

# Translators: how many of the stops of the path someone has passed.
_SO_FAR = N_("{n} of {total} on the path")

# Translators: said once, after the last stop of the path, each of which has a second, harder mark.
_PATH_DONE = N_("The path is done! Now there are ⭐ to win on the same boards.")

_STOPS_AHEAD = 3
"""How many of the stops that are not passed are shown."""

# Translators, from here on: small print under a board; a stop is one of the path.
_GOALS_AGAINST: Mapping[int, Sentence] = {
    0: N_("to pass this stop, win without hints"),
    2: N_("to pass this stop, win once or draw twice, without hints"),
    3: N_("to pass this stop, win once or draw three times, without hints"),
}

_GOALS_UNBEATABLE: Mapping[int, Sentence] = {
    1: N_("to pass this stop, draw without hints"),
    2: N_("to pass this stop, draw twice without hints"),
}


def board_name(language: Language, rules: Rules) -> str:
    """A board by a name that fits a button."""
    if rules.repeats or rules.lines_lose or rules == TIC_TAC_TOE:
        return language.game_name(rules)
    return f"{rules.columns}x{rules.rows} ({rules.in_a_row})"


def stop_name(language: Language, goal: Setup) -> str:
    """A goal by its board, its level and, if that matters, its side."""
    return _fill(language, _PLACES, goal)


def goal_sentence(language: Language, goal: Setup) -> str:
    """What to do at a goal, in one sentence."""
    draws = GOALS[goal]
    if _is_unbeatable(goal):
        return _fill(language, _DRAW_ONCE if draws == 1 else _DRAW_TWICE, goal)
    sentence = _fill(language, _BEAT_ME, goal)
    if not draws:
        return sentence
    # Translators: behind what to do at a stop of the path.
    passes = language.ngettext("({n} draw will do)", "({n} draws will do)", draws)
    return f"{sentence} {passes}"


def _fill(language: Language, sentences: Mapping[Mark | None, Sentence], goal: Setup) -> str:
    game, level = board_name(language, goal.rules), language.say(LEVELS[goal.level])
    return language.say(sentences[goal.mark], game=game, level=level)


def live_notes(language: Language, match: Match) -> Iterator[str]:
    """What passes the goal of a match that goes on, while that is possible, and how far it is."""
    goal = match.trail and match.trail.goal
    if match.trail is None or goal is None or goal not in GOALS:
        return
    if match.hints:
        yield language.say(N_("just for fun after a hint"))
        return
    sentences = _GOALS_UNBEATABLE if _is_unbeatable(goal) else _GOALS_AGAINST
    yield language.say(sentences[GOALS[goal]])
    yield from _draws(language, goal, match.trail.draws)


def trail_lines(language: Language, trail: Trail) -> Iterator[str]:
    """Where a person is on the path after a match, and what is next."""
    say, goal, following = language.say, trail.goal, trail.following
    if trail.stops is None or goal is None or goal not in GOALS:
        return
    if following and following.level is Level.CHILD:
        level = say(LEVELS[following.level])
        yield say(N_("Fancy a break? One match on *{level}*, just for fun."), level=level)
    elif not trail.is_passed:
        notes = [goal_sentence(language, goal), *_draws(language, goal, trail.draws)]
        yield f"▶️ {' · '.join(notes)}"
    elif goal in STOPS and following in SECOND_MARKS:
        yield f"🏁 {say(_PATH_DONE)}"
    elif goal in STOPS:
        yield f"✅ {say(_SO_FAR, n=trail.stops, total=len(STOPS))}"
    if trail.is_passed and following is not None:
        yield f"▶️ {goal_sentence(language, following)}"


def path_lines(language: Language, path: Path) -> Iterator[str]:
    """How far somebody is, the next stop with what passes it, and the two after it."""
    so_far = [language.say(_OF_ALL, n=stops_passed(path), total=len(STOPS))]
    if stars := sum(is_passed(path, goal) for goal in SECOND_MARKS):
        so_far.append(f"⭐ {stars}")
    yield " · ".join(so_far)
    following = next_goal(path)
    for stop in [stop for stop in STOPS if not is_passed(path, stop)][:_STOPS_AHEAD]:
        if stop == following:
            draws = path.get(stop, Progress()).draws
            notes = [f"**{goal_sentence(language, stop)}**", *_draws(language, stop, draws)]
            yield f"▶️ {' · '.join(notes)}"
        else:
            yield f"▫️ {stop_name(language, stop)}"
    if following is not None and following in SECOND_MARKS:
        yield f"⭐ {goal_sentence(language, following)}"


def _draws(language: Language, goal: Setup, draws: int) -> Iterator[str]:
    """How many draws count for a goal that is not passed, if any."""
    if 0 < draws < GOALS[goal]:
        n, total = language.number(draws), language.number(GOALS[goal])
        yield language.say(_OF_ALL, n=n, total=total)


def _is_unbeatable(goal: Setup) -> bool:
    """Whether the bot cannot be beaten there, so that draws are the best possible result."""
    return goal.level is Level.IMPOSSIBLE and GOALS[goal] > 0
