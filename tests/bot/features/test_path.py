"""The path as it is walked: what is stored when a match ends, and where the buttons lead."""

from __future__ import annotations

from bot.domain.match_actions import MatchAction
from bot.domain.matches import Match, Player, Setup, Trail
from bot.domain.path import Progress
from bot.features import path
from bot.features.privacy import export
from engine import INFINITE, TIC_TAC_TOE, Level
from tests.bot.backend import App, match_opened
from tests.bot.databases import both_databases, call, forget_person, save_choices
from tests.bot.example_matches import (
    ANA,
    BEN,
    DRAWN,
    O_WON,
    SERVER,
    make_bot_match,
    over,
    over_against_bot,
)
from tests.bot.features.test_counting import LATER

EASY, MEDIUM = Setup(TIC_TAC_TOE, Level.EASY), Setup(TIC_TAC_TOE, Level.MEDIUM)
INFINITE_EASY = Setup(INFINITE, Level.EASY)


def path_of(app: App, user_id: int = ANA) -> dict[Setup, Progress]:
    return dict(call(app.store, path.load, user_id))


@both_databases
async def test_progress_is_stored_for_each_person_and_stop(app: App) -> None:
    app.end(over_against_bot(1, DRAWN, Level.MEDIUM))
    app.end(over_against_bot(2, O_WON, Level.MEDIUM))
    app.end(over_against_bot(3, level=Level.EASY, x=Player(BEN)))
    app.end(over_against_bot(4, level=Level.CHILD))
    app.end(over_against_bot(5, level=Level.EASY, hints=1))
    assert path_of(app) == {MEDIUM: Progress(draws=1, losses=1)}
    assert path_of(app, BEN) == {EASY: Progress(is_passed=True)}
    drawn = app.end(over_against_bot(6, DRAWN, Level.MEDIUM))
    assert path_of(app) == {MEDIUM: Progress(draws=2, is_passed=True)}
    assert drawn.trail == Trail(MEDIUM, 2, 1, EASY, is_passed=True)


async def next_of(app: App, match: Match) -> Match:
    """The match to which the blue button of another leads."""
    place = match.place
    pressed = await app.press(
        match,
        MatchAction.NEXT,
        channel_id=place.channel_id,
        message_id=place.message_id,
        interaction_id=LATER,
    )
    return match_opened(pressed).match


async def test_what_is_next_is_one_press_away_on_another_board(app: App) -> None:
    won = app.end(over_against_bot(1))
    opened = await next_of(app, won)
    assert (opened.rules, opened.bot_level, opened.x) == (INFINITE, Level.EASY, Player(ANA))
    assert opened.trail == Trail(INFINITE_EASY, 0, 1)


async def test_a_match_that_another_takes_over_is_on_nobody_s_path(app: App) -> None:
    match = app.add(make_bot_match(level=Level.EASY, is_open=True, trail=Trail(EASY)))
    joined = await app.press(match, MatchAction.JOIN, BEN)
    assert isinstance(joined, Match)
    assert joined.trail is None


@both_databases
async def test_nothing_of_a_hidden_person_s_path_is_on_boards(app: App) -> None:
    won = app.end(over_against_bot(1))
    save_choices(app.store, ANA, is_hidden=True)
    assert app.load(won).trail is None
    opened = await next_of(app, won)
    assert opened.rules == INFINITE, "the button that was drawn leads on"
    again = app.end(over_against_bot(2, level=Level.MEDIUM))
    assert again.trail == Trail(None, following=INFINITE_EASY)
    assert path_of(app)[MEDIUM].is_passed


@both_databases
async def test_a_path_and_scores_in_servers_can_be_taken_along_and_deleted(app: App) -> None:
    app.end(over_against_bot(1))
    app.end(over(2))
    exported = await export(app.backend.runtime, ANA)
    assert exported["path"] == [{"goal": "3x3x3 EASY", "draws": 0, "losses": 0, "is_passed": True}]
    assert exported["server_scores"] == [{"server": SERVER, "won": 1, "drawn": 0, "lost": 0}]
    forget_person(app.store, ANA, before_id=LATER)
    exported = await export(app.backend.runtime, ANA)
    assert exported["path"] == exported["server_scores"] == []
    assert app.end(over_against_bot(3)).trail is None, "the wish came before the end"
