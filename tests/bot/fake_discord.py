"""A fake Discord server: a gateway and the REST calls that Velha makes, on sockets.

For what a simulation inside the bot's process cannot show: processes that are killed, several of
them at once, answers that never come, and load. Bots reach it through `tests.bot.run_bot`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

import discord
from aiohttp import WSMsgType, web
from discord import ComponentType, InteractionResponseType, InteractionType
from discord.gateway import DiscordWebSocket as Gateway

from bot.messaging.emojis import IMAGES

BOT_ID = 1
STATUS_FOR = {"token-refused": 401, "token-broken": 503}
"""How the login of these tokens ends; `token-reset` is turned away by the gateway instead."""

COORDINATE = re.compile("[A-E][1-5]")
_USER = {"id": str(BOT_ID), "username": "velha", "discriminator": "0", "avatar": None, "bot": True}
_APPLICATION = {
    **dict.fromkeys(("name", "description", "icon", "verify_key"), ""),
    **dict.fromkeys(("bot_public", "bot_require_code_grant"), True),
    "id": str(BOT_ID),
    "flags": 0,
    "rpc_origins": None,
    "owner": _USER,
}
_LIMITS = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 16}
_SOON = "2030-01-01T00:00:00+00:00"
_CONTAINER = ComponentType.container.value
_TEXT = ComponentType.text_display.value
_ROW = ComponentType.action_row.value
_MESSAGE = InteractionResponseType.channel_message.value
_LATER = InteractionResponseType.deferred_channel_message.value
_UPDATE = InteractionResponseType.message_update.value
_UPDATE_LATER = InteractionResponseType.deferred_message_update.value
_EPHEMERAL = discord.MessageFlags.ephemeral.flag
_LOADING = discord.MessageFlags.loading.flag
_PATIENCE_SECONDS = 60
_last_id = itertools.count(1)

Payload = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Fault = Callable[[web.Request, Handler], Awaitable[web.StreamResponse]]


def new_id() -> int:
    """An id of this moment, as Discord makes them: milliseconds first, then a number."""
    moment = discord.utils.time_snowflake(discord.utils.utcnow())
    return moment + next(_last_id) % 2**22


@dataclass
class Message:
    """A message as it stands on the screen."""

    id: int
    channel_id: int
    payload: Payload

    @property
    def items(self) -> list[Payload]:
        """The components, which may be in a container."""
        outer = self.payload["components"]
        nested = (box["components"] if box["type"] == _CONTAINER else [box] for box in outer)
        return list(itertools.chain.from_iterable(nested))

    @property
    def text(self) -> str:
        return "\n".join(item["content"] for item in self.items if item["type"] == _TEXT)

    @property
    def rows(self) -> list[list[Payload]]:
        return [item["components"] for item in self.items if item["type"] == _ROW]

    @property
    def board(self) -> str:
        """The board as text, such as `x.. .o. ...`."""
        return " ".join("".join(map(_mark, row)) for row in self.rows[:3])

    @property
    def labels(self) -> list[str]:
        """The buttons that can be pressed, free cells among them."""
        buttons = itertools.chain.from_iterable(self.rows)
        return [label for b in buttons if (label := _label(b)) and not b.get("disabled")]

    def custom_id(self, label: str) -> str:
        buttons = itertools.chain.from_iterable(self.rows)
        return next(str(b["custom_id"]) for b in buttons if _label(b) == label)


def _mark(button: Payload) -> str:
    """A cell as text, by its emoji."""
    first = (button.get("emoji") or {"name": "."})["name"][0]
    return {"❌": "x", "X": "x", "⭕": "o", "O": "o"}.get(first, ".")


def _label(button: Payload) -> str | None:
    """A button's label, or the coordinate that its emoji shows."""
    emoji = button.get("emoji")
    return emoji["name"] if emoji and COORDINATE.fullmatch(emoji["name"]) else button.get("label")


def _texts(part: Payload) -> Iterator[str]:
    """The texts and links of a message, or of one of its components."""
    yield from filter(None, (part.get("content"), part.get("url")))
    for component in part.get("components") or []:
        yield from _texts(component)


