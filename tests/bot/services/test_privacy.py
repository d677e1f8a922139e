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
from bot.domain.settings import GuildSettings
from bot.services.privacy import PrivacyService
from bot.store.forgetting import MATCH_BATCH_SIZE
from bot.store.schema import metadata
from engine import INFINITE, Level, Mark
from tests.bot.backend import App, match_request
from tests.bot.databases import (
    both_databases,
    choose_puzzle_channel,
    load_settings,
    on_postgresql,
    save_settings,
)
from tests.bot.example_matches import (
    ANA,
    BEN,
    BOARD_MESSAGE,
    CHANNEL,
    RUI,
    SERVER,
    VELHA,
    make_bot_match,
    make_match,
)

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
    return make_match("xxx oo. ...", id=number, place=place, **changes)


def read(download: DataExport) -> dict[str, Any]:
    content = gzip.decompress(download.content) if download.is_packed else download.content
    read: dict[str, Any] = json.loads(content)
    return read


async def forget(app: App, user_id: int, interaction_id: int = LATER) -> list[Match]:
    """Have somebody forgotten to the end; the matches that they left."""
    forgotten = await app.services.privacy.forget_user(user_id, interaction_id=interaction_id)
    return [*forgotten.ended, *await app.forget_all()]


def everything(app: App) -> str:
    """All that the tables hold, as text."""
    with app.store.database.autocommit() as connection:
        rows = [connection.execute(table.select()).all() for table in metadata.sorted_tables]
    return str(rows)


# Challenges


async def test_challenges_are_refused_until_a_person_takes_them_again(app: App) -> None:
    people, starts = app.services.privacy, app.services.matches
    assert await people.summary(BEN) == PrivacySummary(PrivacyChoices())
    assert await people.choose(BEN, CLOSE) == await people.summary(BEN) == PrivacySummary(CLOSED)
    refused = await starts.open(match_request(1, ANA, opponent_id=BEN))
    assert refused == Refusal(RefusalReason.NO_CHALLENGES, person_id=BEN)
    assert isinstance(await starts.open(match_request(2, BEN, opponent_id=ANA)), MatchOpened), (
        "they may challenge"
    )
    assert isinstance(await starts.open(match_request(3, ANA, 11)), MatchOpened), (
        "the bot is always there"
    )
    assert isinstance(await starts.open(match_request(4, ANA, 12, opponent_id=VELHA)), MatchOpened)
    await people.choose(BEN, OPEN)
    assert isinstance(await starts.open(match_request(5, ANA, 13, opponent_id=BEN)), MatchOpened)


# To download


@both_databases
async def test_an_export_holds_all_about_one_person_and_no_other_s_id(
    app: App,
) -> None:
    app.add(finished(1, hints=2))
    app.add(make_bot_match("x.. .o. ...", Level.HARD, id=2, place=Place(10, None, "en")))
    app.add(finished(3, x=replace(finished(3).x, user_id=RUI)))
    app.add(finished(4, rules=INFINITE, moves=(4,), opened_by=BEN))
    await app.services.privacy.choose(ANA, CLOSE)
    data = read(await app.services.privacy.download(ANA))
    choices = {"takes_challenges": False, "is_hidden": False, "wants_reminders": False}
    assert data["about"] == {"user_id": ANA, **choices}
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
    nobody = read(await app.services.privacy.download(RUI + 7))
    assert nobody["matches"] == []


async def test_a_long_history_is_exported_whole_and_compressed(app: App) -> None:
    for number in range(1, MATCH_BATCH_SIZE + 3):
        app.add(finished(number, x=Player(EVE), o=Player(BEN)))
    download = await app.services.privacy.download(EVE)
    assert len(read(download)["matches"]) == MATCH_BATCH_SIZE + 2
    assert not download.is_packed
    soon = PrivacyService(
        app.store, app.backend.executor, app.clock, packed_from_bytes=len(download.content)
    )
    packed = await soon.download(EVE)
    assert packed.is_packed
    assert len(packed.content) < len(download.content) / 10
    assert read(packed) == read(download)


# To be forgotten


