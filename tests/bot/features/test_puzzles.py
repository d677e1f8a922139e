"""The daily puzzle: attempts, past days, and sharing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

import pytest
from simcord.actors import MemberActor
from sqlalchemy import URL, update

from bot.domain.puzzles import Attempt, PracticePage, PuzzlePage, PuzzleStats, SharePage
from bot.domain.refusals import Refusal, RefusalReason, Refused
from bot.domain.stats import Leaderboard, Standing
from bot.features import puzzles
from bot.features.puzzles import AttemptKey
from bot.features.ranking import load_standings
from bot.store.schema import attempts, metadata
from bot.store.store import Store
from engine import (
    INFINITE,
    TIC_TAC_TOE,
    Board,
    Cell,
    Grade,
    Puzzle,
    Value,
    daily_puzzle,
)
from tests.bot.backend import App
from tests.bot.contexts import context, shown
from tests.bot.databases import (
    both_databases,
    call,
    forget_person,
    forget_server,
    on_postgresql,
    save_attempt,
    save_choices,
    transact,
)
from tests.bot.example_matches import ANA, BEN, NOON, RUI, SERVER
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text


def today(guild: SimulatedGuild) -> date:
    return guild.env.now().astimezone(UTC).date()


def name(puzzle: Puzzle, cell: int) -> str:
    return puzzle.board.rules.coordinate(cell)


def mistakes(puzzle: Puzzle) -> list[str]:
    return [name(puzzle, cell) for cell in puzzle.worths if cell != puzzle.solution]


async def ask(guild: SimulatedGuild, who: MemberActor) -> Puzzle:
    await who.slash(guild.channel, "velha puzzle")
    return daily_puzzle(today(guild))


async def test_everybody_gets_the_daily_puzzle_in_their_own_language(
    guild: SimulatedGuild,
) -> None:
    puzzle = await ask(guild, guild.ana)
    portuguese = guild.page()
    await ask(guild, guild.ben)
    english = guild.page()
    assert portuguese.board == english.board == str(puzzle.board)
    assert "## Puzzle: 1 January 2026" in english.text
    assert "## Quebra-cabeça: 1º de janeiro de 2026" in portuguese.text
    assert "\n3 tries left.\n" in english.text
    assert "\nRestam 3 tentativas.\n" in portuguese.text
    midnight = int(datetime(2026, 1, 2, tzinfo=UTC).timestamp())
    assert english.text.endswith(f"-# Next puzzle: <t:{midnight}:t>, <t:{midnight}:R>.")


async def test_solving_a_puzzle_shows_the_reason_and_a_line_to_share(
    guild: SimulatedGuild,
) -> None:
    puzzle = await ask(guild, guild.ben)
    await guild.press(guild.ben, mistakes(puzzle)[0], guild.page())
    assert "2 tries left." in guild.page().text
    await guild.press(guild.ben, name(puzzle, puzzle.solution), guild.page())
    over = guild.page()
    assert f"🎯 **{name(puzzle, puzzle.solution)}**" in over.text
    assert over.text.startswith("## Solved on the second try!\n🔥 streak: 1 day (best: 1)\n🎯 **")
    assert f"Velha {today(guild)}" not in over.text
    await guild.press(guild.ben, "Share", over)
    shared = guild.newest()
    assert shared.text == f"{guild.ben.mention}\nVelha {today(guild)} ★★☆ 💥🎯 2/3"


async def test_a_puzzle_goes_on_after_a_restart(guild: SimulatedGuild) -> None:
    puzzle = await ask(guild, guild.ben)
    await guild.press(guild.ben, mistakes(puzzle)[0], guild.page())
    await guild.restart()
    await guild.press(guild.ben, name(puzzle, puzzle.solution), guild.page())
    assert "🎯 **" in guild.page().text
    await guild.restart()
    await guild.press(guild.ben, "Share", guild.page())
    assert "💥🎯 2/3" in guild.text()


async def wait_until_midnight(guild: SimulatedGuild) -> None:
    """Restart two seconds before midnight: the simulation would run each sweep before it."""
    midnight = datetime.combine(today(guild) + timedelta(days=1), datetime.min.time(), UTC)
    guild.env.backend.advance_clock((midnight - guild.env.now()).total_seconds() - 2)
    await guild.restart()


def seen_again(guild: SimulatedGuild, page: SeenMessage) -> SeenMessage:
    """A page of before, as it is now."""
    return next(seen for seen in guild.messages(ephemeral=True) if seen.id == page.id)


async def test_a_new_puzzle_comes_at_midnight_utc_and_an_attempt_at_the_old_one_goes_on(
    guild: SimulatedGuild,
) -> None:
    await wait_until_midnight(guild)
    last = await ask(guild, guild.ben)
    begun = guild.page()
    assert "1 January 2026" in begun.text
    await guild.press(guild.ben, mistakes(last)[0], begun)
    await guild.env.advance_time(4)
    new = await ask(guild, guild.ana)
    assert "2 de janeiro de 2026" in guild.page().text
    assert guild.page().board == str(new.board) != str(last.board)
    await guild.press(guild.ben, name(last, last.solution), seen_again(guild, begun))
    await guild.press(guild.ben, "Share", seen_again(guild, begun))
    assert "Velha 2026-01-01 ★★☆ 💥🎯 2/3" in guild.text()


async def test_a_page_on_which_nothing_was_tried_is_practice_after_midnight(
    guild: SimulatedGuild,
) -> None:
    await wait_until_midnight(guild)
    last = await ask(guild, guild.ben)
    opened = guild.page()
    await guild.env.advance_time(4)
    await guild.press(guild.ben, name(last, last.solution), opened)
    solved = seen_again(guild, opened)
    assert "-# Just for practice: it doesn't count.\n" in solved.text
    assert "🎯 **" in solved.text
    assert "Share" not in solved.labels
    await guild.ben.slash(guild.channel, "velha stats")
    assert "Nothing to show yet." in guild.page().text


async def test_an_attempt_ends_when_its_puzzle_is_opened_as_practice_after_midnight(
    guild: SimulatedGuild,
) -> None:
    first_puzzle = datetime(2026, 11, 21, 12, tzinfo=UTC)
    guild.env.backend.advance_clock((first_puzzle - guild.env.now()).total_seconds())
    await wait_until_midnight(guild)
    last = await ask(guild, guild.ben)
    begun = guild.page()
    await guild.press(guild.ben, mistakes(last)[0], begun)
    await guild.env.advance_time(4)
    await guild.ben.slash(guild.channel, "velha puzzle", day="2026-11-21")
    await guild.press(guild.ben, name(last, last.solution), guild.page())
    await guild.press(guild.ben, name(last, last.solution), seen_again(guild, begun))
    assert "-# Just for practice: it doesn't count.\n" in seen_again(guild, begun).text
    await guild.ben.slash(guild.channel, "velha stats")
    assert "Nothing to show yet." in guild.page().text


async def solve(guild: SimulatedGuild, who: MemberActor) -> Puzzle:
    puzzle = await ask(guild, who)
    await guild.press(who, name(puzzle, puzzle.solution), guild.page())
    return puzzle


async def wait_until(guild: SimulatedGuild, day: date) -> None:
    noon = datetime.combine(day, time(12), UTC)
    guild.env.backend.advance_clock((noon - guild.env.now()).total_seconds())
    await guild.restart()


async def test_marks_vanish_while_a_solution_on_the_infinite_board_is_stepped_through(
    guild: SimulatedGuild,
) -> None:
    await wait_until(guild, date(2026, 1, 11))
    puzzle = await ask(guild, guild.ben)
    assert puzzle.board == Board.parse("....o2 o1x1.. x2....", INFINITE)
    said = guild.page().text
    assert "infinite: your fourth mark makes your oldest vanish" in said
    assert "\nOldest first: ❌ B2, A3 · ⭕ A2, C1\n" in said
    assert "You are ❌ and can win in 4 moves. What's the first move?" in said
    await guild.press(guild.ben, name(puzzle, puzzle.solution), guild.page())
    board = puzzle.board
    for cell in puzzle.line:
        label = "Show me how" if board == puzzle.board else "→"
        await guild.press(guild.ben, label, guild.page())
        board, shown = board.result(cell), guild.page()
        assert shown.board == str(Board(TIC_TAC_TOE, board.x, board.o))
        vanishing = [] if board.vanishing is None else [name(puzzle, board.vanishing)]
        assert shown.vanishing == vanishing
        assert [line for line in shown.text.splitlines() if "vanishes next" in line] == [
            f"-# {'⭕' if board.plies % 2 else '❌'} {cell} vanishes next" for cell in vanishing
        ]
    assert board.winner
    assert board[puzzle.solution] is None, "the mark of the solution has vanished by then"
    for _ in puzzle.line:
        await guild.press(guild.ben, "←", guild.page())
    await guild.press(guild.ben, "Share", guild.page())
    assert "Velha 2026-01-11 ★★★ 🎯 1/3" in guild.text()


async def test_a_missed_puzzle_that_holds_a_draw_shows_the_move_that_holds_it(
    guild: SimulatedGuild,
) -> None:
    await wait_until(guild, date(2026, 1, 20))
    puzzle = await ask(guild, guild.ben)
    assert (puzzle.board.rules, puzzle.value) == (INFINITE, Value.DRAW)
    assert "Only one move holds the draw. Which one?" in guild.page().text
    solution = name(puzzle, puzzle.solution)
    *first, last = mistakes(puzzle)
    for cell in first:
        await guild.press(guild.ben, cell, guild.page())
        assert f"💥 **{cell}**" in guild.page().text
        assert f"**{solution}**" not in guild.page().text
    await guild.press(guild.ben, last, guild.page())
    said = guild.page().text
    assert f"💥 **{last}** loses. ❌ can answer: **" in said
    assert f"The solution: **{solution}** holds the draw: every other move loses." in said
    await guild.press(guild.ben, "Show me how", guild.page())
    assert guild.page().text.startswith(f"Best play: **⭕ {solution}**\n")
    assert guild.page().labels[-1:] == ["←"]
    await guild.press(guild.ben, "←", guild.page())
    await guild.press(guild.ben, "Share", guild.page())
    assert "💥💥💥 X/3" in guild.text()


async def test_sharing_takes_one_request_and_pings_nobody(guild: SimulatedGuild) -> None:
    await solve(guild, guild.ben)
    before = len(guild.requests())
    await guild.press(guild.ben, "Share", guild.page())
    (request,) = guild.env.http_requests[before:]
    assert (request.json or {})["data"]["allowed_mentions"] == {"parse": [], "users": []}


async def test_a_shared_puzzle_can_be_solved_by_others(guild: SimulatedGuild) -> None:
    puzzle = await solve(guild, guild.ben)
    await guild.press(guild.ben, "Share", guild.page())
    await guild.press(guild.ana, "Try it too")
    assert guild.page().board == str(puzzle.board)
    assert "Restam 3 tentativas." in guild.page().text
    assert guild.text().startswith(guild.ben.mention), "and the message stays"


async def test_a_solved_puzzle_is_shared_only_once(guild: SimulatedGuild) -> None:
    await solve(guild, guild.ben)
    before = len(guild.messages())
    solved = guild.page()
    pressed = [await guild.press(guild.ben, "Share", solved) for _ in range(6)]
    assert len(guild.messages()) == before + 1
    assert private_text(pressed[1]) == "You've already shared this one."
    assert private_text(pressed[5]).startswith("Not so fast")


@pytest.mark.logs_errors
async def test_a_puzzle_that_discord_did_not_take_can_be_shared_again(
    guild: SimulatedGuild,
) -> None:
    await solve(guild, guild.ben)
    solved = guild.page()
    guild.fail("*", (500, 0))
    await guild.press(guild.ben, "Share", solved)
    assert guild.messages() == []
    guild.recover()
    await guild.press(guild.ben, "Share", solved)
    assert "🎯 1/3" in guild.newest().text


async def test_a_share_that_may_still_come_can_be_made_again_after_a_while(
    guild: SimulatedGuild,
) -> None:
    await solve(guild, guild.ben)
    solved = guild.page()
    guild.fail("*/callback*", TimeoutError, times=1)
    await guild.press(guild.ben, "Share", solved)
    refused = await guild.press(guild.ben, "Share", solved)
    assert private_text(refused) == "You've already shared this one."
    await guild.env.advance_time(20)
    await guild.press(guild.ben, "Share", solved)
    assert "🎯 1/3" in guild.newest().text
    await guild.env.advance_time(20)
    refused = await guild.press(guild.ben, "Share", solved)
    assert private_text(refused) == "You've already shared this one."


async def test_sharing_without_permission_is_refused(guild: SimulatedGuild) -> None:
    await solve(guild, guild.ben)
    guild.deny_bot("send_messages")
    said = private_text(await guild.press(guild.ben, "Share", guild.page()))
    assert said == "I can't write here. Whoever runs this server can allow it: Send Messages."
    assert guild.messages() == []


async def test_a_puzzle_can_be_shared_in_direct_messages(guild: SimulatedGuild) -> None:
    guild.world.locales[guild.ben.id] = "pt-BR"
    await guild.ben.user.slash("velha puzzle")
    channel = guild.ben.user.dm_channel
    puzzle = daily_puzzle(today(guild))
    solution = name(puzzle, puzzle.solution)
    await guild.press(guild.ben.user, solution, guild.page(channel))
    await guild.press(guild.ben.user, "Compartilhar", guild.page(channel))
    assert "🎯 1/3" in guild.newest(channel).text


async def test_a_solved_puzzle_shows_the_streak_and_stays_solved(
    guild: SimulatedGuild,
) -> None:
    await solve(guild, guild.ben)
    said = guild.page().text
    assert said.startswith("## Solved on the first try!\n🔥 streak: 1 day (best: 1)\n")
    assert "▰" not in said, "there is not enough to compare yet"
    await guild.restart()
    await guild.ben.slash(guild.channel, "velha puzzle")
    assert guild.page().text == said
    await guild.ben.slash(guild.channel, "velha stats")
    assert "### Daily puzzle\n🔥 streak: 1 day" in guild.page().text
    assert "-# Puzzles, by number of tries:\n1️⃣" in guild.page().text


def others_solve(app: App, *user_ids: int, guild_id: int = SERVER) -> None:
    puzzle = daily_puzzle(NOON.date())
    for user_id in user_ids:
        attempt = Attempt((puzzle.solution,), puzzle.solution)
        save_attempt(app.store, AttemptKey(user_id, NOON.date()), attempt, guild_id)


async def solved_by_ana(app: App, guild_id: int | None = SERVER) -> str:
    page = PuzzlePage(NOON.date(), (daily_puzzle(NOON.date()).solution,))
    pressed = context(app.backend.runtime, guild_id=guild_id)
    return shown(await puzzles.show(pressed, page))


async def test_from_three_people_on_it_says_how_many_here_have_solved_it(app: App) -> None:
    others_solve(app, BEN, RUI)
    said = await solved_by_ana(app)
    assert "\n3 people here have solved it today.\n" in said
    assert "people here" not in await solved_by_ana(app), "it is told when the attempt ends"


async def test_fewer_people_are_not_told_nor_those_elsewhere_or_hidden(app: App) -> None:
    others_solve(app, BEN, RUI)
    others_solve(app, 40, guild_id=SERVER + 1)
    save_choices(app.store, RUI, is_hidden=True)
    assert "people here" not in await solved_by_ana(app)


async def test_nobody_is_counted_outside_of_servers(app: App) -> None:
    others_solve(app, BEN, RUI)
    assert "people here" not in await solved_by_ana(app, guild_id=None)


# Past puzzles

ADVENT = date(2026, 12, 10)


async def choices(guild: SimulatedGuild, who: MemberActor, typed: str = "") -> dict[str, str]:
    """What is offered to somebody who types a day, by name."""
    offered = await who.autocomplete(guild.channel, "velha puzzle", "day", typed)
    return {choice["name"]: choice["value"] for choice in offered}


async def test_a_past_puzzle_is_practice_and_changes_nothing_about_today(
    guild: SimulatedGuild,
) -> None:
    await wait_until(guild, ADVENT)
    await solve(guild, guild.ben)
    before = guild.page().text
    past = daily_puzzle(date(2026, 12, 1))
    await guild.ben.slash(guild.channel, "velha puzzle", day="2026-12-01")
    assert guild.page().board == str(past.board)
    assert guild.page().text.startswith(
        "## Puzzle: 1 December 2026\n-# Just for practice: it doesn't count.\n"
    )
    midnight = int(datetime(2026, 12, 11, tzinfo=UTC).timestamp())
    coming = f"-# Next puzzle: <t:{midnight}:t>, <t:{midnight}:R>."
    assert guild.page().text.endswith(coming)
    await guild.press(guild.ben, name(past, past.solution), guild.page())
    assert "🎯 **" in guild.page().text
    assert guild.page().text.endswith(coming)
    assert "Share" not in guild.page().labels
    await guild.ben.slash(guild.channel, "velha stats")
    assert "🔥 streak: 1 day (best: 1)" in guild.page().text
    await guild.ben.slash(guild.channel, "velha puzzle", day=str(ADVENT))
    assert guild.page().text == before, "today's counts, also if its day is typed"


async def test_the_last_two_weeks_are_offered_with_what_is_solved(guild: SimulatedGuild) -> None:
    await wait_until(guild, ADVENT - timedelta(days=1))
    await solve(guild, guild.ben)
    await wait_until(guild, ADVENT)
    offered = await choices(guild, guild.ben)
    assert list(offered.items())[:2] == [
        ("9 December 2026 · solved", "2026-12-09"),
        ("8 December 2026", "2026-12-08"),
    ]
    assert list(offered.values())[-1] == "2026-11-26"
    assert len(offered) == 14
    in_portuguese = await choices(guild, guild.ana)
    assert list(in_portuguese)[:2] == ["9 de dezembro de 2026", "8 de dezembro de 2026"]
    assert list(await choices(guild, guild.ana, "28 DE nov")) == ["28 de novembro de 2026"]
    for typed in ("2026-11-22", "11/22/2026", "22.11.2026", "nov 22, 2026"):
        assert list(await choices(guild, guild.ben, typed)) == ["22 November 2026"]
    for typed in ("2026-12-10", "2026-12-11", "2026-11-20", "0001-01-01", "tomorrow"):
        assert await choices(guild, guild.ben, typed) == {}


async def test_a_day_is_understood_as_its_reader_writes_it(guild: SimulatedGuild) -> None:
    await wait_until(guild, ADVENT)
    for who, day, heading in (
        (guild.ana, "1/12/2026", "## Quebra-cabeça: 1º de dezembro de 2026"),
        (guild.ana, "2026-12-1", "## Quebra-cabeça: 1º de dezembro de 2026"),
        (guild.ben, "12/1/2026", "## Puzzle: 1 December 2026"),
        (guild.ben, "21/11/2026", "## Puzzle: 21 November 2026"),
    ):
        await who.slash(guild.channel, "velha puzzle", day=day)
        assert guild.page().text.startswith(heading)


@pytest.mark.logs_errors
async def test_days_are_offered_while_the_database_is_away(guild: SimulatedGuild) -> None:
    await wait_until(guild, ADVENT)
    guild.sql("ALTER TABLE attempts RENAME TO elsewhere")
    assert len(await choices(guild, guild.ben)) == 14
    guild.sql("ALTER TABLE elsewhere RENAME TO attempts")


async def test_days_without_a_puzzle_are_refused(guild: SimulatedGuild) -> None:
    await wait_until(guild, ADVENT)
    midnight = int(datetime(2026, 12, 11, tzinfo=UTC).timestamp())
    first = int(datetime(2026, 11, 21, tzinfo=UTC).timestamp())
    for day, said in {
        "2026-12-11": f"That puzzle isn't out yet. The next one comes at <t:{midnight}:t>.",
        "2026-11-20": f"There was no puzzle that day. The first one came <t:{first}:R>.",
        "yesterday": "I don't recognise one of those options: choose from the list.",
    }.items():
        refused = await guild.ben.slash(guild.channel, "velha puzzle", day=day)
        assert private_text(refused) == said


TODAY = NOON.date()
A_DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
RIGHT = daily_puzzle(TODAY).solution
WRONG, WORSE, WORST = [cell for cell in daily_puzzle(TODAY).worths if cell != RIGHT][:3]
LATER = 10_000


async def press(app: App, page: PuzzlePage, who: int = ANA, guild_id: int | None = SERVER) -> str:
    """Press a button that leads to a page; the text that is shown."""
    pressed = context(app.backend.runtime, user_id=who, guild_id=guild_id)
    return shown(await puzzles.show(pressed, page))


async def attempt(
    app: App, *guesses: Cell, who: int = ANA, guild_id: int | None = SERVER
) -> tuple[Cell, ...]:
    """Guess on a page of today's puzzle; all guesses that are stored then."""
    await press(app, PuzzlePage(TODAY, guesses), who, guild_id)
    return transact(app.store, puzzles.load_guesses, AttemptKey(who, TODAY))


