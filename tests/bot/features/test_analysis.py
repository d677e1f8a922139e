"""Reviews, replays and mistakes to try again, as people see them."""

from __future__ import annotations

import re

import discord
import pytest
from discord import InteractionResponseType

from bot.domain.analysis import HintPage, RetryPage, ReviewPage
from bot.domain.matches import Ending, EndReason
from bot.domain.pages import custom_id
from bot.domain.refusals import RefusalReason, Refused
from bot.features import analysis
from bot.store.matches import last_played
from bot.views.i18n import language_for
from engine import Record, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.example_matches import ANA, CHANNEL, RUI, make_bot_match, make_match
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text
from tests.bot.views.examples import buttons

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


async def test_a_review_opens_at_one_s_own_mistake_with_what_was_better(
    guild: SimulatedGuild,
) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    review = guild.page()
    assert review.text.splitlines() == [
        "**Move 4, C1: B1, A2, C2 or B3 would have held the draw.**",
        "❌ can answer: **A3** makes a fork, with two ways to win at the same time.",
    ]
    assert review.board == "x💡o 💡o💡 .💡x"
    assert review.cells_in(discord.ButtonStyle.primary) == ["C1"]
    assert review.labels[-6:] == ["Try again", "See what the bot saw", "←", "→", "Play", "More"]
    await guild.press(guild.rui_in_english(), "Review")
    assert guild.page().text.startswith("**Move 4, ⭕ C1: B1, A2, C2 or B3 would have held")


async def more(guild: SimulatedGuild, review: SeenMessage) -> SeenMessage:
    """What a review has to say besides, to Ben."""
    await guild.press(guild.ben, "More", review)
    return guild.page()


