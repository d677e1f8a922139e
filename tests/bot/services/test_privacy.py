"""What is stored about people and servers: seen, exported, deleted."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import URL, text

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID, time_snowflake
from bot.domain.match_actions import MatchAction
from bot.domain.matches import Ending, EndReason, Match, MatchOpened, Place, Player
from bot.domain.privacy import DataExport, PrivacyChoices, PrivacySummary
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import GuildSettings, Setting
from bot.services.privacy import PrivacyService
from bot.store.privacy import MATCH_BATCH_SIZE
from bot.store.schema import metadata
from engine import INFINITE, Level, Mark
from tests.bot.backend import Room, asked
from tests.bot.drawn import ANA, BEN, BOARD, CHANNEL, RUI, SERVER, VELHA, against_velha, drawn

LATER = 10_000
"""An id that Discord gives out after all of these."""

EVE = 777_777_777
CLOSE, OPEN = {"takes_challenges": False}, {"takes_challenges": True}
CLOSED = PrivacyChoices(takes_challenges=False)
ELSEWHERE = 31
A_DAY = timedelta(days=1)


def finished(number: int, **changes: Any) -> Match:
    """One of many matches, each in a channel of its own, that Ana, as X, won."""
    place = Place(1_000 + number, 20, "pt-BR", message_id=500 + number)
    return drawn("xxx oo. ...", id=number, place=place, **changes)


def read(download: DataExport) -> dict[str, Any]:
    content = gzip.decompress(download.content) if download.is_packed else download.content
    read: dict[str, Any] = json.loads(content)
    return read


async def forget(room: Room, user_id: int, interaction_id: int = LATER) -> list[Match]:
    """Have somebody forgotten to the end; the matches that they left."""
    forgotten = await room.services.privacy.forget_user(user_id, interaction_id)
    return [*forgotten.ended, *await room.forget()]


def everything(room: Room) -> str:
    """All that the tables hold, as text."""
    with room.store._database.autocommit() as connection:
        rows = [connection.execute(table.select()).all() for table in metadata.sorted_tables]
    return str(rows)


# Challenges


async def test_challenges_are_refused_until_a_person_takes_them_again(room: Room) -> None:
    people, starts = room.services.privacy, room.services.matches
    assert await people.summary(BEN) == PrivacySummary(PrivacyChoices())
    assert await people.choose(BEN, CLOSE) == await people.summary(BEN) == PrivacySummary(CLOSED)
    refused = await starts.open(asked(1, ANA, opponent=BEN))
    assert refused == Refusal(RefusalReason.NO_CHALLENGES, person=BEN)
    assert isinstance(await starts.open(asked(2, BEN, opponent=ANA)), MatchOpened), (
        "they may challenge"
    )
    assert isinstance(await starts.open(asked(3, ANA, 11)), MatchOpened), "the bot is always there"
    assert isinstance(await starts.open(asked(4, ANA, 12, opponent=VELHA)), MatchOpened)
    await people.choose(BEN, OPEN)
    assert isinstance(await starts.open(asked(5, ANA, 13, opponent=BEN)), MatchOpened)


# To download


async def test_an_export_holds_all_about_one_person_and_no_other_s_id(
    room: Room,
) -> None:
    room.put(finished(1, hints=2))
    room.put(against_velha("x.. .o. ...", Level.HARD, id=2, place=Place(10, None, "en")))
    room.put(finished(3, x=replace(finished(3).x, user_id=RUI)))
    room.put(finished(4, rules=INFINITE, moves=(4,), opened_by=BEN))
    await room.services.privacy.choose(ANA, CLOSE)
    data = read(await room.services.privacy.download(ANA))
    assert data["about"] == {"user_id": ANA, "takes_challenges": False, "is_hidden": False}
    assert [match["match"] for match in data["matches"]] == [4, 2, 1]
    assert data["matches"][2] == {
        "match": 1,
        "server": 20,
        "channel": 1_001,
        "message": 501,
        "language": "pt-BR",
        "board": "3x3x3",
        "you": "x",
        "against": "a person",
        "opened_by_you": True,
        "moves": ["A1", "A2", "B1", "B2", "C1"],
        "hints": 2,
        "turn_minutes": None,
        "ended_at": None,
        "ended": "won",
        "winner": "x",
    }
    assert data["matches"][1]["against"] == "hard"
    assert data["matches"][0]["board"] == "infinite"
    assert not data["matches"][0]["opened_by_you"]
    nobody = read(await room.services.privacy.download(RUI + 7))
    assert nobody["matches"] == []


async def test_a_long_history_is_exported_whole_and_compressed(room: Room) -> None:
    for number in range(1, MATCH_BATCH_SIZE + 3):
        room.put(finished(number, x=Player(EVE), o=Player(BEN)))
    download = await room.services.privacy.download(EVE)
    assert len(read(download)["matches"]) == MATCH_BATCH_SIZE + 2
    assert not download.is_packed
    soon = PrivacyService(
        room.store, room.backend.executor, room.clock, packed_from_bytes=len(download.content)
    )
    packed = await soon.download(EVE)
    assert packed.is_packed
    assert len(packed.content) < len(download.content) / 10
    assert read(packed) == read(download)


# To be forgotten


async def test_a_deleted_person_is_in_no_table_and_the_matches_stay_for_their_opponents(
    room: Room,
) -> None:
    eve, ben = Player(EVE), Player(BEN)
    first = room.put(finished(1, x=eve, o=ben, opened_by=EVE))
    second = room.put(finished(2, x=ben, o=eve, opened_by=BEN, rematch_asked_by=EVE))
    alone = room.put(finished(3, x=eve, o=Player(VELHA, Level.EASY), opened_by=EVE))
    kept = room.put(finished(4))
    await room.services.privacy.choose(EVE, CLOSE)
    assert await forget(room, EVE) == []
    nobody = Player(DELETED_USER_ID)
    assert room.stands(first) == replace(first, x=nobody, opened_by=DELETED_USER_ID, version=1)
    assert room.stands(second) == replace(second, o=nobody, rematch_asked_by=None, version=1)
    assert room.stands(alone) == replace(alone, x=nobody, opened_by=DELETED_USER_ID, version=1)
    assert room.stands(kept) == kept
    assert str(EVE) not in everything(room)
    assert await room.services.privacy.summary(EVE) == PrivacySummary(PrivacyChoices())


async def test_live_matches_of_a_deleted_person_end_without_a_result(
    room: Room,
) -> None:
    going = room.put(drawn("x.. .o. ..."))
    ended = await forget(room, ANA)
    assert ended == [room.stands(going)]
    assert ended[0].ending == Ending(EndReason.LEFT)
    assert ended[0].players[Mark.X].user_id == DELETED_USER_ID
    assert isinstance(await room.services.matches.open(asked(20, BEN)), MatchOpened)
    shown = await room.play(ended[0], cell=8, who=BEN)
    assert isinstance(shown, Refusal)
    assert shown.reason is RefusalReason.MATCH_OVER


async def test_a_challenge_by_a_deleted_person_ends_as_well(room: Room) -> None:
    challenge = room.put(drawn(accepted=False))
    (ended,) = await forget(room, ANA)
    assert ended == room.stands(challenge)
    assert ended.ending == Ending(EndReason.LAPSED)


async def test_there_is_no_rematch_with_a_deleted_person(room: Room) -> None:
    over = room.put(drawn("xxx oo. ..."))
    await forget(room, ANA)
    pressed = await room.press(room.stands(over), MatchAction.REMATCH, BEN)
    assert pressed == Refusal(RefusalReason.MATCH_OVER)


async def test_a_match_that_a_deletion_ends_has_ended_when_the_deletion_was_asked_for(
    room: Room,
) -> None:
    interaction_id = time_snowflake(room.now)
    room.put(drawn("x.. .o. ..."))
    assert [match.ended_at for match in await forget(room, ANA, interaction_id)] == [room.now]
    elsewhere = Place(CHANNEL + 1, SERVER, "pt-BR", BOARD)
    room.put(drawn("x.. .o. ...", id=8, place=elsewhere))
    forgotten = await room.services.privacy.forget_guild(SERVER, interaction_id)
    assert [match.ended_at for match in forgotten.ended] == [room.now]


async def test_matches_played_after_the_deletion_was_asked_for_are_kept(room: Room) -> None:
    await room.services.privacy.forget_user(ANA, LATER)
    later = room.put(finished(LATER + 1))
    await room.forget()
    assert room.stands(later) == later
    assert read(await room.services.privacy.download(ANA))["matches"][0]["match"] == later.id


async def test_choices_made_after_the_deletion_was_asked_for_are_kept(room: Room) -> None:
    await room.services.privacy.choose(ANA, CLOSE)
    await room.services.privacy.forget_user(ANA, LATER)
    assert await room.services.privacy.summary(ANA) == PrivacySummary(PrivacyChoices())
    await room.services.privacy.choose(ANA, CLOSE)
    await room.forget()
    assert await room.services.privacy.summary(ANA) == PrivacySummary(CLOSED)
    assert room.store.privacy.users_to_forget() == []


async def test_a_long_history_is_deleted_in_batches_also_after_a_restart(
    room: Room, url: URL
) -> None:
    newest = 2 * MATCH_BATCH_SIZE + 2
    for number in range(1, newest + 1):
        room.put(finished(number))
    await room.services.privacy.forget_user(ANA, LATER)
    assert room.stands(finished(newest)).x.user_id == DELETED_USER_ID, "the newest at once"
    assert room.stands(finished(1)).x.user_id == ANA
    again = Room(url)
    await again.forget()
    assert again.stands(finished(1)).x.user_id == DELETED_USER_ID
    assert again.store.privacy.users_to_forget() == []
    await again.close()


async def test_rows_locked_by_another_process_are_skipped_and_not_counted_as_done(
    room: Room, url: URL
) -> None:
    if url.get_backend_name() == "sqlite":
        pytest.skip("it has one writer at a time, and the others wait")
    over = room.put(finished(1))
    with room.rival._database.transaction() as connection:
        connection.execute(text("SELECT * FROM matches FOR UPDATE"))
        assert (await room.services.privacy.forget_user(ANA, LATER)).ended == ()
        assert await room.services.privacy.continue_forgetting() == []
        assert room.store.privacy.users_to_forget() == [(ANA, LATER)]
    await room.forget()
    assert room.stands(over).x.user_id == DELETED_USER_ID


async def test_the_later_of_two_deletions_counts_in_whatever_order_they_arrive(
    room: Room,
) -> None:
    await room.services.privacy.forget_user(ANA, LATER)
    await room.services.privacy.forget_user(ANA, LATER - 1)
    assert room.store.privacy.users_to_forget() == [(ANA, LATER)]


async def test_a_deletion_concurrent_with_a_choice_of_the_same_person_is_not_lost(
    room: Room,
) -> None:
    room.before_next(
        "INSERT INTO people", lambda: room.rival.privacy.start_forgetting_user(ANA, LATER)
    )
    await room.services.privacy.choose(ANA, CLOSE)
    assert room.store.privacy.users_to_forget() == [(ANA, LATER)]
    assert await room.services.privacy.summary(ANA) == PrivacySummary(CLOSED)


@pytest.mark.logs_errors
async def test_an_export_leaves_out_rows_that_cannot_be_read(room: Room) -> None:
    readable = room.put(finished(1))
    for number in range(2, MATCH_BATCH_SIZE + 3):
        room.put(finished(number))
    with room.store._database.autocommit() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense' WHERE id > 1"))
    data = read(await room.services.privacy.download(ANA))
    assert [match["match"] for match in data["matches"]] == [readable.id]


@pytest.mark.logs_errors
async def test_rows_that_cannot_be_read_are_deleted_too(room: Room) -> None:
    room.put(drawn("x.. ... ..."))
    with room.store._database.autocommit() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense'"))
    await forget(room, ANA)
    with room.store._database.autocommit() as connection:
        (row,) = connection.execute(text("SELECT x_id, live FROM matches")).all()
    assert tuple(row) == (DELETED_USER_ID, False)
    assert room.store.privacy.users_to_forget() == []


async def test_a_move_just_before_a_deletion_is_kept_and_the_match_ends(room: Room) -> None:
    going = room.put(drawn("x.. .o. ..."))
    moved = replace(going, moves=(*going.moves, 8))
    room.before_next("BEGIN", lambda: room.rival.matches.save(moved))
    (ended,) = await forget(room, ANA)
    assert ended.moves == moved.moves
    assert ended.ending == Ending(EndReason.LEFT)


# Servers


def finished_in(room: Room, number: int, guild_id: int | None = SERVER) -> Match:
    there = Place(CHANNEL + number, guild_id, "pt-BR", 500 + number)
    return room.put(drawn("xxx oo. ...", id=number, place=there))


def rows_of_guild(room: Room, guild_id: int) -> int:
    """How many rows of the tables know of a server."""
    with room.store._database.autocommit() as connection:
        tables = [table for table in metadata.sorted_tables if "guild_id" in table.c]
        rows = [connection.execute(table.select()).mappings() for table in tables]
        return sum(row["guild_id"] == guild_id for table in rows for row in table)


async def record_memberships(room: Room, *guild_ids: int, days: int = 1) -> None:
    """Days pass, and the bot looks of which servers it is a member."""
    room.now += days * A_DAY
    await room.services.privacy.record_memberships(guild_ids)
    await room.forget()


async def test_a_server_that_asks_is_deleted_and_its_matches_have_no_place(room: Room) -> None:
    over, other = finished_in(room, 1), finished_in(room, 2, ELSEWHERE)
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
    assert rows_of_guild(room, SERVER) == 0
    assert (await room.services.settings.settings(SERVER)).choices == GuildSettings()


async def test_a_server_with_a_long_history_is_deleted_in_batches(room: Room) -> None:
    for number in range(1, 2 * MATCH_BATCH_SIZE + 3):
        finished_in(room, number)
    await room.services.privacy.forget_guild(SERVER, LATER)
    assert rows_of_guild(room, SERVER) > 0
    await room.forget()
    assert rows_of_guild(room, SERVER) == 0


async def test_a_server_is_deleted_thirty_days_after_the_bot_left(
    room: Room,
) -> None:
    finished_in(room, 1)
    finished_in(room, 2, ELSEWHERE)
    await record_memberships(room, SERVER, ELSEWHERE)
    await record_memberships(room, ELSEWHERE)
    await record_memberships(room, ELSEWHERE, days=29)
    assert rows_of_guild(room, SERVER) > 0
    await record_memberships(room, ELSEWHERE)
    assert rows_of_guild(room, SERVER) == 0
    assert rows_of_guild(room, ELSEWHERE) == 2


async def test_a_server_that_the_bot_comes_back_to_is_kept(room: Room) -> None:
    finished_in(room, 1)
    await record_memberships(room, SERVER)
    await record_memberships(room)
    await record_memberships(room, SERVER, days=29)
    await record_memberships(room, days=2)
    await record_memberships(room, days=29)
    assert rows_of_guild(room, SERVER) > 0


async def test_servers_that_the_bot_was_never_a_member_of_are_kept(room: Room) -> None:
    finished_in(room, 1)
    await record_memberships(room, ELSEWHERE)
    await record_memberships(room, ELSEWHERE, days=60)
    assert rows_of_guild(room, SERVER) == 1


async def test_a_wrong_clock_records_no_server_as_left(room: Room) -> None:
    finished_in(room, 1)
    await record_memberships(room, SERVER)
    room.host_is_fast_by = timedelta(minutes=3)
    await record_memberships(room)
    room.host_is_fast_by = timedelta()
    await record_memberships(room)
    assert rows_of_guild(room, SERVER) > 0


async def test_a_wrong_clock_deletes_no_server(room: Room) -> None:
    finished_in(room, 1)
    await record_memberships(room, SERVER)
    await record_memberships(room)
    room.host_is_fast_by = timedelta(minutes=3)
    await record_memberships(room, days=60)
    assert rows_of_guild(room, SERVER) > 0


async def test_a_board_posted_while_its_server_is_deleted_has_no_recorded_message(
    room: Room,
) -> None:
    going = room.put(drawn("x.. .o. ..."))
    await room.services.privacy.forget_guild(SERVER, LATER)
    await room.services.matches.record_shown(going, 700)
    assert room.stands(going).place.message_id is None


async def test_two_processes_may_record_memberships_at_once(room: Room, url: URL) -> None:
    if url.get_backend_name() == "sqlite":
        pytest.skip("it has one writer at a time, and the others wait")
    room.before_next(
        "INSERT INTO memberships",
        lambda: room.rival.privacy.record_memberships({SERVER}, room.now),
    )
    await record_memberships(room, SERVER, ELSEWHERE)
    assert rows_of_guild(room, SERVER) == 1


async def test_that_somebody_was_deleted_is_known_for_as_long_as_copies_are_kept(
    room: Room,
) -> None:
    """From what is known nobody can read who it was; it serves to delete them again."""
    await forget(room, EVE, time_snowflake(room.now))
    assert len(room.store.key_values.with_prefix("deleted ")) == 1
    assert str(EVE) not in everything(room)
    await record_memberships(room, days=27)
    assert len(room.store.key_values.with_prefix("deleted ")) == 1
    await record_memberships(room, days=2)
    assert room.store.key_values.with_prefix("deleted ") == {}
