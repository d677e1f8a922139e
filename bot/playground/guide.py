"""The guide that posts in the playground's channel how to use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simcord.builders import ChannelHandle
from simcord.env import Env

from bot.playground import texts
from bot.views.i18n import language_for

_COMMAND = re.compile(r"\s*(/|velha\s)", re.IGNORECASE)

MAX_MESSAGES = 10
"""How many messages are kept: SimCord redraws all of them whenever one changes."""


class Guide:
    """Greets people, replies to commands sent as plain text, and deletes old messages.

    It replies from within the event listener, so that the reply shows at once.
    """

    def __init__(self, env: Env, channel: ChannelHandle, locales: Mapping[int, str]) -> None:
        assert channel.guild is not None, "it is a channel of a server"
        self._backend = env.backend
        self._channel = channel
        self._locales = locales
        self.id = channel.guild.create_webhook(channel, "Playground").id
        self._greeting_id: int | None = None
        env.backend.subscribers.append(self._on_event)

    def greet(self, locale: str) -> None:
        """Post a message that says what to press, and that is never deleted."""
        self._greeting_id = self._send(texts.greeting(language_for(locale)))

    def _send(self, text: str) -> int:
        message = self._backend.create_message(self._channel.id, self.id, text, webhook_id=self.id)
        return message.id

    def _on_event(self, event: str, payload: Mapping[str, Any]) -> None:
        if payload.get("channel_id") != str(self._channel.id):
            return
        if event == "MESSAGE_CREATE" and _COMMAND.match(payload["content"]):
            locale = self._locales.get(int(payload["author"]["id"]), "en-US")
            self._send(texts.sent_as_text(language_for(locale)))
        if event in {"MESSAGE_CREATE", "INTERACTION_CREATE"}:
            self._delete_old(pressed_id=payload.get("message", {}).get("id"))

    def _delete_old(self, pressed_id: str | None) -> None:
        """Delete the messages that changed least recently; boards in play change often."""
        messages = self._backend.messages[self._channel.id].values()
        by_change = sorted(messages, key=lambda each: each.edited_timestamp or each.timestamp)
        for message in by_change[:-MAX_MESSAGES]:
            if str(message.id) != pressed_id and message.id != self._greeting_id:
                self._backend.delete_message(self._channel.id, message.id)
