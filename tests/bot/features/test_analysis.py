"""Reviews, replays and mistakes to try again, as people see them."""

from __future__ import annotations

import re

import discord
import pytest
from discord import InteractionResponseType

from bot.domain.analysis import HintPage, RetryPage
from bot.domain.matches import Ending, EndReason
from bot.domain.pages import custom_id
from bot.store.matches import last_played
from engine import Record, Rules
from tests.bot.backend import App
from tests.bot.example_matches import CHANNEL, make_match
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text

LOST = ("A1", "B2", "C3", "C1", "A3", "A2", "B3")
"""Ana, as X, takes a corner; Ben holds, throws it away with his second move, and loses."""


async def play_through(guild: SimulatedGuild, moves: tuple[str, ...] = LOST) -> None:
    await guild.challenge()
    for number, cell in enumerate(moves):
        await guild.press(guild.ben if number % 2 else guild.ana, cell)


def code_in(review: SeenMessage) -> str:
    """The code, alone in a block, which Discord's clients copy at a press."""
    found = re.search(r"^```\n([0-9A-Z]+)\n```$", review.text, re.MULTILINE)
    assert found is not None
    return found.group(1)


async def test_a_review_lists_only_the_moves_that_changed_the_result(
    guild: SimulatedGuild,
) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    review = guild.page()
    assert review.text.splitlines() == [
        "## Review",
        f"❌ {guild.ana.mention}  vs  ⭕ {guild.ben.mention}",
        "-# 3x3, 3 in a row wins · ❌ won",
        "Move 4, C1: ⭕ turned a draw into a loss. 💡 B1, A2, C2, or B3 would have saved the draw.",
        "",
        "**Move 4 of 7: ⭕ C1**",
        (
            "A mistake. ❌ can answer: **A3** makes a fork, two ways to win at once. "
            "If nobody slips, ❌ wins on its next move."
        ),
        "",
        "-# Code for `/velha replay`:",
        "```",
        code_in(review),
        "```",
    ]
    assert review.board == "x💡o 💡o💡 .💡x"
    assert review.cells_in(discord.ButtonStyle.primary) == ["C1"]


@pytest.mark.parametrize("reply", ["A3", "C3"])
async def test_the_reply_that_was_played_is_named_among_equally_good_ones(
    guild: SimulatedGuild, reply: str
) -> None:
    await play_through(guild, ("B2", "B1", reply))
    await guild.stop(guild.ben)
    await guild.press(guild.ben, "Review")
    assert "**Move 2 of 3: ⭕ B1**" in guild.page().text
    assert f"❌ can answer: **{reply}** " in guild.page().text


