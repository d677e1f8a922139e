"""The table of matches: one at a time, and in batches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    RowMapping,
    Select,
    Update,
    bindparam,
    case,
    delete,
    func,
    insert,
    null,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID, snowflake_time
from bot.domain.match_actions import end_by_moderator, expire, leave
from bot.domain.matches import Ending, EndReason, HeadToHead, Match, Place, Player
from bot.store.database import Database
from bot.store.schema import (
    CHANGE_COLUMNS,
    IS_LIVE,
    IS_UNCOUNTED,
    IS_UNPLAYED,
    JOIN_COLUMNS,
    matches,
)
from engine import Cell, Level, Mark, Record, Rules, rules_named

SWEEP_ROWS = 100

PRUNED_ROWS = 1_000

COUNTED_ROWS = 100

FORGOTTEN_ROWS = 500

BY_ID = select(matches).where(matches.c.id == bindparam("id"))

HOW_MANY_LIVE = select(func.count()).select_from(matches).where(IS_LIVE)

LIVE_IN_CHANNEL = select(matches).where(matches.c.channel_id == bindparam("channel_id"), IS_LIVE)

OVERDUE = (
    select(matches)
    .where(IS_LIVE, matches.c.deadline_at <= bindparam("now"))
    .order_by(matches.c.deadline_at)
    .limit(SWEEP_ROWS)
    .with_for_update(skip_locked=True)
)

UPDATE_IF_CURRENT = update(matches).where(
    matches.c.id == bindparam("its_id"),
    matches.c.version == bindparam("from_version"),
    matches.c.hints == bindparam("with_hints"),
)
"""Sets the columns that are among the parameters."""

_IS_COUNTED = matches.c.hinted_version == matches.c.version

COUNT_HINT = (
    update(matches)
    .where(matches.c.id == bindparam("its_id"), matches.c.version == bindparam("from_version"))
    .values(
        hints=case((_IS_COUNTED, matches.c.hints), else_=matches.c.hints + 1),
        hinted_version=matches.c.version,
    )
)

_IS_UNCOUNTED = IS_UNCOUNTED, matches.c.ended_at >= 0  # always true: makes it an index search

UNCOUNTED = (
    select(matches)
    .where(*_IS_UNCOUNTED)
    .order_by(matches.c.ended_at, matches.c.id)
    .limit(COUNTED_ROWS)
)

UNCOUNTED_BEFORE = (
    select(matches.c.id).where(*_IS_UNCOUNTED, matches.c.id < bindparam("before_id")).limit(1)
)

LAST_PLAYED = (
    select(matches)
    .where(matches.c.channel_id == bindparam("channel_id"), text("NOT live"), matches.c.moves != "")
    .order_by(matches.c.id.desc())
    .limit(1)
)

RECORD_MESSAGE = (
    update(matches)
    .where(
        matches.c.id == bindparam("its_id"),
        matches.c.channel_id != DELETED_CHANNEL_ID,
        or_(matches.c.message_id.is_(None), matches.c.message_id < bindparam("newer")),
    )
    .values(message_id=bindparam("newer"))
)

INSERT = insert(matches)

_ANONYMOUS = {
    "x_id": DELETED_USER_ID,
    "o_id": DELETED_USER_ID,
    "opened_by": DELETED_USER_ID,
    "asks_rematch": null(),
}
"""What replaces a forgotten person, by column."""

_PRUNABLE = (
    select(matches.c.id)
    .where(
        matches.c.id < bindparam("before_id"),
        matches.c.deadline_at < bindparam("before"),
        text("NOT live AND counted"),
    )
    .order_by(matches.c.id)
    .limit(PRUNED_ROWS)
)

PRUNE = delete(matches).where(matches.c.id.in_(_PRUNABLE))

_UNPLAYED = (
    select(matches.c.id)
    .where(IS_UNPLAYED, matches.c.id < bindparam("before_id"), text("NOT live AND counted"))
    .limit(PRUNED_ROWS)
)

PRUNE_UNPLAYED = delete(matches).where(matches.c.id.in_(_UNPLAYED))


def _newest_of(column: Column[Any]) -> Select[*tuple[Any, ...]]:
    """Select the newest matches with a given value in `column` and ids below `before_id`."""
    return (
        select(matches)
        .where(column == bindparam("whose"), matches.c.id < bindparam("before_id"))
        .order_by(matches.c.id.desc())
        .limit(FORGOTTEN_ROWS)
    )


OF_PERSON = (_newest_of(matches.c.x_id), _newest_of(matches.c.o_id))

OF_GUILD = (_newest_of(matches.c.guild_id),)

REMOVE_PLACE = (
    update(matches)
    .where(matches.c.id.in_(bindparam("ids")), text("NOT live"))
    .values(
        guild_id=None, channel_id=DELETED_CHANNEL_ID, message_id=None, version=matches.c.version + 1
    )
)

ANONYMIZE = (
    update(matches)
    .where(matches.c.id.in_(bindparam("ids")), text("NOT live"))
    .values(
        version=matches.c.version + 1,
        duel=None,
        **{
            name: case((matches.c[name] == bindparam("whose"), nobody), else_=matches.c[name])
            for name, nobody in _ANONYMOUS.items()
        },
    )
)

_PAIR: list[Any] = [bindparam("challenger"), bindparam("challenged"), DELETED_USER_ID]

_CHALLENGED: Any = bindparam("challenged")

LAST_CHALLENGE = (
    select(matches.c.accepted)
    .where(
        matches.c.opened_by.in_(_PAIR),
        matches.c.id >= bindparam("since_id"),
        matches.c.id < bindparam("before_id"),
        matches.c.x_id.in_(_PAIR),
        matches.c.o_id.in_(_PAIR),
        or_(matches.c.x_id == _CHALLENGED, matches.c.o_id == _CHALLENGED),
        or_(matches.c.accepted, matches.c.opened_by != _CHALLENGED),
    )
    .order_by(matches.c.id.desc())
    .limit(1)
)
"""Whether the pair's last match was accepted; a challenger forgotten since is `DELETED_USER_ID`."""

