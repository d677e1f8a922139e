"""The bot in a simulated Discord server: what people do and see in its channels."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
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
from bot.domain.match_actions import ConcedePage, Press
from bot.domain.matches import Match
from bot.domain.pages import custom_id
from bot.messaging.reply import ReplyTimeouts
from bot.playground.simcord_patches import World, set_clock_at_start
from bot.store.matches import live_in
from bot.store.store import Store
from tests.bot.backend import PATIENT_DATABASE
from tests.bot.databases import call
from tests.bot.limits import PATIENT_QUEUE
from tests.bot.workers import KeptWorker

TURN_MINUTES = 2
"""Shorter than the default: every sweep in between takes its time in the simulation."""

MARKS = {"❌": re.compile(r"<:X_:\d+>"), "⭕": re.compile(r"<:O_:\d+>")}
"""The bot's own emojis in texts, by the Unicode emojis that tests show in their place."""

_MARK_EMOJI = re.compile("[XO]_|❌|⭕")
_BOARD_CUSTOM_ID = re.compile("^velha:move:|:play:|:describe$")
_COORDINATE = re.compile(r"[A-E][1-5]")
_ROW = discord.ComponentType.action_row.value
_BUTTON = discord.ComponentType.button.value
_CONTAINER = discord.ComponentType.container.value
_TEXT = discord.ComponentType.text_display.value
PATIENT_LIMITS = BotLimits(
    reply=ReplyTimeouts(members_seconds=300),
    database=PATIENT_DATABASE,
    moves=PATIENT_QUEUE,
    lessons=PATIENT_QUEUE,
)
Message = discord.Message
Button = dict[str, Any]
Fault = tuple[int, int] | type[Exception]
"""How a request to Discord fails: with a status and an error code, or with a network error."""


@dataclass(frozen=True)
class SeenMessage:
    """A message as somebody saw it: pressing it later presses the buttons of that moment."""

    payload: dict[str, Any]
    channel_id: int
    id: int

    @property
    def text(self) -> str:
        texts = [item["content"] for item in self._items if item["type"] == _TEXT]
        text = "\n".join([self.payload["content"], *texts]).strip()
        for symbol, mark in MARKS.items():
            text = mark.sub(symbol, text)
        return text

    @property
    def rows(self) -> list[list[Button]]:
        return [item["components"] for item in self._items if item["type"] == _ROW]

    @property
    def _items(self) -> list[dict[str, Any]]:
        return _items(self.payload["components"])

    @property
    def buttons(self) -> dict[str, Button]:
        """The buttons by label, or by cell if a mark is shown in place of the label."""
        return dict(self._named_buttons())

    def _named_buttons(self) -> Iterator[tuple[str, Button]]:
        """Marks above the board, as answers to a question, are named by their emojis."""
        row = 0
        for buttons in self.rows:
            is_of_board = all(map(_is_cell, buttons))
            row += is_of_board
            for column, button in enumerate(buttons):
                cell = f"{'ABCDE'[column]}{row}"
                mark = cell if is_of_board else _MARK_EMOJI.findall(str(button.get("emoji")))[:1]
                yield button.get("label") or "".join(mark), button

    @property
    def board(self) -> str:
        """The board as text: the first rows of cells, as many as it has columns."""
        rows = [row for row in self.rows if all(map(_is_cell, row))]
        width = len(rows[0]) if rows else 0
        return " ".join("".join(map(_mark, row)) for row in rows[:width])

    @property
    def link(self) -> str:
        """The URL of the message."""
        guild_id = self.payload.get("guild_id")
        return f"https://discord.com/channels/{guild_id}/{self.channel_id}/{self.id}"

    @property
    def labels(self) -> list[str]:
        """The buttons that can be pressed, without those of the board and of its description."""
        return [
            name
            for name, button in self.buttons.items()
            if not button.get("disabled")
            and not _BOARD_CUSTOM_ID.search(button.get("custom_id", ""))
        ]

    @property
    def free(self) -> list[str]:
        """The cells that can be played."""
        return [name for name, button in self.buttons.items() if _is_free(button)]

    def cells_in(self, style: discord.ButtonStyle) -> list[str]:
        """The cells whose buttons have a style, on a square board."""
        width = len(self.rows[0])
        cells = list(self._named_buttons())[: width * width]
        return [name for name, button in cells if button["style"] == style.value]


