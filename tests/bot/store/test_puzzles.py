"""Posts of the daily puzzle, whatever happens in what order: a server gets one a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import count

import pytest
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
from bot.domain.puzzles import MAX_FAILED_POSTS, PuzzlePost
from bot.store.puzzle_posts import has_given_up
from bot.store.store import Store
from tests.bot.databases import choose_puzzle_channel, save_settings
from tests.bot.example_matches import NOON

PROCESSES = st.sampled_from([0, 1])
PAUSES = st.sampled_from([0, 19, 20, 60, 61, 5 * 3600]).map(lambda n: timedelta(seconds=n))
_servers = count(1)


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

    examples = 30 if stores[0].engine.dialect.name == "sqlite" else 10
    run_state_machine_as_test(
        PostsOnThisDatabase, settings=settings(max_examples=examples, stateful_step_count=25)
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
        posts = self.stores[process].puzzle_posts.claim(self.now)
        expected = []
        if self.is_due():
            assert self.channel is not None
            expected = [PuzzlePost(Place(self.channel, self.server, "pt-BR"), self.now.date())]
            self.claims = 1 if self.day != self.now.date() else self.claims + 1
            self.day, self.claimed_at, self.is_settled = self.now.date(), self.now, False
            self.claimed += expected
        assert posts == expected

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
        self.stores[0].puzzle_posts.record(post, None if is_refused else 500)
        if post.day == self.day:
            self.is_settled, self.was_refused = True, is_refused
            self.failures = self.failures + 1 if is_refused else 0

    @invariant()
    def gives_up_after_so_many_failures(self) -> None:
        with self.stores[1].database.autocommit() as connection:
            gave_up = has_given_up(connection, self.server)
        assert gave_up is (self.failures >= MAX_FAILED_POSTS)

    def teardown(self) -> None:
        self.choose(puzzle_channel=None)
