"""Storing changed matches. One that ends is counted in the same transaction, exactly once.

Its result is added to tallies; against the bot to the person's path; between people to their score
against each other, and to the server's. How well people move on large boards takes the engine, and
follows in the background.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from bot.domain import path
from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import HeadToHead, Match, Trail, result_for
from bot.domain.path import without_progress
from bot.domain.refusals import OverloadedError
from bot.domain.stats import Tally, TallyKey
from bot.features import path as stored_path
from bot.features import ranking
from bot.features.stats import head_to_head, read_tallies
from bot.messaging.errors import log_errors
from bot.runtime.runtime import Runtime
from bot.store.database import replace_rows
from bot.store.locks import lock_people, share_server
from bot.store.matches import compare_and_set, load_match, mark_judged, next_unjudged
from bot.store.schema import duels, people, server_scores, tallies
from engine import Accuracy, IllegalMoveError, Mark, accuracies

_log = logging.getLogger(__name__)

Accuracies = Mapping[Mark, Accuracy]

_PRIVACY_OF = select(people.c.user_id, people.c.is_hidden, people.c.forget_before).where(
    people.c.user_id.in_(bindparam("user_ids"))
)


def save_match(
    connection: Connection, match: Match, changed: Match, *, also_players: bool = False
) -> Match:
    """Store a match as it has `changed`, and count its result if that ends it.

    The row of the match is locked. Nothing else stores a changed match.

    Returns:
        The match at its next version; if it has ended, where it stands on its player's path.
    """
    unjudged = False
    if match.is_live and result_for(Mark.X, changed):
        unjudged = not changed.rules.is_small
        changed = _count(connection, changed)
    saved = compare_and_set(connection, changed, also_players=also_players, unjudged=unjudged)
    assert saved is not None, "its row is locked"
    return saved


def _count(connection: Connection, match: Match) -> Match:
    """Add a match to all results of its players; return it with where it stands on a path.

    Every match with a result comes here once: what else is counted of a match belongs here.
    """
    judged = accuracies(match.moves, match.rules) if match.rules.is_small else {}
    players, has_hidden_player = _lock_players(connection, match)
    key = TallyKey.of(match)
    stored = read_tallies(connection, players.values())
    rows = []
    for mark, user_id in players.items():
        before = stored.get((user_id, key), Tally())
        result = result_for(mark, match)
        assert result is not None, "only results are counted"
        after = before.after(result, judged.get(mark, Accuracy()))
        rows.append({**_tally_key(user_id, key), **asdict(after)})
    if rows:
        replace_rows(connection, tallies, rows)
    if match.is_between_people:
        _add_between_people(connection, match, players)
        return match
    trail = None
    for user_id in players.values():
        trail = _add_to_path(connection, match, user_id)
    return replace(match, trail=without_progress(trail) if has_hidden_player else trail)


def _add_to_path(connection: Connection, match: Match, user_id: int) -> Trail:
    reached, trail = path.after_match(stored_path.load(connection, user_id), match)
    if trail.goal is not None:
        stored_path.save(connection, user_id, trail.goal, reached[trail.goal])
    return trail


def _lock_players(connection: Connection, match: Match) -> tuple[dict[Mark, int], bool]:
    """Lock the people who play a match.

    Returns:
        The ids of those who are neither forgotten nor to be forgotten, by mark, and whether one of
        them is hidden.
    """
    players = {
        mark: player.user_id
        for mark, player in match.players.items()
        if not player.is_bot and player.user_id != DELETED_USER_ID
    }
    user_ids = list(players.values())
    lock_people(connection, user_ids)
    privacy = connection.execute(_PRIVACY_OF, {"user_ids": user_ids}).all()
    forgotten = {row.user_id for row in privacy if match.id < (row.forget_before or 0)}
    hidden = {row.user_id for row in privacy if row.is_hidden} - forgotten
    known = {mark: user_id for mark, user_id in players.items() if user_id not in forgotten}
    return known, bool(hidden)


def _tally_key(user_id: int, key: TallyKey) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "rules": key.rules.name,
        "level": key.level.name if key.level else "",
        "hinted": key.hinted,
    }


def _add_between_people(connection: Connection, match: Match, players: Mapping[Mark, int]) -> None:
    """Add a match to the score of its two players, and to each one's in the server.

    `players` are those who are not forgotten.
    """
    if len(players) == len(Mark):
        _add_to_duel(connection, match)
    guild_id = match.place.guild_id
    if guild_id is None or not players:
        return
    share_server(connection, guild_id)
    scores = ranking.server_scores_of(connection, guild_id, players.values())
    rows = []
    for mark, user_id in players.items():
        result = result_for(mark, match)
        assert result is not None, "only results are counted"
        score = scores.get(user_id, HeadToHead()).after(result)
        rows.append({"guild_id": guild_id, "user_id": user_id, **score._asdict()})
    replace_rows(connection, server_scores, rows)


def _add_to_duel(connection: Connection, match: Match) -> None:
    """Add a match to the score of its two players, which is from the side of the lesser id."""
    (first_id, mark), (second_id, _) = sorted((p.user_id, m) for m, p in match.players.items())
    result = result_for(mark, match)
    assert result is not None, "only results are counted"
    score = head_to_head(connection, first_id, second_id).after(result)
    row = {"first_id": first_id, "second_id": second_id, **score._asdict()}
    replace_rows(connection, duels, [row])


# How well people move on large boards


async def judge(runtime: Runtime) -> None:
    """Add how well people moved in the matches that are still to be judged to their tallies."""
    match_id = 0
    with log_errors("The matches to be judged could not be found"):
        while found := await runtime.database.read(next_unjudged, match_id):
            match_id, match = found
            with log_errors("A match could not be judged"):
                judged = await _accuracies(runtime, match) if match else {}
                await runtime.database.change(add_accuracies, match_id, judged)


async def _accuracies(runtime: Runtime, match: Match) -> Accuracies:
    """The accuracy of both sides; empty if the engine is overloaded, or the moves are no game."""
    try:
        return await runtime.engine.run(accuracies, match.moves, match.rules)
    except OverloadedError:
        return {}
    except IllegalMoveError as error:  # a row edited by hand, which stays as it is
        _log.error("Match %d cannot be judged: %s", match.id, error)
        return {}


def add_accuracies(connection: Connection, match_id: int, judged: Accuracies) -> None:
    """Add the accuracy of both sides of a match to the tallies of its players, once."""
    is_first = mark_judged(connection, match_id)
    match = load_match(connection, match_id) if is_first and judged else None
    if match is None:
        return
    for mark, user_id in _lock_players(connection, match)[0].items():
        row = _tally_key(user_id, TallyKey.of(match))
        is_of_person = [tallies.c[name] == value for name, value in row.items()]
        kept, critical = judged[mark].kept, judged[mark].critical
        changed = update(tallies).where(*is_of_person)
        connection.execute(
            changed.values(kept=tallies.c.kept + kept, critical=tallies.c.critical + critical)
        )