def solve_on(day: date, store: Store) -> bool:
    return save_attempt(store, AttemptKey(ANA, day), Attempt((RIGHT,), RIGHT), SERVER)


def stats(app: App, who: int = ANA) -> PuzzleStats:
    return transact(app.store, puzzles.load_stats, who)


async def ranking(app: App, chart: Leaderboard, asker_id: int = RUI) -> tuple[Standing, ...]:
    load = load_standings
    return call(app.store, load, SERVER, chart, asker_id=asker_id, today=TODAY).lines


# What is stored of attempts


@both_databases
async def test_an_attempt_goes_on_in_any_server_and_process(app: App, url: URL) -> None:
    assert await attempt(app) == ()
    assert await attempt(app, WRONG) == (WRONG,)
    again = App(url)
    assert await attempt(again, guild_id=99) == (WRONG,)
    assert await attempt(again, WRONG, RIGHT, guild_id=99) == (WRONG, RIGHT)
    await again.close()
    for old_page in ((), (WRONG,), (WORSE,), (WRONG, WORSE), (RIGHT,)):
        assert await attempt(app, *old_page) == (WRONG, RIGHT), "it is over"
    assert stats(app) == PuzzleStats((0, 1, 0), streak=1, best=1, last_day=TODAY)
    assert await attempt(app, who=BEN) == ()


