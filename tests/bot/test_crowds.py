"""Whoever asks for much, and however many ask, nobody waits for them and nothing piles up."""

from __future__ import annotations

import asyncio
import random
from datetime import date

from simcord.results import InteractionResult

from bot.domain.analysis import Review, ReviewPage
from bot.domain.matches import Match
from bot.domain.refusals import Refusal, Refused
from bot.services.analysis import Lessons
from bot.services.engine import EnginePool
from engine import Record
from tests.bot.house import SimulatedGuild, told

LARGE = "4x4x4"


async def never_hinted(_match: Match) -> bool:
    return False


async def hint_of(house: SimulatedGuild) -> None:
    await house.start(house.ana, board=LARGE)
    await house.press(house.ana, "B2")
    await house.press(house.ana, "Hint")


async def test_of_the_pages_that_one_person_turns_quickly_the_last_is_shown(
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


async def test_who_asks_for_two_lessons_at_once_is_told_of_the_first_and_shown_the_second(
    house: SimulatedGuild,
) -> None:
    first, second = (house.send_command(house.ben, name) for name in ("puzzle", "learn"))
    await house.env.settle()
    first_result, second_result = (InteractionResult(house.env, one) for one in (first, second))
    assert told(first_result) == "You've asked for something newer, so I skipped this."
    assert second_result.response is not None
    assert "The game tree" in house.lesson().text


async def test_one_person_s_lesson_does_not_end_another_s(house: SimulatedGuild) -> None:
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
    assert not house.bots[-1].replies.under_way


async def test_of_two_pages_asked_for_together_the_newer_comes_in_whatever_order_they_arrive() -> (
    None
):
    engine, today = EnginePool(random.Random(1)), date(2026, 5, 1)
    lessons, game = Lessons(engine, never_hinted), Record(moves=(4, 0, 8, 2, 1))
    pages = [ReviewPage(game, ply) for ply in range(3)]
    shown = await lessons.lesson(1, pages[1], interaction_id=1, today=today)
    assert isinstance(shown, Review)
    second, third = await asyncio.gather(
        lessons.lesson(1, pages[2], interaction_id=3, today=today),
        lessons.lesson(1, pages[1], interaction_id=2, today=today),
    )
    assert isinstance(second, Review)
    assert third == Refused(Refusal.SUPERSEDED)
    engine.close()


async def test_of_whoever_has_their_lesson_nothing_is_remembered() -> None:
    """Were it known which was the newest, the older would be passed over."""
    engine, page = EnginePool(random.Random(1)), ReviewPage(Record(moves=(4, 0)))
    lessons, today = Lessons(engine, never_hinted), date(2026, 5, 1)
    for number in (2, 1):
        assert isinstance(await lessons.lesson(1, page, interaction_id=number, today=today), Review)
        await asyncio.sleep(0.3)
    engine.close()


async def test_who_turns_pages_quickly_sees_the_newest_ten_times_a_second() -> None:
    engine, loop = EnginePool(random.Random(1)), asyncio.get_running_loop()
    lessons, game, began_at = (
        Lessons(engine, never_hinted),
        Record(moves=(4, 0, 8, 2, 1)),
        loop.time(),
    )
    reversed_sides = []
    for number in range(50):
        page = ReviewPage(game, number % 5)
        lesson = lessons.lesson(1, page, interaction_id=number, today=date(2026, 5, 1))
        reversed_sides.append(asyncio.create_task(lesson))
        await asyncio.sleep(0.004)
    seen = [
        lesson
        for lesson in await asyncio.gather(*reversed_sides)
        if not isinstance(lesson, Refused)
    ]
    assert 2 <= len(seen) <= 2 + (loop.time() - began_at) / 0.1
    assert isinstance(seen[-1], Review)
    assert seen[-1].page.ply == 4
    engine.close()