@dataclass
class Interaction:
    """Something that a person did, and what was said to them."""

    payload: Payload
    pressed: Message | None = None
    answers: list[Payload] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    """Answered, and with more than that an answer is to follow."""
    original: Message | None = None
    """What it was answered with: a message of its own, or the one pressed."""
    kind: int = 0
    """That of the first answer: a new message or a change of the one pressed, now or later."""
    seconds: float = 0.0

    @property
    def is_to_follow(self) -> bool:
        """Whether there is no answer yet but that one will come."""
        return self.kind in (_LATER, _UPDATE_LATER) and len(self.answers) < 2

    @property
    def private_text(self) -> str:
        """What only this person saw; empty where they just saw the board change."""
        ephemeral = [answer for answer in self.answers if answer.get("flags", 0) & _EPHEMERAL]
        return "\n".join(text for answer in ephemeral for text in _texts(answer))


class FakeDiscord:
    """Any number of servers with one channel each, under the same id; messages; bots."""

    def __init__(self, *, has_emojis: bool = False) -> None:
        """`has_emojis` says that the bot's own were uploaded; without, it cannot have any."""
        names = IMAGES if has_emojis else ()
        self._emojis = [{"id": str(new_id()), "name": name} for name in names]
        self.messages: dict[int, Message] = {}
        self.requests: Counter[str] = Counter()
        self.fault: Fault | None = None
        """Stands between a bot and Discord, once the bot is connected."""
        self.deleted_channels: set[int] = set()
        self.inaccessible_channels: set[int] = set()
        """Channels that no longer exist, and those that the bot may not view."""
        self.sockets: dict[int, list[web.WebSocketResponse]] = {}
        self.sessions = 0
        self.resumed = 0
        self._waiting: dict[str, Interaction] = {}
        self._connected = asyncio.Condition()
        self._sending: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[self._count, self._through_fault])
        app.router.add_get("/users/@me", self._who_am_i)
        app.router.add_get("/oauth2/applications/@me", self._describe_application)
        app.router.add_put("/applications/{id}/commands", self._take_commands)
        app.router.add_get("/applications/{id}/emojis", self._list_emojis)
        app.router.add_get("/gateway/bot", self._describe_gateway)
        app.router.add_get("/gateway", self._serve_gateway)
        app.router.add_post("/interactions/{id}/{token}/callback", self._take_answer)
        app.router.add_post("/webhooks/{id}/{token}", self._take_followup)
        app.router.add_get("/webhooks/{id}/{token}/messages/@original", self._give_original)
        app.router.add_patch("/webhooks/{id}/{token}/messages/@original", self._take_original)
        app.router.add_patch("/channels/{channel}/messages/{message}", self._take_edit)
        app.router.add_get("/channels/{channel}", self._describe_channel)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    # What people do

    async def start(
        self,
        user_id: int,
        channel_id: int,
        *,
        board: str | None = None,
        level: str | None = None,
        opponent: int | None = None,
    ) -> Message:
        """Type `/velha start`; returns the newest message of the channel."""
        await self.answer(
            self.send_start(user_id, channel_id, board=board, level=level, opponent=opponent)
        )
        return self.newest(channel_id)

    async def ask_start(self, user_id: int, channel_id: int) -> Interaction:
        """Type `/velha start` where that is answered with a sentence."""
        interaction = self.send_start(user_id, channel_id)
        await self.answer(interaction)
        return interaction

    def send_start(  # noqa: PLR0913 - the options of the command, and where it is typed
        self,
        user_id: int,
        channel_id: int,
        *,
        board: str | None = None,
        level: str | None = None,
        opponent: int | None = None,
        process: int | None = None,
    ) -> Interaction:
        start: Payload = {"type": 1, "name": "start", "options": []}
        command = {"id": "9", "name": "velha", "type": 1, "options": [start]}
        if opponent is not None:
            start["options"].append({"type": 6, "name": "opponent", "value": str(opponent)})
            users, members = {str(opponent): _user(opponent)}, {str(opponent): _member()}
            command["resolved"] = {"users": users, "members": members}
        for name, value in (("board", board), ("level", level)):
            if value is not None:
                start["options"].append({"type": 3, "name": name, "value": value})
        return self.send(
            InteractionType.application_command, command, user_id, channel_id, process=process
        )

    async def repost(self, user_id: int, channel_id: int) -> Message:
        """Type `/velha board`; returns the newest message of the channel."""
        board = {"type": 1, "name": "board", "options": []}
        command = {"id": "9", "name": "velha", "type": 1, "options": [board]}
        await self.answer(
            self.send(InteractionType.application_command, command, user_id, channel_id)
        )
        await self.wait_until_idle()
        return self.newest(channel_id)

    async def press(self, user_id: int, label: str, message: Message) -> Interaction:
        """Press a button of a message and wait for all that follows."""
        interaction = self.send_press(user_id, label, message)
        await self.answer(interaction)
        await self.wait_until(lambda: not interaction.is_to_follow)
        await self.wait_until_idle()
        return interaction

    async def ask_to_resign(self, user_id: int, message: Message) -> Message:
        """Press Resign on a board; returns the message that asks to confirm it."""
        asked = await self.press(user_id, "Resign", message)
        assert asked.original is not None
        return asked.original

    async def resign(self, user_id: int, message: Message) -> None:
        await self.press(user_id, "Resign", await self.ask_to_resign(user_id, message))

    async def press_refused(self, user_id: int, label: str, message: Message) -> str:
        """Press a button that is answered with a sentence, maybe after the board; returns that."""
        interaction = self.send_press(user_id, label, message)
        await self.wait_until(lambda: interaction.private_text)
        await self.wait_until_idle()
        return interaction.private_text

    def send_press(
        self, user_id: int, label: str, message: Message, process: int | None = None
    ) -> Interaction:
        button = {"custom_id": message.custom_id(label), "component_type": 2}
        return self.send(
            InteractionType.component, button, user_id, message.channel_id, message, process
        )

    def send(  # noqa: PLR0913, PLR0917 - what an interaction is made of
        self,
        kind: InteractionType,
        data: Payload,
        user_id: int,
        channel_id: int,
        message: Message | None = None,
        process: int | None = None,
    ) -> Interaction:
        """Tell the bot on the channel's shard of an interaction.

        Where several processes run that shard, each is told, or only the one of that number.
        """
        number = new_id()
        payload = _interaction(number, kind.value, data, user_id, channel_id)
        if message is not None:
            payload["message"] = dict(message.payload)
        interaction = self._waiting[payload["token"]] = Interaction(payload, message)
        interaction.seconds = time.perf_counter()
        event = json.dumps(
            {"op": Gateway.DISPATCH, "t": "INTERACTION_CREATE", "s": number, "d": payload}
        )
        sockets = self.sockets[self.shard_of(channel_id)]
        for socket in sockets if process is None else [sockets[process]]:
            self._send_in_background(socket.send_str(event))
        return interaction

    async def answer(
        self, interaction: Interaction, timeout_seconds: float = _PATIENCE_SECONDS
    ) -> None:
        """Wait for the first answer to an interaction."""
        async with asyncio.timeout(timeout_seconds):
            await interaction.answered.wait()

    def newest(self, channel_id: int) -> Message:
        return max((m for m in self.messages.values() if m.channel_id == channel_id), key=_by_id)

    def shard_of(self, channel_id: int) -> int:
        """Which shard a channel's interactions go to: Discord goes by its server."""
        return channel_id % len(self.sockets) if self.sockets else 0

    async def reconnect(self) -> None:
        """Ask every bot to connect anew, as Discord does when it moves them elsewhere."""
        for socket in self._all_sockets():
            await _send_event(socket, op=Gateway.RECONNECT)
        await self._until_resumed()

    async def hang_up(self) -> None:
        """Drop every connection without a word."""
        for socket in self._all_sockets():
            await socket.close(code=4000)
        await self._until_resumed()

    async def _until_resumed(self) -> None:
        before = self.resumed
        async with asyncio.timeout(_PATIENCE_SECONDS), self._connected:
            await self._connected.wait_for(lambda: self.resumed > before)

    def _all_sockets(self) -> list[web.WebSocketResponse]:
        return list(itertools.chain.from_iterable(self.sockets.values()))

    async def wait_until_idle(self, seconds: float = 0.1) -> None:
        """Wait until bots have sent no request for a while."""
        before = None
        while self.requests.total() != before:
            before = self.requests.total()
            await asyncio.sleep(seconds)

    async def wait_until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not condition():  # noqa: ASYNC110 - it comes from outside
                await asyncio.sleep(0.01)

    async def wait_for_sessions(self, sessions: int = 1) -> None:
        """Wait until so many sessions have begun, over all shards and processes."""
        async with asyncio.timeout(_PATIENCE_SECONDS), self._connected:
            await self._connected.wait_for(lambda: self.sessions >= sessions)

    # What bots ask

    async def _who_am_i(self, request: web.Request) -> web.Response:
        token = request.headers["Authorization"].removeprefix("Bot ")
        if token in STATUS_FOR:
            return reply({"message": "no", "code": 0}, STATUS_FOR[token])
        return reply(_USER)

    async def _describe_application(self, _request: web.Request) -> web.Response:
        return reply(_APPLICATION)

    async def _take_commands(self, _request: web.Request) -> web.Response:
        return reply([])

    async def _list_emojis(self, _request: web.Request) -> web.Response:
        if not self._emojis:
            return error(404, 0)
        return reply({"items": self._emojis})

    async def _describe_gateway(self, request: web.Request) -> web.Response:
        url = f"ws://{request.host}/gateway"
        return reply({"url": url, "shards": 1, "session_start_limit": _LIMITS})

    async def _serve_gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await _send_event(socket, op=Gateway.HELLO, d={"heartbeat_interval": 45000})
        shard = 0
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    continue
                asked = json.loads(message.data)
                if asked["op"] == Gateway.HEARTBEAT:
                    await _send_event(socket, op=Gateway.HEARTBEAT_ACK)
                elif asked["op"] == Gateway.IDENTIFY:
                    shard = await self._identify(socket, request, asked["d"])
                elif asked["op"] == Gateway.RESUME:
                    shard = int(asked["d"]["session_id"])
                    self.resumed += 1
                    await _send_event(
                        socket, op=Gateway.DISPATCH, t="RESUMED", s=asked["d"]["seq"], d={}
                    )
                    await self._connect(socket, shard)
        finally:
            if socket in self.sockets.get(shard, []):
                self.sockets[shard].remove(socket)
        return socket

    async def _identify(
        self, socket: web.WebSocketResponse, request: web.Request, asked: Payload
    ) -> int:
        if asked["token"] == "token-reset":
            await socket.close(code=4004, message=b"Authentication failed.")
            return 0
        shard, shards = asked.get("shard", (0, 1))
        for number in range(shards):
            self.sockets.setdefault(number, [])
        ready = {"v": 10, "user": _USER, "guilds": [], "session_id": str(shard)}
        ready |= {"application": _APPLICATION, "shard": [shard, shards]}
        ready |= {"resume_gateway_url": f"ws://{request.host}/gateway"}
        await _send_event(socket, op=Gateway.DISPATCH, t="READY", s=1, d=ready)
        self.sessions += 1
        await self._connect(socket, shard)
        return int(shard)

    async def _connect(self, socket: web.WebSocketResponse, shard: int) -> None:
        async with self._connected:
            self.sockets[shard].append(socket)
            self._connected.notify_all()

    async def _take_answer(self, request: web.Request) -> web.Response:
        interaction = self._waiting.get(request.match_info["token"])
        if interaction is None:
            return error(404, 10062)
        if interaction.answered.is_set():
            return error(400, 40060)
        response = await payload_of(request)
        message = self._accept(interaction, response)
        info = {"id": interaction.payload["id"], "response_message_id": str(message.id), "type": 3}
        resource = {"type": response["type"], "message": message.payload}
        return reply({"interaction": info, "resource": resource})

    def answer_as_another_process(self, token: str, response: Payload) -> None:
        """Answer an interaction first, as a second process would that was told of it as well."""
        if not self._waiting[token].answered.is_set():
            self._accept(self._waiting[token], response)

    def _accept(self, interaction: Interaction, response: Payload) -> Message:
        interaction.kind = response["type"]
        message = self._apply(interaction, interaction.kind, response.get("data") or {})
        interaction.original = message
        interaction.seconds = time.perf_counter() - interaction.seconds
        interaction.answered.set()
        return message

    def _apply(self, interaction: Interaction, kind: int, data: Payload) -> Message:
        interaction.answers.append(data)
        if not interaction.is_to_follow:
            interaction.finished.set()
        if kind in (_UPDATE, _UPDATE_LATER):
            message = interaction.pressed
            assert message is not None, "what is updated was pressed"
            message.payload |= {"components": data["components"]} if kind == _UPDATE else {}
            return message
        channel_id = int(interaction.payload["channel_id"])
        message = Message(number := new_id(), channel_id, _message(number, channel_id, data))
        if not data.get("flags", 0) & _EPHEMERAL:
            self.messages[message.id] = message
        return message

    async def _take_followup(self, request: web.Request) -> web.Response:
        interaction = self._waiting.get(request.match_info["token"])
        if interaction is None:
            return error(404, 10015)
        return reply(self._apply(interaction, _MESSAGE, await payload_of(request)).payload)

    async def _give_original(self, request: web.Request) -> web.Response:
        interaction = self._waiting[request.match_info["token"]]
        if interaction.original is None:
            return error(404, 10008)
        loading = _LOADING if interaction.kind == _LATER and interaction.is_to_follow else 0
        payload = interaction.original.payload
        return reply(payload | {"flags": payload["flags"] | loading})

    async def _take_original(self, request: web.Request) -> web.Response:
        """The answer that was announced, or another in its place."""
        interaction = self._waiting.get(request.match_info["token"])
        if interaction is None:
            return error(404, 10015)
        kind = _UPDATE if interaction.kind in (_UPDATE, _UPDATE_LATER) else _MESSAGE
        return reply(self._apply(interaction, kind, await payload_of(request)).payload)

    async def _take_edit(self, request: web.Request) -> web.Response:
        message = self.messages.get(int(request.match_info["message"]))
        if message is None:
            return error(404, 10008)
        message.payload["components"] = (await payload_of(request))["components"]
        return reply(message.payload)

    async def _describe_channel(self, request: web.Request) -> web.Response:
        channel_id = int(request.match_info["channel"])
        if channel_id in self.deleted_channels:
            return error(404, 10003)
        if channel_id in self.inaccessible_channels:
            return error(403, 50001)
        return reply(_channel(channel_id) | {"guild_id": str(channel_id)})

    @web.middleware
    async def _count(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.requests[handler.__name__.removeprefix("_")] += 1
        return await handler(request)

    @web.middleware
    async def _through_fault(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        return await (self.fault(request, handler) if self.fault else handler(request))

    def send_custom_id(self, user_id: int, custom_id: str, message: Message) -> Interaction:
        """Press a button of a message as if it had one that says this."""
        button = {"type": 2, "style": 2, "label": "?", "custom_id": custom_id}
        row = {"type": 1, "components": [button]}
        payload = message.payload | {"components": [*message.payload["components"], row]}
        forged = Message(message.id, message.channel_id, payload)
        pressed = {"custom_id": custom_id, "component_type": 2}
        return self.send(InteractionType.component, pressed, user_id, message.channel_id, forged)

    def forget(self, interaction: Interaction) -> None:
        """Free what a load of millions would otherwise pile up."""
        self._waiting.pop(interaction.payload["token"], None)

    def _send_in_background(self, sending: Awaitable[None]) -> None:
        async def send() -> None:
            with suppress(ConnectionError):
                await sending

        task = asyncio.ensure_future(send())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


def reply(data: Any, status: int = 200) -> web.Response:
    # Without a charset, as Discord sends it: discord.py compares the whole header.
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, content_type="application/json")


async def payload_of(request: web.Request) -> Any:
    """What a request says, beside files or without."""
    if request.content_type != "multipart/form-data":
        return await request.json()
    return json.loads(str((await request.post())["payload_json"]))


def error(status: int, code: int, **more: Any) -> web.Response:
    """A refusal in Discord's form; `code` is one of its JSON error codes."""
    return reply({"message": "no", "code": code} | more, status)


async def _send_event(socket: web.WebSocketResponse, **event: Any) -> None:
    await socket.send_str(json.dumps({"t": None, "s": None, "d": None} | event))


def _user(user_id: int) -> Payload:
    return {"id": str(user_id), "username": f"u{user_id}", "discriminator": "0", "avatar": None}


def _member() -> Payload:
    permissions = str(discord.Permissions.all().value)
    return {"roles": [], "joined_at": _SOON, "flags": 0, "permissions": permissions}


def _message(message_id: int, channel_id: int, data: Payload) -> Payload:
    lists = ("mentions", "mention_roles", "attachments", "embeds")
    return {
        "id": str(message_id),
        "channel_id": str(channel_id),
        "author": _USER,
        "type": 0,
        "content": data.get("content", ""),
        "timestamp": _SOON,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "pinned": False,
        "flags": data.get("flags", 0),
        "components": data.get("components", []),
        **{name: [] for name in lists},
    }


def _interaction(number: int, kind: int, data: Payload, user_id: int, channel_id: int) -> Payload:
    return {
        "id": str(number),
        "token": f"t{number}",
        "version": 1,
        "type": kind,
        "data": data,
        "application_id": str(BOT_ID),
        "context": 0,
        "attachment_size_limit": 1,
        "guild_id": str(channel_id),
        "guild": {"id": str(channel_id), "features": []},
        "guild_locale": "en-GB",
        "locale": "en-GB",
        "entitlements": [],
        "channel_id": str(channel_id),
        "channel": _channel(channel_id),
        "member": _member() | {"user": _user(user_id)},
        "app_permissions": str(discord.Permissions.all().value),
        "authorizing_integration_owners": {"0": str(channel_id)},
    }


def _channel(channel_id: int) -> Payload:
    return {"id": str(channel_id), "type": 0, "name": "c", "position": 0, "parent_id": None}


def _by_id(message: Message) -> int:
    return message.id
