"""The commands as Discord is told of them."""

from __future__ import annotations

from typing import Any

from tests.bot.house import House


def velha(house: House) -> dict[str, Any]:
    command = house.env.backend.find_command("velha", house.guild.id)
    assert command is not None
    return command


def test_it_works_in_servers_and_messages_for_both_kinds_of_install(house: House) -> None:
    assert velha(house)["contexts"] == [0, 1, 2]
    assert velha(house)["integration_types"] == [0, 1]


def test_command_names_are_the_same_everywhere(house: House) -> None:
    command = velha(house)
    assert not command.get("name_localizations")
    names = [subcommand["name"] for subcommand in command["options"]]
    assert names == ["start", "board", "stop", "help"]
    assert not any(subcommand.get("name_localizations") for subcommand in command["options"])


def test_descriptions_options_and_choices_are_translated(house: House) -> None:
    start = velha(house)["options"][0]
    assert start["description_localizations"]["pt-BR"].startswith("Começa uma partida")
    opponent, level, first = start["options"]
    assert opponent["name_localizations"]["pt-BR"] == "oponente"
    assert level["name_localizations"]["pt-BR"] == "nível"
    assert [choice["name_localizations"]["pt-BR"] for choice in level["choices"]] == [
        "fácil",
        "médio",
        "impossível",
    ]
    assert [choice["name_localizations"]["pt-BR"] for choice in first["choices"]] == [
        "eu",
        "quem joga comigo",
        "sorteio",
    ]


async def test_commands_are_not_told_again_after_a_restart(house: House) -> None:
    told = ("PUT", f"/applications/{house.env.backend.application_id}/commands")
    assert house.requests().count(told) == 1
    await house.restart()
    assert house.requests().count(told) == 1
