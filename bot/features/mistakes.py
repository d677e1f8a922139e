"""Mistakes to try again: of a game that is reviewed, or one's own in one's last matches.

Nothing is stored.
"""

from __future__ import annotations

from dataclasses import replace

from discord import ui
from sqlalchemy import Connection

from bot.domain.analysis import Game
from bot.domain.mistakes import Mistake, MistakeEnd, MistakePage, find_mistake
from bot.domain.path import usual_setup
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import LastMatches
from bot.features import path, settings
from bot.features.analysis import load_game
from bot.features.stats import load_last_matches
from bot.runtime.context import Context
from bot.runtime.engine_pool import EnginePool
from bot.views.mistakes import mistake_end_view, mistake_view
from engine import Level


async def show(context: Context, page: MistakePage) -> ui.LayoutView:
    """Show a mistake, or the next one; after the last one, the score."""
    find = _find_in_review if page.in_review else _find_in_last_matches
    found = await find(context, page)
    if isinstance(found, MistakeEnd):
        return mistake_end_view(found, context.language)
    return mistake_view(await with_answer(found, context.runtime.engine), context.language)


async def _find_in_review(context: Context, page: MistakePage) -> Mistake | MistakeEnd:
    assert page.game is not None, "it is reviewed"
    game = await load_game(context, page.game)
    mistake = find_mistake(page, page.game, game.verdicts, game.side)
    return MistakeEnd(page, game) if mistake is None else with_play_on(mistake, game)


async def _find_in_last_matches(context: Context, page: MistakePage) -> Mistake | MistakeEnd:
    last_matches = await context.read(load_last_matches, context.user_id, context.place)
    mistake = await find_own(page, last_matches, context.runtime.engine)
    if mistake is not None:
        return mistake
    if page.met or not last_matches.matches:
        return MistakeEnd(page)
    level = await context.read(_level_to_play, context.user_id, context.guild_id)
    return MistakeEnd(page, level=level)


def _level_to_play(connection: Connection, user_id: int, guild_id: int | None) -> Level:
    guild_settings = settings.load(connection, guild_id)
    if guild_settings.level is not None:
        return guild_settings.level
    return usual_setup(path.load(connection, user_id), guild_settings.rules).level


async def find_own(
    page: MistakePage, last_matches: LastMatches, engine: EnginePool
) -> Mistake | None:
    """The mistake of a page, or the next one; those of the newest match come first.

    A match that is gone, or no longer among the last, is passed over. Matches are judged one by
    one, up to the first with a mistake.
    """
    for match in last_matches.matches:
        if isinstance(page.game, int) and match.id > page.game:
            continue
        verdicts = await engine.review(match.record)
        mark = match.mark_of(last_matches.user_id)
        if mistake := find_mistake(page, match.id, verdicts, mark):
            game = Game(match.record, verdicts, level=match.bot_level)
            return replace(with_play_on(mistake, game), match=match)
    return None


def with_play_on(mistake: Mistake, game: Game) -> Mistake:
    """A mistake with the private match from before it on."""
    private = game.play_on(mistake.page.ply - 1, mistake.verdict.mark)
    return replace(mistake, play_on=private)


async def with_answer(mistake: Mistake, engine: EnginePool) -> Mistake:
    """A mistake with the verdict on the last try, or on the move to show."""
    verdict, tries = mistake.verdict, mistake.page.tries
    if not set(tries) <= set(verdict.board.actions()):
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if not tries and not mistake.is_shown:
        return mistake
    cell = verdict.best_actions[0] if mistake.is_shown else tries[-1]
    return replace(mistake, answer=await engine.verdict_on(verdict.board, cell))
