"""The leaderboards of servers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from discord import ui
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bot.domain.matches import HeadToHead
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import Leaderboard, RankingPage, Standing, Standings
from bot.features import settings
from bot.features.choices import is_hidden
from bot.runtime.context import Context
from bot.store.schema import IS_OF_A_MONTH, ranks, server_scores
from bot.views.ranking import ranking_view

ScoreKey = tuple[int, str, int]
"""Server id, leaderboard's name and user id: the primary key of `ranks`."""

LEADERBOARD_SIZE = 10

_PRUNE_BATCH_SIZE = 1_000


async def show(context: Context, page: RankingPage) -> ui.LayoutView:
    """Show one of a server's leaderboards, or the one with the most people."""
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
    connection: Connection,
    guild_id: int,
    leaderboard: Leaderboard | None,
    asker_id: int,
    today: date,
) -> Standings:
    """The best of a server, then the asker if they have a lower place; hidden people have none.

    Without a leaderboard, it is the one with the most people.

    Raises:
        Refused: The server has switched rankings off.
    """
    if not settings.load(connection, guild_id).has_ranking:
        raise Refused(RefusalReason.NO_RANKING_HERE)
    wanted = [leaderboard] if leaderboard else list(Leaderboard)
    found = [_load(connection, _chart(one, guild_id, today), one, asker_id) for one in wanted]
    return max(found, key=lambda standings: len(standings.lines))


class _Chart(NamedTuple):
    """The rows of a leaderboard, the columns of its scores, and these from the best one down."""

    table: Table
    is_shown: ColumnElement[bool]
    columns: tuple[Column[int], ...]
    order: tuple[ColumnElement[int], ...]
    score: Callable[..., int | HeadToHead]

    def is_better(self, score: tuple[int, ...]) -> ColumnElement[bool]:
        """Whether a row's score is better than another."""
        better: ColumnElement[bool] = false()
        for column, value in reversed([*zip(self.columns, score, strict=True)]):
            is_more = column < value if column is server_scores.c.lost else column > value
            better = or_(is_more, and_(column == value, better))
        return better


def _chart(leaderboard: Leaderboard, guild_id: int, today: date) -> _Chart:
    if leaderboard is Leaderboard.FRIENDS:
        is_shown = and_(server_scores.c.guild_id == guild_id, ~is_hidden(server_scores.c.user_id))
        won, drawn, lost = server_scores.c.won, server_scores.c.drawn, server_scores.c.lost
        order = (won.desc(), drawn.desc(), lost.asc())
        return _Chart(server_scores, is_shown, (won, drawn, lost), order, HeadToHead)
    is_shown = and_(
        ranks.c.guild_id == guild_id,
        ranks.c.chart == leaderboard.on(today),
        ~is_hidden(ranks.c.user_id),
    )
    return _Chart(ranks, is_shown, (ranks.c.score,), (ranks.c.score.desc(),), int)


def _load(
    connection: Connection, chart: _Chart, leaderboard: Leaderboard, asker_id: int
) -> Standings:
    lines = _best(connection, chart)
    if asker_id not in {line.user_id for line in lines}:
        lines += _line_of(connection, chart, asker_id)
    return Standings(leaderboard, tuple(lines), asker_id)


def _best(connection: Connection, chart: _Chart) -> list[Standing]:
    user_id = chart.table.c.user_id
    query = (
        select(user_id, *chart.columns)
        .where(chart.is_shown)
        .order_by(*chart.order, user_id)
        .limit(LEADERBOARD_SIZE)
    )
    rows = [(row[0], chart.score(*row[1:])) for row in connection.execute(query)]
    scores = [score for _user_id, score in rows]
    return [Standing(1 + scores.index(score), user_id, score) for user_id, score in rows]


def _line_of(connection: Connection, chart: _Chart, user_id: int) -> list[Standing]:
    """A person's line in a leaderboard; empty if they have none."""
    query = select(*chart.columns).where(chart.is_shown, chart.table.c.user_id == user_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return []
    is_better = chart.is_better(tuple(row))
    count = select(func.count()).select_from(chart.table).where(chart.is_shown, is_better)
    place = 1 + connection.execute(count).scalar_one()
    return [Standing(place, user_id, chart.score(*row))]


def server_scores_of(
    connection: Connection, guild_id: int, user_ids: Collection[int]
) -> dict[int, HeadToHead]:
    """The results of some people against people in a server, by the ids of those who have any."""
    query = select(server_scores).where(
        server_scores.c.guild_id == guild_id, server_scores.c.user_id.in_(user_ids)
    )
    return {row.user_id: _score(row) for row in connection.execute(query)}


def server_scores_everywhere(connection: Connection, user_id: int) -> dict[int, HeadToHead]:
    """A person's results against people, by the id of the server."""
    query = select(server_scores).where(server_scores.c.user_id == user_id)
    return {row.guild_id: _score(row) for row in connection.execute(query)}


def _score(row: Row[Any]) -> HeadToHead:
    return HeadToHead(row.won, row.drawn, row.lost)


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
