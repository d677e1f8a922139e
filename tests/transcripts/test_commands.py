"""The commands as Discord is told of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from discord import AppCommandOptionType, AppCommandType
from syrupy.assertion import SnapshotAssertion

from bot.views.catalogues import LANGUAGE_BY_LOCALE
from bot.views.i18n import Language
from tests.bot.simulated_guild import SimulatedGuild
from tests.transcripts.transcript import Transcript

Payload = Mapping[str, Any]
SHOWN = ("name", "description", "options", "type")
"""The fields of a command that are shown in words; SimCord itself adds the `ADDED`."""
ADDED = ("id", "application_id", "version")


def said(what: str, payload: Payload, language: Language) -> str:
    """The name or the description that Discord shows to those who speak a language."""
    translations = payload.get(f"{what}_localizations") or {}
    own = (
        text for locale, text in translations.items() if LANGUAGE_BY_LOCALE[locale] == language.code
    )
    return str(next(own, payload[what]))


def told(payload: Payload, language: Language) -> Iterator[str]:
    """What Discord shows of a command: its name, its description and its options."""
    yield from filter(None, (said(what, payload, language) for what in ("name", "description")))
    for option in payload.get("options", ()):
        if "required" in option:  # else it is a command itself
            yield from _option(option, language)


def _option(option: Payload, language: Language) -> Iterator[str]:
    kind = AppCommandOptionType(option["type"]).name
    needed = "required" if option["required"] else "optional"
    name, description = (said(what, option, language) for what in ("name", "description"))
    yield f"- {name} ({kind}, {needed}): {description}"
    for choice in option.get("choices", ()):
        yield f"  {choice['value']} = {said('name', choice, language)}"


def rest(payload: Payload) -> Iterator[str]:
    """The other fields of a command, as they are."""
    for field in sorted(payload.keys() - {*SHOWN, *ADDED}):
        if not field.endswith("_localizations"):
            yield f"{field}: {payload[field]}"


async def test_commands(snapshot: SnapshotAssertion, guild: SimulatedGuild) -> None:
    transcript = Transcript("Commands")
    for command in guild.env.backend.commands[None].values():
        transcript.heading(f"{command['name']} ({AppCommandType(command['type']).name})")
        transcript.write("", *rest(command))
        for one in (command, *command.get("options", ())):
            transcript.show(one["name"], partial(told, one))
    assert str(transcript) == snapshot