_log = logging.getLogger(__name__)


class MatchTable:
    """Matches; compare-and-set decides every race between changes to one."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def load(self, match_id: int) -> Match | None:
        with self._connections.autocommit() as connection:
            return read_one(connection, BY_ID, id=match_id)

    def live_in(self, channel_id: int) -> Match | None:
        with self._connections.autocommit() as connection:
            return read_one(connection, LIVE_IN_CHANNEL, channel_id=channel_id)

    def add(self, match: Match) -> bool:
        """Store a new match; return False if its id is taken or its channel has a live match."""
        try:
            with self._connections.autocommit() as connection:
                connection.execute(INSERT, to_row(match))
        except IntegrityError:
            return False
        return True

    def save(self, match: Match, *, also_players: bool = False) -> Match | None:
        """Store a changed match if the stored one is still at the version that was loaded.

        Returns:
            The match at its next version; None if another change or a hint came first.
        """
        columns = JOIN_COLUMNS if also_players else CHANGE_COLUMNS
        with self._connections.autocommit() as connection:
            return compare_and_set(connection, match, columns)

    def save_with_next_match(self, match: Match, next_match: Match) -> Match | None:
        """Store a change to a match and its successor, both or neither.

        Returns:
            The match at its next version; None if another change or another match came first.
        """
        try:
            with self._connections.transaction() as connection:
                saved = compare_and_set(connection, match)
                if saved is not None:
                    connection.execute(INSERT, to_row(next_match))
        except IntegrityError:
            return None
        return saved

    def record_message(self, match_id: int, message_id: int) -> None:
        """Note the message that shows a match, unless a newer one is noted already."""
        with self._connections.autocommit() as connection:
            connection.execute(RECORD_MESSAGE, {"its_id": match_id, "newer": message_id})

    def count_hint(self, match: Match) -> bool:
        """Count a hint, at most one per version; return False if the match has changed."""
        with self._connections.autocommit() as connection:
            given = {"its_id": match.id, "from_version": match.version}
            return connection.execute(COUNT_HINT, given).rowcount == 1

    def last_played(self, channel_id: int) -> Match | None:
        """The newest match of a channel that has ended and has moves; None if there is none."""
        with self._connections.autocommit() as connection:
            return read_one(connection, LAST_PLAYED, channel_id=channel_id)

    def is_repeated_challenge(self, match: Match, since_id: int) -> bool:
        """Whether the same challenge was made before, and the two have not played since.

        `since_id` is an id from the moment to look back to.
        """
        given = {"challenger": match.opened_by, "challenged": match.challenged}
        given |= {"since_id": since_id, "before_id": match.id}
        with self._connections.autocommit() as connection:
            return connection.execute(LAST_CHALLENGE, given).scalar_one_or_none() is False


def read_one(connection: Connection, query: Select[*tuple[Any, ...]], **given: int) -> Match | None:
    found = read_all(connection, connection.execute(query, given).mappings())
    return found[0] if found else None


def read_all(connection: Connection, rows: Iterable[RowMapping]) -> list[Match]:
    """The matches of rows, without those that this release cannot read; live ones of these end.

    A live row written by a newer release, or by hand, would otherwise block its channel for ever.
    """
    read, unreadable = list[Match](), dict[int, Exception]()
    for row in rows:
        try:
            read.append(from_row(row))
        except (KeyError, TypeError, ValueError) as error:
            unreadable[row["id"]] = error
    if unreadable:
        ids = list(unreadable)
        said = "%d matches cannot be read, so those in progress are ended; the first is %d."
        _log.error(said, len(ids), ids[0], exc_info=unreadable[ids[0]])
        going_on = update(matches).where(matches.c.id.in_(ids), IS_LIVE)
        connection.execute(going_on.values(live=False, ended_how=EndReason.CALLED_OFF.value))
    return read


def compare_and_set(
    connection: Connection, match: Match, columns: tuple[str, ...] = CHANGE_COLUMNS
) -> Match | None:
    """Store a match if its version and hints are still the stored ones; otherwise return None."""
    saved = replace(match, version=match.version + 1)
    row = to_row(saved)
    stored = {"its_id": match.id, "from_version": match.version, "with_hints": match.hints}
    done = connection.execute(UPDATE_IF_CURRENT, stored | {name: row[name] for name in columns})
    return saved if done.rowcount == 1 else None


Newest = Select[*tuple[Any, ...]]


class MatchBatches:
    """Each call handles one batch, so that no transaction holds up others for long."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def expire(self, now: datetime) -> list[Match]:
        """End a batch of the live matches whose deadline has passed; return those ended.

        Several processes may do this at once: rows that one has locked are skipped by the others.
        """
        with self._connections.transaction() as connection:
            due = connection.execute(OVERDUE, {"now": int(now.timestamp())}).mappings().all()
            read = read_all(connection, due)
            saved = [compare_and_set(connection, expire(match)) for match in read]
        return [match for match in saved if match is not None]

    def uncounted(self) -> tuple[list[int], list[Match]]:
        """A batch of the matches that are over and not yet counted, in the order they ended.

        Returns:
            The ids of all of them, and the matches that can be read.
        """
        with self._connections.autocommit() as connection:
            rows = connection.execute(UNCOUNTED).mappings().all()
            return [row["id"] for row in rows], read_all(connection, rows)

    def prune(self, before: datetime, before_id: int) -> int:
        """Delete a batch of counted matches whose last deadline was earlier than `before`.

        `before_id` is the first id of that moment: ids grow with time, so it bounds the search.

        Returns:
            How many were deleted; 0 while older matches are still to be counted.
        """
        given = {"before": int(before.timestamp()), "before_id": before_id}
        with self._connections.autocommit() as connection:
            if connection.execute(UNCOUNTED_BEFORE, {"before_id": before_id}).first():
                return 0  # maybe a million, which the search below would have to scan past
            return connection.execute(PRUNE, given).rowcount

    def prune_unplayed(self, before_id: int) -> int:
        """Delete a batch of counted matches that ended without a move; return how many."""
        with self._connections.autocommit() as connection:
            return connection.execute(PRUNE_UNPLAYED, {"before_id": before_id}).rowcount

    def of_person(self, user_id: int, before_id: int) -> tuple[list[Match], int | None]:
        """A batch of the newest matches of a person with ids below `before_id`.

        Returns:
            Those that can be read, and the `before_id` for the next batch; None after the last.
        """
        with self._connections.autocommit() as connection:
            rows = _newest(connection, OF_PERSON, user_id, before_id)
            read = read_all(connection, rows)
        return read, rows[-1]["id"] if rows else None

    def forget(self, user_id: int, before_id: int) -> tuple[bool, list[Match]]:
        """Anonymize a person in a batch of their newest matches with ids below `before_id`.

        Live matches end without a result.

        Returns:
            Whether there may be more; and the matches that were live, ended and anonymized.
        """
        is_more, left = self._forget(OF_PERSON, ANONYMIZE, leave, user_id, before_id)
        with self._connections.autocommit() as connection:
            ended = [read_one(connection, BY_ID, id=match.id) for match in left]
        return is_more, [match for match in ended if match]

    def forget_guild(self, guild_id: int, before_id: int) -> tuple[bool, list[Match]]:
        """Like `forget`, but remove the place from a batch of a server's newest matches.

        The matches returned still have their place, so that their boards can be drawn a last time.
        """
        return self._forget(OF_GUILD, REMOVE_PLACE, end_by_moderator, guild_id, before_id)

    def _forget(
        self,
        queries: Sequence[Newest],
        forget: Update,
        end: Callable[[Match], Match],
        whose: int,
        before_id: int,
    ) -> tuple[bool, list[Match]]:
        """Skip rows that another process has locked, but report more to do while there are any."""
        free = [query.with_for_update(skip_locked=True) for query in queries]
        with self._connections.transaction() as connection:
            rows = _newest(connection, free, whose, before_id)
            if not rows:
                return bool(_newest(connection, queries, whose, before_id)), []
            going_on = read_all(connection, (row for row in rows if row["live"]))
            asked_at = snowflake_time(before_id)
            over = [replace(end(match), ended_at=asked_at) for match in going_on]
            ended = [compare_and_set(connection, match) for match in over]
            connection.execute(forget, {"ids": [row["id"] for row in rows], "whose": whose})
        return True, [match for match in ended if match]