async def test_an_old_page_of_an_open_attempt_shows_its_current_state(app: App) -> None:
    page = PuzzlePage(TODAY, (WRONG,))
    told = await press(app, page)
    assert "2 tries left" in told
    assert await press(app, replace(page, guesses=(WORSE,))) == told


async def test_after_three_wrong_guesses_a_puzzle_is_missed(app: App) -> None:
    for guesses in ((WRONG,), (WRONG, WORSE), (WRONG, WORSE, WORST)):
        await attempt(app, *guesses)
    assert stats(app) == PuzzleStats(missed=1)


@on_postgresql
async def test_the_first_of_two_concurrent_guesses_counts_and_the_second_sees_it(app: App) -> None:
    for before, faster in (((), (WORSE,)), ((WORSE,), (WORSE, WORST))):
        app.before_sql(
            "UPDATE attempts" if before else "INSERT INTO attempts",
            partial(
                save_attempt,
                app.other_store,
                AttemptKey(ANA, TODAY),
                Attempt(faster, RIGHT),
                expected_guesses=before,
            ),
        )
        told = await press(app, PuzzlePage(TODAY, (*before, WRONG)))
        assert told == await press(app, PuzzlePage(TODAY))
        assert transact(app.store, puzzles.load_guesses, AttemptKey(ANA, TODAY)) == faster