@both_databases
async def test_a_deleted_person_is_in_no_table_and_the_matches_stay_for_their_opponents(
    app: App,
) -> None:
    eve, ben = Player(EVE), Player(BEN)
    first = app.add(finished(1, x=eve, o=ben, opened_by=EVE))
    second = app.add(finished(2, x=ben, o=eve, opened_by=BEN, rematch_asked_by=EVE))
    alone = app.add(finished(3, x=eve, o=Player(VELHA, Level.EASY), opened_by=EVE))
    kept = app.add(finished(4))
    await app.services.privacy.choose(EVE, CLOSE)
    assert await forget(app, EVE) == []
    nobody = Player(DELETED_USER_ID)
    assert app.load(first) == replace(first, x=nobody, opened_by=DELETED_USER_ID, version=1)
    assert app.load(second) == replace(second, o=nobody, rematch_asked_by=None, version=1)
    assert app.load(alone) == replace(alone, x=nobody, opened_by=DELETED_USER_ID, version=1)
    assert app.load(kept) == kept
    assert str(EVE) not in everything(app)
    assert await app.services.privacy.summary(EVE) == PrivacySummary(PrivacyChoices())


async def test_live_matches_of_a_deleted_person_end_without_a_result(
    app: App,
) -> None:
    going = app.add(make_match("x.. .o. ..."))
    ended = await forget(app, ANA)
    assert ended == [app.load(going)]
    assert ended[0].ending == Ending(EndReason.LEFT)
    assert ended[0].players[Mark.X].user_id == DELETED_USER_ID
    assert isinstance(await app.services.matches.open(match_request(20, BEN)), MatchOpened)
    shown = await app.play(ended[0], cell=8, who=BEN)
    assert isinstance(shown, Refusal)
    assert shown.reason is RefusalReason.MATCH_OVER


async def test_a_challenge_by_a_deleted_person_ends_as_well(app: App) -> None:
    challenge = app.add(make_match(accepted=False))
    (ended,) = await forget(app, ANA)
    assert ended == app.load(challenge)
    assert ended.ending == Ending(EndReason.LAPSED)


async def test_there_is_no_rematch_with_a_deleted_person(app: App) -> None:
    over = app.add(make_match("xxx oo. ..."))
    await forget(app, ANA)
    pressed = await app.press(app.load(over), MatchAction.REMATCH, BEN)
    assert pressed == Refusal(RefusalReason.MATCH_OVER)


async def test_a_match_that_a_deletion_ends_has_ended_when_the_deletion_was_asked_for(
    app: App,
) -> None:
    interaction_id = time_snowflake(app.now)
    app.add(make_match("x.. .o. ..."))
    assert [match.ended_at for match in await forget(app, ANA, interaction_id)] == [app.now]
    elsewhere = Place(CHANNEL + 1, SERVER, "pt-BR", BOARD_MESSAGE)
    app.add(make_match("x.. .o. ...", id=8, place=elsewhere))
    forgotten = await app.services.privacy.forget_guild(SERVER, interaction_id=interaction_id)
    assert [match.ended_at for match in forgotten.ended] == [app.now]


async def test_matches_played_after_the_deletion_was_asked_for_are_kept(app: App) -> None:
    await app.services.privacy.forget_user(ANA, interaction_id=LATER)
    later = app.add(finished(LATER + 1))
    await app.forget_all()
    assert app.load(later) == later
    assert read(await app.services.privacy.download(ANA))["matches"][0]["match"] == later.id


async def test_choices_made_after_the_deletion_was_asked_for_are_kept(app: App) -> None:
    await app.services.privacy.choose(ANA, CLOSE)
    await app.services.privacy.forget_user(ANA, interaction_id=LATER)
    assert await app.services.privacy.summary(ANA) == PrivacySummary(PrivacyChoices())
    await app.services.privacy.choose(ANA, CLOSE)
    await app.forget_all()
    assert await app.services.privacy.summary(ANA) == PrivacySummary(CLOSED)
    assert app.store.privacy.next_user_to_forget() is None


@both_databases
async def test_a_long_history_is_deleted_in_batches_also_after_a_restart(
    app: App, url: URL
) -> None:
    newest = 2 * MATCH_BATCH_SIZE + 2
    for number in range(1, newest + 1):
        app.add(finished(number))
    await app.services.privacy.forget_user(ANA, interaction_id=LATER)
    assert app.load(finished(newest)).x.user_id == DELETED_USER_ID, "the newest at once"
    assert app.load(finished(1)).x.user_id == ANA
    again = App(url)
    await again.forget_all()
    assert again.load(finished(1)).x.user_id == DELETED_USER_ID
    assert again.store.privacy.next_user_to_forget() is None
    await again.close()