def _newest(
    connection: Connection, queries: Iterable[Newest], whose: int, before_id: int
) -> list[RowMapping]:
    given = {"whose": whose, "before_id": before_id}
    rows = [row for query in queries for row in connection.execute(query, given).mappings()]
    return sorted(rows, key=lambda row: -row["id"])[:FORGOTTEN_ROWS]


def to_row(match: Match) -> dict[str, Any]:
    """All columns but those with statements of their own: hinted_version, counted, is_first."""
    ending = match.ending
    return {
        "id": match.id,
        "version": match.version,
        "channel_id": match.place.channel_id,
        "guild_id": match.place.guild_id,
        "message_id": match.place.message_id,
        "locale": match.place.locale,
        "rules": match.rules.name,
        "x_id": match.x.user_id,
        "x_level": match.x.level.name if match.x.level else None,
        "o_id": match.o.user_id,
        "o_level": match.o.level.name if match.o.level else None,
        "opened_by": match.opened_by,
        "accepted": match.accepted,
        "moves": "".join(map(match.rules.coordinate, match.moves)),
        "live": match.is_live,
        "ended_how": ending.reason.value if ending else None,
        "winner": ending.winner.value if ending and ending.winner else None,
        "deadline_at": int(match.deadline_at.timestamp()),
        "asks_rematch": match.rematch_asked_by,
        "next_id": match.next_id,
        "hints": match.hints,
        "ended_at": int(match.ended_at.timestamp()) if match.ended_at else 0,
        "duel": str(match.head_to_head) if match.head_to_head else None,
        "turn_minutes": match.turn_minutes,
        "is_open": match.is_open,
    }


