"""The daily puzzle, as people see it: attempts, sharing, and the posts in servers."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from simcord.actors import MemberActor

from bot.domain.ids import custom_id
from bot.domain.matches import Place
from bot.domain.puzzles import PuzzlePage, PuzzlePost
from bot.store.store import Store
from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Puzzle,
    Value,
    daily_puzzle,
)
from tests.bot.house import SimulatedGuild, told


def today(house: SimulatedGuild) -> date:
    return house.env.now().astimezone(UTC).date()


def name(puzzle: Puzzle, cell: int) -> str:
    return puzzle.board.rules.coordinate(cell)


def mistakes(puzzle: Puzzle) -> list[str]:
    return [name(puzzle, cell) for cell in puzzle.worths if cell != puzzle.solution]


async def ask(house: SimulatedGuild, who: MemberActor) -> Puzzle:
    await who.slash(house.channel, "velha puzzle")
    return daily_puzzle(today(house))


async def test_everybody_gets_the_daily_puzzle_in_their_own_language(
    house: SimulatedGuild,
) -> None:
    puzzle = await ask(house, house.ana)
    portuguese = house.lesson()
    await ask(house, house.ben)
    english = house.lesson()
    assert portuguese.board == english.board == str(puzzle.board)
    assert "## Puzzle for January 1, 2026" in english.text
    assert "## Quebra-cabeça de 1 de janeiro de 2026" in portuguese.text
    assert english.text.endswith("3 tries left.")
    assert portuguese.text.endswith("Restam 3 tentativas.")


async def test_solving_a_puzzle_shows_the_reason_and_a_line_to_share(
    house: SimulatedGuild,
) -> None:
    puzzle = await ask(house, house.ben)
    await house.press(house.ben, mistakes(puzzle)[0], house.lesson())
    assert "2 tries left." in house.lesson().text
    await house.press(house.ben, name(puzzle, puzzle.solution), house.lesson())
    over = house.lesson()
    assert f"🎯 **{name(puzzle, puzzle.solution)}**" in over.text
    assert "Best play: " in over.text
    assert f"Velha {today(house)}" not in over.text
    await house.press(house.ben, "Share", over)
    shared = house.seen()
    assert shared.text == f"{house.ben.mention}\nVelha {today(house)} ★★☆ 💥🎯 2/3"


async def test_after_three_misses_the_answer_is_shown(house: SimulatedGuild) -> None:
    puzzle = await ask(house, house.ben)
    for cell in mistakes(puzzle)[:3]:
        assert "Best play: " not in house.lesson().text
        await house.press(house.ben, cell, house.lesson())
    over = house.lesson()
    assert f"💡 Not this time. **{name(puzzle, puzzle.solution)}**" in over.text
    await house.press(house.ben, "Share", over)
    assert "💥💥💥 X/3" in house.text()


async def test_a_puzzle_goes_on_after_a_restart(house: SimulatedGuild) -> None:
    puzzle = await ask(house, house.ben)
    await house.press(house.ben, mistakes(puzzle)[0], house.lesson())
    await house.restart()
    await house.press(house.ben, name(puzzle, puzzle.solution), house.lesson())
    assert "🎯 **" in house.lesson().text
    await house.restart()
    await house.press(house.ben, "Share", house.lesson())
    assert "💥🎯 2/3" in house.text()


async def test_a_new_puzzle_comes_at_midnight_utc_and_the_old_one_goes_on(
    house: SimulatedGuild,
) -> None:
    midnight = datetime.combine(today(house) + timedelta(days=1), datetime.min.time(), UTC)
    house.env.backend.advance_clock((midnight - house.env.now()).total_seconds() - 2)
    await house.restart()
    last = await ask(house, house.ben)
    begun = house.lesson()
    assert "January 1, 2026" in begun.text
    await house.env.advance_time(4)
    new = await ask(house, house.ana)
    assert house.env.now() > midnight
    assert "2 de janeiro de 2026" in house.lesson().text
    assert house.lesson().board == str(new.board) != str(last.board)
    await house.press(house.ben, name(last, last.solution), begun)
    solved = next(s for s in house.everything_seen(ephemeral=True) if s.id == begun.id)
    await house.press(house.ben, "Share", solved)
    assert "Velha 2026-01-01 ★★☆ 🎯 1/3" in house.text()


@pytest.mark.parametrize("days", [1, 2, 1000])
async def test_tomorrow_s_puzzle_is_not_shown_today(house: SimulatedGuild, days: int) -> None:
    await house.start(house.ana)
    forged = custom_id(PuzzlePage(today(house) + timedelta(days=days)), 0)
    assert "no longer works" in told(await house.press_forged(house.ben, forged))


async def test_only_free_cells_can_be_tried_and_no_solution_is_shown_before_the_end(
    house: SimulatedGuild,
) -> None:
    puzzle = daily_puzzle(today(house))
    taken = next(c for c in puzzle.board.rules.cells if puzzle.board[c] is not None)
    some = next(cell for cell in puzzle.worths if cell != puzzle.solution)
    await house.start(house.ana)
    plies = len(puzzle.line)
    for tried, ply in (
        ((taken,), 0),
        ((puzzle.solution, some), 0),
        ((), 1),
        ((some,), 1),
        ((puzzle.solution,), plies + 1),
        ((puzzle.solution,), -1),
    ):
        forged = custom_id(PuzzlePage(today(house), tried, ply), 0)
        assert "no longer works" in told(await house.press_forged(house.ben, forged))


async def test_the_solution_can_be_stepped_through_once_it_is_over(house: SimulatedGuild) -> None:
    puzzle = await solve(house, house.ben)
    over, board = house.lesson(), puzzle.board
    for cell in puzzle.line:
        await house.press(house.ben, "Next", house.lesson())
        board = board.result(cell)
        assert house.lesson().board == str(board)
        assert f"{name(puzzle, cell)}**" in house.lesson().text
    assert "Next" not in house.lesson().labels
    for _ in puzzle.line:
        await house.press(house.ben, "Back", house.lesson())
    assert house.lesson().rows == over.rows


async def solve(house: SimulatedGuild, who: MemberActor) -> Puzzle:
    puzzle = await ask(house, who)
    await house.press(who, name(puzzle, puzzle.solution), house.lesson())
    return puzzle


async def wait_until(house: SimulatedGuild, day: date) -> None:
    noon = datetime.combine(day, time(12), UTC)
    house.env.backend.advance_clock((noon - house.env.now()).total_seconds())
    await house.restart()


async def test_marks_vanish_while_a_solution_on_the_infinite_board_is_stepped_through(
    house: SimulatedGuild,
) -> None:
    await wait_until(house, date(2026, 1, 11))
    puzzle = await solve(house, house.ben)
    assert puzzle.board == Board.parse("....o2 o1x1.. x2....", INFINITE)
    said = house.lesson().text
    assert "infinite: your fourth mark makes your oldest vanish" in said
    assert "\nOldest first: ❌ B2 and A3 · ⭕ A2 and C1\n" in said
    assert "❌ to move and win in 4: only one move does it. Which one?" in said
    board = puzzle.board
    for cell in puzzle.line:
        await house.press(house.ben, "Next", house.lesson())
        board, shown = board.result(cell), house.lesson()
        assert shown.board == str(Board(TIC_TAC_TOE, board.x, board.o))
        vanishing = [] if board.vanishing is None else [name(puzzle, board.vanishing)]
        dim = {label for label, button in shown.buttons.items() if button.get("disabled")}
        assert sorted(dim - {"Next", "End"}) == vanishing
        assert [line for line in shown.text.splitlines() if "vanishes next" in line] == [
            f"-# {'⭕' if board.plies % 2 else '❌'} {cell} vanishes next" for cell in vanishing
        ]
    assert board.winner
    assert board[puzzle.solution] is None, "the mark of the solution has vanished by then"
    await house.press(house.ben, "Share", house.lesson())
    assert "Velha 2026-01-11 ★★★ 🎯 1/3" in house.text()


async def test_a_missed_puzzle_that_holds_a_draw_shows_the_move_that_holds_it(
    house: SimulatedGuild,
) -> None:
    await wait_until(house, date(2026, 1, 20))
    puzzle = await ask(house, house.ben)
    assert (puzzle.board.rules, puzzle.value) == (INFINITE, Value.DRAW)
    assert "only one move holds the draw. Which one?" in house.lesson().text
    solution = name(puzzle, puzzle.solution)
    *first, last = mistakes(puzzle)
    for cell in first:
        await house.press(house.ben, cell, house.lesson())
        assert f"💥 **{cell}**" in house.lesson().text
        assert f"**{solution}**" not in house.lesson().text
    await house.press(house.ben, last, house.lesson())
    said = house.lesson().text
    assert f"💥 **{last}** loses. ❌ can answer: **" in said
    assert f"Not this time. **{solution}** holds the draw: every other move loses." in said
    assert f"\nBest play: ⭕ {solution}\n" in said
    await house.press(house.ben, "End", house.lesson())
    assert f"\nBest play: **⭕ {solution}**\n" in house.lesson().text
    assert {"Next", "End"}.isdisjoint(house.lesson().labels)
    await house.press(house.ben, "Share", house.lesson())
    assert "💥💥💥 X/3" in house.text()


async def test_a_puzzle_of_misere_says_that_lines_lose(house: SimulatedGuild) -> None:
    await wait_until(house, date(2026, 1, 2))
    puzzle = await ask(house, house.ben)
    assert puzzle.board == Board.parse("xo. .x. ..o", MISERE)
    assert "misère: three in a row loses · ❌ A1 and B2 · ⭕ B1 and C3" in house.lesson().text
    await house.press(house.ben, mistakes(puzzle)[0], house.lesson())
    assert "loses.\n2 tries left." in house.lesson().text
    await house.press(house.ben, name(puzzle, puzzle.solution), house.lesson())
    await house.press(house.ben, "End", house.lesson())
    assert "With best play, it's a draw." in house.lesson().text


async def test_sharing_takes_one_request_and_pings_nobody(house: SimulatedGuild) -> None:
    await solve(house, house.ben)
    before = len(house.requests())
    await house.press(house.ben, "Share", house.lesson())
    (request,) = house.env.http_requests[before:]
    assert (request.json or {})["data"]["allowed_mentions"] == {"parse": [], "users": []}


async def test_a_shared_puzzle_can_be_solved_by_others(house: SimulatedGuild) -> None:
    puzzle = await solve(house, house.ben)
    await house.press(house.ben, "Share", house.lesson())
    await house.press(house.ana, "Try it too")
    assert house.lesson().board == str(puzzle.board)
    assert "Restam 3 tentativas." in house.lesson().text
    assert house.text().startswith(house.ben.mention), "and the message stays"


async def test_a_solved_puzzle_is_shared_only_once(house: SimulatedGuild) -> None:
    await solve(house, house.ben)
    before = len(house.everything_seen())
    solved = house.lesson()
    pressed = [await house.press(house.ben, "Share", solved) for _ in range(6)]
    assert len(house.everything_seen()) == before + 1
    assert told(pressed[1]) == "You've already shared this one."
    assert told(pressed[5]).startswith("Not so fast")


async def test_sharing_without_permission_is_refused(house: SimulatedGuild) -> None:
    await solve(house, house.ben)
    house.take_from_bot("send_messages")
    said = told(await house.press(house.ben, "Share", house.lesson()))
    assert said == "I need the Send Messages permission here."
    assert house.everything_seen() == []


async def test_a_puzzle_can_be_shared_in_direct_messages(house: SimulatedGuild) -> None:
    house.world.locales[house.ben.id] = "pt-BR"
    await house.ben.user.slash("velha puzzle")
    channel = house.ben.user.dm_channel
    puzzle = daily_puzzle(today(house))
    solution = name(puzzle, puzzle.solution)
    await house.press(house.ben.user, solution, house.lesson(channel))
    await house.press(house.ben.user, "Compartilhar", house.lesson(channel))
    assert "🎯 1/3" in house.seen(channel).text


async def test_a_solved_puzzle_shows_the_streak_and_stays_solved(
    house: SimulatedGuild,
) -> None:
    await solve(house, house.ben)
    said = house.lesson().text
    assert "🔥 1 day in a row (best: 1)\n-# Your puzzles, by number of tries:\n1️⃣ ▰▰▰▰" in said
    assert "▰ 1\n2️⃣  0" in said
    await house.restart()
    await house.ben.slash(house.channel, "velha puzzle")
    assert house.lesson().text == said
    await house.ben.slash(house.channel, "velha stats")
    assert "### Daily puzzle\n🔥 1 day in a row" in house.lesson().text
    assert "-# Puzzles, by number of tries:\n1️⃣" in house.lesson().text


async def test_a_solved_puzzle_can_be_practised_without_counting_again(
    house: SimulatedGuild,
) -> None:
    await solve(house, house.ana)
    await house.press(house.ana, "Treinar", house.lesson())
    practice = house.lesson()
    assert "-# Para treinar: não conta." in practice.text
    label = next(name for name in practice.labels if len(name) == 2)
    await house.press(house.ana, label, practice)
    await house.ana.slash(house.channel, "velha stats")
    assert "🔥 sequência: 1 dia (recorde: 1)" in house.lesson().text


async def choose_channel(house: SimulatedGuild, channel_id: int) -> None:
    """As a select of the form does."""
    store = Store.open(house.settings.database_url)
    store.settings.update(house.guild.id, {"puzzle_channel": channel_id, "puzzle_hour": 0})
    store.puzzles.restart_posts(house.guild.id, "pt-BR")
    store.close()


async def test_the_puzzle_is_posted_in_its_channel_and_everybody_solves_it_alone(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha help")  # which says what time it is
    await choose_channel(house, house.channel.id)
    await house.env.advance_time(60)
    (posted,) = house.everything_seen()
    assert posted.text.startswith("## Quebra-cabeça de 1 de janeiro de 2026")
    assert "Resolver" in posted.labels
    await house.press(house.ben, "Resolver", posted)
    assert house.lesson().text.startswith("## Puzzle for January 1, 2026")
    await house.restart()
    await house.env.advance_time(60)
    assert len(house.everything_seen()) == 1
    (send,) = [r for r in house.env.http_requests if r.path.endswith("/messages")]
    assert send.json is not None
    assert send.json["enforce_nonce"]
    assert send.json["allowed_mentions"]["parse"] == []


async def test_a_post_without_permission_is_tried_once_a_day(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha help")
    await choose_channel(house, house.channel.id)
    house.take_from_bot("send_messages")
    await house.env.advance_time(90)
    tried = [r for r in house.env.http_requests if r.path.endswith("/messages")]
    assert len(tried) == 1
    assert house.everything_seen() == []


async def test_posts_claimed_too_late_are_left_to_the_next_round(
    house: SimulatedGuild,
) -> None:
    place = Place(house.channel.id, house.guild.id, "pt-BR")
    before = house.requests()
    late = [PuzzlePost(place, date(2026, 5, 1))]
    await house.bots[-1].handlers.matches.show_late(late)
    assert house.requests() == before
