"""A simulated server where people play: what tests do and see in its channels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import discord
import simcord
from simcord import interactions
from simcord.actors import MemberActor, _dispatch_actor_interaction
from simcord.backend import serializers
from simcord.backend.models import Interaction
from simcord.builders import ChannelHandle, UserHandle
from simcord.enums import InteractionType
from simcord.http import FakeWebhookAdapter
from simcord.results import InteractionResult
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.client import VelhaBot
from bot.cog import Velha
from bot.playground import World
from bot.settings import Settings

TURN_MINUTES = 2
"""Shorter than the default: every sweep in between takes its time in the simulation."""

SYMBOLS = {"❌": "x", "⭕": "o"}
Message = discord.Message
Button = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """A message as somebody saw it: pressing it later presses the buttons of that moment."""

    payload: dict[str, Any]
    channel_id: int
    id: int

    @property
    def text(self) -> str:
        texts = [item["content"] for item in self._items if item["type"] == 10]
        return "\n".join([self.payload["content"], *texts]).strip()

    @property
    def rows(self) -> list[list[Button]]:
        return [item["components"] for item in self._items if item["type"] == 1]

    @property
    def _items(self) -> list[dict[str, Any]]:
        return [item for box in self.payload["components"] for item in box["components"]]

    @property
    def buttons(self) -> dict[str, Button]:
        """The buttons by label, or by cell where a mark has taken the label's place."""
        return dict(self._named_buttons())

    def _named_buttons(self) -> Iterator[tuple[str, Button]]:
        for row, buttons in enumerate(self.rows):
            for column, button in enumerate(buttons):
                yield button.get("label") or f"{'ABCDE'[column]}{row + 1}", button

    @property
    def board(self) -> str:
        """The board as text: the first three rows of buttons."""
        return " ".join("".join(map(_mark, row)) for row in self.rows[:3])

    @property
    def labels(self) -> list[str]:
        """The buttons that can be pressed, the cells of the board aside."""
        return [
            name
            for name, button in self.buttons.items()
            if not button.get("disabled") and ":play:" not in button["custom_id"]
        ]

    def cells_in(self, style: discord.ButtonStyle) -> list[str]:
        return [
            name
            for name, button in self._named_buttons()
            if button["style"] == style.value and ":play:" in button["custom_id"]
        ]


def _mark(button: Button) -> str:
    emoji = button.get("emoji")
    return SYMBOLS[emoji["name"]] if emoji else "."


