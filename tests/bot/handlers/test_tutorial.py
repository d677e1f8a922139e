"""The puzzle of the day and the lesson on minimax."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from simcord.actors import MemberActor

from bot.domain.ids import custom_id
from bot.domain.puzzles import PuzzlePage
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from engine import INFINITE, MISERE, TIC_TAC_TOE, Board, Puzzle, Record, Value, daily_puzzle
from tests.bot.house import Seen, SimulatedGuild, told


def today(house: SimulatedGuild) -> date:
    return house.env.now().astimezone(UTC).date()


def name(puzzle: Puzzle, cell: int) -> str:
    return puzzle.board.rules.coordinate(cell)


def mistakes(puzzle: Puzzle) -> list[str]:
    return [name(puzzle, cell) for cell in puzzle.worths if cell != puzzle.solution]


async def ask(house: SimulatedGuild, who: MemberActor) -> Puzzle:
    await who.slash(house.channel, "velha puzzle")
    return daily_puzzle(today(house))


async def test_everybody_gets_the_puzzle_of_the_day_in_their_own_language(
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


async def test_who_finds_the_move_gets_the_reason_and_a_line_to_share(
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


async def test_who_misses_three_times_is_told_the_answer(house: SimulatedGuild) -> None:
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


async def test_at_midnight_utc_there_is_a_new_one_and_the_old_one_goes_on(
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


async def test_the_solution_is_walked_through_once_it_is_over(house: SimulatedGuild) -> None:
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


async def test_on_the_infinite_board_a_solution_is_walked_through_as_marks_vanish(
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


async def test_who_misses_where_play_has_no_end_is_told_the_move_that_holds(
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


async def test_whoever_sees_it_may_solve_the_same_puzzle(house: SimulatedGuild) -> None:
    puzzle = await solve(house, house.ben)
    await house.press(house.ben, "Share", house.lesson())
    await house.press(house.ana, "Try it too")
    assert house.lesson().board == str(puzzle.board)
    assert "Restam 3 tentativas." in house.lesson().text
    assert house.text().startswith(house.ben.mention), "and the message stays"


async def test_what_somebody_solved_is_shared_once(house: SimulatedGuild) -> None:
    await solve(house, house.ben)
    before = len(house.everything_seen())
    solved = house.lesson()
    pressed = [await house.press(house.ben, "Share", solved) for _ in range(6)]
    assert len(house.everything_seen()) == before + 1
    assert told(pressed[1]) == "You've already shared this one."
    assert told(pressed[5]).startswith("Not so fast")


async def test_where_the_bot_may_not_send_sharing_says_so(house: SimulatedGuild) -> None:
    await solve(house, house.ben)
    house.take_from_bot("send_messages")
    said = told(await house.press(house.ben, "Share", house.lesson()))
    assert said == "I need the Send Messages permission here."
    assert house.everything_seen() == []


async def test_it_is_shared_in_direct_messages_too(house: SimulatedGuild) -> None:
    house.world.locales[house.ben.id] = "pt-BR"
    await house.ben.user.slash("velha puzzle")
    channel = house.ben.user.dm_channel
    puzzle = daily_puzzle(today(house))
    solution = name(puzzle, puzzle.solution)
    await house.press(house.ben.user, solution, house.lesson(channel))
    await house.press(house.ben.user, "Compartilhar", house.lesson(channel))
    assert "🎯 1/3" in house.seen(channel).text


# The lesson on minimax


def shown_picture(house: SimulatedGuild, seen: Seen) -> str:
    """The address of the one picture that a message shows, which is attached to it."""
    [gallery] = [item for item in seen.payload["components"][0]["components"] if item["type"] == 12]
    [item] = gallery["items"]
    [attached] = seen.payload["attachments"]
    assert item["media"]["url"] == attached["url"]
    assert item["description"].startswith("Game tree. ")
    png = house.env.backend.cdn.get(attached["url"])
    assert png is not None
    assert png.startswith(b"\x89PNG")
    return str(attached["url"])


async def press_all(house: SimulatedGuild, *labels: str) -> list[str]:
    """What the lesson said after each press."""
    said = []
    for label in labels:
        await house.press(house.ben, label, house.lesson())
        said.append(house.lesson().text)
    return said


async def test_one_walks_down_a_tree_and_up_again_with_a_picture_of_each_step(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    first = house.lesson()
    assert first.text.startswith("## 1/9 · The game tree\n")
    assert first.board == ".o. .ox xxo"
    pictures = {shown_picture(house, first)}
    boards = []
    for label in ("A1", "C1", "A2", "Up", "Up", "Up"):
        await house.press(house.ben, label, house.lesson())
        pictures.add(shown_picture(house, house.lesson()))
        boards.append(house.lesson().board)
    down = ["xo. .ox xxo", "xoo .ox xxo", "xoo xox xxo"]
    assert boards == [*down, *down[1::-1], first.board]
    assert len(pictures) == 7, "each edit brings its own"
    assert house.lesson().id == first.id, "all in one message"
    assert "Up" not in house.lesson().labels


async def test_a_leaf_says_who_has_won_and_a_mark_leads_back_to_where_it_was_made(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    *_, leaf = await press_all(house, "A1", "C1", "A2")
    assert "❌ has won. This is a **leaf**" in leaf
    await house.press(house.ben, "C1", house.lesson())  # its mark
    assert house.lesson().board == "xo. .ox xxo"


async def test_the_whole_path_of_a_learner_who_errs_and_learns(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha learn")
    asked, wrong, right = await press_all(house, "Next", "+1", "0")
    assert "Which number goes here?" in asked
    assert "Not quite. ⭕ takes the **smallest** (min): **0**, with **A2**." in wrong
    assert "Right! ⭕ takes the **smallest**" in right
    top, told = await press_all(house, "Up", "0")
    assert "Which number goes here?" in top
    assert "Right! ❌ takes the **largest** (max): **0**, with **A1**." in told
    asked, wrong, right = await press_all(house, "Next", "b", "a")
    assert "What can you skip: **a**, **b**, or both?" in asked
    assert "Not quite: **b** might have been better." in wrong
    assert "Right! ❌ is sure of 0 (**alpha**)" in right
    asked, wrong, right = await press_all(house, "Next", "10", "4")
    assert "How many visits does alpha-beta save?" in asked
    assert wrong.split("Count")[1] == right.split("Count")[1]
    assert "Count the grey boards: **4**. Alpha-beta makes **10** visits" in right


async def test_the_later_chapters_are_walked_through_too(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha learn")
    sooner = TutorialPage(EXAMPLE_GAME, Chapter.FASTEST_WIN)
    await house.press_forged(house.ben, custom_id(sooner, 0), house.lesson())
    assert house.lesson().payload["attachments"] != []
    wrong, right = await press_all(house, "A2", "C3")
    assert "Not quite. **C3** wins now, A2 only later." in wrong
    assert "Right! **C3** wins now" in right
    one, three = await press_all(house, "Next", "Depth 3")
    assert house.lesson().payload["attachments"] == [], "no picture is left behind"
    assert "At depth **1**, it picks **B2**" in one
    assert "At depth **3**, it picks **B2**" in three
    one, three = await press_all(house, "Next", "Depth 3")
    assert "takes **C3**" in one
    assert "can force a win" in one
    assert "finds **D1**: a sure win" in three
    [mind] = await press_all(house, "Next")
    assert "How I think" in mind
    assert "Next" not in house.lesson().labels


async def test_it_is_about_the_match_against_the_bot_and_then_a_hint(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.ana.slash(house.channel, "velha learn")
    asked = house.lesson()
    assert (
        asked.text == "Você está jogando contra mim: uma lição sobre a sua partida conta como dica."
    )
    await house.press(house.ana, "Minha partida (dica)", asked)
    assert house.lesson().board == house.board()
    assert "para quem joga, conta como dica" in house.lesson().text
    await house.resign(house.ana)
    assert "with 1 hint" in house.text()


async def test_whoever_wants_no_hint_learns_from_an_example(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha learn")
    assert house.lesson().labels == ["An example", "My match (a hint)"]
    await house.press(house.ben, "An example", house.lesson())
    assert house.lesson().board == ".o. .ox xxo"
    await house.resign(house.ben)
    assert "hint" not in house.text()


async def test_an_older_release_s_buttons_lead_to_the_chapters_of_this_one(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha learn")
    for chapter, title in enumerate(("The game tree", "What the numbers mean"), 1):
        old = f"velha:learn:{Record(moves=(4, 0)).code}:{chapter}:1"
        await house.press_forged(house.ben, old, house.lesson())
        assert house.lesson().text.startswith(f"## {chapter}/9 · {title}")


async def test_others_may_learn_from_it_without_that(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.ben.slash(house.channel, "velha learn")
    assert house.lesson().board == house.board()
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_two_people_at_play_are_not_looked_at(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.press(house.ana, "B2")
    await house.ben.slash(house.channel, "velha learn")
    assert house.lesson().board == ".o. .ox xxo"


async def test_on_a_large_board_one_walks_without_a_picture(house: SimulatedGuild) -> None:
    await house.start(house.ben, board="5x5x4")
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha learn")
    await house.press(house.ben, "My match (a hint)", house.lesson())
    assert house.lesson().board == house.board()
    assert house.lesson().payload["attachments"] == []
    await house.press(house.ben, "Next", house.lesson())
    assert "A1⁰" in house.lesson().buttons
    await house.press(house.ben, "A1⁰", house.lesson())
    await house.press(house.ben, "0", house.lesson())
    assert "Right!" in house.lesson().text


@pytest.mark.parametrize("board", ["3x3x3", "4x4x4"])
async def test_an_empty_board_in_play_is_no_hint_and_teaches_nothing(
    house: SimulatedGuild, board: str
) -> None:
    await house.start(house.ana, board=board)
    await house.ana.slash(house.channel, "velha learn")
    assert house.lesson().board == ".o. .ox xxo", "so there is an example"
    await house.press(house.ana, "B2")
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_who_asks_too_fast_for_lessons_is_told_and_gets_no_hint(
    house: SimulatedGuild,
) -> None:
    for _ in range(4):
        await house.ana.slash(house.channel, "velha puzzle")
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    assert "Calma!" in told(await house.ana.slash(house.channel, "velha learn"))
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_a_board_to_look_at_is_not_dimmed_and_says_what_it_is_when_pressed(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    limit = TutorialPage(EXAMPLE_GAME, Chapter.LIMIT)
    await house.press_forged(house.ben, custom_id(limit, 0), house.lesson())
    lesson = house.lesson()
    assert {"A1", "B2", "D4", "Next"} <= {*lesson.labels}
    for cell in ("A1", "D4"):
        pressed = await house.press(house.ben, cell, lesson)
        assert told(pressed) == "That one is just for show."
