"""The settings of servers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from bot.domain.matches import Place
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import GuildSettings, Setting, SettingsForm, parse_setting
from bot.services.executor import Executor, in_time
from bot.store.settings import SettingsTable
from bot.store.store import Store


class SettingsService:
    """What servers have chosen, read from the database each time, so it holds in every process.

    `languages` are those that boards may be in; `turn_limit` is the host's default.
    """

    def __init__(
        self, store: Store, executor: Executor, languages: Sequence[str], turn_limit: timedelta
    ) -> None:
        self.executor = executor
        self._languages = languages
        self._turn_minutes = turn_limit // timedelta(minutes=1)
        self._table = store.settings
        self._puzzle_posts = store.puzzle_posts

    @in_time
    def settings(self, guild_id: int) -> SettingsForm:
        return self._settings(guild_id)

    @in_time
    def choose(
        self, guild_id: int, setting: Setting, names: Collection[str], locale: str = ""
    ) -> SettingsForm | Refusal:
        """Set a server's setting to the values that a select or a button names.

        `locale` is the language of its puzzle posts unless it has chosen one.
        """
        choice = parse_setting(setting, names, self._languages)
        if choice is None:
            return Refusal(RefusalReason.UNKNOWN_OPTION)
        self._table.update(guild_id, choice)
        if setting is Setting.PUZZLE_CHANNEL:
            self._puzzle_posts.restart(guild_id, locale)
        return self._settings(guild_id)

    def _settings(self, guild_id: int) -> SettingsForm:
        choices = self._table.load(guild_id)
        is_posting = choices.puzzle_channel is not None
        has_given_up = is_posting and self._puzzle_posts.has_given_up(guild_id)
        return SettingsForm(choices, self._turn_minutes, has_given_up_posting=has_given_up)

    @in_time
    def language_in(self, place: Place) -> str:
        """The language of boards in a place: what the server has chosen, or else Discord's."""
        return settings_in(self._table, place).language or place.locale


def settings_in(table: SettingsTable, place: Place) -> GuildSettings:
    """What the server of a place has chosen; the defaults in direct messages."""
    return GuildSettings() if place.guild_id is None else table.load(place.guild_id)


def channel_refusal(
    choices: GuildSettings, channel_id: int, parent_id: int | None
) -> Refusal | None:
    """Why no board may be opened in a channel, or a thread of `parent_id`; None if one may."""
    if choices.allows_boards_in(channel_id, parent_id):
        return None
    return Refusal(RefusalReason.BOARDS_ELSEWHERE, channels=choices.channels)