class House:
    """The bot, its world, and Ana, Ben and Rui in a channel of it.

    Ana and Rui read Portuguese, Ben English, and so does the server. Rui is a moderator.
    """

    def __init__(self, env: simcord.Env, world: World, settings: Settings, bot: VelhaBot) -> None:
        self.env = env
        self.world = world
        self.settings = settings
        self.bots = [bot]
        self.guild = env.create_guild("Casa", preferred_locale="en-GB")
        self.channel = self.guild.create_text_channel("jogo-da-velha")
        moderators = self.guild.create_role(
            "Moderators", permissions=discord.Permissions(manage_messages=True)
        )
        self.ana, self.ben, self.rui = (
            self.guild.add_member(env.create_user(name)) for name in ("ana", "ben", "rui")
        )
        self.env.backend.get_guild(self.guild.id).members[self.rui.id].role_ids.append(
            moderators.id
        )
        world.locales |= {self.ana.id: "pt-BR", self.rui.id: "pt-BR"}

    # What people do

    async def start(
        self, who: MemberActor, channel: ChannelHandle | None = None, **options: Any
    ) -> InteractionResult:
        return await who.slash(channel or self.channel, "velha start", **options)

    async def press(
        self, who: MemberActor | UserHandle, label: str, seen: Seen | None = None
    ) -> InteractionResult:
        """Press a button of the newest match message, or of one as it was seen earlier."""
        seen = seen or self.seen()
        custom_id = seen.buttons[label]["custom_id"]
        return await self.press_custom_id(who, custom_id, seen)

    async def press_custom_id(
        self, who: MemberActor | UserHandle, custom_id: str, seen: Seen
    ) -> InteractionResult:
        channel = ChannelHandle(
            self.env, getattr(who, "guild", None), self.env.backend.get_channel(seen.channel_id)
        )
        return await _dispatch_actor_interaction(
            who,
            InteractionType.MESSAGE_COMPONENT,
            channel,
            {"custom_id": custom_id, "component_type": 2},
            extra={"message": seen.payload},
            source_message_id=seen.id,
        )

    async def press_forged(self, who: MemberActor, custom_id: str) -> InteractionResult:
        """Press a button that the newest match message does not have, as if it did."""
        seen = self.seen()
        button = {"type": 2, "style": 2, "label": "?", "custom_id": custom_id}
        row = {"type": 1, "components": [button]}
        forged = seen.payload | {"components": [*seen.payload["components"], row]}
        return await self.press_custom_id(who, custom_id, Seen(forged, seen.channel_id, seen.id))

    async def press_at_once(self, *presses: tuple[MemberActor, str]) -> list[InteractionResult]:
        """Several presses on the same board, all sent before the first is answered."""
        records = [self.send_press(who, label) for who, label in presses]
        await self.env.settle()
        return [InteractionResult(self.env, record) for record in records]

    def send_press(self, who: MemberActor, label: str) -> Interaction:
        """Press a button of the newest match message without waiting for the answer."""
        seen = self.seen()
        data = {"custom_id": seen.buttons[label]["custom_id"], "component_type": 2}
        return self._send(who, InteractionType.MESSAGE_COMPONENT, data, seen)

    def send_start(self, who: MemberActor) -> Interaction:
        """Type `/velha start` without waiting for the answer."""
        command = self.env.backend.find_command("velha", self.guild.id)
        assert command is not None
        start = {"type": 1, "name": "start", "options": []}
        data = {"id": command["id"], "name": "velha", "type": 1, "options": [start]}
        return self._send(who, InteractionType.APPLICATION_COMMAND, data)

    def _send(
        self,
        who: MemberActor,
        kind: InteractionType,
        data: dict[str, Any],
        seen: Seen | None = None,
    ) -> Interaction:
        record, payload = interactions.base_payload(
            self.env.backend,
            type=kind,
            channel_id=self.channel.id,
            guild_id=self.guild.id,
            user_id=who.id,
            data=data,
        )
        if seen is not None:
            record.source_message_id = seen.id
            payload |= {"message": seen.payload}
        self.env.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def play(self, *moves: tuple[MemberActor, str]) -> None:
        for who, label in moves:
            await self.press(who, label)

    async def challenge(self, **options: Any) -> None:
        """Ana challenges Ben, who accepts: Ana is X."""
        await self.start(self.ana, opponent=self.ben, **options)
        await self.press(self.ben, "Accept")

    async def let_pass(self, *, minutes: int) -> None:
        """Move the clock on, and a little more for the bot to find out."""
        await self.env.advance_time(minutes * 60 + 20)

    def version(self) -> int:
        """The version at which the newest match message was drawn."""
        return int(next(iter(self.seen().buttons.values()))["custom_id"].split(":")[2])

    def rui_in_english(self) -> MemberActor:
        self.world.locales[self.rui.id] = "en-US"
        return self.rui

    def visit_as_a_strange_bot(self) -> None:
        """Have the bot be no member of the server: people bring it along as a user install."""
        self.world.strange_guilds.add(self.guild.id)
        everyone = self.env.backend.get_guild(self.guild.id).everyone_role
        everyone.permissions |= discord.Permissions(use_external_apps=True).value

    @property
    def cog(self) -> Velha:
        cog = self.bots[-1].get_cog("Velha")
        assert isinstance(cog, Velha)
        return cog

    def break_connection(self, error: type[Exception], path: str) -> None:
        """The next request whose path holds this one ends in an error of the network."""
        request = FakeWebhookAdapter.request

        async def fail_once(adapter: Any, route: Any, *given: Any, **options: Any) -> Any:
            if path in route.path:
                FakeWebhookAdapter.request = request  # type: ignore[method-assign]
                raise error
            return await request(adapter, route, *given, **options)

        FakeWebhookAdapter.request = fail_once  # type: ignore[method-assign, assignment]

    def stop_sweeping(self) -> None:
        self.cog._sweep.cancel()

    async def break_database(self) -> None:
        """Take the tables away, as a fault of the disk or of the server would."""
        await self.sql("ALTER TABLE matches RENAME TO elsewhere")

    async def mend_database(self) -> None:
        await self.sql("ALTER TABLE elsewhere RENAME TO matches")

    async def sql(self, statement: str) -> None:
        engine = create_async_engine(self.settings.database_url)
        async with engine.begin() as connection:
            await connection.execute(text(statement))
        await engine.dispose()

    def bot_member(self) -> MemberActor:
        user = UserHandle(self.env, self.env.backend.bot_user)
        return MemberActor(self.env, self.guild, user)

    def create_thread(self, parent: ChannelHandle | None = None) -> ChannelHandle:
        parent = parent or self.channel
        thread = self.env.backend.create_thread(parent.id, "conversa", self.ana.id)
        return ChannelHandle(self.env, self.guild, thread)

    # What people see

    def seen(self, channel: ChannelHandle | None = None) -> Seen:
        """The newest message with buttons, or else the newest that everybody sees."""
        everything = self.everything_seen(channel)
        return next((seen for seen in reversed(everything) if seen.buttons), everything[-1])

    def everything_seen(self, channel: ChannelHandle | None = None) -> list[Seen]:
        backend, channel_id = self.env.backend, (channel or self.channel).id
        stored = sorted(backend.messages.get(channel_id, {}).values(), key=lambda m: m.id)
        return [
            Seen(dict(serializers.message_payload(backend, message)), channel_id, message.id)
            for message in stored
            if not message.is_ephemeral
        ]

    def board(self) -> str:
        return self.seen().board

    def text(self) -> str:
        return self.seen().text

    def requests(self) -> list[tuple[str, str]]:
        """What the bot asked of Discord so far: method and path."""
        return [(request.method, request.path) for request in self.env.http_requests]

    # What befalls the bot

    async def restart(self, *, politely: bool = False) -> None:
        """A new process on the same database; the old one is gone without a word."""
        if politely:
            await self.bots[-1].close()
        self.bots.append(VelhaBot(self.settings))
        await self.env.restart_bot(self.bots[-1])

    async def close(self) -> None:
        await self.env.shutdown()
        for bot in self.bots:
            await bot.close()


def told(result: InteractionResult) -> str:
    """The one sentence that only the person saw."""
    said = [message for message in [result.response, *result.followups] if message is not None]
    ephemeral = [message for message in said if message.ephemeral]
    assert len(ephemeral) == 1, f"{len(ephemeral)} sentences, not one: {result}"
    return ephemeral[0].content
