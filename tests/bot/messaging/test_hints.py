"""What is remembered of the hints that people got: no more than can still be taken back."""

from __future__ import annotations

import asyncio

from tests.bot.house import SimulatedGuild


async def test_hints_are_forgotten_once_they_cannot_be_removed_and_one_timer_does_it(
    house: SimulatedGuild,
) -> None:
    hints, loop = house.bots[-1].handlers.analysis._hint_messages, asyncio.get_running_loop()
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    (first,) = hints._answered.values()
    timer = hints._timer
    for _ in range(3):
        await house.press(house.ben, "Hint")
    (last,) = hints._answered.values()
    assert last is not first
    assert hints._timer is timer, "not one for each hint, which would keep what it is for"
    assert timer is not None
    assert timer.when() - loop.time() <= 15 * 60
    await house.let_pass(minutes=16)  # Discord allows 15
    assert not hints._answered
    assert hints._timer is None
