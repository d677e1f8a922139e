"""What follows from a server's settings for its matches."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.match_actions import MatchAction
from bot.domain.matches import Match
from bot.domain.refusals import RefusalReason
from bot.domain.settings import SettingValue
from engine import MISERE, TIC_TAC_TOE, Level
from tests.bot.backend import CHALLENGE, App, match_opened, match_request
from tests.bot.databases import save_settings
from tests.bot.example_matches import ANA, BEN, CHANNEL, SERVER, make_bot_match, make_match
from tests.bot.refusals import Refusal


async def test_a_match_is_opened_with_what_its_server_has_chosen(app: App) -> None:
    save_settings(app.store, SERVER, language="en", rules=MISERE, level=Level.HARD)
    match = (await app.open(match_request(7, ANA))).match
    assert (match.place.locale, match.rules, match.bot_level) == ("en", MISERE, Level.HARD)
    request = match_request(8, ANA, CHANNEL + 1, rules=TIC_TAC_TOE, level=Level.EASY)
    match = (await app.open(request)).match
    assert (match.rules, match.bot_level) == (TIC_TAC_TOE, Level.EASY)


async def test_a_start_is_refused_where_boards_may_not_be_opened(app: App) -> None:
    save_settings(app.store, SERVER, channels=(CHANNEL + 1,))
    refused = Refusal(RefusalReason.BOARDS_ELSEWHERE, channels=(CHANNEL + 1,))
    assert await app.matches.open(match_request(7, ANA)) == refused
    await app.open(match_request(7, ANA, CHANNEL + 1))
    await app.open(match_request(8, ANA, parent_id=CHANNEL + 1))


async def test_a_match_keeps_the_time_it_was_opened_with(app: App) -> None:
    save_settings(app.store, SERVER, turn_minutes=60)
    opened = await app.open(match_request(7, ANA))
    save_settings(app.store, SERVER, turn_minutes=5)
    hour = timedelta(hours=1)
    assert opened.match.deadline_at == app.now + hour
    app.now += timedelta(minutes=50)
    moved = await app.play(opened.match, 4)
    assert isinstance(moved, Match)
    assert moved.deadline_at == app.now + hour
    assert app.load(moved).turn_minutes == 60


async def test_a_challenge_has_a_time_of_its_own_and_later_turns_have_the_server_s(
    app: App,
) -> None:
    save_settings(app.store, SERVER, turn_minutes=180)
    opened = await app.open(match_request(7, ANA, opponent_id=BEN))
    assert opened.match.deadline_at == app.now + CHALLENGE
    accepted = await app.press(opened.match, MatchAction.ACCEPT, BEN)
    assert isinstance(accepted, Match)
    assert accepted.deadline_at == app.now + timedelta(hours=3)


async def test_a_rematch_uses_the_current_settings_except_for_board_and_level(
    app: App,
) -> None:
    over = app.add(make_bot_match("xxx oo. ...", Level.EASY))
    chosen: dict[str, SettingValue] = {
        "turn_minutes": 5,
        "language": "en",
        "rules": MISERE,
        "level": Level.CHILD,
    }
    save_settings(app.store, SERVER, **chosen)
    opened = match_opened(await app.press(over, MatchAction.REMATCH))
    match = opened.match
    assert (match.turn_minutes, match.place.locale) == (5, "en")
    assert match.deadline_at == app.now + timedelta(minutes=5)
    assert (match.rules, match.bot_level) == (over.rules, Level.EASY)


async def test_a_rematch_is_refused_where_boards_may_not_be_opened(app: App) -> None:
    over = app.add(make_match("xxx oo. ..."))
    save_settings(app.store, SERVER, channels=(CHANNEL + 1,))
    refused = Refusal(RefusalReason.BOARDS_ELSEWHERE, channels=(CHANNEL + 1,))
    assert await app.press(over, MatchAction.REMATCH) == refused
    assert app.load(over) == over
    asked_in_thread = await app.press(over, MatchAction.REMATCH, parent_id=CHANNEL + 1)
    assert isinstance(asked_in_thread, Match)
