"""Practice: one's own mistakes in one's last matches. Nothing is stored."""

from __future__ import annotations

from dataclasses import replace

from discord import ui
from sqlalchemy import Connection

from bot.domain.practice import (
    Exercise,
    MistakePage,
    PracticeEnd,
    PracticeStep,
    own_mistakes,
)
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import LastMatches
from bot.features import settings
from bot.features.openings import usual_level
from bot.features.stats import load_last_matches
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.views.practice import exercise_view, practice_end_view
from engine import Level


async def practise(context: Context, page: MistakePage) -> ui.LayoutView:
    """Show a person a mistake of theirs, the newest match first; after the last one, the score.

    A match that is gone, or no longer among their last, is passed over.
    """
    last_matches = await context.read(load_last_matches, context.user_id, context.place)
    exercise = await find_exercise(page, last_matches, context.runtime.engine)
    if exercise is not None:
        return exercise_view(exercise, context.language)
    end = PracticeEnd(page.met, page.right)
    if last_matches.matches and not page.met:
        level = await context.read(_level_to_play, context.user_id, context.guild_id)
        end = replace(end, level=level)
    return practice_end_view(end, context.language)


def _level_to_play(connection: Connection, user_id: int, guild_id: int | None) -> Level:
    return usual_level(connection, user_id, settings.load(connection, guild_id))


async def find_exercise(
    page: MistakePage, last_matches: LastMatches, engine: EnginePool
) -> Exercise | None:
    """The mistake of a page, or the next one; None if there is none.

    Matches are judged one by one, up to the first with a mistake.

    Raises:
        Refused: No button leads to the page.
    """
    user_id = last_matches.user_id
    for match in last_matches.matches:
        if page.match_id is not None and match.id > page.match_id:
            continue
        verdicts = await engine.review(match.record)
        plies = own_mistakes(verdicts, match.mark_of(user_id))
        is_same = match.id == page.match_id
        if is_same and page.step is not PracticeStep.NEXT:
            if page.ply not in plies:
                raise Refused(RefusalReason.UNKNOWN_BUTTON)
            exercise = Exercise(page, user_id, match, verdicts[page.ply - 1])
            return await _with_answer(exercise, engine)
        for ply in plies:
            if not is_same or ply > page.ply:
                first = MistakePage(PracticeStep.TRY, match.id, ply, (), page.met, page.right)
                return Exercise(first, user_id, match, verdicts[ply - 1])
    return None


async def _with_answer(exercise: Exercise, engine: EnginePool) -> Exercise:
    """An exercise with the verdict on the last try, or on the move to show."""
    mistake, tries = exercise.mistake, exercise.page.tries
    if not set(tries) <= set(mistake.board.actions()):
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if not tries and not exercise.is_shown:
        return exercise
    cell = mistake.best_actions[0] if exercise.is_shown else tries[-1]
    answer = await engine.verdict_on(mistake.board, cell)
    return replace(exercise, answer=answer)
