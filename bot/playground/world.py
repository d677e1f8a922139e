"""What real interactions carry and SimCord's leave out or fix."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any

from simcord import interactions
from simcord.backend.access import channel_accessible
from simcord.http import router


@dataclass
class World:
    """Users' locales, and the places where the bot is a user install.

    `locales` has locales by user id, with en-US as the default. `strange_guilds` are servers, and
    `private_channels` direct messages between people, of which the bot is not a member.
    """

    locales: dict[int, str] = field(default_factory=dict)
    strange_guilds: set[int] = field(default_factory=set)
    private_channels: set[int] = field(default_factory=set)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Patch SimCord accordingly, within the block."""
        original, dispatch = interactions.base_payload, router.dispatch

        def complete(backend: Any, *, user_id: int, **given: Any) -> tuple[Any, dict[str, Any]]:
            record, payload = original(backend, user_id=user_id, **given)
            self._complete(backend, payload, user_id)
            return record, payload

        def leave_out_hidden(backend: Any, method: str, path: str, **given: Any) -> Any:
            response, bot_id = dispatch(backend, method, path, **given), backend.bot_user.id
            if method == "GET" and fnmatch(path, "/guilds/*/channels"):
                return [
                    one for one in response if channel_accessible(backend, int(one["id"]), bot_id)
                ]
            return response

        interactions.base_payload, router.dispatch = complete, leave_out_hidden
        try:
            yield
        finally:
            interactions.base_payload, router.dispatch = original, dispatch

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
