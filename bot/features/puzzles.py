"""The daily puzzle: of each person, one attempt a day counts. Its posts are in `posts`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from discord import ui
from discord.app_commands import Choice
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    func,
    or_,
    select,
    update,
)

from bot.domain.ids import decode_cells, encode_cells
from bot.domain.private import play_on_board
from bot.domain.puzzles import (
    MIN_SOLVED_HERE,
    AnotherPage,
    Attempt,
    DailyPuzzle,
    PracticePage,
    PuzzlePage,
    PuzzleStats,
    PuzzleWordsPage,
    SharePage,
    WarmUpPage,
    another_day,
    is_possible,
    is_puzzle_over,
    past_days,
    puzzle_page,
    puzzle_start,
    solution_board,
    warm_up_day,
)
from bot.domain.refusals import RefusalReason, Refused, UnavailableError
from bot.domain.stats import Leaderboard
from bot.features import settings
from bot.features.choices import is_hidden
from bot.features.ranking import add_score
from bot.messaging.interactions import Interaction, is_ephemeral
from bot.runtime.claimed_post import post_claimed
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.claims import is_abandoned
from bot.store.database import insert_new, upsert
from bot.store.locks import lock_people, share_server
from bot.store.schema import SOLVED_COLUMNS, attempts, puzzle_tallies
from bot.views.descriptions import puzzle_in_words
from bot.views.i18n import language_for
from bot.views.puzzles import day_choices, puzzle_view, share_view
from engine import TRIES, Cell, Puzzle, Verdict, daily_puzzle

_ONE_DAY = timedelta(days=1)

_STATS_COLUMNS = ("missed", "streak", "best", "last_day", "gap_day")


class AttemptKey(NamedTuple):
    """A person and a day, of which there is one attempt."""

    user_id: int
    day: date


# Solving


async def show_day(context: Context, day: str | None = None) -> ui.LayoutView:
    """Show today's puzzle, or that of an earlier day; to a beginner, an easy one to warm up."""
    chosen_day = context.today if day is None else parse_day(day)
    if chosen_day is None:
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    if day is None and await context.read(is_beginner, context.user_id, context.today):
        easy_day = await context.runtime.engine.run(warm_up_day, context.today)
        if easy_day is not None:
            return await show(context, WarmUpPage(easy_day))
    return await show(context, puzzle_page(chosen_day, context.today))


async def show_another(context: Context, page: AnotherPage) -> ui.LayoutView:
    """Show another puzzle to practise."""
    if page.day > context.today:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    day = await context.runtime.engine.run(another_day, page.day)
    return await show(context, PracticePage(day))


async def show(context: Context, page: PuzzlePage) -> ui.LayoutView:
    """Store the tries of a page, and show the puzzle with all that are stored."""
    puzzle = await _puzzle_on(context, page.day)
    if not is_possible(page, puzzle):
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if not _counts(context, page):
        practice = await _practise(context, page)
        return puzzle_view(await _explain(context, practice, puzzle), context.language)
    page, has_ended = await _store_tries(context, page, puzzle.solution)
    explained = await _explain(context, page, puzzle)
    if has_ended and context.guild_id is not None:
        solved_here = await context.read(count_solved, context.guild_id, page.day)
        if solved_here >= MIN_SOLVED_HERE:
            explained = replace(explained, solved_here=solved_here)
    return puzzle_view(explained, context.language)


async def describe(context: Context, page: PuzzleWordsPage) -> None:
    """Tell one person in words where the marks of a puzzle are."""
    puzzle = await _puzzle_on(context, page.day)
    await context.reply.send_text(puzzle_in_words(context.language, puzzle.board))


async def _puzzle_on(context: Context, day: date) -> Puzzle:
    """The puzzle of a day; refused if the day is to come, to which no button leads."""
    if day > context.today:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    return await context.runtime.engine.run(daily_puzzle, day)


