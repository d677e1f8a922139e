"""A fake Discord server: a gateway and the REST routes that Velha uses, on sockets.

It serves tests that a simulation in the bot's own process cannot: of processes that are killed, of
several processes, of lost answers, and of load. Processes connect to it by `tests.bot.run_bot`, and
a bot in the test's own process by `FakeDiscord.connected`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Self

import discord
import pytest
from aiohttp import WSMsgType, web
from discord import ComponentType, InteractionResponseType, InteractionType
from discord.gateway import DiscordWebSocket as Gateway

from bot.messaging.emojis import IMAGES
from tests.bot.discord_address import use_discord_at

BOT_ID = 1
LOGIN_STATUSES = {"token-refused": 401, "token-banned": 429, "token-broken": 503}
"""The status of a login with one of these tokens. `token-reset` is refused by the gateway."""

OWNER_TOKEN = "owner-" * 12
OWNER_WEBHOOK = f"https://discord.com/api/webhooks/123456789012345678/{OWNER_TOKEN}"
"""The URL of a webhook."""

COORDINATE = re.compile("[A-E][1-5]")
_USER = {"id": str(BOT_ID), "username": "velha", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {
    **dict.fromkeys(("name", "description", "icon", "verify_key"), ""),
    **dict.fromkeys(("bot_public", "bot_require_code_grant"), True),
    "id": str(BOT_ID),
    "flags": 0,
    "rpc_origins": None,
    "owner": _USER,
}
_SESSION_START_LIMIT = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 16}
_TIMESTAMP = "2030-01-01T00:00:00+00:00"
_CONTAINER = ComponentType.container.value
_TEXT_DISPLAY = ComponentType.text_display.value
_ACTION_ROW = ComponentType.action_row.value
_MESSAGE = InteractionResponseType.channel_message.value
_DEFERRED_MESSAGE = InteractionResponseType.deferred_channel_message.value
_UPDATE = InteractionResponseType.message_update.value
_DEFERRED_UPDATE = InteractionResponseType.deferred_message_update.value
_EPHEMERAL = discord.MessageFlags.ephemeral.flag
_LOADING = discord.MessageFlags.loading.flag
_TIMEOUT_SECONDS = 60
_last_id = itertools.count(1)

Payload = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Fault = Callable[[web.Request, Handler], Awaitable[web.StreamResponse]]


def new_id() -> int:
    """Make a snowflake: the current time, and a number in the lower 22 bits."""
    timestamp = discord.utils.time_snowflake(discord.utils.utcnow())
    return timestamp + next(_last_id) % 2**22


@dataclass
class Message:
    """A message as it is shown at the moment."""

    id: int
    channel_id: int
    payload: Payload

    @property
    def items(self) -> list[Payload]:
        """The components, with those of containers in place of the containers."""
        items: list[Payload] = []
        for item in self.payload["components"]:
            items += item["components"] if item["type"] == _CONTAINER else [item]
        return items

    @property
    def text(self) -> str:
        return "\n".join(item["content"] for item in self.items if item["type"] == _TEXT_DISPLAY)

    @property
    def rows(self) -> list[list[Payload]]:
        return [item["components"] for item in self.items if item["type"] == _ACTION_ROW]

    @property
    def board(self) -> str:
        """The board as text, such as `x.. .o. ...`."""
        return " ".join("".join(map(_mark, row)) for row in self.rows[:3])

    @property
    def buttons(self) -> list[Payload]:
        return [button for row in self.rows for button in row]

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons that can be pressed, including free cells."""
        labels = [_label(button) for button in self.buttons if not button.get("disabled")]
        return [label for label in labels if label]

    def custom_id(self, label: str) -> str:
        button = next(button for button in self.buttons if _label(button) == label)
        return str(button["custom_id"])


def _mark(button: Payload) -> str:
    """The cell of a button as text: "x", "o" or "."."""
    emoji = button.get("emoji")
    if not emoji:
        return "."
    return {"❌": "x", "X": "x", "⭕": "o", "O": "o"}.get(emoji["name"][0], ".")


