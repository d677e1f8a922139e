"""All services under random days, checked in the database itself."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.config import parse_url
from bot.domain.match_actions import ConcedePage, MatchAction, Press
from bot.domain.matches import (
    EndReason,
    FirstPlayer,
    Match,
    MatchOpened,
    MatchRequest,
    Place,
)
from bot.runtime.clock import Clock
from bot.store.match_rows import from_row
from bot.store.store import Store
from engine import TIC_TAC_TOE, Level, Rules
from tests.bot.backend import Backend
from tests.bot.refusals import Refusal

Outcome = Match | MatchOpened | Refusal
Request = Awaitable[Outcome]
Offer = tuple[int, Press | ConcedePage]
"""Who may press what."""

PEOPLE = (1, 2, 3)
CHANNELS = (10, 30)
UNRECORDED = 5
"""The message of a board whose message was not stored."""

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
BY_TIME = (EndReason.LAPSED, EndReason.TIMED_OUT, EndReason.CALLED_OFF)
NO_CHANGES = (MatchAction.DESCRIBE, MatchAction.REMIND, MatchAction.CHALLENGE)
ACTIONS = [it for it in MatchAction if it not in NO_CHANGES]
"""What a press may do; describing a board changes nothing and takes no service."""

UNBEATEN = (Level.PERFECT, Level.IMPOSSIBLE)
LEVELS = [*Level, *UNBEATEN * 4]
BOARDS = [*[TIC_TAC_TOE] * 3, Rules(4, 4, 4)]


@settings(derandomize=True, deadline=None, max_examples=4, phases=[Phase.generate])
@given(st.randoms(use_true_random=True))
def test_random_days_never_break_the_rules(chance: random.Random) -> None:
    asyncio.run(go_through(chance))


async def go_through(chance: random.Random) -> None:
    async with a_day(chance) as day:
        acts = {
            day.press_what_is_offered: 40,
            day.press_something_else: 30,
            day.press_two_at_once: 8,
            day.open_a_match: 8,
            day.stop_a_match: 2,
            day.repost_a_board: 4,
            day.let_time_pass: 8,
            day.sweep: 6,
            day.restart: 3,
        }
        for act in chance.choices(list(acts), list(acts.values()), k=120):
            await act()
            day.check()


@asynccontextmanager
async def a_day(chance: random.Random) -> AsyncIterator[Day]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "velha.db").as_posix()
        with closing(sqlite3.connect(file)) as database:
            day = Day(chance, file, database)
            try:
                await day.open_a_match()
                yield day
            finally:
                await day.backend.close()


def offers(match: Match) -> list[Offer]:
    """What a match's buttons offer to those who may press them; nobody misses a win."""
    press = partial(Press, match.id, match.version)
    if not match.is_live:
        players = [player.user_id for player in (match.x, match.o) if not player.is_bot]
        return [(user_id, press(MatchAction.REMATCH)) for user_id in players]
    if match.to_move is None:
        return [(match.challenged_id, press(MatchAction.ACCEPT))]
    mover, board = match.to_move.user_id, match.board
    cells = board.winning_cells(board.to_move) or board.actions()
    hints = [] if match.is_between_people else [(mover, press(MatchAction.HINT))]
    return [*hints, *((mover, press(MatchAction.PLAY, cell)) for cell in cells)]


@cache
def read(*row: tuple[str, Any]) -> Match:
    """The match of a row, and its board once for all."""
    mapping: Any = dict(row)
    return from_row(mapping)


def is_hint(press: Press | ConcedePage) -> bool:
    return isinstance(press, Press) and press.action is MatchAction.HINT


def was_done(match: Match | None, who: int, press: Press | ConcedePage) -> bool:
    """Whether a press asks for what somebody has got: it is neither refused nor done again."""
    if match is None or isinstance(press, ConcedePage) or press.cell is None:
        return False
    if match.mark_of(who) is None:
        return False
    return match.board[press.cell] is match.mark_of(who)