def _counts(context: Context, page: PuzzlePage) -> bool:
    """Whether the tries of a page count: today's do, and yesterday's if it was opened then.

    This lets an attempt that was begun then go on after midnight UTC.
    """
    if page.is_practice:
        return False
    if page.day == context.today:
        return True
    return page.day == context.today - _ONE_DAY and page.day == _opened_on(context)


def _opened_on(context: Context) -> date | None:
    """The day on which the pressed page was sent; None if no page was pressed."""
    message = context.interaction.message
    return message.created_at.date() if message and is_ephemeral(context.interaction) else None


async def _store_tries(
    context: Context, page: PuzzlePage, solution: Cell
) -> tuple[PuzzlePage, bool]:
    """Store the tries of a page if they continue those that are stored.

    Only today an attempt may begin: if none was begun on an earlier day, the page is practice.

    Returns:
        The page with all tries that are stored, and whether they have just ended the attempt.
    """
    key = AttemptKey(context.user_id, page.day)
    attempt = Attempt(page.tries, solution)
    while True:
        tries = await context.read(load_tries, key)
        stored = Attempt(tries, solution)
        if not tries and page.day < context.today:
            return page.as_practice(), False
        if not attempt.continues(stored):
            if stored.is_over:
                return replace(page, tries=tries, picked=None), False
            return replace(page, tries=tries, ply=0), False
        if await context.change(save_attempt, key, attempt, tries, context.guild_id):
            return page, attempt.is_over


async def _practise(context: Context, page: PuzzlePage) -> PuzzlePage:
    """The page as practice, after which no attempt at the same puzzle goes on."""
    if page.day == context.today - _ONE_DAY:
        await context.change(remove_unfinished, AttemptKey(context.user_id, page.day))
    return page.as_practice()


async def _explain(context: Context, page: PuzzlePage, puzzle: Puzzle) -> DailyPuzzle:
    engine = context.runtime.engine
    is_over = Attempt(page.tries, puzzle.solution).is_over
    stats, is_shared = None, False
    if is_over and not page.is_practice:
        key = AttemptKey(context.user_id, page.day)
        stats, is_shared = await context.read(_load_result, key)
    return DailyPuzzle(
        page,
        puzzle,
        verdicts={cell: await engine.verdict_on(puzzle.board, cell) for cell in page.tries},
        step=await _verdict_on_step(context, page, puzzle),
        stats=stats,
        is_shared=is_shared,
        next_at=puzzle_start(context.today + _ONE_DAY),
        play_on=play_on_board(puzzle.board) if await _may_play_on(context, page, puzzle) else None,
        today=context.today,
    )


async def _may_play_on(context: Context, page: PuzzlePage, puzzle: Puzzle) -> bool:
    """Whether playing on gives nothing away: the page's attempt is over, and so is today's."""
    if not is_puzzle_over(page.tries, puzzle):
        return False
    if not page.is_practice or page.day < context.today:
        return True
    tries = await context.read(load_tries, AttemptKey(context.user_id, page.day))
    return is_puzzle_over(tries, puzzle)


async def _verdict_on_step(context: Context, page: PuzzlePage, puzzle: Puzzle) -> Verdict | None:
    """The verdict on the last move shown of the solution."""
    if page.ply == 0:
        return None
    ply = page.ply - 1
    return await context.runtime.engine.verdict_on(solution_board(puzzle, ply), puzzle.line[ply])


def parse_day(typed: str) -> date | None:
    """The day of an ISO date, such as 2026-11-21; None for any other text."""
    try:
        return date.fromisoformat(typed.strip())
    except ValueError:
        return None