async def test_all_mistakes_and_the_code_are_a_press_away(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    review = guild.page()
    said = await more(guild, review)
    assert said.text.splitlines() == [
        "## Review",
        f"❌ {guild.ana.mention}  vs  ⭕ {guild.ben.mention}",
        "-# 3x3, 3 in a row wins · ❌ won",
        "Move 4, C1: ⭕ turned a draw into a loss. 💡 B1, A2, C2 or B3 would have held the draw.",
        "-# Code for `/velha replay`:",
        "```",
        code_in(said),
        "```",
    ]
    assert said.id == review.id
    await guild.press(guild.ben, "Back to the review", said)
    assert guild.page().text == review.text


@pytest.mark.parametrize("reply", ["A3", "C3"])
async def test_the_reply_that_was_played_is_named_among_equally_good_ones(
    guild: SimulatedGuild, reply: str
) -> None:
    await play_through(guild, ("B2", "B1", reply))
    await guild.stop(guild.ben)
    await guild.press(guild.ben, "Review")
    assert guild.page().text.startswith("**Move 2, B1: ")
    assert f"❌ can answer: **{reply}** " in guild.page().text


async def test_step_buttons_walk_through_the_match(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.press(guild.rui_in_english(), "Review")
    review = guild.page()
    boards = (
        ("→", "x.o .o. x.x"),
        ("←", "x💡o 💡o💡 .💡x"),
        ("←", "x.. .o. ..x"),
        ("→", "x💡o 💡o💡 .💡x"),
    )
    for label, board in boards:
        before = len(guild.requests())
        await guild.press(guild.rui, label, guild.page())
        assert len(guild.requests()) == before + 1
        assert (label, guild.page().board) == (label, board)
        assert guild.page().id == review.id


async def test_of_two_presses_at_once_only_the_newer_is_shown(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    review, before = guild.page(), len(guild.requests())
    for label in ("←", "→"):
        guild.send_press(guild.ben, label, review)
    await guild.env.settle()
    assert guild.page().board == "x.o .o. x.x"
    answers = [request.json or {} for request in guild.env.http_requests[before:]]
    updates = (
        InteractionResponseType.deferred_message_update,
        InteractionResponseType.message_update,
    )
    assert [answer["type"] for answer in answers] == [update.value for update in updates]


async def test_a_review_goes_on_after_a_restart_until_the_match_is_deleted(
    guild: SimulatedGuild,
) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    await guild.restart()
    await guild.press(guild.ben, "→", guild.page())
    shown = guild.page()
    assert shown.board == "x.o .o. x.x"
    guild.sql("DELETE FROM matches")
    refused = await guild.press(guild.ben, "→", shown)
    assert private_text(refused) == "I don't know this match. Start one: `/velha start`"


async def reviewed(guild: SimulatedGuild, *, by_command: bool) -> SeenMessage:
    """The review that Ben, who reads English, opens in one of two ways."""
    if by_command:
        await guild.ben.slash(guild.channel, "velha review")
    else:
        await guild.press(guild.ben, "Review")
    return guild.page()


@pytest.mark.parametrize("by_command", [False, True])
async def test_a_review_says_who_resigned_where_nothing_turned(
    guild: SimulatedGuild, *, by_command: bool
) -> None:
    await play_through(guild, ("B2", "A1"))
    await guild.stop(guild.ana)
    review = await reviewed(guild, by_command=by_command)
    assert review.text.startswith(f"**{guild.ana.mention} resigned.**")
    assert "Try again" not in review.labels
    said = await more(guild, review)
    assert said.text.splitlines()[:3] == [
        "## Review",
        f"❌ {guild.ana.mention}  vs  ⭕ {guild.ben.mention}",
        f"-# 3x3, 3 in a row wins · {guild.ana.mention} resigned.",
    ]
    bodies = [request.json or {} for request in guild.env.http_requests[-2:]]
    assert [body["data"]["allowed_mentions"] for body in bodies] == [{"parse": []}] * 2


@pytest.mark.parametrize("headers", ["", ":-{ana}-{ben}"])
async def test_the_review_button_of_an_older_release_leads_to_the_same_page(
    guild: SimulatedGuild, headers: str
) -> None:
    await play_through(guild)
    await guild.press(guild.ben, "Review")
    review = guild.page()
    players = headers.format(ana=guild.ana.id, ben=guild.ben.id)
    old = f"velha:review:{Record(moves=(0, 4, 8, 2, 6, 3, 7)).code}:{players}:0"
    await guild.press_forged(guild.ben, old)
    assert guild.page().board == review.board
    assert (guild.page().text == review.text) is bool(headers)
    assert guild.page().labels == review.labels
    said = await more(guild, guild.page())
    assert said.text.splitlines()[-6].startswith("-# 3x3, 3 in a row wins · ❌ won")


async def test_who_lost_to_the_bot_is_offered_a_rematch_in_the_review(app: App) -> None:
    match = app.add(make_bot_match("xx. ooo x.."))
    page = ReviewPage.of(match)
    for user_id, channel_id, label in (
        (ANA, CHANNEL, "Rematch"),
        (RUI, CHANNEL, "Play"),
        (ANA, CHANNEL + 1, "Play"),
    ):
        pressed = context(app.backend.runtime, user_id=user_id, channel_id=channel_id)
        draw = await analysis.show_review(pressed, page)
        labels = [button.label for button in buttons(draw(language_for("en")))]
        assert labels[-2:] == [label, "More"]


@pytest.mark.parametrize(
    ("page", "user_id"),
    [
        (ReviewPage(99), ANA),
        (ReviewPage(7), RUI),
        (ReviewPage(8), ANA),
        (RetryPage(7, 1), RUI),
    ],
)
async def test_matches_that_are_gone_or_of_others_elsewhere_are_not_reviewed(
    app: App, page: ReviewPage | RetryPage, user_id: int
) -> None:
    app.add(make_match("xxx oo. ...", id=7))
    app.add(make_match("xx. oo. ...", id=8))
    pressed = context(app.backend.runtime, user_id=user_id, channel_id=CHANNEL + 1)
    show = analysis.show_review if isinstance(page, ReviewPage) else analysis.show_retry
    with pytest.raises(Refused) as refused:
        await show(pressed, page)  # type: ignore[arg-type] # it is the function of that page
    assert refused.value.refusal.reason is RefusalReason.UNKNOWN_MATCH


@pytest.mark.parametrize(
    "page",
    [
        ReviewPage(7, 6),
        RetryPage(7, 6),
        RetryPage(7, 2, score=2),
        RetryPage(7, 1, 0),
        RetryPage(7, 2, 0),
        RetryPage(7, 1),
    ],
)
async def test_pages_that_a_match_does_not_have_are_refused(
    app: App, page: ReviewPage | RetryPage
) -> None:
    app.add(make_match("xxx oo. ...", id=7))
    show = analysis.show_review if isinstance(page, ReviewPage) else analysis.show_retry
    with pytest.raises(Refused) as refused:
        await show(context(app.backend.runtime), page)  # type: ignore[arg-type] # as above
    assert refused.value.refusal.reason is RefusalReason.UNKNOWN_BUTTON


async def test_a_match_without_moves_has_no_review(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.resign(guild.ana)
    assert guild.newest().labels == ["Rematch", "▼ child's play"]
    said = private_text(await guild.ben.slash(guild.channel, "velha review"))
    assert said.startswith("No match has finished here yet.")


async def test_the_command_reviews_the_channel_s_last_match(guild: SimulatedGuild) -> None:
    await play_through(guild)
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    await guild.ana.slash(guild.channel, "velha review")
    assert guild.page().board == "x💡o 💡o💡 .💡x", "the one that goes on is not over"
    assert guild.page().text.startswith("**Jogada 4, ⭕ C1: B1, A2, C2 ou B3 teriam segurado o")
    elsewhere = guild.handle.create_text_channel("outro")
    said = private_text(await guild.ben.slash(elsewhere, "velha review"))
    assert said.startswith("No match has finished here yet")


async def test_the_last_match_is_the_newest_that_is_over_and_has_moves(app: App) -> None:
    find = app.backend.runtime.database.read
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
    assert guild.page().text.endswith("\n**All fixed!**")
    assert guild.page().labels[-2:] == ["Play", "Back to the review"]
    assert guild.page().id == review.id
    await guild.press(guild.ben, "Back to the review", guild.page())
    assert guild.page().text == review.text


async def test_one_s_own_mistakes_are_put_right_one_after_the_other(guild: SimulatedGuild) -> None:
    await play_through(guild, ("A1", "B1", "C1", "B2", "A3", "C2", "A2"))
    await guild.press(guild.ben, "Review")
    await guild.press(guild.ben, "Try again", guild.page())
    assert guild.page().text.startswith("## Try again: 1 of 2\nMove 2, B1: ")
    await guild.press(guild.ben, "B2", guild.page())
    await guild.press(guild.ben, "Next mistake", guild.page())
    assert guild.page().text.startswith("## Try again: 2 of 2\nMove 6, C2: ")
    await guild.press(guild.ben, "B3", guild.page())
    assert guild.page().text.endswith("\n**All fixed!**")


async def test_a_rematch_against_the_bot_is_opened_from_the_review(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await guild.resign(guild.ben)
    over = guild.newest()
    await guild.press(guild.ben, "Review", over)
    page = guild.page()
    await guild.press(guild.ben, "Rematch", page)
    assert guild.newest().id != over.id
    assert "Resign" in guild.newest().labels
    await guild.press(guild.ben, "Rematch", page)
    assert guild.page().text == "This match is over. Start another: `/velha start`"


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
    code = code_in(await more(guild, guild.page()))
    there = guild.env.create_guild("Outra")
    channel = there.create_text_channel("geral")
    clara = there.add_member(guild.env.create_user("clara"))
    await clara.slash(channel, "velha replay", code=f" {code.lower()} ")
    replay = guild.page(channel)
    assert replay.board == "... ... ..."
    await guild.press(clara, "→", replay)
    assert guild.page(channel).board == "x.. ... ..."
    await guild.press(clara, "More", guild.page(channel))
    said = guild.page(channel)
    assert said.text.splitlines()[1] == "-# 3x3, 3 in a row wins · ❌ won", "it names nobody"
    assert code_in(said) == code


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
    for _ in moves:
        await guild.press(guild.ben, "→", guild.page())
    shown = guild.page()
    board = shown.rows[: rules.rows]
    assert [len(row) for row in board] == [rules.columns] * rules.rows
    said = await more(guild, shown)
    assert f"-# {rules.columns}x{rules.rows}, {rules.in_a_row} in a row wins" in said.text
    if rules.columns == rules.rows:
        assert shown.board.replace("💡", ".") == end


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
    assert code_in(await more(guild, guild.page())) == code


async def test_invalid_codes_are_refused_and_cause_no_cooldown(guild: SimulatedGuild) -> None:
    for code in ("", "0", "hello", "🎯", "A" * 300, "'; DROP TABLE matches", "code:"):
        said = private_text(await guild.ben.slash(guild.channel, "velha replay", code=code))
        assert said == "No match has that code. You'll find a match's code in its review."
    await guild.ben.slash(guild.channel, "velha replay", code=Record(moves=(4, 0)).code)
    assert guild.page().text == "**Before the first move**"


# Hints of an older release


async def test_a_hint_of_an_older_release_can_be_read_and_plays_nothing(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    await guild.press_forged(guild.ben, custom_id(HintPage(Record(), 4), 0), guild.page())
    assert "🔎 **B2**" in guild.page().text
    assert not [label for label in guild.page().buttons if label.startswith("Play ")]
