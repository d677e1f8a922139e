"""Mistakes to try again: which come, in which order, and what is said at the end."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from discord import ui

from bot.domain.analysis import ReviewPage
from bot.domain.matches import Match, Place, Player
from bot.domain.mistakes import MistakePage, MistakeStep
from bot.domain.pages import Shortcut, ShortcutPage
from bot.domain.private import PrivatePage
from bot.domain.refusals import RefusalReason, Refused
from bot.features import analysis, mistakes
from bot.store.matches import prune
from engine import MISERE, TIC_TAC_TOE, Level, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import call, forget_person, save_choices, save_settings
from tests.bot.domain.test_analysis import TWO_EACH, judged
from tests.bot.example_matches import ANA, BEN, CHANNEL, NOON, RUI, SERVER, VELHA, over
from tests.bot.views.examples import buttons, targets, text_of, worths_on

TRY, SHOW = MistakeStep.TRY, MistakeStep.SHOW
NOBODY_ERRED = "B2 A1 C3 C1 B1 B3 A2 C2 A3"
LATER = 10_000
NOTHING = "Nothing to show yet. Start a match with `/velha start`."
NO_MISTAKE = "## Not one mistake in your latest matches!"


def played(number: int, moves: str = TWO_EACH, rules: Rules = TIC_TAC_TOE, **changes: Any) -> Match:
    """A match of Ana's, who is X, against Ben."""
    return over(number, moves=judged(moves, rules).record.moves, rules=rules, **changes)


def as_o(match: Match) -> Match:
    """The same with the sides swapped."""
    return replace(match, x=match.o, o=match.x)


async def shown(app: App, page: MistakePage | None = None, **by: Any) -> ui.LayoutView:
    pressed = context(app.backend.runtime, **by)
    return await mistakes.show(pressed, page or MistakePage())


def others(view: ui.LayoutView) -> list[Any]:
    """What the buttons of a view lead to, but for private matches."""
    return [page for page in targets(buttons(view)) if not isinstance(page, PrivatePage)]


async def run(
    app: App, page: MistakePage | None = None, **by: Any
) -> tuple[list[tuple[int, int]], str]:
    """The match and the ply of each mistake, none of which is tried, and what the end says."""
    found: list[tuple[int, int]] = []
    while True:
        view = await shown(app, page, **by)
        *_, page = others(view)
        if not isinstance(page, MistakePage):
            assert page == ShortcutPage(Shortcut.START)
            return found, text_of(view)
        if page.step is SHOW:
            assert isinstance(page.game, int)
            found.append((page.game, page.ply))


# Which come, and the end


async def test_one_s_own_mistakes_come_one_by_one_those_of_the_newest_match_first(app: App) -> None:
    app.add(played(1))
    app.add(as_o(played(2)))
    app.add(played(3, NOBODY_ERRED))
    app.add(played(4, x=Player(RUI)))
    expected = [(2, 2), (2, 6), (1, 3), (1, 5)]
    end = "## That's all of them\n0 of 4 right first time."
    assert await run(app) == (expected, end)


async def test_they_come_from_the_last_ten_matches(app: App) -> None:
    for number in range(1, 12):
        app.add(played(number))
    found, _end = await run(app)
    assert [match_id for match_id, _ply in found[::2]] == [*range(11, 1, -1)]


async def test_what_is_right_on_the_first_try_is_counted(app: App) -> None:
    app.add(played(1))
    right, wrong = 4, 8
    view = await shown(app, MistakePage(TRY, 1, 3, (wrong, right)))
    *_, page = others(view)
    view = await shown(app, page)
    tries = {page.tries[0]: page for page in targets(buttons(view))[:9] if page}
    *_, page = others(await shown(app, tries[7]))
    said = text_of(await shown(app, page))
    assert said == "## That's all of them\n1 of 2 right first time."


async def test_without_a_mistake_the_level_that_play_opens_is_offered(app: App) -> None:
    assert await run(app) == ([], NOTHING)
    app.add(played(1, NOBODY_ERRED))
    assert await run(app) == ([], f"{NO_MISTAKE}\nHow about **easy** next?")
    save_settings(app.store, SERVER, level=Level.HARD)
    assert await run(app) == ([], f"{NO_MISTAKE}\nHow about **hard** next?")
    assert await run(app, guild_id=SERVER + 1) == ([], f"{NO_MISTAKE}\nHow about **easy** next?")


