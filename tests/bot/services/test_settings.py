"""What is kept about servers: what they have chosen, until they are forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import URL

from bot.domain.ids import DELETED_CHANNEL_ID
from bot.domain.match_actions import BoardChanged, MatchAction
from bot.domain.matches import Ending, EndReason, Match, MatchOpened, Place
from bot.domain.refusals import Refusal, Refused
from bot.domain.settings import GuildSettings, Setting, SettingValue
from bot.store.privacy import MATCH_BATCH_SIZE
from bot.store.schema import metadata
from engine import MISERE, Level
from tests.bot.backend import CHALLENGE, Room, asked
from tests.bot.drawn import ANA, BEN, CHANNEL, SERVER, against_velha, drawn

ELSEWHERE = 31
LATER = 10_000
A_DAY = timedelta(days=1)


def finished(room: Room, number: int, guild_id: int | None = SERVER) -> Match:
    there = Place(CHANNEL + number, guild_id, "pt-BR", 500 + number)
    return room.put(drawn("xxx oo. ...", id=number, place=there))


def about(room: Room, guild_id: int) -> int:
    """How many rows of the tables know of a server."""
    with room.store._database.autocommit() as connection:
        tables = [table for table in metadata.sorted_tables if "guild_id" in table.c]
        rows = [connection.execute(table.select()).mappings() for table in tables]
        return sum(row["guild_id"] == guild_id for table in rows for row in table)


async def look(room: Room, *guild_ids: int, days: int = 1) -> None:
    """Days pass, and the bot looks of which servers it is a member."""
    room.now += days * A_DAY
    await room.services.privacy.record_memberships(guild_ids)
    await room.forget()


async def test_a_server_that_asks_is_forgotten_and_its_matches_are_nowhere(room: Room) -> None:
    over, other = finished(room, 1), finished(room, 2, ELSEWHERE)
    going = room.put(drawn("x.. .o. ...", id=3))
    await room.services.settings.choose(SERVER, Setting.LEVEL, ["EASY"])
    await room.services.settings.choose(SERVER, Setting.PUZZLE_CHANNEL, [str(CHANNEL)], "en")
    forgotten = await room.services.privacy.forget_guild(SERVER, LATER)
    assert [match.ending for match in forgotten.ended] == [Ending(EndReason.STOPPED)]
    assert forgotten.ended[0].place == going.place, "so that its board can be drawn a last time"
    await room.forget()
    for match in (over, going):
        place = room.stands(match).place
        assert (place.guild_id, place.channel_id, place.message_id) == (
            None,
            DELETED_CHANNEL_ID,
            None,
        )
    assert room.stands(over).players == over.players
    assert room.stands(over).moves == over.moves
    assert room.stands(other) == other
    assert about(room, SERVER) == 0
    assert (await room.services.settings.settings(SERVER)).choices == GuildSettings()


async def test_a_server_with_a_long_history_is_forgotten_in_batches(room: Room) -> None:
    for number in range(1, 2 * MATCH_BATCH_SIZE + 3):
        finished(room, number)
    await room.services.privacy.forget_guild(SERVER, LATER)
    assert about(room, SERVER) > 0
    await room.forget()
    assert about(room, SERVER) == 0


async def test_a_server_is_forgotten_thirty_days_after_the_bot_was_found_to_have_left(
    room: Room,
) -> None:
    finished(room, 1)
    finished(room, 2, ELSEWHERE)
    await look(room, SERVER, ELSEWHERE)
    await look(room, ELSEWHERE)
    await look(room, ELSEWHERE, days=29)
    assert about(room, SERVER) > 0
    await look(room, ELSEWHERE)
    assert about(room, SERVER) == 0
    assert about(room, ELSEWHERE) == 2


async def test_a_server_that_the_bot_comes_back_to_is_remembered(room: Room) -> None:
    finished(room, 1)
    await look(room, SERVER)
    await look(room)
    await look(room, SERVER, days=29)
    await look(room, days=2)
    await look(room, days=29)
    assert about(room, SERVER) > 0


async def test_servers_that_the_bot_was_never_a_member_of_are_not_meant(room: Room) -> None:
    finished(room, 1)
    await look(room, ELSEWHERE)
    await look(room, ELSEWHERE, days=60)
    assert about(room, SERVER) == 1


async def test_no_server_is_found_to_be_left_by_a_clock_that_is_wrong(room: Room) -> None:
    finished(room, 1)
    await look(room, SERVER)
    room.host_is_fast_by = timedelta(minutes=3)
    await look(room)
    room.host_is_fast_by = timedelta()
    await look(room)
    assert about(room, SERVER) > 0


async def test_nothing_is_forgotten_by_a_clock_that_is_wrong(room: Room) -> None:
    finished(room, 1)
    await look(room, SERVER)
    await look(room)
    room.host_is_fast_by = timedelta(minutes=3)
    await look(room, days=60)
    assert about(room, SERVER) > 0


async def test_a_board_that_is_posted_while_its_server_is_forgotten_is_nowhere(room: Room) -> None:
    going = room.put(drawn("x.. .o. ..."))
    await room.services.privacy.forget_guild(SERVER, LATER)
    await room.services.matches.record_shown(going, 700)
    assert room.stands(going).place.message_id is None


async def test_two_processes_may_look_at_once(room: Room, url: URL) -> None:
    if url.get_backend_name() == "sqlite":
        pytest.skip("it has one writer at a time, and the others wait")
    room.before_next(
        "INSERT INTO memberships",
        lambda: room.rival.privacy.record_memberships({SERVER}, room.now),
    )
    await look(room, SERVER, ELSEWHERE)
    assert about(room, SERVER) == 1


# What they have chosen


async def test_a_choice_holds_at_once_in_another_process_and_changes_no_other(room: Room) -> None:
    await room.services.settings.choose(SERVER, Setting.LEVEL, ["EASY"])
    room.rival.settings.update(SERVER, {"channels": (5, 6), "has_ranking": False})
    await room.services.settings.choose(SERVER, Setting.BOARD, ["misere"])
    everything = GuildSettings(level=Level.EASY, rules=MISERE, channels=(5, 6), has_ranking=False)
    assert (await room.services.settings.settings(SERVER)).choices == everything
    assert room.rival.settings.load(SERVER) == everything
    assert room.rival.settings.load(ELSEWHERE) == GuildSettings()


async def test_what_was_chosen_can_be_left_open_again(room: Room) -> None:
    for setting, name in ((Setting.TURN, "5"), (Setting.LANGUAGE, "en")):
        await room.services.settings.choose(SERVER, setting, [name])
        await room.services.settings.choose(SERVER, setting, ["default"])
    await room.services.settings.choose(SERVER, Setting.CHANNELS, ["5"])
    await room.services.settings.choose(SERVER, Setting.CHANNELS, [])
    assert (await room.services.settings.settings(SERVER)).choices == GuildSettings()


async def test_what_is_not_offered_is_refused_and_not_kept(room: Room) -> None:
    refused = await room.services.settings.choose(SERVER, Setting.TURN, ["1"])
    assert refused == Refused(Refusal.UNKNOWN_OPTION)
    assert about(room, SERVER) == 0


async def test_a_server_s_language_wins_over_the_one_that_discord_says(room: Room) -> None:
    here, dm = Place(CHANNEL, SERVER, "pt-BR"), Place(CHANNEL, None, "pt-BR")
    assert await room.services.settings.language_in(here) == "pt-BR"
    await room.services.settings.choose(SERVER, Setting.LANGUAGE, ["en"])
    assert await room.services.settings.language_in(here) == "en"
    assert await room.services.settings.language_in(dm) == "pt-BR"


async def test_a_match_keeps_the_time_it_was_opened_with(room: Room) -> None:
    room.store.settings.update(SERVER, {"turn_minutes": 60})
    opened = await room.services.matches.open(asked(7, ANA))
    assert isinstance(opened, MatchOpened)
    room.store.settings.update(SERVER, {"turn_minutes": 5})
    hour = timedelta(hours=1)
    assert opened.match.deadline_at == room.now + hour
    room.now += timedelta(minutes=50)
    moved = await room.play(opened.match, 4)
    assert isinstance(moved, BoardChanged)
    assert moved.match.deadline_at == room.now + hour
    assert room.stands(moved.match).turn_minutes == 60


async def test_a_challenge_has_its_own_time_and_the_turns_after_it_the_server_s(
    room: Room,
) -> None:
    room.store.settings.update(SERVER, {"turn_minutes": 180})
    opened = await room.services.matches.open(asked(7, ANA, opponent=BEN))
    assert isinstance(opened, MatchOpened)
    assert opened.match.deadline_at == room.now + CHALLENGE
    accepted = await room.press(opened.match, MatchAction.ACCEPT, BEN)
    assert isinstance(accepted, BoardChanged)
    assert accepted.match.deadline_at == room.now + timedelta(hours=3)


async def test_a_rematch_is_as_the_server_has_chosen_by_now_but_for_board_and_level(
    room: Room,
) -> None:
    over = room.put(against_velha("xxx oo. ...", Level.EASY))
    chosen: dict[str, SettingValue] = {
        "turn_minutes": 5,
        "language": "en",
        "rules": MISERE,
        "level": Level.CHILD,
    }
    room.store.settings.update(SERVER, chosen)
    opened = await room.press(over, MatchAction.REMATCH)
    assert isinstance(opened, MatchOpened)
    match = opened.match
    assert (match.turn_minutes, match.place.locale) == (5, "en")
    assert match.deadline_at == room.now + timedelta(minutes=5)
    assert (match.rules, match.bot_level) == (over.rules, Level.EASY)


async def test_nobody_asks_for_a_rematch_where_no_board_may_be_opened(room: Room) -> None:
    over = room.put(drawn("xxx oo. ..."))
    room.store.settings.update(SERVER, {"channels": (CHANNEL + 1,)})
    refused = Refused(Refusal.BOARDS_ELSEWHERE, channels=(CHANNEL + 1,))
    assert await room.press(over, MatchAction.REMATCH) == refused
    assert room.stands(over) == over
    asked_in_thread = await room.press(over, MatchAction.REMATCH, parent_id=CHANNEL + 1)
    assert isinstance(asked_in_thread, BoardChanged)
