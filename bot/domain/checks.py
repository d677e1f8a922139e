"""What may keep people from playing in a channel, as far as it can be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from bot.domain.pages import Page


@dataclass(frozen=True, slots=True)
class CheckPage(Page):
    """The checks of a channel; None for the one where the page is. A select may choose another.

    A member is chosen by a select, and not kept.
    """

    kind = "check"

    channel_id: int | None = None


class Check(Enum):
    """What has to hold for people to play; those of the bot come first."""

    APPS_MAY_POST = auto()
    """Where the bot is no member: that people may use such apps for everybody to see."""

    BOT_NOT_TIMED_OUT = auto()
    BOT_SEES = auto()
    BOT_WRITES = auto()
    BOT_WRITES_IN_THREADS = auto()
    BOARDS_ALLOWED = auto()
    LAST_POST_TAKEN = auto()
    MEMBER_NOT_TIMED_OUT = auto()
    MEMBER_USES_COMMANDS = auto()
    MEMBER_TAKES_CHALLENGES = auto()


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked.

    Attributes:
        page: The page that shows it.
        channel_id: The channel that was checked.
        results: Whether each check holds, in the order in which they are shown.
        bot_until: When the time-out of the bot ends.
        channels: The only channels where boards may be opened.
        member_id: The member who was checked; None if nobody was.
        member_until: When the time-out of the member ends.
    """

    page: CheckPage
    channel_id: int
    results: Mapping[Check, bool]
    bot_until: datetime | None = None
    channels: tuple[int, ...] = ()
    member_id: int | None = None
    member_until: datetime | None = None
