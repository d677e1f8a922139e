"""The bot in a simulated Discord server: what people do and see in its channels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import simcord
from simcord import interactions
from simcord.actors import MemberActor, _dispatch_actor_interaction
from simcord.backend import serializers
from simcord.backend.models import Interaction, Overwrite
from simcord.builders import ChannelHandle, UserHandle
from simcord.enums import InteractionType, OverwriteType
from simcord.results import InteractionResult
from sqlalchemy import create_engine, text

from bot.client.bot import BotLimits, VelhaBot
from bot.config import Config
from bot.playground import World
from bot.store.store import Store
from tests.bot.backend import PATIENT_EXECUTOR
from tests.bot.limits import PATIENT_QUEUE

TURN_MINUTES = 2
"""Shorter than the default: every sweep in between takes its time in the simulation."""

MARKS = {"❌": re.compile(r"<:X_:\d+>"), "⭕": re.compile(r"<:O_:\d+>")}
_MARK_EMOJI = re.compile("[XO]_|❌|⭕")
_OF_BOARD = re.compile(":play:|:describe$")
_COORDINATE = re.compile(r"[A-E][1-5]")
PATIENT_LIMITS = BotLimits(
    executor=PATIENT_EXECUTOR,
    moves=PATIENT_QUEUE,
    lessons=PATIENT_QUEUE,
    counting_batch_seconds=0,
)
Message = discord.Message
Button = dict[str, Any]
Fault = tuple[int, int] | type[Exception]
"""How Discord fails a request: a status and a code, or an error of the network."""


@dataclass(frozen=True)
class SeenMessage:
    """A message as somebody saw it: pressing it later presses the buttons of that moment."""

    payload: dict[str, Any]
    channel_id: int
    id: int

    @property
    def text(self) -> str:
        texts = [item["content"] for item in self._items if item["type"] == 10]
        text = "\n".join([self.payload["content"], *texts]).strip()
        for symbol, mark in MARKS.items():
            text = mark.sub(symbol, text)
        return text

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
        """The board as text: the first rows of buttons, as many as it has columns."""
        width = len(self.rows[0]) if self.rows else 0
        return " ".join("".join(map(_mark, row)) for row in self.rows[:width])

    @property
    def link(self) -> str:
        """The address of the message."""
        guild_id = self.payload.get("guild_id")
        return f"https://discord.com/channels/{guild_id}/{self.channel_id}/{self.id}"

    @property
    def links(self) -> list[str]:
        """The addresses of the buttons that open one."""
        return [button["url"] for row in self.rows for button in row if "url" in button]

    @property
    def labels(self) -> list[str]:
        """The buttons that can be pressed, the board and what reads it out aside."""
        return [
            name
            for name, button in self.buttons.items()
            if not button.get("disabled") and not _OF_BOARD.search(button.get("custom_id", ""))
        ]

    @property
    def free(self) -> list[str]:
        """The cells that can be played."""
        return [name for name, button in self.buttons.items() if _is_free(button)]

    @property
    def vanishing(self) -> list[str]:
        """The cells whose marks are shown as about to vanish."""
        return [
            name
            for name, button in self.buttons.items()
            if button.get("emoji") and button["emoji"]["name"].endswith("_vanishing")
        ]

    def cells_in(self, style: discord.ButtonStyle) -> list[str]:
        """The cells of the board whose buttons have a style."""
        width = len(self.rows[0])
        cells = list(self._named_buttons())[: width * width]
        return [name for name, button in cells if button["style"] == style.value]


def _is_free(button: Button) -> bool:
    is_cell = ":play:" in button["custom_id"]
    return is_cell and _mark(button) == "." and not button.get("disabled")


def _mark(button: Button) -> str:
    """A cell as text: a mark, or what a free one shows beside its coordinate or in its place."""
    face = button["emoji"]["name"] if button.get("emoji") else button["label"]
    if mark := _MARK_EMOJI.match(face):
        return "x" if mark[0] in ("X_", "❌") else "o"
    return _COORDINATE.sub("", face) or "."


class _BrokenConnection(dict[str, Any]):
    """A fault of SimCord's that, asked for its status, breaks the connection instead."""

    def __getitem__(self, key: str) -> Any:
        if key == "status":
            raise super().__getitem__("error")
        return super().__getitem__(key)