@on_postgresql
async def test_rows_locked_by_another_process_are_skipped_and_not_counted_as_done(app: App) -> None:
    over = app.add(finished(1))
    with app.other_store.database.transaction() as connection:
        connection.execute(text("SELECT * FROM matches FOR UPDATE"))
        assert (await app.services.privacy.forget_user(ANA, interaction_id=LATER)).ended == ()
        assert await app.services.privacy.continue_forgetting() == []
        assert app.store.privacy.next_user_to_forget() == (ANA, LATER)
    await app.forget_all()
    assert app.load(over).x.user_id == DELETED_USER_ID


async def test_the_later_of_two_deletions_counts_in_whatever_order_they_arrive(
    app: App,
) -> None:
    await app.services.privacy.forget_user(ANA, interaction_id=LATER)
    await app.services.privacy.forget_user(ANA, interaction_id=LATER - 1)
    assert app.store.privacy.next_user_to_forget() == (ANA, LATER)


@both_databases
async def test_a_deletion_concurrent_with_a_choice_of_the_same_person_is_not_lost(
    app: App,
) -> None:
    app.before_sql(
        "INSERT INTO people", lambda: app.other_store.privacy.start_forgetting_user(ANA, LATER)
    )
    await app.services.privacy.choose(ANA, CLOSE)
    assert app.store.privacy.next_user_to_forget() == (ANA, LATER)
    assert await app.services.privacy.summary(ANA) == PrivacySummary(CLOSED)


@pytest.mark.logs_errors
async def test_an_export_leaves_out_rows_that_cannot_be_read(app: App) -> None:
    readable = app.add(finished(1))
    for number in range(2, MATCH_BATCH_SIZE + 3):
        app.add(finished(number))
    with app.store.database.autocommit() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense' WHERE id > 1"))
    data = read(await app.services.privacy.download(ANA))
    assert [match["match"] for match in data["matches"]] == [readable.id]


@pytest.mark.logs_errors
async def test_rows_that_cannot_be_read_are_deleted_too(app: App) -> None:
    app.add(make_match("x.. ... ..."))
    with app.store.database.autocommit() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense'"))
    await forget(app, ANA)
    with app.store.database.autocommit() as connection:
        (row,) = connection.execute(text("SELECT x_id, live FROM matches")).all()
    assert tuple(row) == (DELETED_USER_ID, False)
    assert app.store.privacy.next_user_to_forget() is None


@both_databases
async def test_a_move_just_before_a_deletion_is_kept_and_the_match_ends(app: App) -> None:
    going = app.add(make_match("x.. .o. ..."))
    moved = replace(going, moves=(*going.moves, 8))
    app.before_sql("BEGIN", lambda: app.other_store.matches.save(moved))
    (ended,) = await forget(app, ANA)
    assert ended.moves == moved.moves
    assert ended.ending == Ending(EndReason.LEFT)


# Servers


def finished_in(app: App, number: int, guild_id: int | None = SERVER) -> Match:
    there = Place(CHANNEL + number, guild_id, "pt-BR", 500 + number)
    return app.add(make_match("xxx oo. ...", id=number, place=there))


def rows_of_guild(app: App, guild_id: int) -> int:
    """How many rows of the tables know of a server."""
    with app.store.database.autocommit() as connection:
        tables = [table for table in metadata.sorted_tables if "guild_id" in table.c]
        rows = [connection.execute(table.select()).mappings() for table in tables]
        return sum(row["guild_id"] == guild_id for table in rows for row in table)


async def record_memberships(app: App, *guild_ids: int, days: int = 1) -> None:
    """Days pass, and the bot looks of which servers it is a member."""
    app.now += days * A_DAY
    await app.services.privacy.record_memberships(guild_ids)
    await app.forget_all()


@both_databases
async def test_a_server_that_asks_is_deleted_and_its_matches_have_no_place(app: App) -> None:
    over, other = finished_in(app, 1), finished_in(app, 2, ELSEWHERE)
    going = app.add(make_match("x.. .o. ...", id=3))
    save_settings(app.store, SERVER, level=Level.EASY)
    choose_puzzle_channel(app.store, SERVER, CHANNEL, "en")
    forgotten = await app.services.privacy.forget_guild(SERVER, interaction_id=LATER)
    assert [match.ending for match in forgotten.ended] == [Ending(EndReason.STOPPED)]
    assert forgotten.ended[0].place == going.place, "so that its board can be drawn a last time"
    await app.forget_all()
    for match in (over, going):
        place = app.load(match).place
        assert (place.guild_id, place.channel_id, place.message_id) == (
            None,
            DELETED_CHANNEL_ID,
            None,
        )
    assert app.load(over).players == over.players
    assert app.load(over).moves == over.moves
    assert app.load(other) == other
    assert rows_of_guild(app, SERVER) == 0
    assert load_settings(app.store, SERVER) == GuildSettings()