def _items(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Components, with those of containers in place of the containers."""
    items: list[dict[str, Any]] = []
    for component in components:
        items += component["components"] if component["type"] == _CONTAINER else [component]
    return items


def _is_free(button: Button) -> bool:
    is_cell = ":play:" in button["custom_id"]
    return is_cell and _mark(button) == "." and not button.get("disabled")


def _is_cell(button: dict[str, Any]) -> bool:
    """Whether a button shows a mark, or the name of a cell first."""
    return "label" not in button or _COORDINATE.match(button["label"]) is not None


def _mark(button: Button) -> str:
    """A cell as text: "x", "o", or "." if it is free.

    A label other than the coordinate, such as what a lesson shows on a free cell, is kept.
    """
    text = button["emoji"]["name"] if button.get("emoji") else button["label"]
    if mark := _MARK_EMOJI.match(text):
        return "x" if mark[0] in ("X_", "❌") else "o"
    return _COORDINATE.sub("", text) or "."


class _BrokenConnection(dict[str, Any]):
    """A fault of SimCord that raises a network error when its status is read."""

    def __getitem__(self, key: str) -> Any:
        if key == "status":
            raise super().__getitem__("error")
        return super().__getitem__(key)


async def stop(who: MemberActor, channel: ChannelHandle) -> InteractionResult:
    """Use `/velha stop`, and confirm it where one is asked."""
    answer = await who.slash(channel, "velha stop")
    assert answer.response is not None
    (*_texts, last) = _items(answer.response.components)
    if last["type"] == _TEXT:
        return answer
    (button,) = last["components"]
    return await who.click(answer.response, custom_id=button["custom_id"])


class SimulatedGuild:
    """A server with the bot, and with Ana, Ben and Rui in a channel.

    Ana and Rui read Portuguese. Ben and the server have English. Rui is a moderator.
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
        self, who: MemberActor | UserHandle, label: str, message: SeenMessage | None = None
    ) -> InteractionResult:
        """Press a button of the newest match message, or of an earlier state of a message."""
        message = message or self.newest()
        custom_id = message.buttons[label]["custom_id"]
        return await self.press_custom_id(who, custom_id, message)

    async def press_custom_id(
        self, who: MemberActor | UserHandle, custom_id: str, message: SeenMessage
    ) -> InteractionResult:
        return await self.send_component(
            who, {"custom_id": custom_id, "component_type": _BUTTON}, message
        )

    async def send_component(
        self, who: MemberActor | UserHandle, data: dict[str, Any], message: SeenMessage
    ) -> InteractionResult:
        """Send a press on a button or a select, with any data."""
        channel = ChannelHandle(
            self.env, getattr(who, "guild", None), self.env.backend.get_channel(message.channel_id)
        )
        return await _dispatch_actor_interaction(
            who,
            InteractionType.MESSAGE_COMPONENT,
            channel,
            data,
            extra={"message": message.payload},
            source_message_id=message.id,
        )

    async def press_forged(
        self, who: MemberActor, custom_id: str, message: SeenMessage | None = None
    ) -> InteractionResult:
        """Press a button that the newest match message, or another one, does not have."""
        message = message or self.newest()
        button = {"type": _BUTTON, "style": 2, "label": "?", "custom_id": custom_id}
        row = {"type": _ROW, "components": [button]}
        forged = message.payload | {"components": [*message.payload["components"], row]}
        return await self.press_custom_id(
            who, custom_id, SeenMessage(forged, message.channel_id, message.id)
        )

    async def press_at_once(self, *presses: tuple[MemberActor, str]) -> list[InteractionResult]:
        """Press buttons of the newest match message, all before the first is answered."""
        records = [self.send_press(who, label) for who, label in presses]
        await self.env.settle()
        return [InteractionResult(self.env, record) for record in records]

    def send_press(
        self, who: MemberActor, label: str, message: SeenMessage | None = None
    ) -> Interaction:
        """Press a button of the newest match message, or of another, without waiting."""
        message = message or self.newest()
        return self.send_custom_id(who, message.buttons[label]["custom_id"], message)

    def send_custom_id(self, who: MemberActor, custom_id: str, message: SeenMessage) -> Interaction:
        """Press a button that a message need not have, without waiting."""
        data = {"custom_id": custom_id, "component_type": _BUTTON}
        return self._send(who, InteractionType.MESSAGE_COMPONENT, data, message)

    def send_start(self, who: MemberActor) -> Interaction:
        return self.send_command(who, "start")

    def send_command(self, who: MemberActor, name: str, **options: Any) -> Interaction:
        """Use a command, also with options that it does not have, without waiting."""
        command = self.env.backend.find_command("velha", self.handle.id)
        assert command is not None
        values = [{"type": 3, "name": option, "value": options[option]} for option in options]
        subcommand = {"type": 1, "name": name, "options": values}
        data = {"id": command["id"], "name": "velha", "type": 1, "options": [subcommand]}
        return self._send(who, InteractionType.APPLICATION_COMMAND, data)

    def _send(
        self,
        who: MemberActor,
        kind: InteractionType,
        data: dict[str, Any],
        message: SeenMessage | None = None,
    ) -> Interaction:
        record, payload = interactions.base_payload(
            self.env.backend,
            type=kind,
            channel_id=self.channel.id,
            guild_id=self.handle.id,
            user_id=who.id,
            data=data,
        )
        if message is not None:
            record.source_message_id = message.id
            payload |= {"message": message.payload}
        self.env.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def play(self, *moves: tuple[MemberActor, str]) -> None:
        for who, label in moves:
            await (self.resign(who) if label == "Resign" else self.press(who, label))

    async def resign(
        self, who: MemberActor, message: SeenMessage | None = None
    ) -> InteractionResult:
        """Press Resign, which a board may not show before the first move, and confirm it."""
        message = message or self.newest()
        shown = message.buttons["Hint" if "Hint" in message.buttons else "Resign"]["custom_id"]
        resign = shown.replace("hint", "resign")
        question = await self.press_custom_id(who, resign, message)
        assert question.response is not None
        press = Press.parse(resign)
        assert press is not None
        concede = custom_id(ConcedePage(press.match_id, press.version), 0)
        return await who.click(question.response, custom_id=concede)

    async def stop(self, who: MemberActor) -> InteractionResult:
        """As `stop`, in the usual channel."""
        return await stop(who, self.channel)

    async def challenge(self, **options: Any) -> None:
        """Ana challenges Ben, who accepts: Ana is X."""
        await self.start(self.ana, opponent=self.ben, **options)
        await self.press(self.ben, "Accept")

    async def advance_time(self, *, minutes: int) -> None:
        """Advance the clock, with a few seconds more for the next sweep."""
        await self.env.advance_time(minutes * 60 + 20)

    def make_user_install(self) -> None:
        """Make the bot a user install, which is no member of the server."""
        self.world.user_install_guilds.add(self.handle.id)
        everyone = self.env.backend.get_guild(self.handle.id).everyone_role
        everyone.permissions |= discord.Permissions(use_external_apps=True).value

    def fail(self, path: str, fault: Fault, *, method: str = "*", times: int | None = None) -> None:
        """Have Discord fail the requests to a path, or only the next ones, until `recover`."""
        status, code = fault if isinstance(fault, tuple) else (0, 0)
        self.env.inject_error(method, path, status=status, code=code, times=times)
        if not isinstance(fault, tuple):
            faults = self.env.backend.faults
            faults[-1] = _BrokenConnection(faults[-1], error=fault)

    def refuse_emojis(self, path: str = "*") -> None:
        """Have Discord refuse the emojis of the next message sent to a path."""
        message = "Invalid Form Body\nIn components.0.components.1.emoji.id: Invalid emoji"
        self.env.inject_error("*", path, status=400, code=50035, message=message, times=1)

    def lose_answers(self) -> None:
        """Have Discord act on answers, but break the connection, until `recover`."""
        adapter = self.env._webhook_adapter
        request = adapter.request

        async def request_and_disconnect(*args: Any, **kwargs: Any) -> None:
            await request(*args, **kwargs)
            raise aiohttp.ServerDisconnectedError

        adapter.request = request_and_disconnect

    def before_next_answer(self, happening: Callable[[], Awaitable[None]]) -> None:
        """Have something happen before Discord acts on the bot's next answer."""
        adapter = self.env._webhook_adapter
        request = adapter.request

        async def wait_and_request(*args: Any, **kwargs: Any) -> Any:
            adapter.request = request
            await happening()
            return await request(*args, **kwargs)

        adapter.request = wait_and_request

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

    def leave(self, who: MemberActor) -> None:
        """Have somebody leave the server."""
        self.env.backend.remove_member(self.handle.id, who.id)

    def kick_bot(self) -> None:
        self.env.backend.remove_member(self.handle.id, self.env.backend.bot_user.id)
        self.env.backend.emit("GUILD_DELETE", {"id": str(self.handle.id)})

    def invite_bot_again(self) -> None:
        self.env.backend.add_member(self.handle.id, self.env.backend.bot_user.id)

    async def answer_from_another_process(self, record: Interaction) -> InteractionResult:
        """Have another process of the bot answer first: Discord accepts one answer."""
        record.responded = True
        await self.env.settle()
        return InteractionResult(self.env, record)

    def stop_background_tasks(self) -> None:
        self.bots[-1].background_tasks.stop()

    def break_database(self, table: str = "matches") -> None:
        """Make every statement on a table fail; on matches, until `mend_database`."""
        self.sql(f"ALTER TABLE {table} RENAME TO elsewhere")

    def mend_database(self) -> None:
        self.sql("ALTER TABLE elsewhere RENAME TO matches")

    def is_live(self, channel: ChannelHandle | None = None) -> bool:
        """Whether a channel, which may be deleted, has a live match."""
        return self.live_match(channel) is not None

    def live_match(self, channel: ChannelHandle | None = None) -> Match | None:
        """The live match of a channel, as stored."""
        store = Store.open(self.settings.database_url)
        match = call(store, live_in, (channel or self.channel).id)
        store.close()
        return match

    def sql(self, statement: str, **parameters: str) -> None:
        engine = create_engine(self.settings.database_url)
        with engine.begin() as connection:
            connection.execute(text(statement), parameters)
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
        """The newest message that everybody sees: with buttons, if there is one."""
        messages = self.messages(channel)
        with_buttons = [message for message in messages if message.buttons]
        return (with_buttons or messages)[-1]

    def page(self, channel: ChannelHandle | None = None) -> SeenMessage:
        """The newest ephemeral message."""
        return self.messages(channel, ephemeral=True)[-1]

    def messages(
        self, channel: ChannelHandle | None = None, *, ephemeral: bool = False
    ) -> list[SeenMessage]:
        """The messages of a channel, the oldest first: public ones, or only ephemeral ones."""
        backend = self.env.backend
        channel_id = (channel or self.channel).id
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
        """All requests of the bot to Discord, each with its method and path."""
        return [(request.method, request.path) for request in self.env.http_requests]

    # Restarts

    async def restart(self, *, politely: bool = False) -> None:
        """Start a new bot on the same database, after the old one closed or, by default, died."""
        if politely:
            await self.bots[-1].close()
        else:
            self.stop_background_tasks()
        bot = VelhaBot(self.settings, limits=PATIENT_LIMITS, worker_class=KeptWorker)
        self.bots.append(bot)
        set_clock_at_start(bot)
        await self.env.restart_bot(bot)

    async def close(self) -> None:
        await self.env.shutdown()
        for bot in self.bots:
            await bot.close()


def private_text(result: InteractionResult) -> str:
    """The text of the answer, which has exactly one ephemeral message."""
    messages = [result.response, *result.followups]
    ephemeral = [message for message in messages if message is not None and message.ephemeral]
    assert len(ephemeral) == 1, f"{len(ephemeral)} ephemeral messages, not one: {result}"
    message = ephemeral[0]
    texts = [item["content"] for item in _items(message.components) if item["type"] == _TEXT]
    return "\n".join([message.content, *texts]).strip()
