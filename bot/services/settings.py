"""The settings of servers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from bot.domain.matches import Place
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.settings import Setting, SettingsForm, parse_setting
from bot.services.executor import Executor, for_answer
from bot.store.store import Store


class SettingsService:
    """Reads and changes the settings of servers.

    They are read from the database each time, so a change applies in every process.
    """

    def __init__(
        self, store: Store, executor: Executor, languages: Sequence[str], turn_limit: timedelta
    ) -> None:
        """`languages` are those that boards may be in; `turn_limit` is the host's default."""
        self.executor = executor
        self._languages = languages
        self._turn_minutes = turn_limit // timedelta(minutes=1)
        self._table = store.settings
        self._puzzle_posts = store.puzzle_posts

    @for_answer
    def form(self, guild_id: int) -> SettingsForm:
        return self._load_form(guild_id)

    @for_answer
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
        return self._load_form(guild_id)

    def _load_form(self, guild_id: int) -> SettingsForm:
        settings = self._table.load(guild_id)
        is_posting = settings.puzzle_channel is not None
        has_given_up = is_posting and self._puzzle_posts.has_given_up(guild_id)
        return SettingsForm(settings, self._turn_minutes, has_given_up_posting=has_given_up)

    @for_answer
    def language_in(self, place: Place) -> str:
        """The language of boards in a place: what the server has chosen, or else Discord's."""
        return self._table.load_for(place).language or place.locale
