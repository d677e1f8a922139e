"""The texts of the playground, and the guide that posts them in its channel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simcord.backend.models import Message
from simcord.builders import ChannelHandle
from simcord.env import Env

from bot.views.i18n import Texts, language_for


class PlaygroundTexts(Texts):
    """How to use the playground's simulated Discord, in one language."""

    def welcome(self, url: str) -> str:
        """The text in the terminal."""
        return self._(
            "\n"
            "The playground is open: {url}\n"
            "\n"
            "Its first message says what to type. Ana and Rui read Portuguese, Ben reads "
            "English.\n"
            "Boards speak the language of whoever opens them, until Rui, who owns the server,\n"
            "chooses one with /velha settings. Only the newest messages are kept.\n"
            "TURN_MINUTES=1 and CHALLENGE_MINUTES=1 in the environment shorten the waits.\n"
            "Ctrl-C ends it, and forgets everything.\n",
            url=url,
        )

    def closed(self) -> str:
        return self._("The playground is closed.")

    def greeting(self) -> str:
        # Translators: the page around it is English; "Viewing as" is written there.
        return self._(
            "**Shall we play?** Type `/velha start`, press Enter to choose the command, and "
            "click the arrow on the right.\n"
            "-# You're the person named at the top, after *Viewing as*."
        )

    def sent_as_text(self) -> str:
        return self._(
            "That went out as text. Type `/`, choose a command from the list with Enter or a "
            "click, and then click the arrow on the right."
        )

    def elsewhere(self) -> str:
        return self._("You're playing in another tab. Close it, and the playground opens here.")


_COMMAND = re.compile(r"\s*(/|velha\s)", re.IGNORECASE)

MAX_MESSAGES = 10
"""Older ones are deleted: SimCord redraws all messages whenever one changes."""


class Guide:
    """Greets people, answers a command that was sent as plain text, and keeps the channel short.

    It answers from within the event listener, so that the answer shows at once.
    """

    def __init__(self, env: Env, channel: ChannelHandle, locales: Mapping[int, str]) -> None:
        assert channel.guild is not None
        self._backend = env.backend
        self._channel = channel
        self._locales = locales
        self.id = channel.guild.create_webhook(channel, "Playground").id
        self._greeting_id: int | None = None
        env.backend.subscribers.append(self._on_event)

    def greet(self, *locales: str) -> None:
        """Post what to type, in each of these languages; this message is never deleted."""
        greetings = (PlaygroundTexts(language_for(locale)).greeting() for locale in locales)
        self._greeting_id = self._send("\n\n".join(greetings))

    def _send(self, text: str) -> int:
        message = self._backend.create_message(self._channel.id, self.id, text, webhook_id=self.id)
        return message.id

    def _on_event(self, event: str, payload: Mapping[str, Any]) -> None:
        if payload.get("channel_id") != str(self._channel.id):
            return
        if event == "MESSAGE_CREATE" and _COMMAND.match(payload["content"]):
            locale = self._locales.get(int(payload["author"]["id"]), "en-US")
            self._send(PlaygroundTexts(language_for(locale)).sent_as_text())
        if event in {"MESSAGE_CREATE", "INTERACTION_CREATE"}:
            self._delete_old(pressed_id=payload.get("message", {}).get("id"))

    def _delete_old(self, pressed_id: str | None) -> None:
        """Delete the messages that changed least recently; boards in play change often."""
        messages = self._backend.messages[self._channel.id].values()
        for message in sorted(messages, key=_last_change)[:-MAX_MESSAGES]:
            if str(message.id) != pressed_id and message.id != self._greeting_id:
                self._backend.delete_message(self._channel.id, message.id)


def _last_change(message: Message) -> str:
    return message.edited_timestamp or message.timestamp
