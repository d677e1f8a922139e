"""A word to the owner: what is posted to the webhook, and what is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import Config
from bot.ops.health import Health, monitored
from bot.ops.owner import Owner
from tests.bot.backend import App
from tests.bot.discord_address import use_discord_at
from tests.bot.fake_discord import OWNER_WEBHOOK, FakeDiscord
from tests.bot.processes import BotProcess, Spawn


@pytest.fixture(autouse=True)
def _at_the_fake_discord(discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch) -> None:
    use_discord_at(discord.url, monkeypatch.setattr)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"DISCORD_TOKEN": "token-refused"}, "Discord refused DISCORD_TOKEN"),
        ({"TURN_MINUTES": "soon"}, "TURN_MINUTES: it is not a whole number"),
        ({"DATABASE_URL": "sqlite:///velha.db/nowhere"}, "velha.db/nowhere cannot be opened"),
    ],
)
async def test_a_bot_that_waits_for_its_owner_says_so_before_it_ends(
    tmp_path: Path, discord: FakeDiscord, settings: dict[str, str], said: str
) -> None:
    (tmp_path / "velha.db").touch()
    bot = BotProcess.fork(discord.url, tmp_path, OWNER_WEBHOOK_URL=OWNER_WEBHOOK, **settings)
    assert await bot.wait() == 2
    (told,) = discord.told_owner
    assert told.startswith("Velha: ")
    assert said in told
    assert told.endswith("It has ended, and waits for you.")
    assert OWNER_WEBHOOK not in bot.log


async def test_of_what_ends_by_itself_nothing_is_said(
    tmp_path: Path, discord: FakeDiscord, spawn: Spawn
) -> None:
    settings = {"OWNER_WEBHOOK_URL": OWNER_WEBHOOK}
    away = BotProcess.fork(discord.url, tmp_path, DISCORD_TOKEN="token-broken", **settings)
    assert await away.wait() == 1
    running = await spawn(**settings)
    assert await running.terminate() == 0
    assert discord.told_owner == []


@pytest.mark.logs_errors
async def test_an_outage_of_the_database_is_told_once_it_lasts_and_once_it_is_over(
    app: App, unconnected_bot: VelhaBot, discord: FakeDiscord
) -> None:
    health = Health(unconnected_bot, owner=Owner(OWNER_WEBHOOK))

    async def be_away(checks: int) -> None:
        with app.store.engine.connect() as connection:
            connection.exec_driver_sql("ALTER TABLE processes RENAME TO elsewhere")
            for _ in range(checks):
                await health.check()
                app.now += timedelta(seconds=10)
            connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO processes")
        await health.check()

    await be_away(3)
    assert discord.told_owner == []
    await be_away(6)
    await discord.wait_until(lambda: len(discord.told_owner) > 1)
    reason = "no such table: processes"
    assert discord.told_owner == [
        f"Velha: The database takes no writes: {reason}. People get no answers.",
        "Velha: The database is well again, after 60 s. No move is lost.",
    ]


async def test_that_no_copies_are_made_is_told_once(
    app: App, unconnected_bot: VelhaBot, discord: FakeDiscord, here: Path, url: URL
) -> None:
    (here / "backups").mkdir()
    (here / "backups" / f"velha-{app.now - timedelta(days=9):%Y%m%d-%H%M%S}.db").touch()
    config = Config.from_env({"DISCORD_TOKEN": "t", "OWNER_WEBHOOK_URL": OWNER_WEBHOOK})
    async with monitored(unconnected_bot, replace(config, database_url=url)):
        await discord.wait_until(lambda: discord.told_owner)
    (told,) = discord.told_owner
    assert told.startswith("Velha: No copy was made in `backups` for 9 days.")


async def test_a_post_holds_no_secret_and_a_webhook_that_is_gone_only_a_warning(
    discord: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    await Owner(OWNER_WEBHOOK, secrets=["the-secret-token"]).tell_last("it is the-secret-token")
    assert discord.told_owner == ["Velha: it is ***"]
    gone = OWNER_WEBHOOK.replace("owner", "other")
    await Owner(gone).tell_last("Is anybody there?")
    (warning,) = caplog.messages
    assert warning.startswith("OWNER_WEBHOOK_URL: nothing was posted: 404")
    assert "other-other" not in caplog.text