async def test_other_days_and_practice_leave_no_trace(app: App) -> None:
    for page in (PracticePage(TODAY, (RIGHT,)), PuzzlePage(date(2026, 4, 1))):
        assert "it doesn't count" in await press(app, page)
    assert await attempt(app) == ()
    assert stats(app) == PuzzleStats()


async def test_what_no_button_leads_to_is_refused_and_not_stored(app: App) -> None:
    puzzle = daily_puzzle(TODAY)
    taken = next(cell for cell in range(9) if cell not in puzzle.worths)
    for page in (
        *(PuzzlePage(TODAY + days * A_DAY) for days in (1, 2, 1000)),
        PuzzlePage(TODAY, (taken,)),
        PuzzlePage(TODAY, (RIGHT, WRONG)),
        PuzzlePage(TODAY, (), 1),
        PuzzlePage(TODAY, (WRONG,), 1),
        PuzzlePage(TODAY, (RIGHT,), len(puzzle.line) + 1),
    ):
        with pytest.raises(Refused) as refused:
            await press(app, page)
        assert refused.value.refusal == Refusal(RefusalReason.UNKNOWN_BUTTON)
    assert await attempt(app) == ()


@pytest.mark.parametrize("known", [(), (TODAY - 3 * A_DAY,)])
@both_databases
async def test_puzzles_of_two_days_solved_at_once_both_count(
    app: App, known: tuple[date, ...]
) -> None:
    for day in known:
        assert solve_on(day, app.store)
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: solve_on(TODAY - A_DAY, app.other_store),
    ):
        assert solve_on(TODAY, app.store)
    assert stats(app).solved == (2 + len(known), 0, 0)
    assert [rank.score for rank in await ranking(app, Leaderboard.EVER)] == [3 * (2 + len(known))]