async def suggest_days(runtime: Runtime, interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The days to offer to a person who is typing one."""
    days = past_days(interaction.created_at.date(), parse_day(typed))
    try:
        solved = await runtime.database.read(load_solved, interaction.user.id, days)
    except UnavailableError:  # a choice can be made without knowing what is solved
        solved = set()
    return day_choices(days, solved, typed, language_for(str(interaction.locale)))


# Sharing


async def share(context: Context, page: SharePage) -> None:
    """Tell everybody how the person did with a puzzle, in the language of the channel, once."""
    user_id, now = context.user_id, context.runtime.clock.now()
    key = AttemptKey(user_id, page.day)
    puzzle = await _puzzle_on(context, page.day)
    locale = await context.read(settings.language_in, context.place)
    shared = await context.change(claim_share, user_id, page, puzzle.solution, now)
    await post_claimed(
        context,
        share_view(shared, user_id, context.language_of(locale)),
        record=lambda connection, _: record_share(connection, key, is_shared=True),
        free=lambda connection: record_share(connection, key, is_shared=False),
    )


def claim_share(
    connection: Connection, user_id: int, page: SharePage, solution: Cell, now: datetime
) -> SharePage:
    """Claim the sharing of an attempt, and return what to share; trust one that is not stored.

    Raises:
        Refused: The attempt is not over, or it is, or is being, shared.
    """
    key = AttemptKey(user_id, page.day)
    attempt = Attempt(load_tries(connection, key), solution)
    if not attempt.tries:
        return page
    if not attempt.is_over:
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    if not _claim(connection, key, int(now.timestamp())):
        raise Refused(RefusalReason.SHARED_ALREADY)
    return replace(page, wrong_tries=attempt.wrong_tries)


def _claim(connection: Connection, key: AttemptKey, now_seconds: int) -> bool:
    is_abandoned_claim = is_abandoned(attempts.c.share_claimed_at, now_seconds=now_seconds)
    is_free = or_(attempts.c.is_shared.is_(False), is_abandoned_claim)
    claimed = update(attempts).where(_is_attempt(key), is_free)
    values = {"is_shared": True, "share_claimed_at": now_seconds}
    return connection.execute(claimed.values(values)).rowcount == 1


def record_share(connection: Connection, key: AttemptKey, *, is_shared: bool) -> None:
    """Store whether an attempt that was claimed has been shared; if not, it may be again."""
    claimed = update(attempts).where(_is_attempt(key))
    connection.execute(claimed.values(is_shared=is_shared, share_claimed_at=None))


# What is stored


def _is_attempt(key: AttemptKey) -> ColumnElement[bool]:
    return and_(attempts.c.user_id == key.user_id, attempts.c.day == key.day)


def load_tries(connection: Connection, key: AttemptKey) -> tuple[Cell, ...]:
    """The cells that a person has tried, in order; empty if none."""
    query = select(attempts.c.tries).where(_is_attempt(key))
    return decode_cells(connection.execute(query).scalar_one_or_none() or "")


def is_beginner(connection: Connection, user_id: int, today: date) -> bool:
    """Whether a person has never solved a puzzle, and has not begun today's."""
    has_solved = any(load_stats(connection, user_id).solved)
    return not has_solved and not load_tries(connection, AttemptKey(user_id, today))


def load_solved(connection: Connection, user_id: int, days: Collection[date]) -> set[date]:
    """Those of the days whose puzzle a person has solved."""
    query = select(attempts.c.day).where(
        attempts.c.user_id == user_id,
        attempts.c.day.in_(days),
        attempts.c.tries_needed.is_not(None),
    )
    return set(connection.execute(query).scalars())


def count_solved(connection: Connection, guild_id: int, day: date) -> int:
    """How many people in a server have solved the puzzle of a day, without those who hide."""
    is_solved = and_(attempts.c.guild_id == guild_id, attempts.c.day == day)
    query = select(func.count()).where(is_solved, attempts.c.tries_needed.is_not(None))
    return connection.execute(query.where(~is_hidden(attempts.c.user_id))).scalar_one()


def load_attempts(connection: Connection, user_id: int) -> list[RowMapping]:
    """All stored columns of a person's attempts, by day."""
    query = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.day)
    return list(connection.execute(query).mappings())


