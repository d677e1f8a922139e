"""Transcripts of what happens in a channel: each step, and the messages that it changes."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Iterable
from datetime import UTC, datetime

from discord import ComponentType
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.enums import AppCommandType
from simcord.results import ResponseMessage

from bot.views.catalogues import SOURCE_LANGUAGE, language_of
from tests.bot.simulated_guild import MARKS, SeenMessage, SimulatedGuild
from tests.bot.translations import translate, translations
from tests.transcripts.transcript import Transcript, drawn_view

MessageLines = tuple[str, list[str]]
"""Who sees a message, and its lines."""

_TIMESTAMP = re.compile(r"<t:(\d+):([Rt])>")
_COMMAND = re.compile(r"<(/[a-z ]+):\d+>")
_LINK = re.compile(r"https://discord\.com/channels/\d+/\d+/\d+")
_CHANNEL_SELECT = ComponentType.channel_select.value
_ROUNDED_TO_MINUTES = 5
"""On a busy machine, the simulated clock advances a little by itself."""


class Story(Transcript):
    """What people do in the channel of a server, and the messages that each step changes.

    Links and times, which Discord writes in the reader's language, are `⟨link⟩`, `⟨00:00 UTC⟩` or
    `⟨in 30 min⟩`.
    """

    def __init__(self, title: str, guild: SimulatedGuild) -> None:
        super().__init__(title)
        self._guild = guild
        self._backend = guild.env.backend
        self.ana, self.ben, self.rui = guild.ana, guild.ben, guild.rui
        people = {who.id: who.name.capitalize() for who in (guild.ana, guild.ben, guild.rui)}
        self._names = people | {self._backend.bot_user.id: "Velha"}

    # Steps

    async def types(self, who: MemberActor, command: str, **options: str | MemberActor) -> None:
        """Use a command; the value of an option is a text or a member."""
        values = "".join(f" {option}:{self._value(value)}" for option, value in options.items())
        action = who.slash(self._guild.channel, f"velha {command}", **options)
        await self._step(f"{self._names[who.id]} types /velha {command}{values}", action)

    def _value(self, value: str | MemberActor) -> str:
        return value.lower() if isinstance(value, str) else f"@{self._names[value.id]}"

    async def picks(self, who: MemberActor, command: str, person: MemberActor) -> None:
        """Use a command in the Apps menu of a person."""
        registered = self._backend.find_command(command, self._guild.handle.id, AppCommandType.USER)
        assert registered is not None
        locale = self._guild.world.locales.get(who.id, "en-US")
        shown_label = registered["name_localizations"].get(locale, command)
        sentence = (
            f"{self._names[who.id]} picks “{shown_label}” in {self._names[person.id]}'s Apps menu"
        )
        await self._step(sentence, who.context_menu(self._guild.channel, command, person))

    async def presses(self, who: MemberActor, *labels: str) -> None:
        """Press buttons in the channel, one after the other, on the newest message with each.

        Labels are given in English, whatever language they are in.
        """
        for label in labels:
            message, shown_label = self._with_button(label, self._guild.messages())
            sentence = f"{self._names[who.id]} presses [{shown_label}]"
            await self._step(sentence, self._guild.press(who, shown_label, message))

    async def presses_alone(self, who: MemberActor, *labels: str) -> None:
        """Press buttons, one after the other, on ephemeral messages."""
        for label in labels:
            message, shown_label = self._with_button(label, self._pages_of(who))
            sentence = f"{self._names[who.id]} presses [{shown_label}], on the page"
            await self._step(sentence, self._guild.press(who, shown_label, message))

    async def plays(self, *moves: tuple[MemberActor, str]) -> None:
        """Press cells of the newest board, as one step."""
        sentence = ", ".join(f"{self._names[who.id]} presses [{cell}]" for who, cell in moves)
        await self._step(sentence, self._guild.play(*moves))

    async def chooses(self, who: MemberActor, *choices: str | ChannelHandle) -> None:
        """Choose options by their labels, or a channel, in the selects of their newest page."""
        language = language_of(self._guild.world.locales.get(who.id, SOURCE_LANGUAGE))
        choices = tuple(
            translate(language, choice) if isinstance(choice, str) else choice for choice in choices
        )
        names = [choice if isinstance(choice, str) else f"#{choice.name}" for choice in choices]
        sentence = " and ".join(f"“{name}”" for name in names)
        action = self._choose(who, choices)
        await self._step(f"{self._names[who.id]} chooses {sentence}, on the page", action)

    async def _choose(self, who: MemberActor, choices: Iterable[str | ChannelHandle]) -> None:
        for choice in choices:
            page = self._pages_of(who)[-1]
            menu, value = _select_for(page, choice)
            stored = self._backend.get_message(page.channel_id, page.id)
            await who.select(ResponseMessage(self._guild.env, stored), [value], custom_id=menu)

    async def later(self, *, minutes: int) -> None:
        """Let time pass; people may open five boards or lessons a minute."""
        self.write("", f"{minutes} minutes later")
        await self._write_changes(self._guild.env.advance_time(minutes * 60))

    async def until(self, moment: datetime) -> None:
        self.write("", f"{moment:%H:%M} UTC")
        seconds = (moment - self._guild.env.now()).total_seconds()
        await self._write_changes(self._guild.env.advance_time(seconds))

    # What each step changes

    async def _step(self, sentence: str, action: Awaitable[object]) -> None:
        self.write("", sentence)
        if not await self._write_changes(action):
            self.write("  nothing changes")

    async def _write_changes(self, action: Awaitable[object]) -> bool:
        """Write the messages that an action changes; return whether there are any."""
        before = self._messages()
        await action
        after = self._messages()
        assert before.keys() <= after.keys(), "nothing is deleted"
        changed_ids = [
            message_id for message_id in after if before.get(message_id) != after[message_id]
        ]
        for message_id in sorted(changed_ids):
            note = ", in its place" if message_id in before else self._ping_in(message_id)
            readers, lines = after[message_id]
            self.write(f"  {readers}{note}:", *(f"    {self._readable(line)}" for line in lines))
        return bool(changed_ids)

    def _messages(self) -> dict[int, MessageLines]:
        """Each message by its id."""
        public = self._guild.messages()
        pages = self._guild.messages(ephemeral=True)
        messages = {message.id: ("in the channel", _lines_of(message)) for message in public}
        return messages | {
            page.id: (f"only {self._names[_reader_of(page)]} sees", _lines_of(page))
            for page in pages
        }

    def _ping_in(self, message_id: int) -> str:
        message = self._backend.get_message(self._guild.channel.id, message_id)
        names = [self._names[user_id] for user_id in message.ping_user_ids]
        return f", with a ping for {' and '.join(names)}" if names else ""

    def _pages_of(self, who: MemberActor) -> list[SeenMessage]:
        pages = self._guild.messages(ephemeral=True)
        return [page for page in pages if _reader_of(page) == who.id]

    def _with_button(self, label: str, messages: Iterable[SeenMessage]) -> tuple[SeenMessage, str]:
        """The newest message with a button that can be pressed, and the label of that button."""
        languages = map(language_of, self._guild.world.locales.values())
        labels = {label}.union(*(translations(language, label) for language in languages))
        *_, newest = (
            (message, shown_label)
            for message in messages
            for shown_label in labels & message.buttons.keys()
            if not message.buttons[shown_label].get("disabled")
        )
        return newest

    def _readable(self, line: str) -> str:
        """Write names and times in a line as Discord shows them."""
        for user_id, name in self._names.items():
            line = line.replace(f"<@{user_id}>", f"@{name}")
        channel = self._guild.channel
        line = line.replace(str(channel.id), f"#{channel.name}")  # as the value of a select
        return _COMMAND.sub(r"\1", _TIMESTAMP.sub(self._time, line))

    def _time(self, stamp: re.Match[str]) -> str:
        moment = datetime.fromtimestamp(int(stamp[1]), UTC)
        if stamp[2] == "t":
            return f"⟨{moment:%H:%M} UTC⟩"
        minutes = (moment - self._guild.env.now()).total_seconds() / 60
        return f"⟨in {round(minutes / _ROUNDED_TO_MINUTES) * _ROUNDED_TO_MINUTES} min⟩"


def _reader_of(page: SeenMessage) -> int:
    return int(page.payload["interaction_metadata"]["user"]["id"])


def _select_for(page: SeenMessage, choice: str | ChannelHandle) -> tuple[str, str | ChannelHandle]:
    """The custom_id of the select that offers a choice, and the value of that choice."""
    selects = [item for row in page.rows for item in row]
    if isinstance(choice, ChannelHandle):
        (custom_id,) = (item["custom_id"] for item in selects if item["type"] == _CHANNEL_SELECT)
        return custom_id, choice
    choices = {
        option["label"]: (select["custom_id"], option["value"])
        for select in selects
        for option in select.get("options", ())
    }
    return choices[choice]


def _lines_of(message: SeenMessage) -> list[str]:
    """Write a message as lines, which are the same in every run."""
    payload = message.payload
    lines = [*payload["content"].splitlines(), *drawn_view(payload["components"])]
    if not payload["components"]:
        lines += [f"[file: {file['filename']}]" for file in payload["attachments"]]
    text = _LINK.sub("⟨link⟩", "\n".join(lines))
    for symbol, mark in MARKS.items():
        text = mark.sub(symbol, text)
    return text.split("\n")
