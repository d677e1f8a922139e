"""What all handlers do: a person's newest request goes first, and nothing is left behind."""

from __future__ import annotations

import asyncio

from simcord.results import InteractionResult

from tests.bot.house import SimulatedGuild, told

LARGE = "4x4x4"


async def hint_of(house: SimulatedGuild) -> None:
    await house.start(house.ana, board=LARGE)
    await house.press(house.ana, "B2")
    await house.press(house.ana, "Hint")


async def test_the_last_of_many_quickly_turned_pages_is_shown(
    house: SimulatedGuild,
) -> None:
    await hint_of(house)
    hint, before = house.lesson(), len(house.requests())
    cells = [cell for cell in hint.labels if ":hint:" in hint.buttons[cell]["custom_id"]][:6]
    records = [house.send_press(house.ana, cell, hint) for cell in cells]
    await house.env.settle()
    results = [InteractionResult(house.env, record) for record in records]
    assert all(result.acknowledged for result in results)
    assert not results[-1].deferred
    assert any(result.deferred for result in results), "all, unless this machine is slow"
    assert len(house.requests()) - before == 6, "one answer each"
    assert f"🔎 **{cells[-1][:2]}**" in house.lesson().text


async def test_the_first_of_two_concurrent_lessons_is_refused_and_the_second_shown(
    house: SimulatedGuild,
) -> None:
    first, second = (house.send_command(house.ben, name) for name in ("puzzle", "learn"))
    await house.env.settle()
    first_result, second_result = (InteractionResult(house.env, one) for one in (first, second))
    assert told(first_result) == "You've asked for something newer, so I skipped this."
    assert second_result.response is not None
    assert "The game tree" in house.lesson().text


async def test_one_person_s_lesson_does_not_cancel_another_s(house: SimulatedGuild) -> None:
    first, second = (house.send_command(who, "puzzle") for who in (house.ana, house.ben))
    await house.env.settle()
    for record in (first, second):
        result = InteractionResult(house.env, record)
        assert result.followups == []
        assert not result.deferred
    assert len(house.everything_seen(ephemeral=True)) == 2


async def test_no_message_leaves_a_view_or_a_task_behind(house: SimulatedGuild) -> None:
    """Discord.py keeps what is not stopped: for 15 minutes, or for ever."""
    await hint_of(house)
    tasks = len(asyncio.all_tasks())
    for _ in range(5):
        await house.press(house.ana, "Hint")
    await house.ben.slash(house.channel, "velha learn")
    await house.resign(house.ana)
    await house.press(house.ana, "Review")
    assert len(asyncio.all_tasks()) == tasks
    assert house.bots[-1].persistent_views == []
    assert house.bots[-1]._connection._view_store._views == {}
    assert not house.bots[-1].replies.tasks
