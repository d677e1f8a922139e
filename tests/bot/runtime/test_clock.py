"""The clock is Discord's: a host's that is wrong ends no match and forgets none."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import pytest

from bot.runtime.clock import Clock
from tests.bot.example_matches import NOON

LAG = timedelta(seconds=0.5)


def clock_at(moment: datetime) -> Clock:
    """A clock that stands still."""
    clock = Clock(lambda: moment, lambda: 0.0)
    clock.observe(moment)
    return clock


class World:
    """True time, which Discord knows, and a host whose clock somebody may set."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.host_clock_offset = timedelta()
        self.clock = Clock(lambda: self.now + self.host_clock_offset, lambda: self.seconds)

    @property
    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)

    def hear(self, *, late_by: timedelta = LAG) -> None:
        """A response reaches us that Discord sent a moment ago."""
        self.clock.observe(self.now - late_by)


@pytest.fixture
def world() -> World:
    return World()


def test_time_is_not_trusted_before_the_first_response_from_discord(world: World) -> None:
    assert world.clock.trusted_now() is None
    assert world.clock.now() == world.now
    world.hear()
    assert world.clock.trusted_now() == world.clock.now() == world.now - LAG


def test_time_goes_on_without_responses(world: World) -> None:
    world.hear()
    world.seconds += 3600
    assert world.clock.now() == world.now - LAG


@pytest.mark.parametrize("seconds", [1860, -1860, 121, -121])
def test_after_a_jump_of_the_host_s_clock_time_is_discord_s_but_not_trusted(
    world: World, seconds: int
) -> None:
    world.hear()
    world.host_clock_offset = timedelta(seconds=seconds)
    assert world.clock.trusted_now() is None
    assert world.clock.now() == world.now - LAG
    world.hear()
    assert world.clock.trusted_now() is None
    world.host_clock_offset = timedelta()
    assert world.clock.trusted_now() == world.now - LAG


@pytest.mark.parametrize("seconds", [31, -31, 120, -120])
def test_a_clock_that_is_a_little_wrong_is_logged_once_with_the_difference(
    world: World, seconds: int, caplog: pytest.LogCaptureFixture
) -> None:
    world.host_clock_offset = timedelta(seconds=seconds)
    for _ in range(30):
        world.hear(late_by=timedelta())
    assert world.clock.trusted_now() == world.now
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert f"{seconds:+} seconds" in caplog.text


def test_a_clock_that_is_wrong_again_is_logged_again(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    for minutes in (1, 0, 1):
        world.host_clock_offset = timedelta(minutes=minutes)
        world.hear()
    assert len(caplog.records) == 2


def test_a_clock_that_is_right_is_not_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.host_clock_offset = timedelta(seconds=30)
    world.hear(late_by=timedelta())
    assert caplog.records == []
