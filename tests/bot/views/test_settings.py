"""The form of a server's settings."""

from __future__ import annotations

from typing import Any

import pytest
from discord import ui

from bot.domain.settings import MAX_CHANNELS, GuildSettings, Setting, SettingsForm, Tab
from bot.views.catalogues import LANGUAGE_BY_LOCALE
from bot.views.settings import settings_view
from tests.bot.custom_ids import parse_page
from tests.bot.languages import LONGEST, check_limits, spoken_by_all
from tests.bot.views.examples import EN

CHANNELS = tuple(range(2**63 - MAX_CHANNELS[Setting.CHANNELS], 2**63))
CROWDED = GuildSettings(channels=CHANNELS, puzzle_channel=CHANNELS[0])


@pytest.mark.parametrize("settings", [GuildSettings(), CROWDED])
@pytest.mark.parametrize("tab", Tab)
def test_every_control_of_the_form_leads_to_a_page(tab: Tab, settings: GuildSettings) -> None:
    view = settings_view(SettingsForm(settings, 30, tab=tab, may_change=True), EN)
    controls: list[Any] = [item for item in view.walk_children() if item.is_dispatchable()]
    assert len({item.custom_id for item in controls}) == len(controls)
    assert all(parse_page(item.custom_id) for item in controls)


def test_the_most_that_can_be_chosen_fits_in_a_message_for_members() -> None:
    with spoken_by_all(LONGEST) as language:
        check_limits(settings_view(SettingsForm(CROWDED, 30), language))


def test_more_languages_than_a_select_holds_are_offered_in_several() -> None:
    languages = ["en", *sorted({*LANGUAGE_BY_LOCALE.values()} - {"en"})]
    form = SettingsForm(GuildSettings(language="vi"), 30, may_change=True)
    view = settings_view(form, EN, languages)
    selects = [item for item in view.walk_children() if isinstance(item, ui.Select)]
    of_languages = [each for each in selects if "language" in each.custom_id]
    offered = [option.value for each in of_languages for option in each.options]
    assert offered == ["default", *languages]
    assert [option.value for option in of_languages[1].options if option.default] == ["vi"]
    assert of_languages[0].placeholder == "automatic (the server's, or the player's) … Svenska"
    assert {len(each.options) <= 25 for each in of_languages} == {True}
    assert len({item.id for item in selects}) == len(selects)
    assert {str(parse_page(each.custom_id)) for each in of_languages} == {
        "settings:boards:language:"
    }
