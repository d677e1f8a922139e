"""Reviews and replays: any finished match, move by move, wherever somebody wants to see it."""

from __future__ import annotations

import re

import discord
import pytest

from bot.domain.analysis import RetryPage
from bot.domain.ids import custom_id
from engine import Record, Rules
from tests.bot.house import TURN_MINUTES, Seen, SimulatedGuild, told

LOST = ("A1", "B2", "C3", "C1", "A3", "A2", "B3")
"""Ana, as X, takes a corner; Ben holds, throws it away with his second move, and loses."""


async def play_through(house: SimulatedGuild, moves: tuple[str, ...] = LOST) -> None:
    await house.challenge()
    for number, cell in enumerate(moves):
        await house.press(house.ben if number % 2 else house.ana, cell)


def code_in(review: Seen) -> str:
    """The code, alone in a block, which Discord's clients copy at a press."""
    found = re.search(r"^```\n([0-9A-Z]+)\n```$", review.text, re.MULTILINE)
    assert found is not None
    return found.group(1)


async def test_a_review_tells_only_of_the_moves_that_changed_the_result(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    review = house.lesson()
    assert review.text.splitlines() == [
        "## Review",
        f"❌ {house.ana.mention}  vs  ⭕ {house.ben.mention}",
        "-# 3x3, 3 in a row wins · ❌ won",
        "Move 4, C1: ⭕ turned a draw into a loss. 💡 B1, A2, C2, or B3 would have held the draw.",
        "",
        "**Move 4 of 7: ⭕ C1**",
        (
            "A mistake. ❌ can answer: **A3** makes a fork, two ways to win at once. "
            "With best play, ❌ wins on its next move."
        ),
        "",
        "-# Code for `/velha replay`:",
        "```",
        code_in(review),
        "```",
    ]
    assert review.board == "x💡o 💡o💡 .💡x"
    assert review.cells_in(discord.ButtonStyle.primary) == ["C1"]


async def test_a_win_that_was_missed_is_named_though_nothing_was_lost_by_it(
    house: SimulatedGuild,
) -> None:
    await play_through(house, ("B2", "A1", "A3", "C3", "B1", "B3", "C1"))
    await house.press(house.ben, "Review")
    missed = "Move 5, B1: ❌ took the long way. 💡 C1 would have won right away."
    assert missed in house.lesson().text.splitlines()
    for label in ("End", "B1"):
        await house.press(house.ben, label, house.lesson())
    assert house.lesson().board == "ox💡 .x. x.o"
    assert "**B1** misses a win: C1 would have won right away." in house.lesson().text


@pytest.mark.parametrize("reply", ["A3", "C3"])
async def test_of_replies_that_are_equally_good_the_one_that_was_played_is_named(
    house: SimulatedGuild, reply: str
) -> None:
    await play_through(house, ("B2", "B1", reply))
    await house.ben.slash(house.channel, "velha stop")
    await house.press(house.ben, "Review")
    assert "**Move 2 of 3: ⭕ B1**" in house.lesson().text
    assert f"❌ can answer: **{reply}** " in house.lesson().text


async def test_a_reply_that_let_the_chance_go_by_is_not_the_one_that_is_named(
    house: SimulatedGuild,
) -> None:
    await play_through(house, ("B2", "B1", "B3"))
    await house.ben.slash(house.channel, "velha stop")
    await house.press(house.ben, "Review")
    await house.press(house.ben, "Back", house.lesson())
    assert "**Move 2 of 3: ⭕ B1**" in house.lesson().text
    assert "❌ can answer: **B3**" not in house.lesson().text


async def test_step_buttons_walk_through_the_match(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.rui_in_english(), "Review")
    review = house.lesson()
    boards = {
        "Start": "... ... ...",
        "Next": "x.. ... ...",
        "End": "x.o oo. xxx",
        "Back": "x.o oo. x.x",
        "Turning point": "x💡o 💡o💡 .💡x",
    }
    for label, board in boards.items():
        before = len(house.requests())
        await house.press(house.rui, label, house.lesson())
        assert len(house.requests()) == before + 1
        assert (label, house.lesson().board) == (label, board)
        assert house.lesson().id == review.id
        assert not enabled(house.lesson(), "Turning point") or label != "Turning point"


def enabled(seen: Seen, label: str) -> bool:
    return not seen.buttons[label].get("disabled")


async def test_at_either_end_there_is_no_step_further(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    await house.press(house.ben, "Start", house.lesson())
    assert [label for label in ("Start", "Back") if enabled(house.lesson(), label)] == []
    await house.press(house.ben, "End", house.lesson())
    assert [label for label in ("Next", "End") if enabled(house.lesson(), label)] == []


async def test_a_mark_leads_to_the_move_that_made_it(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    await house.press(house.ben, "End", house.lesson())
    await house.press(house.ben, "B2", house.lesson())
    assert house.lesson().board == "x.. .o. ..."
    assert "**Move 2 of 7: ⭕ B2**" in house.lesson().text
    assert "**B2** holds the draw: every other move loses." in house.lesson().text


async def test_a_review_goes_on_after_a_restart_and_when_the_match_is_forgotten(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    await house.restart()
    house.sql("DELETE FROM matches")
    await house.press(house.ben, "End", house.lesson())
    assert house.lesson().board == "x.o oo. xxx"
    await house.press(house.ben, "Review", house.seen())
    assert house.lesson().board == "x💡o 💡o💡 .💡x"


async def test_a_match_that_time_has_ended_is_reviewed(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B1"))
    await house.let_pass(minutes=3)
    assert "ran out of time" in house.text()
    await house.press(house.ben, "Review")
    assert (
        "Move 2, B1: ⭕ turned a draw into a loss. 💡 B2 would have held the draw."
        in house.lesson().text
    )


async def reviewed(house: SimulatedGuild, *, by_command: bool) -> Seen:
    """The review that Ben, who reads English, opens in one of two ways."""
    if by_command:
        await house.ben.slash(house.channel, "velha review")
    else:
        await house.press(house.ben, "Review")
    return house.lesson()


ways = pytest.mark.parametrize("by_command", [False, True])


@ways
async def test_a_review_says_who_resigned_at_every_step(
    house: SimulatedGuild, *, by_command: bool
) -> None:
    await play_through(house, ("B2", "A1"))
    await house.ana.slash(house.channel, "velha stop")
    await reviewed(house, by_command=by_command)
    for label in ("Start", "Next", "End"):
        await house.press(house.ben, label, house.lesson())
        assert house.lesson().text.splitlines()[:3] == [
            "## Review",
            f"❌ {house.ana.mention}  vs  ⭕ {house.ben.mention}",
            f"-# 3x3, 3 in a row wins · {house.ana.mention} resigned.",
        ]


@ways
async def test_a_review_says_whose_time_ran_out(house: SimulatedGuild, *, by_command: bool) -> None:
    await play_through(house, ("B2", "A1", "C3"))
    await house.let_pass(minutes=TURN_MINUTES)
    review = await reviewed(house, by_command=by_command)
    assert f" · {house.ben.mention} ran out of time.\n" in review.text


@ways
async def test_a_review_says_that_a_moderator_ended_the_match(
    house: SimulatedGuild, *, by_command: bool
) -> None:
    await play_through(house, ("B2", "A1"))
    await house.rui.slash(house.channel, "velha stop")
    review = await reviewed(house, by_command=by_command)
    assert " · A moderator ended the match, without a result.\n" in review.text


async def test_a_review_pings_nobody(house: SimulatedGuild) -> None:
    await play_through(house)
    await reviewed(house, by_command=False)
    await house.press(house.ben, "Start", house.lesson())
    assert house.ana.mention in house.lesson().text
    bodies = [request.json or {} for request in house.env.http_requests[-2:]]
    assert [body["data"]["allowed_mentions"] for body in bodies] == [{"parse": []}] * 2


async def test_a_replay_knows_nobody(house: SimulatedGuild) -> None:
    await play_through(house, ("B2", "A1"))
    await house.ana.slash(house.channel, "velha stop")
    code = code_in(await reviewed(house, by_command=True))
    await house.ben.slash(house.channel, "velha replay", code=code)
    assert house.lesson().text.splitlines()[1] == "-# 3x3, 3 in a row wins · unfinished"
    assert "<@" not in house.lesson().text


async def test_the_review_button_of_an_older_release_shows_what_it_knows(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    old = f"velha:review:{Record(moves=(0, 4, 8, 2, 6, 3, 7)).code}::0"
    await house.press_forged(house.ben, old)
    assert house.lesson().board == "x💡o 💡o💡 .💡x"
    assert house.lesson().text.splitlines()[1] == "-# 3x3, 3 in a row wins · ❌ won"


async def test_a_match_without_a_move_has_nothing_to_review(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.resign(house.ana)
    assert house.seen().labels == ["Rematch", "Down to hard"]
    said = told(await house.ben.slash(house.channel, "velha review"))
    assert said.startswith("No match has finished here yet.")


async def test_the_channel_s_last_match_is_reviewed_by_command(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.ana.slash(house.channel, "velha review")
    assert house.lesson().board == "x💡o 💡o💡 .💡x", "the one that goes on is not over"
    assert "Jogada 4, C1: ⭕ transformou um empate em derrota." in house.lesson().text
    elsewhere = house.guild.create_text_channel("outro")
    said = told(await house.ben.slash(elsewhere, "velha review"))
    assert said.startswith("No match has finished here yet")


async def test_an_old_review_button_is_for_the_match_it_was_drawn_with(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    finished = house.seen()
    for who in (house.ana, house.ben):
        await house.press(who, "Rematch")
    await house.press(house.ben, "Review", finished)
    assert house.lesson().board == "x💡o 💡o💡 .💡x"


async def test_a_review_asked_of_a_slow_database_leaves_the_rematch_on_the_screen(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    for who in (house.ana, house.ben):
        await house.press(who, "Rematch")

    last_played = await house.bots[-1].services.matches.last_played(house.channel.id)
    await house.bots[-1].handlers.matches.show_late(last_played)
    assert house.seen().labels == ["Resign"]


# Try again


async def test_a_mistake_is_tried_again_until_it_is_right(house: SimulatedGuild) -> None:
    await play_through(house)
    review = await reviewed(house, by_command=False)
    await house.press(house.ben, "Try again", review)
    assert house.lesson().board == "x.💥 .o. ..x"
    assert house.lesson().text.splitlines() == [
        "## Try again",
        "-# 3x3, 3 in a row wins",
        "Move 4, C1: ⭕ turned a draw into a loss.",
        "⭕ to move: which move is better?",
    ]
    await house.press(house.ben, "A3", house.lesson())
    assert house.lesson().board == "x.💥 .o. 💥.x"
    assert "💥 **A3** loses. ❌ can answer: **C1** makes a fork" in house.lesson().text
    before = len(house.requests())
    await house.press(house.ben, "B1", house.lesson())
    assert len(house.requests()) == before + 1
    assert house.lesson().board == "x🎯💥 .o. ..x"
    assert "🎯 **B1** " in house.lesson().text
    assert house.lesson().id == review.id
    await house.press(house.ben, "Back to the review", house.lesson())
    assert house.lesson().text == review.text


async def test_a_light_bulb_says_why_it_was_better(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "B1", await reviewed(house, by_command=False))
    assert "🎯 **B1** " in house.lesson().text


async def test_trying_again_goes_on_after_a_restart(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "Try again", await reviewed(house, by_command=True))
    await house.restart()
    await house.press(house.ben, "B1", house.lesson())
    assert "🎯 **B1** " in house.lesson().text
    await house.press(house.ben, "Back to the review", house.lesson())
    assert house.ana.mention in house.lesson().text


async def test_what_was_no_mistake_is_not_put_up(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    forged = custom_id(RetryPage(Record(moves=(4, 0)), 2), 0)
    assert "no longer works" in told(await house.press_forged(house.ben, forged))


# Replays


async def test_a_finished_match_is_replayed_by_its_code_in_any_server(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    code = code_in(house.lesson())
    there = house.env.create_guild("Outra")
    channel = there.create_text_channel("geral")
    clara = there.add_member(house.env.create_user("clara"))
    await clara.slash(channel, "velha replay", code=f" {code.lower()} ")
    replay = house.lesson(channel)
    assert replay.board == "... ... ..."
    assert code_in(replay) == code
    await house.press(clara, "End", replay)
    assert house.lesson(channel).board == "x.o oo. xxx"


@pytest.mark.parametrize(
    ("rules", "moves", "end"),
    [
        (Rules(4, 4, 3), (5, 0, 6, 4, 7), "o... oxxx .... ...."),
        (Rules(5, 5, 4), (12, 0, 6, 1, 18, 2, 24), "ooo.. .x... ..x.. ...x. ....x"),
        (Rules(5, 4, 4), (0, 5, 1, 6, 2, 7, 3), "xxxx. ooo.. ..... ....."),
    ],
)
async def test_codes_of_every_size_are_replayed(
    house: SimulatedGuild, rules: Rules, moves: tuple[int, ...], end: str
) -> None:
    await house.ben.slash(house.channel, "velha replay", code=Record(rules, moves).code)
    await house.press(house.ben, "End", house.lesson())
    shown = house.lesson()
    rows = [row for row in shown.rows if len(row) == rules.columns and row is not shown.rows[-1]]
    assert len(rows) == rules.rows
    assert f"-# {rules.columns}x{rules.rows}, {rules.in_a_row} in a row wins" in shown.text
    if rules.columns == rules.rows:
        assert shown.board == end


@pytest.mark.parametrize("code", ["", "0", "hello", "🎯", "A" * 300, "'; DROP TABLE matches"])
async def test_nonsense_is_refused_with_a_sentence(house: SimulatedGuild, code: str) -> None:
    said = told(await house.ben.slash(house.channel, "velha replay", code=code))
    assert said == "No match has that code. You'll find a match's code in its review."


async def test_codes_that_are_mistyped_are_not_counted_as_haste(house: SimulatedGuild) -> None:
    for _ in range(6):
        await house.ben.slash(house.channel, "velha replay", code="7")
    await house.ben.slash(house.channel, "velha replay", code=Record(moves=(4, 0)).code)
    assert house.lesson().text.startswith("## Review")
