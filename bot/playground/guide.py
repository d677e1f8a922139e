"""The playground's own messages in its channel, and the deletion of old messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simcord.backend.models import Message
from simcord.builders import ChannelHandle
from simcord.env import Env

from bot.texts import PlaygroundTexts, language_for

_COMMAND = re.compile(r"\s*(/|velha\s)", re.IGNORECASE)

KEPT = 10
"""The number of messages kept: SimCord redraws all of them whenever one changes."""


class Guide:
    """Greets people, and answers a command that was sent as plain text.

    It posts from within the event listener, so that the answer shows at once.
    """

    def __init__(self, env: Env, channel: ChannelHandle, locales: Mapping[int, str]) -> None:
        assert channel.guild is not None
        self._backend, self._channel, self._locales = env.backend, channel, locales
        self.id = channel.guild.create_webhook(channel, "Playground").id
        self._greeting: int | None = None
        env.backend.subscribers.append(self._on_event)

    def greet(self, *locales: str) -> None:
        """Post what to type, in each of these languages; this message is never deleted."""
        said = (PlaygroundTexts(language_for(locale)).greeting() for locale in locales)
        self._greeting = self._say("\n\n".join(said))

    def _say(self, text: str) -> int:
        create = self._backend.create_message
        return create(self._channel.id, self.id, text, webhook_id=self.id).id

    def _on_event(self, event: str, payload: Mapping[str, Any]) -> None:
        if payload.get("channel_id") != str(self._channel.id):
            return
        if event == "MESSAGE_CREATE" and _COMMAND.match(payload["content"]):
            locale = self._locales.get(int(payload["author"]["id"]), "en-US")
            self._say(PlaygroundTexts(language_for(locale)).sent_as_text())
        if event in {"MESSAGE_CREATE", "INTERACTION_CREATE"}:
            self._forget(pressed=payload.get("message", {}).get("id"))

    def _forget(self, pressed: str | None) -> None:
        """Delete the messages that changed least recently; boards in play change often."""
        there = self._backend.messages[self._channel.id].values()
        for message in sorted(there, key=_last_change)[:-KEPT]:
            if str(message.id) != pressed and message.id != self._greeting:
                self._backend.delete_message(self._channel.id, message.id)


def _last_change(message: Message) -> str:
    return message.edited_timestamp or message.timestamp
