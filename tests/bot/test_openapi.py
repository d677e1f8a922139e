"""What the bot sends is valid by Discord's own description of its API, where that is at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.bot.simulated_guild import SimulatedGuild

DESCRIPTION = Path(__file__).parents[3] / "shared" / "discord-openapi" / "openapi.json"

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason="Discord's API description is not beside this repository"
)


@pytest.fixture(scope="module")
def description() -> Any:
    return json.loads(DESCRIPTION.read_text(encoding="utf-8"))


def schema_of(description: Any, method: str, path: str) -> Any:
    """The schema of a request's JSON body, by its method and its path."""
    for template, operations in description["paths"].items():
        pattern = re.sub(r"{\w+}", r"[^/]+", template)
        if re.fullmatch(pattern, path) and method.lower() in operations:
            content = operations[method.lower()]["requestBody"]["content"]
            return content["application/json"]["schema"]
    raise AssertionError(f"Discord knows no {method} {path}")


def complaints(description: Any, method: str, path: str, body: Any) -> list[str]:
    schema = {
        "$ref": "#/schema",
        "schema": schema_of(description, method, path),
        "components": description["components"],
    }
    return [error.message for error in Draft202012Validator(schema).iter_errors(body)]


def as_described(body: Any) -> Any:
    """The body with snowflakes as strings: discord.py lists allowed mentions and new attachments
    by numbers, which Discord takes as well.
    """
    if isinstance(body, dict):
        if "filename" in body:
            body = body | {"id": str(body["id"])}
        return {name: as_described(value) for name, value in body.items()}
    if isinstance(body, list):
        return [as_described(item) for item in body]
    return str(body) if isinstance(body, int) and body > 2**53 else body


async def test_everything_the_bot_sends_is_valid(guild: SimulatedGuild, description: Any) -> None:
    await guild.start(guild.ana, board="5x5x4")
    await guild.start(guild.ben)
    await guild.stop(guild.ana)
    await guild.start(guild.ana)
    old = guild.newest()
    await guild.press(guild.ana, "As text")
    await guild.press(guild.ana, "Hint")
    await guild.press(guild.ana, "B1", guild.page())
    await guild.press(guild.ana, "Jogar B1", guild.page())
    await guild.press(guild.ana, "B3", old)
    await guild.ana.slash(guild.channel, "velha board")
    await guild.stop(guild.ana)
    await guild.press(guild.ana, "Rematch")
    await guild.stop(guild.ana)
    await guild.press(guild.rui, "Review")
    await guild.press(guild.rui, "Mais", guild.page())
    await guild.ben.slash(guild.channel, "velha help")
    await guild.ben.slash(guild.channel, "velha learn")
    await guild.press(guild.ben, "Next", guild.page())
    await guild.ben.slash(guild.channel, "velha puzzle", day=str(guild.env.now().date()))
    await guild.ana.slash(guild.channel, "velha settings")
    guild.env.backend.get_guild(guild.handle.id).owner_id = guild.ben.id
    form = (await guild.ben.slash(guild.channel, "velha settings")).response
    assert form is not None
    await guild.ben.select(form, [guild.channel], custom_id="velha:settings:boards:channels::0")
    await guild.press(guild.ben, "Puzzle and ranking", guild.page())
    await guild.start(guild.rui, opponent=guild.ben)
    await guild.advance_time(minutes=5)
    sent = [request for request in guild.env.http_requests if request.json is not None]
    assert len({(request.method, request.path) for request in sent}) > 15
    for request in sent:
        found = complaints(description, request.method, request.path, as_described(request.json))
        assert found == [], f"{request.method} {request.path}: {request.json}"


def test_the_check_can_fail(description: Any) -> None:
    path = "/channels/1/messages/2"
    assert complaints(description, "PATCH", path, {"components": [{"type": 17}]})
    assert not complaints(description, "PATCH", path, {"content": "hello"})
