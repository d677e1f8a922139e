"""The commands, as Discord gets them."""

from __future__ import annotations

from typing import Any

import pytest
from discord.app_commands import Command

from bot.client.cog import Velha
from tests.bot.simulated_guild import SimulatedGuild


def velha(guild: SimulatedGuild) -> dict[str, Any]:
    command = guild.env.backend.find_command("velha", guild.handle.id)
    assert command is not None
    return command


def test_commands_work_in_servers_and_direct_messages_for_both_kinds_of_install(
    guild: SimulatedGuild,
) -> None:
    assert velha(guild)["contexts"] == [0, 1, 2]
    assert velha(guild)["integration_types"] == [0, 1]


def test_command_names_are_the_same_everywhere(guild: SimulatedGuild) -> None:
    command = velha(guild)
    assert not command.get("name_localizations")
    names = [subcommand["name"] for subcommand in command["options"]]
    assert names == [
        *("start", "board", "stop", "review", "replay"),
        *("puzzle", "learn", "settings", "help", "privacy", "stats", "ranking"),
    ]
    assert not any(subcommand.get("name_localizations") for subcommand in command["options"])


@pytest.mark.parametrize(
    ("name", "portuguese"),
    [
        ("Challenge to tic-tac-toe", "Desafiar no jogo da velha"),
        ("Velha: results", "Velha: resultados"),
    ],
)
def test_the_user_menu_is_named_in_the_reader_s_language(
    guild: SimulatedGuild, name: str, portuguese: str
) -> None:
    menu = guild.env.backend.find_command(name, guild.handle.id, type=2)
    assert menu is not None
    assert menu["name_localizations"]["pt-BR"] == portuguese
    assert (menu["contexts"], menu["integration_types"]) == ([0, 1, 2], [0, 1])


def test_descriptions_options_and_choices_are_translated(guild: SimulatedGuild) -> None:
    start = velha(guild)["options"][0]
    assert start["description_localizations"]["pt-BR"].startswith("Comece uma partida")
    opponent, board, level, first = start["options"]
    assert opponent["name_localizations"]["pt-BR"] == "oponente"
    assert level["name_localizations"]["pt-BR"] == "nível"
    boards = board["choices"][1:]  # 3x3 is 3x3 everywhere
    assert [choice["name_localizations"]["pt-BR"].split(":")[0] for choice in boards] == [
        "4x4, 3 em linha",
        "4x4, 4 em linha",
        "5x5, 4 em linha",
        "5x5, 5 em linha",
        "infinito",
        "ao contrário",
    ]
    assert first["name_localizations"]["pt-BR"] == "quem_começa"
    assert [choice["name_localizations"]["pt-BR"].rstrip(" ★") for choice in level["choices"]] == [
        *("moleza", "fácil", "médio", "difícil"),
        *("especialista", "perfeito", "impossível"),
    ]
    assert [choice["name_localizations"]["pt-BR"] for choice in first["choices"]] == [
        "você",
        "quem joga contra você",
        "sorteio",
    ]


def test_every_command_and_every_option_says_what_it_is_for() -> None:
    """Where it says nothing, Discord shows an ellipsis."""
    leaves = [leaf for leaf in Velha.__cog_app_commands__ if isinstance(leaf, Command)]
    described = {leaf.name: str(leaf.description) for leaf in leaves}
    for leaf in leaves:
        described |= {f"{leaf.name} {one.name}": str(one.description) for one in leaf.parameters}
    assert len(described) == 20
    assert [name for name, said in described.items() if said in {"", "…"}] == []
