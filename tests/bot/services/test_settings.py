"""The settings of a server, and what follows from them."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.match_actions import BoardChanged, MatchAction
from bot.domain.matches import MatchOpened, Place
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import GuildSettings, Setting, SettingValue
from engine import MISERE, Level
from tests.bot.backend import CHALLENGE, App, match_request
from tests.bot.databases import both_databases
from tests.bot.example_matches import ANA, BEN, CHANNEL, SERVER, make_bot_match, make_match
from tests.bot.services.test_privacy import ELSEWHERE, rows_of_guild


@both_databases
async def test_a_setting_holds_at_once_in_another_process_and_changes_no_other(app: App) -> None:
    await app.services.settings.choose(SERVER, Setting.LEVEL, ["EASY"])
    app.other_store.settings.update(SERVER, {"channels": (5, 6), "has_ranking": False})
    await app.services.settings.choose(SERVER, Setting.BOARD, ["misere"])
    everything = GuildSettings(level=Level.EASY, rules=MISERE, channels=(5, 6), has_ranking=False)
    assert (await app.services.settings.form(SERVER)).settings == everything
    assert app.other_store.settings.load(SERVER) == everything
    assert app.other_store.settings.load(ELSEWHERE) == GuildSettings()


async def test_a_setting_can_be_reset_to_its_default(app: App) -> None:
    for setting, name in ((Setting.TURN, "5"), (Setting.LANGUAGE, "en")):
        await app.services.settings.choose(SERVER, setting, [name])
        await app.services.settings.choose(SERVER, setting, ["default"])
    await app.services.settings.choose(SERVER, Setting.CHANNELS, ["5"])
    await app.services.settings.choose(SERVER, Setting.CHANNELS, [])
    assert (await app.services.settings.form(SERVER)).settings == GuildSettings()


async def test_a_value_that_is_not_offered_is_refused_and_not_stored(app: App) -> None:
    refused = await app.services.settings.choose(SERVER, Setting.TURN, ["1"])
    assert refused == Refusal(RefusalReason.UNKNOWN_OPTION)
    assert rows_of_guild(app, SERVER) == 0


async def test_a_server_s_chosen_language_wins_over_discord_s(app: App) -> None:
    here, dm = Place(CHANNEL, SERVER, "pt-BR"), Place(CHANNEL, None, "pt-BR")
    assert await app.services.settings.language_in(here) == "pt-BR"
    await app.services.settings.choose(SERVER, Setting.LANGUAGE, ["en"])
    assert await app.services.settings.language_in(here) == "en"
    assert await app.services.settings.language_in(dm) == "pt-BR"


async def test_a_match_keeps_the_time_it_was_opened_with(app: App) -> None:
    app.store.settings.update(SERVER, {"turn_minutes": 60})
    opened = await app.services.matches.open(match_request(7, ANA))
    assert isinstance(opened, MatchOpened)
    app.store.settings.update(SERVER, {"turn_minutes": 5})
    hour = timedelta(hours=1)
    assert opened.match.deadline_at == app.now + hour
    app.now += timedelta(minutes=50)
    moved = await app.play(opened.match, 4)
    assert isinstance(moved, BoardChanged)
    assert moved.match.deadline_at == app.now + hour
    assert app.load(moved.match).turn_minutes == 60


async def test_a_challenge_has_a_time_of_its_own_and_later_turns_have_the_server_s(
    app: App,
) -> None:
    app.store.settings.update(SERVER, {"turn_minutes": 180})
    opened = await app.services.matches.open(match_request(7, ANA, opponent_id=BEN))
    assert isinstance(opened, MatchOpened)
    assert opened.match.deadline_at == app.now + CHALLENGE
    accepted = await app.press(opened.match, MatchAction.ACCEPT, BEN)
    assert isinstance(accepted, BoardChanged)
    assert accepted.match.deadline_at == app.now + timedelta(hours=3)


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
    app.store.settings.update(SERVER, chosen)
    opened = await app.press(over, MatchAction.REMATCH)
    assert isinstance(opened, MatchOpened)
    match = opened.match
    assert (match.turn_minutes, match.place.locale) == (5, "en")
    assert match.deadline_at == app.now + timedelta(minutes=5)
    assert (match.rules, match.bot_level) == (over.rules, Level.EASY)


async def test_a_rematch_is_refused_where_boards_may_not_be_opened(app: App) -> None:
    over = app.add(make_match("xxx oo. ..."))
    app.store.settings.update(SERVER, {"channels": (CHANNEL + 1,)})
    refused = Refusal(RefusalReason.BOARDS_ELSEWHERE, channels=(CHANNEL + 1,))
    assert await app.press(over, MatchAction.REMATCH) == refused
    assert app.load(over) == over
    asked_in_thread = await app.press(over, MatchAction.REMATCH, parent_id=CHANNEL + 1)
    assert isinstance(asked_in_thread, BoardChanged)
