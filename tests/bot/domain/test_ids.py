"""Ids, and what is written into a custom_id."""

from __future__ import annotations

import discord
import pytest

from bot.domain.ids import decode_cells, encode_cells, snowflake_time, time_snowflake
from tests.bot.example_matches import NOON


def test_cells_survive_being_written_as_letters() -> None:
    assert decode_cells(encode_cells(range(25))) == tuple(range(25))
    with pytest.raises(ValueError, match="substring not found"):
        decode_cells("z")


def test_the_first_id_of_a_moment_agrees_with_discord_py() -> None:
    assert discord.utils.snowflake_time(time_snowflake(NOON)) == NOON
    assert discord.utils.snowflake_time(time_snowflake(NOON) - 1) < NOON
    assert (
        snowflake_time(time_snowflake(NOON))
        == snowflake_time(time_snowflake(NOON) + 4_194_303)
        == NOON
    )
