"""What the bot sends is valid by Discord's own description of its API, where that is at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.bot.house import TURN_MINUTES, SimulatedGuild

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


async def test_everything_the_bot_sends_is_valid(house: SimulatedGuild, description: Any) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.start(house.ben)
    await house.ana.slash(house.channel, "velha board")
    await house.ana.slash(house.channel, "velha stop")
    await house.press(house.ana, "Rematch")
    await house.resign(house.ana)
    await house.challenge()
    old = house.seen()
    await house.play((house.ana, "A1"), (house.ben, "A2"), (house.ana, "B1"), (house.ben, "B2"))
    await house.press(house.ben, "C1", old)
    await house.press(house.ana, "C1")
    await house.press(house.ana, "Rematch")
    await house.ben.slash(house.channel, "velha help")
    await house.ana.slash(house.channel, "velha stop")
    await house.env.advance_time(61)
    await house.start(house.ana, board="5x5x4")
    await house.press(house.ana, "Hint")
    await house.press(house.ana, "A1⁼", house.lesson())
    await house.press(house.ana, "Jogar A1", house.lesson())
    await house.press(house.ana, "Hint")
    await house.ana.slash(house.channel, "velha stop")
    await house.press(house.rui, "Review")
    await house.press(house.rui, "Fim", house.lesson())
    await house.ben.slash(house.channel, "velha learn")
    await house.press(house.ben, "Next", house.lesson())
    await house.ben.slash(house.channel, "velha puzzle")
    await house.ana.slash(house.channel, "velha settings")
    house.env.backend.get_guild(house.guild.id).owner_id = house.ben.id
    form = (await house.ben.slash(house.channel, "velha settings")).response
    assert form is not None
    await house.ben.select(form, [house.channel], custom_id="velha:settings:boards:channels::0")
    await house.press(house.ben, "Puzzle and ranking", house.lesson())
    await house.env.advance_time(61)
    await house.start(house.ana, opponent=house.ben)
    await house.let_pass(minutes=TURN_MINUTES + 5)
    sent = [request for request in house.env.http_requests if request.json is not None]
    assert len({(request.method, request.path) for request in sent}) > 15
    for request in sent:
        found = complaints(description, request.method, request.path, as_described(request.json))
        assert found == [], f"{request.method} {request.path}: {request.json}"


def test_the_check_can_fail(description: Any) -> None:
    path = "/channels/1/messages/2"
    assert complaints(description, "PATCH", path, {"components": [{"type": 17}]})
    assert not complaints(description, "PATCH", path, {"content": "hello"})