def is_refused(outcome: Outcome) -> bool:
    return isinstance(outcome, Refusal)


class Day:
    """Three people and two channels, one process after another, and a clock that we move."""

    def __init__(self, chance: random.Random, file: str, database: sqlite3.Connection) -> None:
        self.chance, self.file, self.database = chance, file, database
        self.database.row_factory = sqlite3.Row
        self.now = datetime(2026, 5, 1, tzinfo=UTC)
        self.clock = Clock(lambda: self.now, self.seconds)
        self.clock.observe(self.now)
        self.last_id = 100
        self.before: dict[int, Match] = {}
        self.start()

    def start(self) -> None:
        store = Store.open(parse_url(f"sqlite:///{self.file}"))
        self.backend = Backend(store, self.clock, random.Random(self.chance.random()))
        self.matches = self.backend.matches

    def seconds(self) -> float:
        return (self.now - EPOCH).total_seconds()

    def new_id(self) -> int:
        self.last_id += 1
        return self.last_id

    def rows(self) -> list[Any]:
        return [dict(row) for row in self.database.execute("SELECT * FROM matches ORDER BY id")]

    def stored(self) -> dict[int, Match]:
        return {row["id"]: read(*row.items()) for row in self.rows()}

    async def ask(self, *requests: Request, by: set[int], moderated: bool = False) -> list[Outcome]:
        """Have the services answer, all at once, and see in the database what that changed."""
        before = self.stored()
        answers = await asyncio.gather(*requests)
        changed = self.changed_by_people(before)
        assert not changed or not all(map(is_refused, answers))
        for match in changed:
            was_stopped = match.ending is not None and match.ending.reason is EndReason.STOPPED
            assert by & {match.x.user_id, match.o.user_id} or (moderated and was_stopped)
            old = before.get(match.id, match)
            assert not old.is_overdue(self.now), "time is up for everybody"
            assert old.moves == match.moves or (old.to_move and old.to_move.user_id in by)
        return answers

    def changed_by_people(self, before: dict[int, Match]) -> list[Match]:
        """The matches that are not as they were, but for those that time has ended meanwhile."""
        due = {match.id for match in before.values() if match.is_overdue(self.now)}
        changed = [match for match in self.stored().values() if match != before.get(match.id)]
        return [m for m in changed if not (m.id in due and m.ending and m.ending.reason in BY_TIME)]

    def press(self, user_id: int, press: Press | ConcedePage, messages: int = 0) -> Request:
        """A press on the match's message, or on one so many further down."""
        match = self.stored().get(press.match_id)
        message_id = messages + (match.place.message_id or UNRECORDED if match else 0)
        channel_id = match.place.channel_id if match else 0
        return self.matches.press(
            press,
            user_id,
            channel_id=channel_id,
            message_id=message_id,
            interaction_id=self.new_id(),
        )

    def offered(self) -> Offer:
        """Something on offer in one of the matches that are live or ended last."""
        matches = sorted(self.stored().values(), key=lambda match: (match.is_live, match.id))
        return self.chance.choice(offers(self.chance.choice(matches[-4:])))

    # What happens

    async def press_what_is_offered(self) -> None:
        who, press = self.offered()
        before = self.stored()
        (answer,) = await self.ask(self.press(who, press), by={who})
        assert is_refused(answer) or self.stored() != before or is_hint(press)

    async def press_two_at_once(self) -> None:
        chosen = [self.offered(), self.offered()]
        answers = await self.ask(
            *(self.press(*one) for one in chosen), by={who for who, _ in chosen}
        )
        pressed = zip(chosen, answers, strict=True)
        done = {(who, press) for (who, press), answer in pressed if not is_refused(answer)}
        changes = [press.match_id for _, press in done if not is_hint(press)]
        assert len(set(changes)) == len(changes), "of two presses at one version one counts"

    async def press_something_else(self) -> None:
        """What is offered, but by anybody, or another cell, verb, version, match or message."""
        (who, offer), choice = self.offered(), self.chance.choice
        action, cell = choice(ACTIONS), choice(range(12))
        assert isinstance(offer, Press), "nothing else is offered"
        presses: list[Press | ConcedePage] = [
            *[offer] * 3,
            ConcedePage(offer.match_id, offer.version),
            replace(offer, action=MatchAction.PLAY, cell=cell),
            replace(offer, action=action, cell=cell if action is MatchAction.PLAY else None),
            replace(offer, version=choice([max(0, offer.version - 1), 10**9 - 1])),
            replace(offer, match_id=choice([0, 2**63 - 1, *self.stored()])),
        ]
        press = choice(presses)
        who, messages = choice([who, *PEOPLE]), choice([*[0] * 8, -1, 1])
        match = self.stored().get(press.match_id)
        (answer,) = await self.ask(self.press(who, press, messages), by={who})
        is_there = messages >= 0 or isinstance(press, ConcedePage)
        is_current = match is not None and press.version == match.version and is_there
        assert is_refused(answer) or is_current or was_done(match, who, press)

    async def open_a_match(self) -> None:
        who, other = self.chance.sample(PEOPLE, 2)
        request = MatchRequest(
            id=self.new_id(),
            place=Place(self.chance.choice(CHANNELS), None, "pt-BR"),
            opener_id=who,
            opponent_id=self.chance.choice([None, other]),
            rules=self.chance.choice(BOARDS),
            level=self.chance.choice(LEVELS),
            first=self.chance.choice(list(FirstPlayer)),
        )
        (answer,) = await self.ask(self.matches.open(request), by={who})
        if isinstance(answer, MatchOpened):
            await self.matches.record_shown(answer.match, self.new_id())

    async def stop_a_match(self) -> None:
        who, is_moderator = self.chance.choice(PEOPLE), self.chance.random() < 0.5
        channel_id = self.chance.choice(CHANNELS)
        request = self.matches.stop(
            who,
            channel_id=channel_id,
            is_moderator=is_moderator,
            interaction_id=self.new_id(),
        )
        await self.ask(request, by={who}, moderated=is_moderator)

    async def repost_a_board(self) -> None:
        before = self.stored()
        reposted = await self.matches.repost(self.chance.choice(CHANNELS))
        assert self.changed_by_people(before) == []
        if isinstance(reposted, Match):
            await self.matches.record_shown(reposted, self.new_id())

    async def let_time_pass(self) -> None:
        self.now += timedelta(minutes=self.chance.choice([1, 1, 5, 30]))

    async def sweep(self) -> None:
        before = self.stored()
        ended = await self.matches.expire()
        assert {match.id for match in ended} <= set(before)
        assert self.changed_by_people(before) == []
        assert not any(match.is_overdue(self.now) for match in self.stored().values())

    async def restart(self) -> None:
        await self.backend.close()
        self.start()

    # What holds whatever happened

    def check(self) -> None:
        rows, before = self.rows(), self.before
        self.before = self.stored()
        live = [row["channel_id"] for row in rows if row["live"]]
        assert len(set(live)) == len(live), "a channel has one live match at most"
        for row in rows:
            match = self.before[row["id"]]
            assert bool(row["live"]) == match.is_live == (row["ended_how"] is None)
            assert match.accepted or not match.moves
            assert not match.hints or not match.is_between_people
            assert match.to_move is None or not match.to_move.is_bot, "the bot moves at once"
            old = before.get(match.id, match)
            alike = replace(old, place=match.place, hints=match.hints)
            assert match.version > old.version or match == alike
            assert match.hints >= old.hints
            assert match.moves[: len(old.moves)] == old.moves, "no move is taken back"
            assert old.is_live or match.ending == old.ending
            if match.ending is not None and match.ending.reason is EndReason.WON:
                assert match.ending.winner is not None
                assert match.players[match.ending.winner.other].level not in UNBEATEN