async def test_step_buttons_walk_through_the_match(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.press(guild.rui_in_english(), "Review")
    review = guild.page()
    boards = {
        "Start": "... ... ...",
        "Next": "x.. ... ...",
        "End": "x.o oo. xxx",
        "Back": "x.o oo. x.x",
        "Turning point": "x💡o 💡o💡 .💡x",
    }
    for label, board in boards.items():
        before = len(guild.requests())
        await guild.press(guild.rui, label, guild.page())
        assert len(guild.requests()) == before + 1
        assert (label, guild.page().board) == (label, board)
        assert guild.page().id == review.id


async def test_of_two_presses_at_once_only_the_newer_is_shown(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    review, before = guild.page(), len(guild.requests())
    for label in ("Start", "End"):
        guild.send_press(guild.ben, label, review)
    await guild.env.settle()
    assert guild.page().board == "x.o oo. xxx"
    answers = [request.json or {} for request in guild.env.http_requests[before:]]
    updates = (
        InteractionResponseType.deferred_message_update,
        InteractionResponseType.message_update,
    )
    assert [answer["type"] for answer in answers] == [update.value for update in updates]


async def test_a_review_goes_on_after_a_restart_and_after_the_match_is_deleted(
    guild: SimulatedGuild,
) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    await guild.restart()
    guild.sql("DELETE FROM matches")
    await guild.press(guild.ben, "End", guild.page())
    assert guild.page().board == "x.o oo. xxx"
    await guild.press(guild.ben, "Review", guild.newest())
    assert guild.page().board == "x💡o 💡o💡 .💡x"


async def reviewed(guild: SimulatedGuild, *, by_command: bool) -> SeenMessage:
    """The review that Ben, who reads English, opens in one of two ways."""
    if by_command:
        await guild.ben.slash(guild.channel, "velha review")
    else:
        await guild.press(guild.ben, "Review")
    return guild.page()


@pytest.mark.parametrize("by_command", [False, True])
async def test_a_review_says_who_resigned_at_every_step(
    guild: SimulatedGuild, *, by_command: bool
) -> None:
    await play_through(guild, ("B2", "A1"))
    await guild.stop(guild.ana)
    await reviewed(guild, by_command=by_command)
    for label in ("Start", "Next", "End"):
        await guild.press(guild.ben, label, guild.page())
        assert guild.page().text.splitlines()[:3] == [
            "## Review",
            f"❌ {guild.ana.mention}  vs  ⭕ {guild.ben.mention}",
            f"-# 3x3, 3 in a row wins · {guild.ana.mention} resigned.",
        ]
    bodies = [request.json or {} for request in guild.env.http_requests[-4:]]
    assert [body["data"]["allowed_mentions"] for body in bodies] == [{"parse": []}] * 4


async def test_the_review_button_of_an_older_release_shows_what_it_knows(
    guild: SimulatedGuild,
) -> None:
    await play_through(guild)
    old = f"velha:review:{Record(moves=(0, 4, 8, 2, 6, 3, 7)).code}::0"
    await guild.press_forged(guild.ben, old)
    assert guild.page().board == "x💡o 💡o💡 .💡x"
    assert guild.page().text.splitlines()[1] == "-# 3x3, 3 in a row wins · ❌ won"


async def test_a_match_without_moves_has_no_review(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.resign(guild.ana)
    assert guild.newest().labels == ["Rematch", "Level down: child's play"]
    said = private_text(await guild.ben.slash(guild.channel, "velha review"))
    assert said.startswith("No match has finished here yet.")


async def test_the_command_reviews_the_channel_s_last_match(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    await guild.ana.slash(guild.channel, "velha review")
    assert guild.page().board == "x💡o 💡o💡 .💡x", "the one that goes on is not over"
    assert "Jogada 4, C1: ⭕ transformou um empate em derrota." in guild.page().text
    elsewhere = guild.handle.create_text_channel("outro")
    said = private_text(await guild.ben.slash(elsewhere, "velha review"))
    assert said.startswith("No match has finished here yet")


async def test_the_last_match_is_the_newest_that_is_over_and_has_moves(app: App) -> None:
    find = app.backend.runtime.read
    assert await find(last_played, CHANNEL) is None
    over = Ending(EndReason.STOPPED)
    app.add(make_match("x.. .o. ...", id=1, early_ending=over))
    newest = app.add(make_match("xo. ... ...", id=2, early_ending=over))
    app.add(make_match(id=3, early_ending=over))
    app.add(make_match("xo. ... ...", id=4))
    assert await find(last_played, CHANNEL) == newest
    assert await find(last_played, CHANNEL + 1) is None


# Try again


async def test_a_mistake_can_be_retried_until_it_is_right(guild: SimulatedGuild) -> None:
    await play_through(guild)
    review = await reviewed(guild, by_command=False)
    await guild.press(guild.ben, "Try again", review)
    assert guild.page().board == "x.💥 .o. ..x"
    assert guild.page().text.splitlines() == [
        "## Try again",
        "-# 3x3, 3 in a row wins",
        "Move 4, C1: ⭕ turned a draw into a loss.",
        "⭕'s turn: which move is better?",
    ]
    await guild.press(guild.ben, "A3", guild.page())
    assert guild.page().board == "x.💥 .o. 💥.x"
    assert "💥 **A3** loses. ❌ can answer: **C1** makes a fork" in guild.page().text
    before = len(guild.requests())
    await guild.press(guild.ben, "B1", guild.page())
    assert len(guild.requests()) == before + 1
    assert guild.page().board == "x🎯💥 .o. ..x"
    assert "🎯 **B1** " in guild.page().text
    assert guild.page().id == review.id
    await guild.press(guild.ben, "Back to the review", guild.page())
    assert guild.page().text == review.text


async def test_moves_that_were_no_mistake_cannot_be_retried(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    forged = custom_id(RetryPage(Record(moves=(4, 0)), 2), 0)
    assert "no longer works" in private_text(await guild.press_forged(guild.ben, forged))


# Replays


async def test_a_finished_match_is_replayed_by_its_code_in_any_server(
    guild: SimulatedGuild,
) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    code = code_in(guild.page())
    there = guild.env.create_guild("Outra")
    channel = there.create_text_channel("geral")
    clara = there.add_member(guild.env.create_user("clara"))
    await clara.slash(channel, "velha replay", code=f" {code.lower()} ")
    replay = guild.page(channel)
    assert replay.text.splitlines()[1] == "-# 3x3, 3 in a row wins · ❌ won", "it names nobody"
    assert replay.board == "... ... ..."
    assert code_in(replay) == code
    await guild.press(clara, "End", replay)
    assert guild.page(channel).board == "x.o oo. xxx"


@pytest.mark.parametrize(
    ("rules", "moves", "end"),
    [
        (Rules(5, 5, 4), (12, 0, 6, 1, 18, 2, 24), "ooo.. .x... ..x.. ...x. ....x"),
        (Rules(5, 4, 4), (0, 5, 1, 6, 2, 7, 3), "xxxx. ooo.. ..... ....."),
    ],
)
async def test_codes_of_every_size_are_replayed(
    guild: SimulatedGuild, rules: Rules, moves: tuple[int, ...], end: str
) -> None:
    await guild.ben.slash(guild.channel, "velha replay", code=Record(rules, moves).code)
    await guild.press(guild.ben, "End", guild.page())
    shown = guild.page()
    rows = [row for row in shown.rows if len(row) == rules.columns and row is not shown.rows[-1]]
    assert len(rows) == rules.rows
    assert f"-# {rules.columns}x{rules.rows}, {rules.in_a_row} in a row wins" in shown.text
    if rules.columns == rules.rows:
        assert shown.board == end


@pytest.mark.parametrize(
    "around",
    [
        "code:{}",
        "código: {}",
        "/velha replay code:{}",
        '"{}"',
        "“{}”",
        "«{}».",
        "`{}`",
        "```\n{}\n```",
    ],
)
async def test_a_code_is_read_as_it_is_pasted(guild: SimulatedGuild, around: str) -> None:
    code = Record(moves=(4, 0)).code
    await guild.ben.slash(guild.channel, "velha replay", code=around.format(code))
    assert code_in(guild.page()) == code


async def test_invalid_codes_are_refused_and_cause_no_cooldown(guild: SimulatedGuild) -> None:
    for code in ("", "0", "hello", "🎯", "A" * 300, "'; DROP TABLE matches", "code:"):
        said = private_text(await guild.ben.slash(guild.channel, "velha replay", code=code))
        assert said == "No match has that code. You'll find a match's code in its review."
    await guild.ben.slash(guild.channel, "velha replay", code=Record(moves=(4, 0)).code)
    assert guild.page().text.startswith("## Review")


# Hints of an older release


async def test_a_hint_of_an_older_release_can_be_read_and_plays_nothing(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    await guild.press_forged(guild.ben, custom_id(HintPage(Record(), 4), 0), guild.page())
    assert "🔎 **B2**" in guild.page().text
    assert not [label for label in guild.page().buttons if label.startswith("Play ")]