@pytest.mark.parametrize(
    ("ply", "plies"), [(None, [6, 2]), (6, [6, 2]), (2, [2, 6]), (5, [2, 6]), (7, [2, 6])]
)
async def test_those_of_a_review_begin_with_the_one_it_shows(
    app: App, ply: int | None, plies: list[int]
) -> None:
    app.add(as_o(played(1)))
    found = []
    view = await analysis.show_review(context(app.backend.runtime), ReviewPage(1, ply))
    while after := [page for page in mistake_pages(view) if not page.tries]:
        view = await shown(app, after[0])
        if after[0].step is SHOW:
            found.append(after[0].ply)
    assert found == plies
    assert text_of(view) == "## That's all of them\n0 of 2 right first time."


def mistake_pages(view: ui.LayoutView) -> list[MistakePage]:
    return [page for page in targets(buttons(view)) if isinstance(page, MistakePage)]


# What is gone, and what is not one's own


async def test_a_match_that_is_gone_is_passed_over(app: App) -> None:
    app.add(played(1))
    app.add(played(3))
    gone = MistakePage(TRY, 2, 3, (8,), met=4, right=3)
    view = await shown(app, gone)
    *_, page = others(view)
    assert page == MistakePage(SHOW, 1, 3, (), met=4, right=3)
    *_, end = await run(app, gone)
    assert end.endswith("3 of 6 right first time.")


async def test_deleted_and_old_matches_are_passed_over(app: App) -> None:
    app.add(played(1))
    call(app.store, prune, NOON + timedelta(days=1), LATER)
    assert await run(app) == ([], NOTHING)
    app.add(played(2))
    forget_person(app.store, ANA, LATER)
    assert await run(app) == ([], NOTHING)


@pytest.mark.parametrize("step", [TRY, SHOW])
async def test_nobody_else_s_mistakes_are_shown(app: App, step: MistakeStep) -> None:
    app.add(played(7))
    assert text_of(await shown(app, MistakePage(step, 7, 3), user_id=RUI)) == NOTHING


@pytest.mark.parametrize(
    "page",
    [
        MistakePage(TRY, 7, 2),
        MistakePage(SHOW, 7, 1),
        MistakePage(TRY, 7, 60),
        MistakePage(TRY, 7, 3, (0,)),
        MistakePage(TRY, 7, 3, (24,)),
        MistakePage(SHOW, 7, 3, (1,)),
    ],
)
async def test_pages_to_which_no_button_leads_are_refused(app: App, page: MistakePage) -> None:
    app.add(played(7))
    with pytest.raises(Refused) as refused:
        await shown(app, page)
    assert refused.value.reason is RefusalReason.UNKNOWN_BUTTON


async def test_an_opponent_who_hides_or_played_elsewhere_is_not_named(app: App) -> None:
    app.add(as_o(played(1)))
    assert f"-# <@{BEN}> · you lost · <t:" in text_of(await shown(app))
    assert "-# someone · you lost" in text_of(await shown(app, guild_id=SERVER + 1))
    save_choices(app.store, BEN, is_hidden=True)
    assert "-# someone · you lost" in text_of(await shown(app))
    app.add(played(2, o=Player(VELHA, Level.EASY), place=Place(CHANNEL + 1, SERVER + 1, "en")))
    assert f"-# <@{VELHA}> (easy) · you won" in text_of(await shown(app))


# By the rules of the match


@pytest.mark.parametrize(
    ("rules", "moves"), [(TIC_TAC_TOE, TWO_EACH), (MISERE, "A1 A2 A3 C2 B1 C1 B3 B2")]
)
async def test_right_is_every_move_that_keeps_the_result_by_the_match_s_rules(
    app: App, rules: Rules, moves: str
) -> None:
    match = as_o(played(7, moves, rules))
    app.add(match)
    *_, show = others(await shown(app))
    board = match.record.boards[show.ply - 1]
    worths = worths_on(board)
    best = max(worth.value for worth in worths.values())
    for cell, worth in worths.items():
        *_, below = others(await shown(app, replace(show, step=TRY, tries=(cell,))))
        assert (below.step is MistakeStep.NEXT) is (worth.value == best)