def _load_result(connection: Connection, key: AttemptKey) -> tuple[PuzzleStats, bool]:
    """A person's results, and whether an attempt is shared."""
    is_shared = connection.execute(select(attempts.c.is_shared).where(_is_attempt(key)))
    return load_stats(connection, key.user_id), bool(is_shared.scalar_one_or_none())


def load_stats(connection: Connection, user_id: int) -> PuzzleStats:
    is_missed = and_(attempts.c.tries_needed.is_(None), func.length(attempts.c.tries) == TRIES)
    missed_day = select(func.max(attempts.c.day)).where(attempts.c.user_id == user_id, is_missed)
    query = select(puzzle_tallies, missed_day.scalar_subquery().label("missed_day"))
    found = connection.execute(query.where(puzzle_tallies.c.user_id == user_id))
    row = found.mappings().one_or_none()
    if row is None:
        return PuzzleStats()
    solved = tuple(row[name] for name in SOLVED_COLUMNS)
    columns = (*_STATS_COLUMNS, "missed_day")
    return PuzzleStats(solved, **{name: row[name] for name in columns})


def save_attempt(
    connection: Connection,
    key: AttemptKey,
    attempt: Attempt,
    expected_tries: tuple[Cell, ...],
    guild_id: int | None,
) -> bool:
    """Store an attempt, unless other tries than `expected_tries` are stored by now.

    An attempt that is over is added to the person's results, and to the server's leaderboards.

    Returns:
        Whether the attempt was stored.
    """
    if attempt.is_over:
        lock_people(connection, [key.user_id])
        if guild_id is not None:
            share_server(connection, guild_id)
    values = {
        "tries": encode_cells(attempt.tries),
        "tries_needed": attempt.tries_needed,
        "guild_id": guild_id,
    }
    if not _replace(connection, key, expected_tries, values):
        return False
    if attempt.is_over:
        _count(connection, key, attempt, guild_id)
    return True


def _replace(
    connection: Connection,
    key: AttemptKey,
    expected_tries: tuple[Cell, ...],
    values: dict[str, Any],
) -> bool:
    """Set the columns of an attempt by compare-and-set; return False if somebody was faster."""
    if not expected_tries:
        return insert_new(connection, attempts, **key._asdict(), **values)
    is_expected = attempts.c.tries == encode_cells(expected_tries)
    changed = update(attempts).where(_is_attempt(key), is_expected)
    return connection.execute(changed.values(values)).rowcount == 1


def _count(connection: Connection, key: AttemptKey, attempt: Attempt, guild_id: int | None) -> None:
    """Add an attempt that is over to all results."""
    user_id, day = key
    stats = load_stats(connection, user_id).after(day, attempt)
    row = {
        **dict(zip(SOLVED_COLUMNS, stats.solved, strict=True)),
        **{name: getattr(stats, name) for name in _STATS_COLUMNS},
    }
    upsert(connection, puzzle_tallies.c.user_id, user_id, **row)

    if guild_id is not None and attempt.points:
        for leaderboard in (Leaderboard.MONTH, Leaderboard.EVER):
            score_key = guild_id, leaderboard.on(day), user_id
            add_score(connection, score_key, attempt.points)


def remove_unfinished(connection: Connection, key: AttemptKey) -> None:
    """Delete an attempt that is not over; it is not among the person's results yet."""
    is_unsolved = attempts.c.tries_needed.is_(None)
    has_tries_left = func.length(attempts.c.tries) < TRIES
    connection.execute(delete(attempts).where(_is_attempt(key), is_unsolved, has_tries_left))


def prune(connection: Connection, before: date) -> int:
    """Delete the attempts of the oldest day earlier than `before`; return how many."""
    oldest = select(func.min(attempts.c.day)).where(attempts.c.day < before).scalar_subquery()
    return connection.execute(delete(attempts).where(attempts.c.day == oldest)).rowcount
