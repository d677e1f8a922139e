"""People's choices, and the export and deletion of what is stored about them and servers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from bot.domain.ids import MAX_ID, snowflake_time, time_snowflake
from bot.domain.match_actions import end_by_moderator, leave
from bot.domain.matches import Match
from bot.domain.privacy import COPIES_KEPT_FOR, DataDeleted, DataExport, PrivacySummary
from bot.features import ranking, stats
from bot.runtime.clock import Clock
from bot.runtime.executor import Executor, for_answer, in_background
from bot.services.data_export import encode_export, export_match, export_tally
from bot.store.store import Store

_KEEP_AFTER_LEAVING = timedelta(days=30)


class PrivacyService:
    """People's choices, and the export and deletion of their data and of servers' data."""

    def __init__(
        self, store: Store, executor: Executor, clock: Clock, packed_from_bytes: int = 1_000_000
    ) -> None:
        """An export of `packed_from_bytes` or more is packed with gzip."""
        self.executor = executor
        self._clock = clock
        self._packed_from_bytes = packed_from_bytes
        self._privacy = store.privacy
        self._memberships = store.memberships
        self._database = store.database
        self._puzzles = store.puzzles
        self._moments = store.moments
        self._reminders = store.reminders

    @for_answer
    def summary(self, user_id: int) -> PrivacySummary:
        return PrivacySummary(self._privacy.choices(user_id))

    @for_answer
    def choose(self, user_id: int, choice: Mapping[str, bool]) -> PrivacySummary:
        """Set some of the fields of a person's `PrivacyChoices`, by name."""
        self._privacy.choose(user_id, choice)
        return PrivacySummary(self._privacy.choices(user_id))

    async def download(self, user_id: int) -> DataExport:
        """All that is stored about a person."""
        batches: list[str] = []
        before_id = MAX_ID
        while batch := await self._export_batch(user_id, before_id):
            text, before_id = batch
            if text:
                batches.append(text)
        return await self._build_export(user_id, batches)

    @in_background
    def _export_batch(self, user_id: int, before_id: int) -> tuple[str, int] | None:
        """A batch of matches as JSON, and the `before_id` of the next; None after the last.

        Each match is encoded by itself, as `json.dumps` lets no other thread run meanwhile: with
        100,000 matches at once, the event loop would stop for a second.
        """
        matches, lowest_id = self._privacy.matches_of(user_id, before_id)
        if lowest_id is None:
            return None
        encoded = [json.dumps(export_match(match, user_id)) for match in matches]
        return ",\n".join(encoded), lowest_id

    @in_background
    def _build_export(self, user_id: int, batches: list[str]) -> DataExport:
        with self._database.autocommit() as connection:
            tallies = stats.tallies_of(connection, user_id)
            head_to_heads = stats.head_to_heads_of(connection, user_id)
            ranks = ranking.scores_of(connection, user_id)
        guesses = self._moments.guesses_of(user_id).items()
        reminders = self._reminders.choices_of(user_id).items()
        sections = {
            "about": self._export_person(user_id),
            "tallies": [export_tally(key, tally) for key, tally in tallies.items()],
            "duels": [head_to_head._asdict() for head_to_head in head_to_heads],
            "puzzles": asdict(self._puzzles.stats(user_id)),
            "attempts": [dict(row) for row in self._puzzles.attempts(user_id)],
            "moments": [{"match": match_id, "found": found} for match_id, found in guesses],
            "reminders": [{"match": match_id, "on": is_on} for match_id, is_on in reminders],
            "ranks": ranks,
        }
        content = encode_export(sections, batches)
        if len(content) < self._packed_from_bytes:
            return DataExport(content, is_packed=False)
        return DataExport(gzip.compress(content), is_packed=True)

    def _export_person(self, user_id: int) -> dict[str, Any]:
        person = {"user_id": user_id, **asdict(self._privacy.choices(user_id))}
        deleted_before = self._privacy.deleted_before(user_id)
        if deleted_before is not None:
            person["asked_for_deletion_at"] = snowflake_time(deleted_before).isoformat()
        return person

    @for_answer
    def forget_user(self, user_id: int, *, interaction_id: int) -> DataDeleted:
        """Forget a person's results, choices and newest matches now, and older matches later.

        Matches with later ids than `interaction_id` stay as they are.
        """
        self._privacy.start_forgetting_user(user_id, interaction_id)
        batch = self._privacy.forget_user_matches(user_id, interaction_id, leave)
        return DataDeleted(tuple(batch.ended))

    @for_answer
    def forget_guild(self, guild_id: int, *, interaction_id: int) -> DataDeleted:
        """Forget a server's settings, leaderboards and newest matches now, and older ones later.

        Matches with later ids than `interaction_id` stay as they are.
        """
        self._privacy.start_forgetting_guild(guild_id, interaction_id)
        batch = self._privacy.forget_guild_matches(guild_id, interaction_id, end_by_moderator)
        return DataDeleted(tuple(batch.ended))

    @in_background
    def continue_forgetting(self) -> list[Match] | None:
        """Forget the next batch of older matches of a person or a server.

        Returns:
            The live matches that this ended; None if there is nothing to forget.
        """
        if user := self._privacy.next_user_to_forget():
            user_id, before_id = user
            batch = self._privacy.forget_user_matches(user_id, before_id, leave)
            if not batch.is_more:
                self._privacy.finish_forgetting_user(user_id, before_id)
            return batch.ended
        if guild := self._privacy.next_guild_to_forget():
            guild_id, before_id = guild
            batch = self._privacy.forget_guild_matches(guild_id, before_id, end_by_moderator)
            if not batch.is_more:
                self._privacy.finish_forgetting_guild(guild_id, before_id)
            return batch.ended
        return None

    @in_background
    def record_memberships(self, guild_ids: Collection[int]) -> None:
        """Store which servers the bot is in, and start to forget those that it left a month ago.

        Also delete the records of deletions that no copy of the database can be older than.
        """
        now = self._clock.trusted_now()
        if now is None:
            return
        self._privacy.prune_deletions(time_snowflake(now - COPIES_KEPT_FOR))
        self._memberships.record(guild_ids, now)
        for guild_id in self._memberships.absent_since(now - _KEEP_AFTER_LEAVING):
            self._privacy.start_forgetting_guild(guild_id, time_snowflake(now))