async def test_a_forgiven_day_is_stored(app: App) -> None:
    """One in seven is: the second within four days ends the streak."""
    streaks = []
    for days_ago in (4, 2, 0):
        assert solve_on(TODAY - days_ago * A_DAY, app.store)
        streaks.append(stats(app).streak)
    assert streaks == [1, 2, 1]


@both_databases
async def test_a_person_deleted_while_solving_a_puzzle_is_on_no_leaderboard(app: App) -> None:
    with meanwhile(
        app,
        "INSERT INTO puzzle_tallies",
        lambda: forget_person(app.other_store, ANA, LATER),
    ):
        assert solve_on(TODAY, app.store)
    assert transact(app.store, puzzles.load_attempts, ANA) == []
    assert stats(app) == PuzzleStats()
    assert await ranking(app, Leaderboard.EVER) == ()


@contextmanager
def meanwhile(app: App, statement: str, happens: Callable[[], object]) -> Iterator[None]:
    """Something happens elsewhere right before a statement, or waits there until that is done."""
    with ThreadPoolExecutor(1) as elsewhere:
        futures = list[Future[object]]()

        def begin() -> None:
            futures.append(elsewhere.submit(happens))
            wait(futures, timeout=0.3)

        app.before_sql(statement, begin)
        yield
        (future,) = futures
        future.result()