def from_row(row: RowMapping) -> Match:
    rules = rules_named(row["rules"])
    return Match(
        id=row["id"],
        version=row["version"],
        place=Place(row["channel_id"], row["guild_id"], row["locale"], row["message_id"]),
        rules=rules,
        x=Player(row["x_id"], Level[row["x_level"]] if row["x_level"] else None),
        o=Player(row["o_id"], Level[row["o_level"]] if row["o_level"] else None),
        opened_by=row["opened_by"],
        accepted=row["accepted"],
        moves=_moves_from_text(row["moves"], rules),
        early_ending=_early_ending(row),
        deadline_at=datetime.fromtimestamp(row["deadline_at"], UTC),
        rematch_asked_by=row["asks_rematch"],
        next_id=row["next_id"],
        hints=row["hints"],
        ended_at=datetime.fromtimestamp(row["ended_at"], UTC) if row["ended_at"] else None,
        head_to_head=HeadToHead.parse(row["duel"]) if row["duel"] else None,
        is_first=row["is_first"],
        turn_minutes=row["turn_minutes"],
        is_open=row["is_open"],
    )


@cache
def _cells_by_coordinate(rules: Rules) -> dict[str, Cell]:
    return {rules.coordinate(cell): cell for cell in rules.cells}


def _moves_from_text(text: str, rules: Rules) -> tuple[Cell, ...]:
    cells = _cells_by_coordinate(rules)
    moves = tuple(cells[text[i : i + 2]] for i in range(0, len(text), 2))
    if rules.repeats:
        _ = Record(rules, moves).boards  # raises if the moves are not a legal game
    elif len(set(moves)) < len(moves):
        raise ValueError(f"a cell is taken twice: {text}")
    return moves


def _early_ending(row: RowMapping) -> Ending | None:
    if row["ended_how"] is None and not row["live"]:  # an older release could not read it
        return Ending(EndReason.CALLED_OFF)
    if row["ended_how"] in (None, EndReason.WON.value, EndReason.DRAWN.value):
        return None
    return Ending(EndReason(row["ended_how"]), Mark(row["winner"]) if row["winner"] else None)
