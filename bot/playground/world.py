"""What Discord says of an interaction and SimCord leaves out or takes for granted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from simcord import interactions


@dataclass
class World:
    """People, places and how they came to the bot.

    `locales` gives a user's language by user id, en-US where it does not; `strange_guilds` are
    those the bot is no member of, where people bring it along as a user install, and
    `private_channels` those between people, where it is no member either.
    """

    locales: dict[int, str] = field(default_factory=dict)
    strange_guilds: set[int] = field(default_factory=set)
    private_channels: set[int] = field(default_factory=set)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Have SimCord's interactions carry all this."""
        original = interactions.base_payload

        def complete(backend: Any, *, user_id: int, **given: Any) -> tuple[Any, dict[str, Any]]:
            record, payload = original(backend, user_id=user_id, **given)
            self._complete(backend, payload, user_id)
            return record, payload

        interactions.base_payload = complete
        try:
            yield
        finally:
            interactions.base_payload = original

    def _complete(self, backend: Any, payload: dict[str, Any], user_id: int) -> None:
        payload["locale"] = self.locales.get(user_id, "en-US")
        owners = payload["authorizing_integration_owners"]
        channel_id = int(payload["channel_id"])
        if "guild_id" not in payload:
            is_private = channel_id in self.private_channels
            payload["context"] = 2 if is_private else 1
            owners["1" if is_private else "0"] = str(user_id) if is_private else "0"
            return
        guild_id = int(payload["guild_id"])
        payload["guild_locale"] = backend.get_guild(guild_id).preferred_locale
        is_strange = guild_id in self.strange_guilds
        owners["1" if is_strange else "0"] = str(user_id if is_strange else guild_id)
        members = payload["data"].get("resolved", {}).get("members", {})
        for member_id, member in members.items():
            seen = backend.compute_permissions(guild_id, int(member_id), channel_id)
            member["permissions"] = str(seen)