# Claims of what is shared

SAID = SharePage(TODAY, Grade.EASY, wrong_guesses=0)


def claim_share(app: App, who: int = ANA) -> SharePage | RefusalReason:
    try:
        return transact(app.store, puzzles.claim_share, who, SAID, RIGHT, app.now)
    except Refused as refused:
        return refused.refusal.reason


@both_databases
async def test_only_a_finished_attempt_can_be_shared_and_as_it_was(app: App) -> None:
    await attempt(app, WRONG)
    assert claim_share(app) is RefusalReason.UNKNOWN_BUTTON
    await attempt(app, WRONG, RIGHT)
    assert claim_share(app) == replace(SAID, wrong_guesses=1)
    assert claim_share(app) is RefusalReason.SHARED_ALREADY
    assert claim_share(app, BEN) == SAID, "an older release kept nothing of it"


@both_databases
async def test_a_share_whose_process_died_before_it_was_posted_can_be_made_again(app: App) -> None:
    await attempt(app, RIGHT)
    assert claim_share(app) == SAID
    app.now += 19 * SECOND
    assert claim_share(app) is RefusalReason.SHARED_ALREADY, "it may be under way"
    app.now += SECOND
    assert claim_share(app) == SAID
    transact(app.store, puzzles.record_share, AttemptKey(ANA, TODAY), is_shared=True)
    app.now += 20 * SECOND
    assert claim_share(app) is RefusalReason.SHARED_ALREADY


