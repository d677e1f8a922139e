"""The custom_ids of pages, which stay as they are for as long as there are buttons."""

from __future__ import annotations

from datetime import date

import pytest

from bot.domain.analysis import ReviewPage, ReviewView
from bot.domain.match_actions import ConcedePage, HintMovePage, HintPage, RematchPage, RestartPage
from bot.domain.matches import FirstPlayer, PrivateMatch
from bot.domain.mistakes import MistakePage, MistakeStep
from bot.domain.moments import MomentPage, MomentTry
from bot.domain.pages import Page, Shortcut, ShortcutPage, custom_id
from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.domain.private import PrivateAction, PrivatePage
from bot.domain.puzzles import PracticePage, PuzzlePage, SharePage
from bot.domain.settings import Setting, SettingsPage, Tab
from bot.domain.stats import Leaderboard, RankingPage, StatsPage
from bot.domain.tutorial import Chapter, Leaves, TutorialPage
from engine import MISERE, Grade, Level, Mark, Record, Rules
from tests.bot.custom_ids import parse_page

GAME = Record(moves=(4, 0))
PRIVATE = PrivateMatch(GAME, Level.EASY, Mark.O, 1)
DAY = date(2026, 12, 1)

WRITTEN: dict[Page, str] = {
    ReviewPage(7): "review:#7:",
    ReviewPage(GAME): "review:GAME:",
    ReviewPage(GAME, 0): "review:GAME:0",
    ReviewPage(GAME, None, ReviewView.MORE): "review:GAME::more",
    ReviewPage(7, 2, ReviewView.MORE): "review:#7:2:more",
    ReviewPage(7, 2, ReviewView.REFUTATION): "review:#7:2:saw",
    ReviewPage(7, 2, ReviewView.REFUTATION, 3): "review:#7:2:saw:3",
    MistakePage(): "mistake:next",
    MistakePage(MistakeStep.TRY, 7, 4): "mistake:try:#7:4",
    MistakePage(MistakeStep.SHOW, 7, 4, (0, 24), 3, 1): "mistake:show:#7:4:ay:3:1",
    MistakePage(MistakeStep.TRY, GAME, 2, in_review=True): "mistake:try:GAME:2::0:0:1",
    TutorialPage(GAME): "learn:GAME:1",
    TutorialPage(GAME, Chapter.NUMBERS): "learn:GAME:2",
    TutorialPage(GAME, Chapter.NUMBERS, (1, 2)): "learn:GAME:2:bc",
    TutorialPage(GAME, Chapter.NUMBERS, (1, 2), 2): "learn:GAME:2:bc:2",
    TutorialPage(GAME, Chapter.NUMBERS, (), 0): "learn:GAME:2::0",
    TutorialPage(GAME, Chapter.NUMBERS, (), 0, 1): "learn:GAME:2::0:1",
    TutorialPage(GAME, Chapter.WATCH, step=5, code=True): (
        "learn:GAME:3::::5:3.12.8.2.4.6.14.5.2:1"
    ),
    TutorialPage(Record()): f"learn:{Record().code}:1",
    PuzzlePage(DAY): "puzzle:2026-12-01:",
    PuzzlePage(DAY, (0, 24)): "puzzle:2026-12-01:ay",
    PuzzlePage(DAY, (0,), 3): "puzzle:2026-12-01:a:3",
    PracticePage(DAY): "practice:2026-12-01:",
    PracticePage(DAY, (0,), 3): "practice:2026-12-01:a:3",
    SharePage(DAY, Grade.HARD, 2): "share:2026-12-01:3:2",
    MomentPage(GAME): "moment:GAME",
    MomentTry(7, 24): "find:7:24",
    PrivacyPage(): "privacy:show",
    PrivacyPage(PrivacyAction.ASK_TO_DELETE_SERVER): "privacy:askserver",
    StatsPage(7): "stats:7",
    RankingPage(): "ranking:",
    RankingPage(Leaderboard.MONTH): "ranking:month",
    RankingPage(Leaderboard.FRIENDS): "ranking:friends",
    SettingsPage(Tab.DAILY): "settings:daily::",
    SettingsPage(Tab.BOARDS, Setting.BOARD): "settings:boards:rules:",
    SettingsPage(Tab.DAILY, Setting.RANKING, "False"): "settings:daily:has_ranking:False",
    HintPage(7, 2): "hint:7:2",
    HintPage(7, 2, 8): "hint:7:2:8",
    HintMovePage(7, 2, 8): "move:7:2:8",
    ConcedePage(7, 2): "concede:7:2",
    RematchPage(7): "rematch:7",
    PrivatePage(PRIVATE): "own:GAME.EASY.o.1",
    PrivatePage(PrivateMatch(GAME, Level.EASY, Mark.X)): "own:GAME.EASY.x",
    PrivatePage(PrivateMatch(GAME, Level.EASY, Mark.X), cell=8): "own:GAME.EASY.x:play:8",
    PrivatePage(PRIVATE, PrivateAction.DESCRIBE): "own:GAME.EASY.o.1:describe",
    ReviewPage(PRIVATE, 2): "review:GAME.EASY.o.1:2",
    RestartPage(None): "restart::::",
    RestartPage(7): "restart:7:::",
    RestartPage(7, MISERE, Level.EASY, FirstPlayer.RANDOM): "restart:7:misere:EASY:random",
    ShortcutPage(Shortcut.LAST_MATCHES): "shortcut:lastmatches",
}


@pytest.mark.parametrize(("page", "text"), WRITTEN.items())
def test_a_page_has_one_spelling(page: Page, text: str) -> None:
    written = f"velha:{text.replace('GAME', GAME.code)}:0"
    assert custom_id(page, 0) == written
    assert parse_page(written) == page


WIDE = Rules(5, 5, 5)
FIRST_MOVES = (0, 1, 2, 3, 5, 4, 6, 7, 8, 9, 11, 10, 12, 13, 14, 15)
THE_REST = (17, 16, 18, 19, 21, 20, 22, 23)


@pytest.mark.parametrize(
    "page",
    [
        TutorialPage(Record(WIDE), Chapter.NUMBERS, (*FIRST_MOVES, *THE_REST), 2),
        TutorialPage(
            Record(WIDE, FIRST_MOVES),
            Chapter.NUMBER_TREE,
            answer=1,
            step=499,
            leaves=Leaves((-19,) * 9),
            code=True,
        ),
        MistakePage(MistakeStep.SHOW, 2**63 - 1, 60, tuple(range(25)), 999, 999, in_review=True),
        MistakePage(
            MistakeStep.SHOW,
            PrivateMatch(Record(WIDE, (*FIRST_MOVES, *THE_REST)), Level.IMPOSSIBLE, Mark.X, 23),
            24,
            tuple(range(25)),
            999,
            999,
            in_review=True,
        ),
    ],
)
def test_the_longest_pages_fit_on_a_button(page: Page) -> None:
    assert parse_page(custom_id(page, 99)) == page
    assert len(custom_id(page, 99)) <= 100