def _label(button: Payload) -> str | None:
    """A button's label, or the coordinate that its emoji shows."""
    emoji = button.get("emoji")
    return emoji["name"] if emoji and COORDINATE.fullmatch(emoji["name"]) else button.get("label")


def _texts(part: Payload) -> Iterator[str]:
    """Yield the texts and URLs of a message, or of one of its components."""
    yield from filter(None, (part.get("content"), part.get("url")))
    for component in part.get("components") or []:
        yield from _texts(component)


@dataclass
class Interaction:
    """A command or a press, and the bot's answers to it."""

    payload: Payload
    message: Message | None = None
    """The message whose button was pressed."""
    answers: list[Payload] = field(default_factory=list)
    """The data of the response and of all followups."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first answer, which may be a deferred one."""
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first answer that is not deferred."""
    response: Message | None = None
    """The message that answers it: a new one, or the one that was pressed."""
    response_type: int = 0
    seconds: float = 0.0
    """How long the first answer took."""

    @property
    def is_deferred(self) -> bool:
        """Whether the bot has only deferred its answer so far."""
        return self.response_type in (_DEFERRED_MESSAGE, _DEFERRED_UPDATE) and len(self.answers) < 2

    @property
    def private_text(self) -> str:
        """The text of all ephemeral answers; empty if there is none."""
        ephemeral = [answer for answer in self.answers if answer.get("flags", 0) & _EPHEMERAL]
        return "\n".join(text for answer in ephemeral for text in _texts(answer))


class FakeDiscord:
    """Any number of servers, each with one channel of the same id, and the bots connected to it.

    Use it as a context manager, which runs the server. With `has_emojis`, the application has the
    bot's emojis; without, it refuses them.
    """

    def __init__(self, *, has_emojis: bool = False) -> None:
        names = IMAGES if has_emojis else ()
        self._emojis = [{"id": str(new_id()), "name": name} for name in names]
        self.messages: dict[int, Message] = {}
        self.commands: list[Payload] = []
        self.told_owner: list[str] = []
        """What was posted to `OWNER_WEBHOOK`."""
        self.requests: Counter[str] = Counter()
        self.fault: Fault | None = None
        """Handles all requests of the bots in place of the server, if it is set."""
        self.damage: Callable[[Payload], object] | None = None
        """Changes the payload of each interaction before it is sent, if it is set."""
        self.absent_members: set[int] = set()
        """People who have left all servers."""
        self.sockets: dict[int, list[web.WebSocketResponse]] = {}
        self.sessions = 0
        self.resumed = 0
        self._interactions: dict[str, Interaction] = {}
        self._connected = asyncio.Condition()
        self._sending: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[self._count, self._apply_fault])
        app.router.add_get("/users/@me", self._describe_user)
        app.router.add_get("/oauth2/applications/@me", self._describe_application)
        app.router.add_get("/applications/{id}/commands", self._list_commands)
        app.router.add_get("/applications/{id}/guilds/{guild}/commands", self._list_commands)
        app.router.add_put("/applications/{id}/commands", self._take_commands)
        app.router.add_get("/applications/{id}/emojis", self._list_emojis)
        app.router.add_get("/gateway/bot", self._describe_gateway)
        app.router.add_get("/gateway", self._serve_gateway)
        app.router.add_post("/interactions/{id}/{token}/callback", self._take_answer)
        app.router.add_post("/webhooks/{id}/{token}", self._take_followup)
        app.router.add_get("/webhooks/{id}/{token}", self._describe_webhook)
        app.router.add_get("/webhooks/{id}/{token}/messages/@original", self._give_original)
        app.router.add_patch("/webhooks/{id}/{token}/messages/@original", self._take_original)
        app.router.add_patch("/channels/{channel}/messages/{message}", self._take_edit)
        app.router.add_get("/guilds/{guild}/members/{user}", self._describe_member)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    @asynccontextmanager
    async def connected(self, bot: discord.Client) -> AsyncIterator[None]:
        """Have a bot in this process connect to this server, and close it at the end."""
        with pytest.MonkeyPatch.context() as patched:
            use_discord_at(self.url, patched.setattr)
            running = asyncio.create_task(bot.start("the-token"))
            yield
            await bot.close()
            await running

    # Actions of people

    async def start(
        self,
        user_id: int,
        channel_id: int,
        *,
        board: str | None = None,
        level: str | None = None,
        opponent: int | None = None,
    ) -> Message:
        """Use `/velha start`; return the newest message of the channel."""
        await self.answer(
            self.send_start(user_id, channel_id, board=board, level=level, opponent=opponent)
        )
        return self.newest(channel_id)

    async def challenge(self, user_id: int, opponent: int, channel_id: int) -> Message:
        """Have one challenge the other, who accepts: the first is X."""
        message = await self.start(user_id, channel_id, opponent=opponent)
        await self.press(opponent, "Accept", message)
        return message

    async def ask_start(self, user_id: int, channel_id: int) -> Interaction:
        """Use `/velha start` and return the interaction, which the bot may have refused."""
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
            users, members = {str(opponent): user_payload(opponent)}, {str(opponent): _member()}
            command["resolved"] = {"users": users, "members": members}
        for name, value in (("board", board), ("level", level)):
            if value is not None:
                start["options"].append({"type": 3, "name": name, "value": value})
        return self.send(
            InteractionType.application_command, command, user_id, channel_id, process=process
        )

    async def repost(self, user_id: int, channel_id: int) -> Message:
        """Use `/velha board`; return the newest message of the channel."""
        await self.answer(self.send_command(user_id, channel_id, "board"))
        await self.wait_until_idle()
        return self.newest(channel_id)

    def send_command(self, user_id: int, channel_id: int, name: str) -> Interaction:
        """Use a subcommand of `/velha`, without options."""
        subcommand = {"type": 1, "name": name, "options": []}
        command = {"id": "9", "name": "velha", "type": 1, "options": [subcommand]}
        return self.send(InteractionType.application_command, command, user_id, channel_id)

    async def press(self, user_id: int, label: str, message: Message) -> Interaction:
        """Press a button of a message, and wait for all answers."""
        interaction = self.send_press(user_id, label, message)
        await self.answer(interaction)
        await self.wait_until(lambda: not interaction.is_deferred)
        await self.wait_until_idle()
        return interaction

    async def ask_to_resign(self, user_id: int, message: Message) -> Message:
        """Resign, even if the board has no button for it yet; return the question that follows."""
        match, _, _ = message.custom_id("As text").rpartition(":")
        interaction = self.send_custom_id(user_id, f"{match}:resign", message)
        await self.answer(interaction)
        await self.wait_until(lambda: not interaction.is_deferred)
        await self.wait_until_idle()
        assert interaction.response is not None
        return interaction.response

    async def resign(self, user_id: int, message: Message) -> None:
        await self.press(user_id, "Resign", await self.ask_to_resign(user_id, message))
        await self.wait_until(lambda: "Rematch" in message.labels)

    async def press_refused(self, user_id: int, label: str, message: Message) -> str:
        """Press a button, and return the text of the ephemeral answer."""
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
        """Send an interaction to the bot on the channel's shard.

        If several processes run that shard, all of them get it, or only the one numbered `process`.
        """
        number = new_id()
        payload = interaction_payload(number, kind.value, data, user_id, channel_id)
        if message is not None:
            payload["message"] = dict(message.payload)
        interaction = self._interactions[payload["token"]] = Interaction(payload, message)
        if self.damage is not None:
            self.damage(payload)
        interaction.seconds = time.perf_counter()
        sockets = self.sockets[self.shard_of(channel_id)]
        event = {"op": Gateway.DISPATCH, "t": "INTERACTION_CREATE", "s": new_id(), "d": payload}
        for socket in sockets if process is None else [sockets[process]]:
            self._send_in_background(socket.send_str(json.dumps(event)))
        return interaction

    def send_custom_id(self, user_id: int, custom_id: str, message: Message) -> Interaction:
        """Press a button that a message does not have, with this custom_id."""
        button = {"type": 2, "style": 2, "label": "?", "custom_id": custom_id}
        row = {"type": 1, "components": [button]}
        payload = message.payload | {"components": [*message.payload["components"], row]}
        forged = Message(message.id, message.channel_id, payload)
        data = {"custom_id": custom_id, "component_type": 2}
        return self.send(InteractionType.component, data, user_id, message.channel_id, forged)

    async def answer(
        self, interaction: Interaction, timeout_seconds: float = _TIMEOUT_SECONDS
    ) -> None:
        """Wait for the first answer to an interaction."""
        async with asyncio.timeout(timeout_seconds):
            await interaction.answered.wait()

    def answer_as_another_process(self, token: str, response: Payload) -> None:
        """Answer an interaction, unless the bot has, as another of its processes might."""
        interaction = self._interactions[token]
        if not interaction.answered.is_set():
            self._answer(interaction, response)

    def forget(self, interaction: Interaction) -> None:
        """Delete an interaction, to save memory: benchmarks send millions."""
        self._interactions.pop(interaction.payload["token"], None)

    def newest(self, channel_id: int) -> Message:
        """The newest message of a channel."""
        messages = [each for each in self.messages.values() if each.channel_id == channel_id]
        return max(messages, key=lambda message: message.id)

    def shard_of(self, channel_id: int) -> int:
        """The shard that a channel's interactions go to; Discord decides by the server."""
        return channel_id % len(self.sockets) if self.sockets else 0

    async def reconnect(self) -> None:
        """Ask every bot to reconnect, as Discord does now and then."""
        before = self.resumed
        for socket in self._all_sockets():
            await _send_event(socket, op=Gateway.RECONNECT)
        async with asyncio.timeout(_TIMEOUT_SECONDS), self._connected:
            await self._connected.wait_for(lambda: self.resumed > before)

    def _all_sockets(self) -> list[web.WebSocketResponse]:
        return list(itertools.chain.from_iterable(self.sockets.values()))

    async def wait_until_idle(self, seconds: float = 0.1) -> None:
        """Wait until bots have sent no request for some time."""
        before = None
        while self.requests.total() != before:
            before = self.requests.total()
            await asyncio.sleep(seconds)

    async def wait_until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            while not condition():  # noqa: ASYNC110 - nothing sets an event
                await asyncio.sleep(0.01)

    async def wait_for_sessions(self, sessions: int = 1) -> None:
        """Wait until this many sessions have begun, on all shards and in all processes."""
        async with asyncio.timeout(_TIMEOUT_SECONDS), self._connected:
            await self._connected.wait_for(lambda: self.sessions >= sessions)

    # Routes

    async def _describe_user(self, request: web.Request) -> web.Response:
        token = request.headers["Authorization"].removeprefix("Bot ")
        if token in LOGIN_STATUSES:
            return error(LOGIN_STATUSES[token], 0)
        return reply(_USER)

    async def _describe_application(self, _request: web.Request) -> web.Response:
        return reply(APPLICATION)

    async def _list_commands(self, _request: web.Request) -> web.Response:
        ids = {"application_id": str(BOT_ID), "version": "1", "description": ""}
        return reply([ids | {"id": str(new_id())} | command for command in self.commands])

    async def _take_commands(self, request: web.Request) -> web.Response:
        self.commands = await request.json()
        return reply([])

    async def _list_emojis(self, _request: web.Request) -> web.Response:
        if not self._emojis:
            return error(404, 0)
        return reply({"items": self._emojis})

    async def _describe_gateway(self, request: web.Request) -> web.Response:
        url = f"ws://{request.host}/gateway"
        return reply({"url": url, "shards": 1, "session_start_limit": _SESSION_START_LIMIT})

    async def _serve_gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await _send_event(socket, op=Gateway.HELLO, d={"heartbeat_interval": 45000})
        shard = 0
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    continue
                event = json.loads(message.data)
                if event["op"] == Gateway.HEARTBEAT:
                    await _send_event(socket, op=Gateway.HEARTBEAT_ACK)
                elif event["op"] == Gateway.IDENTIFY:
                    shard = await self._identify(socket, request, event["d"])
                elif event["op"] == Gateway.RESUME:
                    shard = await self._resume(socket, event["d"])
        finally:
            if socket in self.sockets.get(shard, []):
                self.sockets[shard].remove(socket)
        return socket

    async def _identify(
        self, socket: web.WebSocketResponse, request: web.Request, data: Payload
    ) -> int:
        """Begin a session; return its shard."""
        if data["token"] == "token-reset":
            await socket.close(code=4004, message=b"Authentication failed.")
            return 0
        shard, shards = data.get("shard", (0, 1))
        for number in range(shards):
            self.sockets.setdefault(number, [])
        ready = {"v": 10, "user": _USER, "guilds": [], "session_id": str(shard)}
        ready |= {"application": APPLICATION, "shard": [shard, shards]}
        ready |= {"resume_gateway_url": f"ws://{request.host}/gateway"}
        await _send_event(socket, op=Gateway.DISPATCH, t="READY", s=1, d=ready)
        self.sessions += 1
        await self._connect(socket, shard)
        return int(shard)

    async def _resume(self, socket: web.WebSocketResponse, data: Payload) -> int:
        """Resume a session; return its shard."""
        shard = int(data["session_id"])
        self.resumed += 1
        await _send_event(socket, op=Gateway.DISPATCH, t="RESUMED", s=data["seq"], d={})
        await self._connect(socket, shard)
        return shard

    async def _connect(self, socket: web.WebSocketResponse, shard: int) -> None:
        async with self._connected:
            self.sockets[shard].append(socket)
            self._connected.notify_all()

    async def _take_answer(self, request: web.Request) -> web.Response:
        interaction = self._interactions.get(request.match_info["token"])
        if interaction is None:
            return error(404, 10062)
        if interaction.answered.is_set():
            return error(400, 40060)
        response = await payload_of(request)
        message = self._answer(interaction, response)
        info = {"id": interaction.payload["id"], "response_message_id": str(message.id), "type": 3}
        resource = {"type": response["type"], "message": message.payload}
        return reply({"interaction": info, "resource": resource})

    def _answer(self, interaction: Interaction, response: Payload) -> Message:
        interaction.response_type = response["type"]
        message = self._apply(interaction, interaction.response_type, response.get("data") or {})
        interaction.response = message
        interaction.seconds = time.perf_counter() - interaction.seconds
        interaction.answered.set()
        return message

    def _apply(self, interaction: Interaction, response_type: int, data: Payload) -> Message:
        """Record an answer; return the message that it creates or updates."""
        interaction.answers.append(data)
        if not interaction.is_deferred:
            interaction.finished.set()
        if response_type in (_UPDATE, _DEFERRED_UPDATE):
            assert interaction.message is not None, "only the message of a press can be updated"
            if response_type == _UPDATE:
                interaction.message.payload["components"] = data["components"]
            return interaction.message
        channel_id = int(interaction.payload["channel_id"])
        message_id = new_id()
        message = Message(message_id, channel_id, message_payload(message_id, channel_id, data))
        if not data.get("flags", 0) & _EPHEMERAL:
            self.messages[message.id] = message
        return message

    async def _take_followup(self, request: web.Request) -> web.Response:
        if request.match_info["token"] == OWNER_TOKEN:
            self.told_owner.append((await payload_of(request))["content"])
            return web.Response(status=204)
        interaction = self._interactions.get(request.match_info["token"])
        if interaction is None:
            return error(404, 10015)
        data = await payload_of(request)
        if interaction.response_type == _DEFERRED_MESSAGE and interaction.is_deferred:
            # The first followup takes the place of what was deferred: it is as private.
            data["flags"] = data.get("flags", 0) | interaction.answers[0].get("flags", 0)
        return reply(self._apply(interaction, _MESSAGE, data).payload)

    async def _describe_webhook(self, request: web.Request) -> web.Response:
        if request.match_info["token"] != OWNER_TOKEN:
            return error(404, 10015)
        return reply({"id": request.match_info["id"], "type": 1, "token": OWNER_TOKEN})

    async def _give_original(self, request: web.Request) -> web.Response:
        interaction = self._interactions[request.match_info["token"]]
        if interaction.response is None:
            return error(404, 10008)
        loading = (
            _LOADING
            if interaction.response_type == _DEFERRED_MESSAGE and interaction.is_deferred
            else 0
        )
        payload = interaction.response.payload
        return reply(payload | {"flags": payload["flags"] | loading})

    async def _take_original(self, request: web.Request) -> web.Response:
        """Take the answer that was deferred, or another one in place of the first."""
        interaction = self._interactions.get(request.match_info["token"])
        if interaction is None:
            return error(404, 10015)
        is_update = interaction.response_type in (_UPDATE, _DEFERRED_UPDATE)
        response_type = _UPDATE if is_update else _MESSAGE
        data = await payload_of(request)
        data["flags"] = data.get("flags", 0) | interaction.answers[0].get("flags", 0)
        interaction.response = self._apply(interaction, response_type, data)
        return reply(interaction.response.payload)

    async def _take_edit(self, request: web.Request) -> web.Response:
        message = self.messages.get(int(request.match_info["message"]))
        if message is None:
            return error(404, 10008)
        message.payload["components"] = (await payload_of(request))["components"]
        return reply(message.payload)

    async def _describe_member(self, request: web.Request) -> web.Response:
        user_id = int(request.match_info["user"])
        if user_id in self.absent_members:
            return error(404, 10007)
        return reply(_member() | {"user": user_payload(user_id)})

    @web.middleware
    async def _count(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.requests[handler.__name__.removeprefix("_")] += 1
        return await handler(request)

    @web.middleware
    async def _apply_fault(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self.fault is not None:
            return await self.fault(request, handler)
        return await handler(request)

    def _send_in_background(self, sending: Awaitable[None]) -> None:
        async def send() -> None:
            with suppress(ConnectionError):
                await sending

        task = asyncio.ensure_future(send())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


def reply(data: Any, status: int = 200) -> web.Response:
    # discord.py compares the whole Content-Type, which must have no charset.
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, content_type="application/json")


async def payload_of(request: web.Request) -> Any:
    """The JSON of a request, which may also upload files."""
    if request.content_type != "multipart/form-data":
        return await request.json()
    return json.loads(str((await request.post())["payload_json"]))


def error(status: int, code: int, **more: Any) -> web.Response:
    """An error response as Discord's; `code` is one of its JSON error codes."""
    return reply({"message": "no", "code": code} | more, status)


def limited(seconds: float, code: int = 0, *, is_global: bool = False) -> web.Response:
    """An error response that asks to wait."""
    refused = error(429, code, retry_after=seconds, **{"global": is_global})
    refused.headers["Via"] = "1.1 google"  # without it discord.py takes it for a ban
    return refused


async def _send_event(socket: web.WebSocketResponse, **event: Any) -> None:
    await socket.send_str(json.dumps({"t": None, "s": None, "d": None} | event))


def user_payload(user_id: int) -> Payload:
    return {"id": str(user_id), "username": f"u{user_id}", "discriminator": "0", "avatar": None}


def _member() -> Payload:
    permissions = str(discord.Permissions.all().value)
    return {"roles": [], "joined_at": _TIMESTAMP, "flags": 0, "permissions": permissions}


def message_payload(message_id: int, channel_id: int, data: Payload) -> Payload:
    lists = ("mentions", "mention_roles", "attachments", "embeds")
    return {
        "id": str(message_id),
        "channel_id": str(channel_id),
        "author": _USER,
        "type": 0,
        "content": data.get("content", ""),
        "timestamp": _TIMESTAMP,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "pinned": False,
        "flags": data.get("flags", 0),
        "components": data.get("components", []),
        **{name: [] for name in lists},
    }


def interaction_payload(
    number: int, kind: int, data: Payload, user_id: int, channel_id: int
) -> Payload:
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
        "member": _member() | {"user": user_payload(user_id)},
        "app_permissions": str(discord.Permissions.all().value),
        "authorizing_integration_owners": {"0": str(channel_id)},
    }


def _channel(channel_id: int) -> Payload:
    return {"id": str(channel_id), "type": 0, "name": "c", "position": 0, "parent_id": None}