async def test_a_share_that_an_older_release_has_claimed_counts_as_posted(app: App) -> None:
    await attempt(app, RIGHT)
    with app.store.engine.connect() as connection:
        connection.execute(update(attempts).values(is_shared=True))
    assert claim_share(app) is RefusalReason.SHARED_ALREADY


# Privacy


async def test_attempts_are_exported_and_deleted_with_the_person(app: App) -> None:
    await attempt(app, WRONG)
    await attempt(app, WRONG, RIGHT)
    told = await app.export(ANA)
    assert told["puzzles"]["solved"] == [0, 1, 0]
    assert [(one["day"], one["tries"]) for one in told["attempts"]] == [("2026-05-01", 2)]
    assert len(told["ranks"]) == 2
    forget_person(app.store, ANA, LATER)
    await app.forget_all()
    with app.store.database.autocommit() as connection:
        for table in metadata.sorted_tables:
            if table.name in ("attempts", "puzzle_tallies", "ranks", "people"):
                assert connection.execute(table.select()).all() == [], table.name


@both_databases
async def test_a_deleted_server_has_no_leaderboards_but_the_attempts_stay(app: App) -> None:
    await attempt(app, RIGHT)
    forget_server(app.store, SERVER, LATER)
    assert await ranking(app, Leaderboard.EVER) == ()
    (kept,) = transact(app.store, puzzles.load_attempts, ANA)
    assert (kept["tried"], kept["guild_id"]) != ("", SERVER)
    assert stats(app).streak == 1


@both_databases
async def test_attempts_are_pruned_by_day_and_their_results_stay(app: App) -> None:
    await attempt(app, RIGHT)
    await attempt(app, WRONG, who=BEN)
    assert transact(app.store, puzzles.prune, TODAY) == 0
    assert transact(app.store, puzzles.prune, TODAY + A_DAY) == 2
    assert stats(app).solved == (1, 0, 0)
