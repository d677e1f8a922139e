"""Reviews, replays and mistakes to try again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from discord import InteractionResponseType, ui

from bot.domain.analysis import ReviewPage, ReviewView
from bot.domain.matches import Ending, EndReason
from bot.domain.mistakes import MistakePage, MistakeStep
from bot.domain.pages import custom_id
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.tutorial import EXAMPLE_GAME, TutorialPage
from bot.features import analysis, mistakes
from engine import Record, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.example_matches import (
    ANA,
    BEN,
    CHANNEL,
    RUI,
    X_WON,
    make_bot_match,
    make_match,
)
from tests.bot.simulated_guild import SimulatedGuild, private_text
from tests.bot.views.examples import buttons, text_of

STOPPED = Ending(EndReason.STOPPED)
TRAPPED = Record(moves=(0, 4, 8, 2, 6, 3, 7))
"""Ben, who is O, throws the draw away with his second move."""


async def more(app: App, page: ReviewPage, **who: Any) -> str:
    """What a review has to say besides."""
    more = ReviewPage(page.game, page.ply, ReviewView.MORE)
    return text_of(await analysis.show_review(context(app.backend.runtime, **who), more))


async def show(app: App, page: ReviewPage | MistakePage, **who: Any) -> str:
    asked = context(app.backend.runtime, **who)
    if isinstance(page, ReviewPage):
        return text_of(await analysis.show_review(asked, page))
    return text_of(await mistakes.show(asked, page))


async def reason_not_to_show(app: App, page: ReviewPage | MistakePage, **who: Any) -> RefusalReason:
    with pytest.raises(Refused) as refused:
        await show(app, page, **who)
    return refused.value.reason


async def test_a_player_s_review_opens_at_their_own_mistake(app: App) -> None:
    match = app.add(make_match(moves=TRAPPED.moves))
    page = ReviewPage.of(match)
    better = "C1 · B1, A2, C2 or B3 would have saved the draw."
    assert (await show(app, page, user_id=BEN)).startswith(f"**Move 4, {better}")
    assert (await show(app, page, user_id=RUI)).startswith(f"**Move 4, ⭕ {better}")


async def test_who_lost_sees_what_the_bot_played_for_move_by_move(app: App) -> None:
    page = ReviewPage(app.add(make_bot_match("xx. ooo x..")).id, 5, ReviewView.REFUTATION)
    assert await show(app, page) == "**Your A3 let me play C2.**"
    won = await show(app, replace(page, shown=1))
    assert won == "**⭕ C2**\n**C2** completes a line and wins."
    with pytest.raises(Refused):
        await show(app, replace(page, shown=2))


async def test_opponents_are_named_only_where_they_played(app: App) -> None:
    page = ReviewPage.of(app.add(make_match(X_WON)))
    assert f"❌ <@{ANA}>  vs  ⭕ <@{BEN}>" in await more(app, page)
    assert f"❌ <@{ANA}>  vs  ⭕ someone" in await more(app, page, channel_id=CHANNEL + 1)


async def test_who_lost_to_the_bot_is_offered_a_rematch_in_the_review(app: App) -> None:
    page = ReviewPage.of(app.add(make_bot_match("xx. ooo x..")))
    for user_id, channel_id, label in (
        (ANA, CHANNEL, "Rematch"),
        (RUI, CHANNEL, "Play"),
        (ANA, CHANNEL + 1, "Play"),
    ):
        pressed = context(app.backend.runtime, user_id=user_id, channel_id=channel_id)
        view = await analysis.show_review(pressed, page)
        labels = [button.label for button in buttons(view)]
        assert labels[-2:] == [label, "More"]


@pytest.mark.parametrize(
    ("page", "user_id"),
    [
        (ReviewPage(99), ANA),
        (ReviewPage(7), RUI),
        (ReviewPage(8), ANA),
        (MistakePage(MistakeStep.TRY, 7, 1, in_review=True), RUI),
    ],
)
async def test_matches_that_are_gone_or_of_others_elsewhere_are_not_reviewed(
    app: App, page: ReviewPage | MistakePage, user_id: int
) -> None:
    app.add(make_match(X_WON, id=7))
    app.add(make_match("xx. oo. ...", id=8))
    reason = await reason_not_to_show(app, page, user_id=user_id, channel_id=CHANNEL + 1)
    assert reason is RefusalReason.UNKNOWN_MATCH


@pytest.mark.parametrize(
    "page",
    [
        ReviewPage(7, 6),
        ReviewPage(7, 2, ReviewView.REFUTATION),
        MistakePage(MistakeStep.TRY, 7, 6, in_review=True),
        MistakePage(MistakeStep.TRY, 7, 1, in_review=True),
        MistakePage(MistakeStep.TRY, 7, 2, (0,), in_review=True),
    ],
)
async def test_pages_that_a_match_does_not_have_are_refused(
    app: App, page: ReviewPage | MistakePage
) -> None:
    app.add(make_match(X_WON, id=7))
    assert await reason_not_to_show(app, page) is RefusalReason.UNKNOWN_BUTTON


async def test_the_command_reviews_the_newest_match_that_is_over_and_has_moves(app: App) -> None:
    async def review(channel_id: int = CHANNEL) -> str:
        asked = context(app.backend.runtime, user_id=RUI, channel_id=channel_id)
        return text_of(await analysis.review(asked))

    with pytest.raises(Refused) as refused:
        await review()
    assert refused.value.reason is RefusalReason.NOTHING_TO_REVIEW
    app.add(make_match("x.. .o. ...", id=1, early_ending=STOPPED))
    newest = app.add(make_match("xo. ... ...", id=2, early_ending=STOPPED))
    app.add(make_match(id=3, early_ending=STOPPED))
    app.add(make_match("xo. ... ...", id=4))
    assert await review() == await show(app, ReviewPage.of(newest), user_id=RUI)
    with pytest.raises(Refused):
        await review(CHANNEL + 1)


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
    assert guild.page().text == "This match is over. Start another with `/velha start`."


@pytest.mark.parametrize(
    ("older", "newer", "board"),
    [
        (ReviewPage(TRAPPED, 0), ReviewPage(TRAPPED, 1), "x.. ... ..."),
        (TutorialPage(EXAMPLE_GAME, path=(0,)), TutorialPage(EXAMPLE_GAME), ".o. .ox xxo"),
    ],
)
async def test_of_two_presses_at_once_only_the_newer_is_shown(
    guild: SimulatedGuild,
    older: ReviewPage | TutorialPage,
    newer: ReviewPage | TutorialPage,
    board: str,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    lesson, before = guild.page(), len(guild.requests())
    for page in (older, newer):
        guild.send_custom_id(guild.ben, custom_id(page, 0), lesson)
    await guild.env.settle()
    assert guild.page().board == board
    answers = [(request.json or {})["type"] for request in guild.env.http_requests[before:]]
    assert len(answers) == 2
    assert answers[0] == InteractionResponseType.deferred_message_update.value


# Replays


@pytest.mark.parametrize(
    "around",
    [
        "{}",
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
def test_a_code_is_read_as_it_is_pasted(around: str) -> None:
    assert analysis.parse_code(around.format(TRAPPED.code)) == TRAPPED
    assert analysis.parse_code(around.format(TRAPPED.code.lower())) == TRAPPED


@pytest.mark.parametrize("code", ["", "0", "🎯", "A" * 300, "'; DROP TABLE matches", "code:"])
def test_an_invalid_code_is_of_no_match(code: str) -> None:
    assert analysis.parse_code(code) is None


async def test_a_match_is_replayed_by_its_code_without_its_players(app: App) -> None:
    narrow = Record(Rules(5, 4, 4), (0, 5, 1, 6, 2, 7, 3))
    asked = context(app.backend.runtime)
    view = await analysis.replay(asked, narrow)
    rows = [row for row in view.walk_children() if isinstance(row, ui.ActionRow)]
    assert [len(row.children) for row in rows[:4]] == [5, 5, 5, 5]
    said = await more(app, ReviewPage(narrow))
    assert said.splitlines()[1] == "-# 5x4, 4 in a row wins · ❌ won"
    assert narrow.code in said


async def test_invalid_codes_cause_no_cooldown(guild: SimulatedGuild) -> None:
    for _ in range(6):
        said = private_text(await guild.ben.slash(guild.channel, "velha replay", code="hello"))
        assert said == "No match has that code. You'll find a match's code in its review."
    await guild.ben.slash(guild.channel, "velha replay", code=TRAPPED.code)
    assert guild.page().text == "**Before the first move**"
