"""The posts of the daily puzzle in servers: one a day, whatever happens in what order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import count

import pytest
from discord import ButtonStyle
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import URL

from bot.domain.matches import Place
from bot.domain.puzzles import MAX_FAILED_POSTS, Attempt, PuzzlePost, PuzzleResult
from bot.features import posts
from bot.features.puzzles import AttemptKey
from bot.store.store import Store
from engine import daily_puzzle
from tests.bot.backend import App
from tests.bot.databases import (
    both_databases,
    call,
    choose_puzzle_channel,
    forget_server,
    on_postgresql,
    save_attempt,
    save_choices,
    save_settings,
)
from tests.bot.example_matches import ANA, BEN, NOON, RUI, SERVER
from tests.bot.simulated_guild import SimulatedGuild, private_text

TODAY = NOON.date()
A_DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
PUZZLE_CHANNEL = 77
POST = PuzzlePost(Place(PUZZLE_CHANNEL, SERVER, "pt-BR"), TODAY)

PROCESSES = st.sampled_from([0, 1])
PAUSES = st.sampled_from([0, 19, 20, 60, 61, 5 * 3600]).map(lambda n: timedelta(seconds=n))
_servers = count(1)


@pytest.fixture
async def posting_app(app: App) -> App:
    """At noon, when a server wants its puzzle."""
    app.now = NOON
    choose_puzzle_channel(app.store, SERVER, PUZZLE_CHANNEL, "pt-BR")
    return app


def claim(posting_app: App) -> list[PuzzlePost]:
    return call(posting_app.store, posts.claim, posting_app.now)


def claim_elsewhere(posting_app: App) -> list[PuzzlePost]:
    """As another process does."""
    return call(posting_app.other_store, posts.claim, posting_app.now)


def record(posting_app: App, message_id: int | None, post: PuzzlePost = POST) -> None:
    call(posting_app.store, posts.record, post, message_id)


async def test_a_post_is_due_once_a_day_at_its_hour(posting_app: App) -> None:
    posting_app.now = NOON - SECOND
    assert claim(posting_app) == []
    posting_app.now = NOON
    assert claim(posting_app) == [POST]
    record(posting_app, 500)
    for hours in range(12):
        posting_app.now = NOON + hours * HOUR
        assert claim(posting_app) == []
    posting_app.now = NOON + A_DAY
    assert claim(posting_app) == [replace(POST, day=TODAY + A_DAY)]


async def test_only_one_of_two_processes_posts(posting_app: App) -> None:
    for _ in range(2):
        assert claim(posting_app) == [replace(POST, day=posting_app.now.date())]
        assert claim_elsewhere(posting_app) == []
        posting_app.now += A_DAY


@on_postgresql
@pytest.mark.parametrize("statement", ["INSERT INTO puzzle_posts", "UPDATE puzzle_posts"])
async def test_of_two_processes_that_claim_at_once_one_posts(app: App, statement: str) -> None:
    app.now = NOON
    if statement.startswith("UPDATE"):
        choose_puzzle_channel(app.store, SERVER, PUZZLE_CHANNEL, "pt-BR")
    else:  # a restored copy left no row for its posts
        save_settings(app.store, SERVER, puzzle_channel=PUZZLE_CHANNEL)
    elsewhere = list[PuzzlePost]()
    app.before_sql(statement, lambda: elsewhere.extend(claim_elsewhere(app)))
    assert claim(app) == []
    assert len(elsewhere) == 1


async def test_a_post_that_a_process_left_unfinished_is_made_by_another_while_that_is_safe(
    posting_app: App,
) -> None:
    """Discord drops a second message with the same nonce, but not for ever."""
    assert claim(posting_app) == [POST]
    assert POST.nonce == replace(POST, yesterday=(PuzzleResult(1, 1, 1),)).nonce
    assert len(replace(POST, place=Place(1, 2**63 - 1, "")).nonce) <= 25
    posting_app.now += 19 * SECOND
    assert claim(posting_app) == []
    for _ in range(2):
        posting_app.now += 20 * SECOND
        assert claim(posting_app) == [POST]
    posting_app.now += 20 * SECOND
    assert claim(posting_app) == [], "three times is enough"


async def test_after_three_failures_posting_stops_until_a_channel_is_chosen_again(
    posting_app: App,
) -> None:
    for _ in range(MAX_FAILED_POSTS):
        (post,) = claim(posting_app)
        record(posting_app, None, post)
        assert claim(posting_app) == [], "that day it is not tried again"
        posting_app.now += A_DAY
    assert claim(posting_app) == []
    choose_puzzle_channel(posting_app.store, SERVER, 78, "en")
    assert [post.place.channel_id for post in claim(posting_app)] == [78]


async def test_servers_that_have_no_channel_or_are_deleted_get_no_post(
    posting_app: App,
) -> None:
    save_settings(posting_app.store, SERVER + 1, puzzle_hour=3)
    forget_server(posting_app.store, SERVER, 10_000)
    assert claim(posting_app) == []


async def test_a_post_is_in_the_server_s_language(posting_app: App) -> None:
    save_settings(posting_app.store, SERVER, language="en")
    assert [post.place.locale for post in claim(posting_app)] == ["en"]


async def test_a_post_is_in_discord_s_language_where_the_chosen_one_has_gone(
    posting_app: App,
) -> None:
    choose_puzzle_channel(posting_app.store, SERVER, 78, "pt-BR")
    save_settings(posting_app.store, SERVER, language="tlh")
    assert [post.place.locale for post in claim(posting_app)] == ["pt-BR"]


@both_databases
async def test_yesterday_s_results_are_of_attempts_made_there_by_people_who_do_not_hide(
    posting_app: App,
) -> None:
    yesterday = date(2026, 4, 30)
    puzzle = daily_puzzle(yesterday)
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    day_before = AttemptKey(RUI, yesterday - timedelta(days=1))
    save_attempt(posting_app.store, day_before, Attempt((0,), 0), SERVER)
    for who, tried, guild_id in (
        (ANA, (*wrong[:1], puzzle.solution), SERVER),
        (BEN, (puzzle.solution,), SERVER),
        (RUI, tuple(wrong[:3]), SERVER),
        (4, tuple(wrong[:2]), SERVER),
        (5, (puzzle.solution,), SERVER + 1),
        (6, (puzzle.solution,), SERVER),
    ):
        attempt = Attempt(tried, puzzle.solution)
        save_attempt(posting_app.store, AttemptKey(who, yesterday), attempt, guild_id)
    save_choices(posting_app.store, 6, is_hidden=True)
    (post,) = claim(posting_app)
    assert post.yesterday == (
        PuzzleResult(BEN, 1, 1),
        PuzzleResult(ANA, 2, 1),
        PuzzleResult(RUI, None, 0),
    )


# As people see them


def choose_channel(guild: SimulatedGuild, locale: str = "pt-BR") -> None:
    """Have the puzzle posted in the usual channel at midnight, as selects of the form do."""
    store = guild.bots[-1].store
    save_settings(store, guild.handle.id, puzzle_hour=0)
    choose_puzzle_channel(store, guild.handle.id, guild.channel.id, locale)


async def test_the_puzzle_is_posted_in_its_channel_and_everybody_solves_it_alone(
    guild: SimulatedGuild,
) -> None:
    choose_channel(guild)
    await guild.env.advance_time(60)
    (posted,) = guild.messages()
    assert posted.text.startswith("## Quebra-cabeça: 1º de janeiro de 2026")
    (send,) = [r for r in guild.env.http_requests if r.path.endswith("/messages")]
    assert send.json is not None
    assert send.json["enforce_nonce"]
    assert send.json["allowed_mentions"]["parse"] == []
    puzzle = daily_puzzle(guild.env.now().date())
    cell = puzzle.board.rules.coordinate(puzzle.solution)
    await guild.press(guild.ben, cell, posted)
    assert guild.page().text.startswith("## Puzzle: 1 January 2026")
    assert guild.page().cells_in(ButtonStyle.primary) == [cell], "it is not tried yet"
    said = private_text(await guild.press(guild.ben, "Em texto", posted))
    assert f"Your turn, as {puzzle.board.to_move.value.upper()}." in said
    assert guild.messages() == [posted]


async def test_yesterday_s_results_do_not_show_who_has_left_by_a_number(
    guild: SimulatedGuild,
) -> None:
    yesterday = guild.env.now().date() - A_DAY
    solution = daily_puzzle(yesterday).solution
    for who in (guild.ana, guild.ben):
        key, attempt = AttemptKey(who.id, yesterday), Attempt((solution,), solution)
        assert save_attempt(guild.bots[-1].store, key, attempt, guild.handle.id)
    guild.env.backend.remove_member(guild.handle.id, guild.ben.id)
    choose_channel(guild, "en-GB")
    await guild.env.advance_time(60)
    (posted,) = guild.messages()
    assert posted.text.endswith(f"\n1/3 {guild.ana.mention}\n1/3 someone who left")


async def test_a_post_without_permission_is_tried_once_a_day(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha help")
    choose_channel(guild)
    guild.deny_bot("send_messages")
    await guild.env.advance_time(90)
    tried = [r for r in guild.env.http_requests if r.path.endswith("/messages")]
    assert len(tried) == 1
    assert guild.messages() == []


# Whatever happens in what order


@pytest.fixture
def stores(url: URL) -> Iterator[list[Store]]:
    """Those of two processes."""
    stores = [Store.at(url), Store.at(url)]
    yield stores
    for store in stores:
        store.close()


def test_a_server_gets_one_puzzle_a_day_at_its_hour(stores: list[Store]) -> None:
    class PostsOnThisDatabase(Posts):
        def __init__(self) -> None:
            super().__init__(stores)

    run_state_machine_as_test(
        PostsOnThisDatabase, settings=settings(max_examples=20, stateful_step_count=25)
    )


class Posts(RuleBasedStateMachine):
    """A server, two processes that post, and what has become of the newest claim."""

    def __init__(self, stores: list[Store]) -> None:
        super().__init__()
        self.stores = stores
        self.now = NOON
        self.server = next(_servers)
        self.channel: int | None = None
        self.hour = 12
        self.claimed: list[PuzzlePost] = []
        self.day: date | None = None
        self.is_settled = self.was_refused = False
        self.claims = 0
        self.claimed_at = NOON
        self.failures = 0
        self.channel_is_chosen()

    def is_due(self) -> bool:
        if self.channel is None or self.now.hour < self.hour or self.failures >= MAX_FAILED_POSTS:
            return False
        if self.day != self.now.date():
            return True
        waited = (self.now - self.claimed_at).total_seconds()
        return not self.is_settled and self.claims < 3 and 20 <= waited <= 60

    @rule()
    def channel_is_chosen(self) -> None:
        """Which forgives all failures, and has what is not posted tried again."""
        self.channel = 70 + self.server
        choose_puzzle_channel(self.stores[0], self.server, self.channel, "pt-BR")
        self.failures = 0
        if not self.is_settled or self.was_refused:
            self.day = None

    @rule()
    def channel_is_given_up(self) -> None:
        self.channel = None
        self.choose(puzzle_channel=None)

    @rule(hour=st.sampled_from([12, 15]))
    def hour_is_chosen(self, hour: int) -> None:
        self.hour = hour
        self.choose(puzzle_hour=hour)

    def choose(self, **values: int | None) -> None:
        save_settings(self.stores[0], self.server, **values)

    @rule(process=PROCESSES, pause=PAUSES)
    def process_asks(self, process: int, pause: timedelta) -> None:
        self.now += pause
        claimed = call(self.stores[process], posts.claim, self.now)
        expected = []
        if self.is_due():
            assert self.channel is not None
            expected = [PuzzlePost(Place(self.channel, self.server, "pt-BR"), self.now.date())]
            self.claims = 1 if self.day != self.now.date() else self.claims + 1
            self.day, self.claimed_at, self.is_settled = self.now.date(), self.now, False
            self.claimed += expected
        assert claimed == expected

    @rule(process=PROCESSES, is_refused=st.sampled_from([True, False, None]))
    def day_comes(self, process: int, *, is_refused: bool | None) -> None:
        """None: its process ends before Discord answers."""
        noon = datetime(self.now.year, self.now.month, self.now.day, 12, tzinfo=self.now.tzinfo)
        self.now = noon + timedelta(days=1)
        self.process_asks(process, timedelta(0))
        if self.claimed and is_refused is not None:
            self.record(self.claimed.pop(), is_refused=is_refused)

    @precondition(lambda self: self.claimed)
    @rule(is_refused=st.booleans(), data=st.data())
    def discord_answers(self, data: st.DataObject, *, is_refused: bool) -> None:
        """It may be about an older post, whose process was slow."""
        post = data.draw(st.sampled_from(self.claimed))
        self.claimed.remove(post)
        self.record(post, is_refused=is_refused)

    def record(self, post: PuzzlePost, *, is_refused: bool) -> None:
        call(self.stores[0], posts.record, post, None if is_refused else 500)
        if post.day == self.day:
            self.is_settled, self.was_refused = True, is_refused
            self.failures = self.failures + 1 if is_refused else 0

    @invariant()
    def gives_up_after_so_many_failures(self) -> None:
        gave_up = call(self.stores[1], posts.has_given_up, self.server)
        assert gave_up is (self.failures >= MAX_FAILED_POSTS)

    def teardown(self) -> None:
        self.choose(puzzle_channel=None)
