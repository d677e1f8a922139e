"""The form of a server's settings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord import ui

from bot.domain.settings import MAX_CHANNELS, GuildSettings, Setting, SettingsForm, Tab
from bot.views.catalogues import LANGUAGE_BY_LOCALE, LANGUAGES
from bot.views.i18n import language_for
from bot.views.settings import settings_view
from tests.bot.custom_ids import parse_page
from tests.bot.views.examples import buttons_in, text_of

FORMS = [SettingsForm(GuildSettings(), 30, tab=tab, may_change=True) for tab in Tab]
CHANNELS = tuple(range(2**63 - MAX_CHANNELS[Setting.CHANNELS], 2**63))
CROWDED = GuildSettings(channels=CHANNELS, puzzle_channel=CHANNELS[0])


@pytest.mark.parametrize("form", [*FORMS, *(replace(form, settings=CROWDED) for form in FORMS)])
def test_every_control_of_the_form_leads_to_a_page_and_all_fit(form: SettingsForm) -> None:
    """Discord allows 40 components a message, and 25 options a select."""
    for language in LANGUAGES:
        view = settings_view(form, language_for(language))
        controls = buttons_in(view)
        assert view.total_children_count <= 40
        assert len({item.custom_id for item in controls}) == len(controls)
        for item in controls:
            assert parse_page(item.custom_id) is not None
            assert len(getattr(item, "options", ())) <= 25


def test_more_languages_than_a_select_holds_are_offered_in_several() -> None:
    languages = ["en", *sorted({*LANGUAGE_BY_LOCALE.values()} - {"en"})]
    form = SettingsForm(GuildSettings(language="vi"), 30, may_change=True)
    view = settings_view(form, language_for("en"), languages)
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


def test_the_summary_for_people_who_may_only_look_fits_in_a_message() -> None:
    form = SettingsForm(CROWDED, 30)
    views = [settings_view(form, language_for(code)) for code in LANGUAGES]
    assert all(len(text_of(view)) <= 4000 for view in views)


@pytest.mark.parametrize("gave_up", [False, True])
def test_the_form_says_that_posting_the_puzzle_was_given_up(*, gave_up: bool) -> None:
    settings = GuildSettings(puzzle_channel=1)
    form = SettingsForm(settings, 30, tab=Tab.DAILY, may_change=True, gave_up_posting=gave_up)
    text = text_of(settings_view(form, language_for("en")))
    assert ("⚠️ I couldn't post there for three days" in text) is gave_up
