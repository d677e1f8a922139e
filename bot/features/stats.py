"""People's results: what is stored, and how it is shown."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import fields
from datetime import date

from discord import ui
from sqlalchemy import (
    Connection,
    RowMapping,
    bindparam,
    or_,
    select,
)

from bot.domain.matches import HeadToHead, Match, Place
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import (
    LastMatches,
    Stats,
    StatsPage,
    Tally,
    TallyKey,
    was_played_in,
    without_opponent,
)
from bot.features import choices, path, puzzles
from bot.features.settings import language_in
from bot.messaging.interactions import Person
from bot.runtime.context import Context
from bot.store.matches import last_played_by
from bot.store.schema import (
    duels,
    tallies,
)
from bot.views.stats import last_matches_view, stats_view
from engine import Level, rules_named

TALLY_FIELDS = [field.name for field in fields(Tally)]


async def show(context: Context, person: Person | None = None) -> ui.LayoutView:
    """Show a person's results; None is whoever asks."""
    person = person or context.interaction.user
    if not isinstance(person, Person):
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    if person.bot:
        raise Refused(RefusalReason.STATS_OF_A_BOT)
    found = await _load_for(context, person.id)
    return stats_view(found, context.language, is_public=False)


async def post(context: Context, page: StatsPage) -> None:
    """Show everybody a person's results, in the language of the channel."""
    found = await _load_for(context, page.user_id)
    locale = await context.read(language_in, context.place)
    await context.reply.post(stats_view(found, context.language_of(locale), is_public=True))


async def _load_for(context: Context, user_id: int) -> Stats:
    return await context.read(load, user_id, context.user_id, context.today)


async def show_last_matches(context: Context) -> ui.LayoutView:
    """Show a person their own last matches, to review."""
    found = await context.read(load_last_matches, context.user_id, context.place)
    return last_matches_view(found, context.language)


def load(connection: Connection, user_id: int, asker_id: int, today: date) -> Stats:
    """A person's results, and their score against the asker.

    Raises:
        Refused: They are hidden.
    """
    score = HeadToHead()
    if user_id != asker_id:
        if choices.load(connection, user_id).is_hidden:
            raise Refused(RefusalReason.STATS_HIDDEN, person_id=user_id)
        score = head_to_head(connection, asker_id, user_id)
    return Stats(
        asker_id=asker_id,
        user_id=user_id,
        tallies=tallies_of(connection, user_id),
        head_to_head=score,
        puzzles=puzzles.load_stats(connection, user_id),
        today=today,
        path=path.load(connection, user_id),
    )


def load_last_matches(connection: Connection, user_id: int, place: Place) -> LastMatches:
    """A person's newest matches, for themselves to see in a place.

    Opponents who are hidden, or who played elsewhere, are not named: others may see the answer.
    """
    newest = last_played_by(connection, user_id)
    hidden = choices.hidden(connection, {match.opponent_of(user_id) for match in newest})

    def mask_opponent(match: Match) -> Match:
        if not match.is_between_people:
            return match
        if was_played_in(match, place) and match.opponent_of(user_id) not in hidden:
            return match
        return without_opponent(match, user_id)

    return LastMatches(user_id, tuple(map(mask_opponent, newest)))


# Tallies, and scores of one person against another

_TALLIES_OF = (
    select(tallies)
    .where(tallies.c.user_id.in_(bindparam("user_ids")))
    .order_by(*tallies.primary_key)
)

_HEAD_TO_HEAD = select(duels).where(
    duels.c.first_id == bindparam("first"), duels.c.second_id == bindparam("second")
)


def tallies_of(connection: Connection, user_id: int) -> dict[TallyKey, Tally]:
    """A person's results, by key of the tally."""
    return {key: tally for (_, key), tally in read_tallies(connection, [user_id]).items()}


def read_tallies(
    connection: Connection, user_ids: Collection[int]
) -> dict[tuple[int, TallyKey], Tally]:
    """The tallies of some people, without games and levels unknown to this release."""
    found: dict[tuple[int, TallyKey], Tally] = {}
    for row in connection.execute(_TALLIES_OF, {"user_ids": list(user_ids)}).mappings():
        with suppress(KeyError, ValueError):
            level = Level[row["level"]] if row["level"] else None
            key = TallyKey(rules_named(row["rules"]), level, row["hinted"])
            found[row["user_id"], key] = Tally(**{name: row[name] for name in TALLY_FIELDS})
    return found


def head_to_head(connection: Connection, first_id: int, second_id: int) -> HeadToHead:
    """The results of two people against each other, from the first one's side."""
    pair = {"first": min(first_id, second_id), "second": max(first_id, second_id)}
    row = connection.execute(_HEAD_TO_HEAD, pair).mappings().one_or_none()
    found = HeadToHead() if row is None else _from_row(row)
    return found if first_id < second_id else found.reversed_sides


def head_to_heads_of(connection: Connection, user_id: int) -> list[HeadToHead]:
    """A person's results against each opponent, without the opponents' ids."""
    is_in_pair = or_(duels.c.first_id == user_id, duels.c.second_id == user_id)
    query = select(duels).where(is_in_pair).order_by(*duels.primary_key)
    return [
        _from_row(row) if row["first_id"] == user_id else _from_row(row).reversed_sides
        for row in connection.execute(query).mappings()
    ]


def _from_row(row: RowMapping) -> HeadToHead:
    return HeadToHead(row["won"], row["drawn"], row["lost"])