async def test_a_server_with_a_long_history_is_deleted_in_batches(app: App) -> None:
    for number in range(1, 2 * MATCH_BATCH_SIZE + 3):
        finished_in(app, number)
    await app.services.privacy.forget_guild(SERVER, interaction_id=LATER)
    assert rows_of_guild(app, SERVER) > 0
    await app.forget_all()
    assert rows_of_guild(app, SERVER) == 0


@both_databases
async def test_a_server_is_deleted_thirty_days_after_the_bot_left(
    app: App,
) -> None:
    finished_in(app, 1)
    finished_in(app, 2, ELSEWHERE)
    await record_memberships(app, SERVER, ELSEWHERE)
    await record_memberships(app, ELSEWHERE)
    await record_memberships(app, ELSEWHERE, days=29)
    assert rows_of_guild(app, SERVER) > 0
    await record_memberships(app, ELSEWHERE)
    assert rows_of_guild(app, SERVER) == 0
    assert rows_of_guild(app, ELSEWHERE) == 2


@both_databases
async def test_a_server_that_the_bot_comes_back_to_is_kept(app: App) -> None:
    finished_in(app, 1)
    await record_memberships(app, SERVER)
    await record_memberships(app)
    await record_memberships(app, SERVER, days=29)
    await record_memberships(app, days=2)
    await record_memberships(app, days=29)
    assert rows_of_guild(app, SERVER) > 0


async def test_servers_that_the_bot_was_never_a_member_of_are_kept(app: App) -> None:
    finished_in(app, 1)
    await record_memberships(app, ELSEWHERE)
    await record_memberships(app, ELSEWHERE, days=60)
    assert rows_of_guild(app, SERVER) == 1


async def test_a_wrong_clock_records_no_server_as_left(app: App) -> None:
    finished_in(app, 1)
    await record_memberships(app, SERVER)
    app.host_clock_offset = timedelta(minutes=3)
    await record_memberships(app)
    app.host_clock_offset = timedelta()
    await record_memberships(app)
    assert rows_of_guild(app, SERVER) > 0


async def test_a_wrong_clock_deletes_no_server(app: App) -> None:
    finished_in(app, 1)
    await record_memberships(app, SERVER)
    await record_memberships(app)
    app.host_clock_offset = timedelta(minutes=3)
    await record_memberships(app, days=60)
    assert rows_of_guild(app, SERVER) > 0


async def test_a_board_posted_while_its_server_is_deleted_has_no_recorded_message(
    app: App,
) -> None:
    going = app.add(make_match("x.. .o. ..."))
    await app.services.privacy.forget_guild(SERVER, interaction_id=LATER)
    await app.services.matches.record_shown(going, 700)
    assert app.load(going).place.message_id is None


@on_postgresql
async def test_two_processes_may_record_memberships_at_once(app: App) -> None:
    app.before_sql(
        "INSERT INTO memberships",
        lambda: app.other_store.memberships.record({SERVER}, app.now),
    )
    await record_memberships(app, SERVER, ELSEWHERE)
    assert rows_of_guild(app, SERVER) == 1


async def test_that_somebody_was_deleted_is_known_for_as_long_as_copies_are_kept(
    app: App,
) -> None:
    """From what is known nobody can read who it was; it serves to delete them again."""
    await forget(app, EVE, time_snowflake(app.now))
    assert len(app.store.key_values.with_prefix("deleted ")) == 1
    assert str(EVE) not in everything(app)
    about = read(await app.services.privacy.download(EVE))["about"]
    assert about["asked_for_deletion_at"] == app.now.isoformat()
    await record_memberships(app, days=27)
    assert len(app.store.key_values.with_prefix("deleted ")) == 1
    await record_memberships(app, days=2)
    assert app.store.key_values.with_prefix("deleted ") == {}
    assert "asked_for_deletion_at" not in read(await app.services.privacy.download(EVE))["about"]
