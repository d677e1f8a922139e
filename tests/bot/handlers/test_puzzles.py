"""The daily puzzle, as people see it: attempts, sharing, and the posts in servers."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from simcord.actors import MemberActor

from bot.domain.matches import Place
from bot.domain.pages import custom_id
from bot.domain.puzzles import PuzzlePage, PuzzlePost
from bot.store.store import Store
from engine import (
    INFINITE,
    TIC_TAC_TOE,
    Board,
    Puzzle,
    Value,
    daily_puzzle,
)
from tests.bot.databases import choose_puzzle_channel, save_settings
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
    assert "## Puzzle: January 1, 2026" in english.text
    assert "## Quebra-cabeça: 1 de janeiro de 2026" in portuguese.text
    assert "\n3 tries left.\n" in english.text
    assert "\nVocê tem mais 3 tentativas.\n" in portuguese.text
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
    assert "If nobody slips: " in over.text
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
    assert "January 1, 2026" in begun.text
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


async def test_no_other_puzzle_cell_or_solution_is_had_by_forging_a_button(
    guild: SimulatedGuild,
) -> None:
    puzzle = daily_puzzle(today(guild))
    taken = next(c for c in puzzle.board.rules.cells if puzzle.board[c] is not None)
    some = next(cell for cell in puzzle.worths if cell != puzzle.solution)
    await guild.start(guild.ana)
    for days in (1, 2, 1000):
        later = custom_id(PuzzlePage(today(guild) + timedelta(days=days)), 0)
        assert "no longer works" in private_text(await guild.press_forged(guild.ben, later))
    plies = len(puzzle.line)
    for tried, ply in (
        ((taken,), 0),
        ((puzzle.solution, some), 0),
        ((), 1),
        ((some,), 1),
        ((puzzle.solution,), plies + 1),
        ((puzzle.solution,), -1),
    ):
        forged = custom_id(PuzzlePage(today(guild), tried, ply), 0)
        assert "no longer works" in private_text(await guild.press_forged(guild.ben, forged))


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
    puzzle = await solve(guild, guild.ben)
    assert puzzle.board == Board.parse("....o2 o1x1.. x2....", INFINITE)
    said = guild.page().text
    assert "infinite: your fourth mark makes your oldest vanish" in said
    assert "\nOldest first: ❌ B2 and A3 · ⭕ A2 and C1\n" in said
    assert "You are ❌ and can win in 4 moves. Which comes first?" in said
    board = puzzle.board
    for cell in puzzle.line:
        await guild.press(guild.ben, "Next", guild.page())
        board, shown = board.result(cell), guild.page()
        assert shown.board == str(Board(TIC_TAC_TOE, board.x, board.o))
        vanishing = [] if board.vanishing is None else [name(puzzle, board.vanishing)]
        assert shown.vanishing == vanishing
        assert [line for line in shown.text.splitlines() if "vanishes next" in line] == [
            f"-# {'⭕' if board.plies % 2 else '❌'} {cell} vanishes next" for cell in vanishing
        ]
    assert board.winner
    assert board[puzzle.solution] is None, "the mark of the solution has vanished by then"
    await guild.press(guild.ben, "Share", guild.page())
    assert "Velha 2026-01-11 ★★★ 🎯 1/3" in guild.text()


async def test_a_missed_puzzle_that_holds_a_draw_shows_the_move_that_holds_it(
    guild: SimulatedGuild,
) -> None:
    await wait_until(guild, date(2026, 1, 20))
    puzzle = await ask(guild, guild.ben)
    assert (puzzle.board.rules, puzzle.value) == (INFINITE, Value.DRAW)
    assert "Only one move saves the draw: which?" in guild.page().text
    solution = name(puzzle, puzzle.solution)
    *first, last = mistakes(puzzle)
    for cell in first:
        await guild.press(guild.ben, cell, guild.page())
        assert f"💥 **{cell}**" in guild.page().text
        assert f"**{solution}**" not in guild.page().text
    await guild.press(guild.ben, last, guild.page())
    said = guild.page().text
    assert f"💥 **{last}** loses. ❌ can answer: **" in said
    assert f"The solution: **{solution}** saves the draw: every other move loses." in said
    assert f"\nIf nobody slips: ⭕ {solution}\n" in said
    await guild.press(guild.ben, "Next", guild.page())
    assert f"\nIf nobody slips: **⭕ {solution}**\n" in guild.page().text
    assert "Next" not in guild.page().labels
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
    assert "Você tem mais 3 tentativas." in guild.page().text
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
    assert "🔥 1 day in a row (best: 1)\n-# Your puzzles, by number of tries:\n1️⃣ ▰▰▰▰" in said
    assert "▰ 1\n2️⃣  0" in said
    await guild.restart()
    await guild.ben.slash(guild.channel, "velha puzzle")
    assert guild.page().text == said
    await guild.ben.slash(guild.channel, "velha stats")
    assert "### Daily puzzle\n🔥 1 day in a row" in guild.page().text
    assert "-# Puzzles, by number of tries:\n1️⃣" in guild.page().text


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
        "## Puzzle: December 1, 2026\n-# Just for practice: it doesn't count.\n"
    )
    midnight = int(datetime(2026, 12, 11, tzinfo=UTC).timestamp())
    coming = f"-# Next puzzle: <t:{midnight}:t>, <t:{midnight}:R>."
    assert guild.page().text.endswith(coming)
    await guild.press(guild.ben, name(past, past.solution), guild.page())
    assert "🎯 **" in guild.page().text
    assert guild.page().text.endswith(coming)
    assert "Share" not in guild.page().labels
    await guild.ben.slash(guild.channel, "velha stats")
    assert "🔥 1 day in a row (best: 1)" in guild.page().text
    await guild.ben.slash(guild.channel, "velha puzzle", day=str(ADVENT))
    assert guild.page().text == before, "today's counts, also if its day is typed"


async def test_the_last_two_weeks_are_offered_with_what_is_solved(guild: SimulatedGuild) -> None:
    await wait_until(guild, ADVENT - timedelta(days=1))
    await solve(guild, guild.ben)
    await wait_until(guild, ADVENT)
    offered = await choices(guild, guild.ben)
    assert list(offered.items())[:2] == [
        ("December 9, 2026 · solved", "2026-12-09"),
        ("December 8, 2026", "2026-12-08"),
    ]
    assert list(offered.values())[-1] == "2026-11-26"
    assert len(offered) == 14
    in_portuguese = await choices(guild, guild.ana)
    assert list(in_portuguese)[:2] == ["9 de dezembro de 2026", "8 de dezembro de 2026"]
    assert list(await choices(guild, guild.ana, "28 DE nov")) == ["28 de novembro de 2026"]
    for typed in ("2026-11-22", "11/22/2026", "22.11.2026", "nov 22, 2026"):
        assert list(await choices(guild, guild.ben, typed)) == ["November 22, 2026"]
    for typed in ("2026-12-10", "2026-12-11", "2026-11-20", "0001-01-01", "tomorrow"):
        assert await choices(guild, guild.ben, typed) == {}


async def test_a_day_is_understood_as_its_reader_writes_it(guild: SimulatedGuild) -> None:
    await wait_until(guild, ADVENT)
    for who, day, heading in (
        (guild.ana, "1/12/2026", "## Quebra-cabeça: 1 de dezembro de 2026"),
        (guild.ana, "2026-12-1", "## Quebra-cabeça: 1 de dezembro de 2026"),
        (guild.ben, "12/1/2026", "## Puzzle: December 1, 2026"),
        (guild.ben, "21/11/2026", "## Puzzle: November 21, 2026"),
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
        "2026-12-11": f"That puzzle isn't out yet. The next one comes <t:{midnight}:R>.",
        "2026-11-20": f"There was no puzzle that day. The first one came <t:{first}:R>.",
        "yesterday": "I don't know one of those options: choose from the list.",
    }.items():
        refused = await guild.ben.slash(guild.channel, "velha puzzle", day=day)
        assert private_text(refused) == said


async def choose_channel(guild: SimulatedGuild, channel_id: int, locale: str = "pt-BR") -> None:
    """As a select of the form does."""
    store = Store.open(guild.settings.database_url)
    save_settings(store, guild.handle.id, puzzle_hour=0)
    choose_puzzle_channel(store, guild.handle.id, channel_id, locale)
    store.close()


async def test_the_puzzle_is_posted_in_its_channel_and_everybody_solves_it_alone(
    guild: SimulatedGuild,
) -> None:
    await choose_channel(guild, guild.channel.id)
    await guild.env.advance_time(60)
    (posted,) = guild.messages()
    assert posted.text.startswith("## Quebra-cabeça: 1 de janeiro de 2026")
    assert "Resolver" in posted.labels
    pressed = await guild.press(guild.ben, "B2", posted)
    assert private_text(pressed) == (
        "This board only shows the puzzle. Press the blue button to solve it."
    )
    await guild.press(guild.ben, "Resolver", posted)
    assert guild.page().text.startswith("## Puzzle: January 1, 2026")
    await guild.restart()
    await guild.env.advance_time(60)
    assert len(guild.messages()) == 1
    (send,) = [r for r in guild.env.http_requests if r.path.endswith("/messages")]
    assert send.json is not None
    assert send.json["enforce_nonce"]
    assert send.json["allowed_mentions"]["parse"] == []


async def test_yesterday_s_results_do_not_show_who_has_left_by_a_number(
    guild: SimulatedGuild,
) -> None:
    for who in (guild.ana, guild.ben):
        await solve(guild, who)
    guild.env.backend.remove_member(guild.handle.id, guild.ben.id)
    await wait_until(guild, today(guild) + timedelta(days=1))
    await guild.ana.slash(guild.channel, "velha help")  # which says what time it is
    await choose_channel(guild, guild.channel.id, "en-GB")
    await guild.env.advance_time(60)
    (posted,) = guild.messages()
    assert posted.text.endswith(f"\n1/3 {guild.ana.mention}\n1/3 somebody who left")


async def test_a_post_without_permission_is_tried_once_a_day(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha help")
    await choose_channel(guild, guild.channel.id)
    guild.deny_bot("send_messages")
    await guild.env.advance_time(90)
    tried = [r for r in guild.env.http_requests if r.path.endswith("/messages")]
    assert len(tried) == 1
    assert guild.messages() == []


async def test_posts_claimed_too_late_are_left_to_the_next_round(
    guild: SimulatedGuild,
) -> None:
    place = Place(guild.channel.id, guild.handle.id, "pt-BR")
    before = guild.requests()
    late = [PuzzlePost(place, date(2026, 5, 1))]
    await guild.bots[-1].handlers.matches.show_late(late)
    assert guild.requests() == before
