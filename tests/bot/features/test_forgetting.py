"""How people and servers are forgotten, in batches and by several processes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import URL, text

from bot.domain.ids import DELETED_CHANNEL_ID, DELETED_USER_ID, time_snowflake
from bot.domain.match_actions import MatchAction
from bot.domain.matches import Ending, EndReason, Match, Place, Player
from bot.domain.privacy import PrivacyChoices
from bot.domain.refusals import RefusalReason
from bot.domain.settings import GuildSettings
from bot.features import forgetting
from bot.store.facts import load_facts
from bot.store.matches import MATCH_BATCH_SIZE, compare_and_set
from bot.store.schema import metadata
from engine import Level, Mark
from tests.bot.backend import App, match_request
from tests.bot.databases import (
    both_databases,
    call,
    choose_puzzle_channel,
    forget_person,
    forget_server,
    load_choices,
    load_settings,
    on_postgresql,
    save_choices,
    save_settings,
    stored_text,
)
from tests.bot.example_matches import (
    ANA,
    BEN,
    BOARD_MESSAGE,
    CHANNEL,
    RUI,
    SERVER,
    VELHA,
    make_match,
)
from tests.bot.features.test_privacy import finished
from tests.bot.refusals import Refusal

LATER = 10_000
"""An id that Discord gives out after all of these."""

EVE = 777_777_777
CLOSED = PrivacyChoices(takes_challenges=False)
ELSEWHERE = 31
A_DAY = timedelta(days=1)


def next_person(app: App) -> tuple[int, int] | None:
    """Who is to be forgotten next, and the id below which their matches are."""
    return call(app.store, forgetting.next_to_forget, forgetting.PEOPLE)


async def forget(app: App, user_id: int, interaction_id: int = LATER) -> list[Match]:
    """Have somebody forgotten to the end; the matches that they left."""
    forgotten = forget_person(app.store, user_id, interaction_id)
    return [*forgotten, *await app.forget_all()]


# People


@both_databases
async def test_a_deleted_person_is_in_no_table_and_the_matches_stay_for_their_opponents(
    app: App,
) -> None:
    eve, ben = Player(EVE), Player(BEN)
    first = app.add(finished(1, x=eve, o=ben, opened_by=EVE))
    second = app.add(finished(2, x=ben, o=eve, opened_by=BEN, rematch_asked_by=EVE))
    alone = app.add(finished(3, x=eve, o=Player(VELHA, Level.EASY), opened_by=EVE))
    kept = app.add(finished(4))
    save_choices(app.store, EVE, takes_challenges=False)
    assert await forget(app, EVE) == []
    nobody = Player(DELETED_USER_ID)
    assert app.load(first) == replace(first, x=nobody, opened_by=DELETED_USER_ID, version=1)
    assert app.load(second) == replace(second, o=nobody, rematch_asked_by=None, version=1)
    assert app.load(alone) == replace(alone, x=nobody, opened_by=DELETED_USER_ID, version=1)
    assert app.load(kept) == kept
    assert str(EVE) not in stored_text(app.store.engine.url)
    assert load_choices(app.store, EVE) == PrivacyChoices()


async def test_live_matches_of_a_deleted_person_end_without_a_result(
    app: App,
) -> None:
    going = app.add(make_match("x.. .o. ..."))
    ended = await forget(app, ANA)
    assert ended == [app.load(going)]
    assert ended[0].ending == Ending(EndReason.LEFT)
    assert ended[0].players[Mark.X].user_id == DELETED_USER_ID
    await app.open(match_request(20, BEN))
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
    left = app.load(over)
    pressed = await app.press(left, MatchAction.REMATCH, BEN)
    assert pressed == Refusal(RefusalReason.MATCH_OVER)


async def test_a_match_that_a_deletion_ends_has_ended_when_the_deletion_was_asked_for(
    app: App,
) -> None:
    interaction_id = time_snowflake(app.now)
    app.add(make_match("x.. .o. ..."))
    assert [match.ended_at for match in await forget(app, ANA, interaction_id)] == [app.now]
    elsewhere = Place(CHANNEL + 1, SERVER, "pt-BR", BOARD_MESSAGE)
    app.add(make_match("x.. .o. ...", id=8, place=elsewhere))
    forgotten = forget_server(app.store, SERVER, interaction_id)
    assert [match.ended_at for match in forgotten] == [app.now]


async def test_matches_played_after_the_deletion_was_asked_for_are_kept(app: App) -> None:
    forget_person(app.store, ANA, LATER)
    later = app.add(finished(LATER + 1))
    await app.forget_all()
    assert app.load(later) == later
    assert (await app.export(ANA))["matches"][0]["match"] == later.id


async def test_choices_made_after_the_deletion_was_asked_for_are_kept(app: App) -> None:
    save_choices(app.store, ANA, takes_challenges=False)
    forget_person(app.store, ANA, LATER)
    assert load_choices(app.store, ANA) == PrivacyChoices()
    save_choices(app.store, ANA, takes_challenges=False)
    await app.forget_all()
    assert load_choices(app.store, ANA) == CLOSED
    assert next_person(app) is None


@both_databases
async def test_a_long_history_is_deleted_in_batches_also_after_a_restart(
    app: App, url: URL
) -> None:
    newest = 2 * MATCH_BATCH_SIZE + 2
    app.add_all(map(finished, range(1, newest + 1)))
    forget_person(app.store, ANA, LATER)
    assert app.load(finished(newest)).x.user_id == DELETED_USER_ID, "the newest at once"
    assert app.load(finished(1)).x.user_id == ANA
    again = App(url)
    await again.forget_all()
    assert again.load(finished(1)).x.user_id == DELETED_USER_ID
    assert next_person(again) is None
    await again.close()


@on_postgresql
async def test_rows_locked_by_another_process_are_skipped_and_not_counted_as_done(app: App) -> None:
    over = app.add(finished(1))
    with app.other_store.database.transaction() as connection:
        connection.execute(text("SELECT * FROM matches FOR UPDATE"))
        assert forget_person(app.store, ANA, LATER) == []
        assert await forgetting.forget_next(app.backend.runtime) == []
        assert next_person(app) == (ANA, LATER)
    await app.forget_all()
    assert app.load(over).x.user_id == DELETED_USER_ID


async def test_the_later_of_two_deletions_counts_in_whatever_order_they_arrive(
    app: App,
) -> None:
    forget_person(app.store, ANA, LATER)
    forget_person(app.store, ANA, LATER - 1)
    assert next_person(app) == (ANA, LATER)


@both_databases
async def test_a_deletion_concurrent_with_a_choice_of_the_same_person_is_not_lost(
    app: App,
) -> None:
    app.before_sql("BEGIN", lambda: call(app.other_store, forgetting.PEOPLE.start, ANA, LATER))
    save_choices(app.store, ANA, takes_challenges=False)
    assert next_person(app) == (ANA, LATER)
    assert load_choices(app.store, ANA) == CLOSED


@pytest.mark.logs_errors
async def test_rows_that_cannot_be_read_are_deleted_too(app: App) -> None:
    app.add(make_match("x.. ... ..."))
    with app.store.database.connection() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense'"))
    await forget(app, ANA)
    with app.store.database.connection() as connection:
        (row,) = connection.execute(text("SELECT x_id, live FROM matches")).all()
    assert tuple(row) == (DELETED_USER_ID, False)
    assert next_person(app) is None


async def test_a_move_just_before_a_deletion_is_kept_and_the_match_ends(app: App) -> None:
    going = app.add(make_match("x.. .o. ..."))
    moved = replace(going, moves=(*going.moves, 8))
    app.save_elsewhere(moved, before="BEGIN")
    (ended,) = await forget(app, ANA)
    assert ended.moves == moved.moves
    assert ended.ending == Ending(EndReason.LEFT)


# When several ask at once

both_owners = pytest.mark.parametrize("owners", [forgetting.PEOPLE, forgetting.SERVERS])


@both_owners
def test_a_second_request_during_a_deletion_is_not_lost(
    app: App, owners: forgetting.Owners
) -> None:
    for before_id in (1, 2):
        call(app.store, owners.start, EVE, before_id)
    for before_id, then in ((1, (EVE, 2)), (2, None)):
        call(app.store, owners.finish, EVE, before_id)
        assert call(app.store, forgetting.next_to_forget, owners) == then


@both_owners
def test_of_two_deletions_asked_for_at_once_the_other_is_not_lost(
    app: App, owners: forgetting.Owners
) -> None:
    for its_id in (EVE, EVE + 1):
        call(app.store, owners.start, its_id, 1)
    call(app.store, owners.finish, EVE, 1)
    assert call(app.store, forgetting.next_to_forget, owners) == (EVE + 1, 1)


def test_a_forgotten_match_cannot_be_changed_by_a_version_loaded_before(app: App) -> None:
    left = app.add(finished(1))
    there = app.add(finished(2, x=Player(RUI), place=Place(2, ELSEWHERE, "pt-BR")))
    forget_person(app.store, ANA, LATER)
    forget_server(app.store, ELSEWHERE, LATER)
    for match in (left, there):
        assert call(app.store, compare_and_set, replace(match, rematch_asked_by=BEN)) is None


# Servers


def finished_in(number: int, guild_id: int | None = SERVER) -> Match:
    return finished(number, place=Place(CHANNEL + number, guild_id, "pt-BR", 500 + number))


def rows_of_guild(app: App, guild_id: int) -> int:
    """How many rows of the tables know of a server."""
    with app.store.database.connection() as connection:
        tables = [table for table in metadata.sorted_tables if "guild_id" in table.c]
        rows = [connection.execute(table.select()).mappings() for table in tables]
        return sum(row["guild_id"] == guild_id for table in rows for row in table)


async def record_memberships(app: App, *guild_ids: int, days: int = 1) -> None:
    """Days pass, and the bot looks of which servers it is a member."""
    app.now += days * A_DAY
    await forgetting.record_memberships(app.backend.runtime, guild_ids)
    await app.forget_all()


@both_databases
async def test_a_server_that_asks_is_deleted_and_its_matches_have_no_place(app: App) -> None:
    over, other = app.add(finished_in(1)), app.add(finished_in(2, ELSEWHERE))
    going = app.add(make_match("x.. .o. ...", id=3))
    save_settings(app.store, SERVER, level=Level.EASY)
    choose_puzzle_channel(app.store, SERVER, CHANNEL, "en")
    forgotten = forget_server(app.store, SERVER, LATER)
    assert [match.ending for match in forgotten] == [Ending(EndReason.STOPPED)]
    assert forgotten[0].place == going.place, "so that its board can be drawn a last time"
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
    app.add_all(map(finished_in, range(1, 2 * MATCH_BATCH_SIZE + 3)))
    forget_server(app.store, SERVER, LATER)
    assert rows_of_guild(app, SERVER) > 0
    await app.forget_all()
    assert rows_of_guild(app, SERVER) == 0


async def test_a_server_is_deleted_thirty_days_after_the_bot_left(
    app: App,
) -> None:
    app.add(finished_in(1))
    app.add(finished_in(2, ELSEWHERE))
    await record_memberships(app, SERVER, ELSEWHERE)
    await record_memberships(app, ELSEWHERE)
    await record_memberships(app, ELSEWHERE, days=29)
    assert rows_of_guild(app, SERVER) > 0
    await record_memberships(app, ELSEWHERE)
    assert rows_of_guild(app, SERVER) == 0
    assert rows_of_guild(app, ELSEWHERE) == 2


async def test_a_server_that_the_bot_comes_back_to_is_kept(app: App) -> None:
    app.add(finished_in(1))
    await record_memberships(app, SERVER)
    await record_memberships(app)
    await record_memberships(app, SERVER, days=29)
    await record_memberships(app, days=2)
    await record_memberships(app, days=29)
    assert rows_of_guild(app, SERVER) > 0


async def test_servers_that_the_bot_was_never_a_member_of_are_kept(app: App) -> None:
    app.add(finished_in(1))
    await record_memberships(app, ELSEWHERE)
    await record_memberships(app, ELSEWHERE, days=60)
    assert rows_of_guild(app, SERVER) == 1


async def test_a_wrong_clock_records_no_server_as_left(app: App) -> None:
    app.add(finished_in(1))
    await record_memberships(app, SERVER)
    app.host_clock_offset = timedelta(minutes=3)
    await record_memberships(app)
    app.host_clock_offset = timedelta()
    await record_memberships(app)
    assert rows_of_guild(app, SERVER) > 0


async def test_a_wrong_clock_deletes_no_server(app: App) -> None:
    app.add(finished_in(1))
    await record_memberships(app, SERVER)
    await record_memberships(app)
    app.host_clock_offset = timedelta(minutes=3)
    await record_memberships(app, days=60)
    assert rows_of_guild(app, SERVER) > 0


async def test_a_board_posted_while_its_server_is_deleted_has_no_recorded_message(
    app: App,
) -> None:
    going = app.add(make_match("x.. .o. ..."))
    forget_server(app.store, SERVER, LATER)
    await app.matches.record_shown(going, 700)
    assert app.load(going).place.message_id is None


@on_postgresql
async def test_two_processes_may_record_memberships_at_once(app: App) -> None:
    app.before_sql(
        "INSERT INTO memberships",
        lambda: call(app.other_store, forgetting.save_memberships, {SERVER}, app.now),
    )
    await record_memberships(app, SERVER, ELSEWHERE)
    assert rows_of_guild(app, SERVER) == 1


async def test_that_somebody_was_deleted_is_known_for_as_long_as_copies_are_kept(
    app: App,
) -> None:
    """From what is known nobody can read who it was; it serves to delete them again."""
    await forget(app, EVE, time_snowflake(app.now))
    assert len(call(app.store, load_facts, "deleted ")) == 1
    assert str(EVE) not in stored_text(app.store.engine.url)
    about = (await app.export(EVE))["about"]
    assert about["asked_for_deletion_at"] == app.now.isoformat()
    await record_memberships(app, days=27)
    assert len(call(app.store, load_facts, "deleted ")) == 1
    await record_memberships(app, days=2)
    assert call(app.store, load_facts, "deleted ") == {}
    assert "asked_for_deletion_at" not in (await app.export(EVE))["about"]
