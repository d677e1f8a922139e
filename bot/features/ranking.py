"""The leaderboards of servers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from discord import ui
from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, tuple_, update

from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import Leaderboard, RankingPage, Standing, Standings
from bot.features import settings
from bot.features.choices import is_hidden
from bot.runtime.context import Context
from bot.store.schema import IS_OF_A_MONTH, ranks
from bot.views.ranking import ranking_view

ScoreKey = tuple[int, str, int]
"""Server id, leaderboard's name and user id: the primary key of `ranks`."""

LEADERBOARD_SIZE = 10

_PRUNE_BATCH_SIZE = 1_000


async def show(context: Context, page: RankingPage) -> ui.LayoutView:
    """Show one of a server's leaderboards."""
    if context.guild_id is None:
        raise Refused(RefusalReason.RANKING_IN_SERVERS)
    standings = await context.read(
        load_standings,
        context.guild_id,
        page.leaderboard,
        context.user_id,
        context.today,
    )
    gone = await _gone(context, context.guild_id, standings.lines)
    return ranking_view(replace(standings, gone=gone), context.language)


async def _gone(context: Context, guild_id: int, lines: Iterable[Standing]) -> frozenset[int]:
    """Those on a leaderboard who have left, if the bot is a member and Discord says so."""
    if not context.interaction.is_guild_integration():
        return frozenset()
    others = {line.user_id for line in lines} - {context.user_id}
    wait_seconds = context.reply.timeouts.members_seconds
    return await context.runtime.members.gone(guild_id, others, wait_seconds)


def load_standings(
    connection: Connection, guild_id: int, leaderboard: Leaderboard, asker_id: int, today: date
) -> Standings:
    """The best of a server, then the asker if they have a lower place; hidden people have none.

    Raises:
        Refused: The server has switched rankings off.
    """
    if not settings.load(connection, guild_id).has_ranking:
        raise Refused(RefusalReason.NO_RANKING_HERE)
    chart = leaderboard.on(today)
    is_shown = and_(
        ranks.c.guild_id == guild_id, ranks.c.chart == chart, ~is_hidden(ranks.c.user_id)
    )
    lines = _best(connection, is_shown)
    if asker_id not in {line.user_id for line in lines}:
        lines += _line_of(connection, is_shown, asker_id)
    return Standings(leaderboard, tuple(lines), asker_id)


def _best(connection: Connection, is_shown: ColumnElement[bool]) -> list[Standing]:
    query = (
        select(ranks.c.user_id, ranks.c.score)
        .where(is_shown)
        .order_by(ranks.c.score.desc(), ranks.c.user_id)
        .limit(LEADERBOARD_SIZE)
    )
    rows = connection.execute(query).all()
    scores = [row.score for row in rows]
    return [Standing(1 + scores.index(row.score), row.user_id, row.score) for row in rows]


def _line_of(connection: Connection, is_shown: ColumnElement[bool], user_id: int) -> list[Standing]:
    """A person's line in the leaderboard of the rows that are shown; empty if they have none."""
    query = select(ranks.c.score).where(is_shown, ranks.c.user_id == user_id)
    score = connection.execute(query).scalar_one_or_none()
    if score is None:
        return []
    count_better = select(func.count()).select_from(ranks).where(is_shown, ranks.c.score > score)
    return [Standing(1 + connection.execute(count_better).scalar_one(), user_id, score)]


def scores_of(connection: Connection, user_id: int) -> list[tuple[int, str, int]]:
    """A person's scores, each as server id, leaderboard's name and score."""
    query = select(ranks.c.guild_id, ranks.c.chart, ranks.c.score)
    rows = connection.execute(query.where(ranks.c.user_id == user_id))
    return [(row.guild_id, row.chart, row.score) for row in rows]


def prune_months(connection: Connection, before: date) -> int:
    """Delete a batch of the points of the months before that of a day; return how many.

    No leaderboard shows them any more.
    """
    month = Leaderboard.MONTH.on(before)
    past = select(*ranks.primary_key).where(IS_OF_A_MONTH, ranks.c.chart < month)
    is_past = tuple_(*ranks.primary_key).in_(past.limit(_PRUNE_BATCH_SIZE))
    return connection.execute(delete(ranks).where(is_past)).rowcount


def add_score(connection: Connection, key: ScoreKey, score: int) -> None:
    """Add to the stored score, in a transaction that has locked the person."""
    is_row = [column == value for column, value in zip(ranks.primary_key, key, strict=True)]
    stored = connection.execute(select(ranks.c.score).where(*is_row)).scalar_one_or_none()
    if stored is None:
        connection.execute(insert(ranks).values((*key, score)))
    else:
        connection.execute(update(ranks).where(*is_row).values(score=stored + score))