class SimulatedGuild:
    """A server with the bot, and with Ana, Ben and Rui in a channel.

    Ana and Rui read Portuguese, Ben English, and so does the server. Rui is a moderator.
    """

    def __init__(self, env: simcord.Env, world: World, settings: Config, bot: VelhaBot) -> None:
        self.env = env
        self.world = world
        self.settings = settings
        self.bots = [bot]
        self.handle = env.create_guild("Casa", preferred_locale="en-GB")
        self.channel = self.handle.create_text_channel("jogo-da-velha")
        moderators = self.handle.create_role(
            "Moderators", permissions=discord.Permissions(manage_messages=True)
        )
        self.ana, self.ben, self.rui = (
            self.handle.add_member(env.create_user(name)) for name in ("ana", "ben", "rui")
        )
        self.env.backend.get_guild(self.handle.id).members[self.rui.id].role_ids.append(
            moderators.id
        )
        world.locales |= {self.ana.id: "pt-BR", self.rui.id: "pt-BR"}

    # What people do

    async def start(
        self, who: MemberActor, channel: ChannelHandle | None = None, **options: Any
    ) -> InteractionResult:
        return await who.slash(channel or self.channel, "velha start", **options)

    async def press(
        self, who: MemberActor | UserHandle, label: str, seen: SeenMessage | None = None
    ) -> InteractionResult:
        """Press a button of the newest match message, or of one as it was seen earlier."""
        seen = seen or self.newest()
        custom_id = seen.buttons[label]["custom_id"]
        return await self.press_custom_id(who, custom_id, seen)

    async def press_custom_id(
        self, who: MemberActor | UserHandle, custom_id: str, seen: SeenMessage
    ) -> InteractionResult:
        return await self.send_component(who, {"custom_id": custom_id, "component_type": 2}, seen)

    async def send_component(
        self, who: MemberActor | UserHandle, data: dict[str, Any], seen: SeenMessage
    ) -> InteractionResult:
        """Send a press on a button or a select, with any data."""
        channel = ChannelHandle(
            self.env, getattr(who, "guild", None), self.env.backend.get_channel(seen.channel_id)
        )
        return await _dispatch_actor_interaction(
            who,
            InteractionType.MESSAGE_COMPONENT,
            channel,
            data,
            extra={"message": seen.payload},
            source_message_id=seen.id,
        )

    async def press_forged(
        self, who: MemberActor, custom_id: str, seen: SeenMessage | None = None
    ) -> InteractionResult:
        """Press a button that the newest match message, or another, lacks, as if it had it."""
        seen = seen or self.newest()
        button = {"type": 2, "style": 2, "label": "?", "custom_id": custom_id}
        row = {"type": 1, "components": [button]}
        forged = seen.payload | {"components": [*seen.payload["components"], row]}
        return await self.press_custom_id(
            who, custom_id, SeenMessage(forged, seen.channel_id, seen.id)
        )

    async def press_at_once(self, *presses: tuple[MemberActor, str]) -> list[InteractionResult]:
        """Several presses on the same board, all sent before the first is answered."""
        records = [self.send_press(who, label) for who, label in presses]
        await self.env.settle()
        return [InteractionResult(self.env, record) for record in records]

    def send_press(
        self, who: MemberActor, label: str, seen: SeenMessage | None = None, *, copies: int = 1
    ) -> Interaction:
        """Press a button of the newest match message, or of another, and wait for no answer."""
        seen = seen or self.newest()
        data = {"custom_id": seen.buttons[label]["custom_id"], "component_type": 2}
        return self._send(who, InteractionType.MESSAGE_COMPONENT, data, seen, copies=copies)

    def send_start(self, who: MemberActor) -> Interaction:
        return self.send_command(who, "start")

    def send_command(
        self, who: MemberActor, name: str, *, copies: int = 1, **options: Any
    ) -> Interaction:
        """Type one of our commands, with any options at all, without waiting for the answer.

        Each of several processes gets a copy of it, and only one can answer.
        """
        command = self.env.backend.find_command("velha", self.handle.id)
        assert command is not None
        given = [{"type": 3, "name": option, "value": options[option]} for option in options]
        subcommand = {"type": 1, "name": name, "options": given}
        data = {"id": command["id"], "name": "velha", "type": 1, "options": [subcommand]}
        return self._send(who, InteractionType.APPLICATION_COMMAND, data, copies=copies)

    def _send(
        self,
        who: MemberActor,
        kind: InteractionType,
        data: dict[str, Any],
        seen: SeenMessage | None = None,
        *,
        copies: int,
    ) -> Interaction:
        record, payload = interactions.base_payload(
            self.env.backend,
            type=kind,
            channel_id=self.channel.id,
            guild_id=self.handle.id,
            user_id=who.id,
            data=data,
        )
        if seen is not None:
            record.source_message_id = seen.id
            payload |= {"message": seen.payload}
        for _ in range(copies):
            self.env.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def play(self, *moves: tuple[MemberActor, str]) -> None:
        for who, label in moves:
            await (self.resign(who) if label == "Resign" else self.press(who, label))

    async def resign(self, who: MemberActor, seen: SeenMessage | None = None) -> InteractionResult:
        """Press Resign, and confirm it."""
        resign = (seen or self.newest()).buttons["Resign"]["custom_id"]
        asked = await self.press(who, "Resign", seen)
        assert asked.response is not None
        return await who.click(asked.response, custom_id=resign.replace("resign", "concede"))

    async def challenge(self, **options: Any) -> None:
        """Ana challenges Ben, who accepts: Ana is X."""
        await self.start(self.ana, opponent=self.ben, **options)
        await self.press(self.ben, "Accept")

    async def advance_time(self, *, minutes: int) -> None:
        """Advance the clock, and a little more for the next sweep."""
        await self.env.advance_time(minutes * 60 + 20)

    def version(self) -> int:
        """The version at which the newest match message was drawn."""
        return int(next(iter(self.newest().buttons.values()))["custom_id"].split(":")[2])

    def rui_in_english(self) -> MemberActor:
        self.world.locales[self.rui.id] = "en-US"
        return self.rui

    def make_user_install(self) -> None:
        """Make the bot a user install: it is no member of the server."""
        self.world.user_install_guilds.add(self.handle.id)
        everyone = self.env.backend.get_guild(self.handle.id).everyone_role
        everyone.permissions |= discord.Permissions(use_external_apps=True).value

    def fail(self, path: str, fault: Fault, *, method: str = "*", times: int | None = None) -> None:
        """Have Discord fail all requests to a path, or the next ones, until it recovers."""
        status, code = fault if isinstance(fault, tuple) else (0, 0)
        self.env.inject_error(method, path, status=status, code=code, times=times)
        if not isinstance(fault, tuple):
            faults = self.env.backend.faults
            faults[-1] = _BrokenConnection(faults[-1], error=fault)

    def refuse_emojis(self, path: str = "*") -> None:
        """Have Discord refuse the emojis of the next message sent to a path."""
        said = "Invalid Form Body\nIn components.0.components.1.emoji.id: Invalid emoji"
        self.env.inject_error("*", path, status=400, code=50035, message=said, times=1)

    def break_connection(self, error: type[Exception], path: str) -> None:
        """Fail the next request whose path contains this one with a network error."""
        self.fail(f"*{path}*", error, times=1)

    def lose_answers(self) -> None:
        """Have Discord act on answers but lose its responses, until it recovers."""
        adapter = self.env._webhook_adapter
        request = adapter.request

        async def lose(*given: Any, **options: Any) -> None:
            await request(*given, **options)
            raise aiohttp.ServerDisconnectedError

        adapter.request = lose

    def recover(self) -> None:
        self.env.backend.faults.clear()
        vars(self.env._webhook_adapter).pop("request", None)

    def deny_bot(self, flag: str, channel: ChannelHandle | None = None) -> None:
        """Deny the bot a permission in the channel, or in another."""
        denied = discord.Permissions(**{flag: True}).value
        overwrite = Overwrite(self.env.backend.bot_user.id, OverwriteType.MEMBER, deny=denied)
        self.env.backend.set_overwrite((channel or self.channel).id, overwrite)

    def restore_bot_permissions(self, channel: ChannelHandle | None = None) -> None:
        bot_id = self.env.backend.bot_user.id
        self.env.backend.delete_overwrite((channel or self.channel).id, bot_id)

    def kick_bot(self) -> None:
        self.env.backend.remove_member(self.handle.id, self.env.backend.bot_user.id)
        self.env.backend.emit("GUILD_DELETE", {"id": str(self.handle.id)})

    def invite_bot_again(self) -> None:
        self.env.backend.add_member(self.handle.id, self.env.backend.bot_user.id)

    async def answer_from_another_process(self, record: Interaction) -> InteractionResult:
        """Have another process of the bot answer first; Discord accepts no second answer."""
        record.responded = True
        await self.env.settle()
        return InteractionResult(self.env, record)

    def stop_background_tasks(self) -> None:
        self.bots[-1].background_tasks.stop()

    def break_database(self) -> None:
        """Make every statement on matches fail."""
        self.sql("ALTER TABLE matches RENAME TO elsewhere")

    def mend_database(self) -> None:
        self.sql("ALTER TABLE elsewhere RENAME TO matches")

    def is_live(self, channel: ChannelHandle | None = None) -> bool:
        """Whether a channel has a live match; the channel may be deleted."""
        store = Store.open(self.settings.database_url)
        match = store.matches.live_in((channel or self.channel).id)
        store.close()
        return match is not None

    def sql(self, statement: str, **given: str) -> None:
        engine = create_engine(self.settings.database_url)
        with engine.begin() as connection:
            connection.execute(text(statement), given)
        engine.dispose()

    def bot_member(self) -> MemberActor:
        user = UserHandle(self.env, self.env.backend.bot_user)
        return MemberActor(self.env, self.handle, user)

    def create_thread(self, parent: ChannelHandle | None = None) -> ChannelHandle:
        parent = parent or self.channel
        thread = self.env.backend.create_thread(parent.id, "conversa", self.ana.id)
        return ChannelHandle(self.env, self.handle, thread)

    # What people see

    def newest(self, channel: ChannelHandle | None = None) -> SeenMessage:
        """The newest message with buttons, or else the newest that everybody sees."""
        everything = self.messages(channel)
        return next((seen for seen in reversed(everything) if seen.buttons), everything[-1])

    def page(self, channel: ChannelHandle | None = None) -> SeenMessage:
        """The newest message that only one person sees."""
        return self.messages(channel, ephemeral=True)[-1]

    def messages(
        self, channel: ChannelHandle | None = None, *, ephemeral: bool = False
    ) -> list[SeenMessage]:
        backend, channel_id = self.env.backend, (channel or self.channel).id
        stored = sorted(backend.messages.get(channel_id, {}).values(), key=lambda m: m.id)
        return [
            SeenMessage(dict(serializers.message_payload(backend, message)), channel_id, message.id)
            for message in stored
            if message.is_ephemeral is ephemeral
        ]

    def board(self) -> str:
        return self.newest().board

    def text(self) -> str:
        return self.newest().text

    def requests(self) -> list[tuple[str, str]]:
        """What the bot asked of Discord so far: method and path."""
        return [(request.method, request.path) for request in self.env.http_requests]

    # Restarts

    async def restart(self, *, politely: bool = False) -> None:
        """Start a new process on the same database, after closing or abandoning the old one."""
        if politely:
            await self.bots[-1].close()
        else:
            self.stop_background_tasks()  # a process that is gone does nothing any more
        self.bots.append(VelhaBot(self.settings, limits=PATIENT_LIMITS))
        await self.env.restart_bot(self.bots[-1])

    async def close(self) -> None:
        await self.env.shutdown()
        for bot in self.bots:
            await bot.close()


def private_text(result: InteractionResult) -> str:
    """The text of the one ephemeral message in answer."""
    messages = [message for message in [result.response, *result.followups] if message is not None]
    ephemeral = [message for message in messages if message.ephemeral]
    assert len(ephemeral) == 1, f"{len(ephemeral)} ephemeral messages, not one: {result}"
    message = ephemeral[0]
    boxes = [item for box in message.components for item in box.get("components", [])]
    texts = [item["content"] for item in boxes if item["type"] == 10]
    return "\n".join([message.content, *texts]).strip()
