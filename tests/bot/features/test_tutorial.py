"""`/velha learn`: its pictures, and where its pages lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.analysis import ReviewPage
from bot.domain.pages import custom_id
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from bot.features import tutorial
from engine import Record, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild
from tests.bot.views.examples import buttons, text_of


def shown_picture(guild: SimulatedGuild, seen: SeenMessage) -> str:
    """The address of the one picture that a message shows, which is attached to it."""
    [gallery] = [item for item in seen.payload["components"][0]["components"] if item["type"] == 12]
    [item] = gallery["items"]
    [attached] = seen.payload["attachments"]
    assert item["media"]["url"] == attached["url"]
    assert item["description"]
    png = guild.env.backend.cdn.get(attached["url"])
    assert png is not None
    assert png.startswith(b"\x89PNG")
    return str(attached["url"])


async def test_each_page_of_a_tree_has_its_own_picture_and_the_last_page_none(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    first = guild.page()
    assert first.board == ".o. .ox xxo"
    pictures = {shown_picture(guild, first)}
    for label, board in (("A1", "xo. .ox xxo"), ("C1", "xoo .ox xxo"), ("Up", "xo. .ox xxo")):
        await guild.press(guild.ben, label, guild.page())
        pictures.add(shown_picture(guild, guild.page()))
        assert guild.page().board == board
    assert len(pictures) == 4, "each edit brings its own"
    assert guild.page().id == first.id, "all in one message"
    last = custom_id(TutorialPage(EXAMPLE_GAME, Chapter.WRITE), 0)
    await guild.press_forged(guild.ben, last, guild.page())
    assert guild.page().payload["attachments"] == []


@pytest.mark.parametrize(
    ("page", "has_picture"),
    [
        (TutorialPage(EXAMPLE_GAME, Chapter.WATCH), True),
        (TutorialPage(Record(Rules(5, 5, 5), (6,))), False),
        (TutorialPage(Record(Rules(5, 5, 5), (6,)), Chapter.NUMBERS), True),
    ],
)
async def test_a_page_has_a_picture_where_there_is_something_to_draw(
    app: App, page: TutorialPage, *, has_picture: bool
) -> None:
    asked = context(app.backend.runtime)
    await tutorial.show_page(asked, page)
    assert [png.startswith(b"\x89PNG") for _name, png in asked.files] == [True] * has_picture


async def test_a_lost_match_leads_from_its_review_into_the_lesson_at_the_turning_point(
    guild: SimulatedGuild,
) -> None:
    lost = Record(moves=(0, 4, 1, 2, 8, 6))  # ❌ let the diagonal be
    await guild.ben.slash(guild.channel, "velha help")
    await guild.press_forged(guild.ben, custom_id(ReviewPage(lost), 0), guild.page())
    await guild.press(guild.ben, "How I saw it", guild.page())
    await guild.press(guild.ben, "How do you find that?", guild.page())
    lesson = guild.page()
    assert lesson.text.startswith("## 1/5 · The game tree\n")
    assert lesson.board == "xxo .o. ..x"


async def test_the_last_page_links_to_the_guide_where_the_host_says_it_is(app: App) -> None:
    runtime = replace(app.backend.runtime, source_url="https://git.example/velha")
    page = TutorialPage(EXAMPLE_GAME, Chapter.WRITE)
    in_portuguese = context(runtime, locales=("pt-BR", "pt-BR"))
    view = await tutorial.show_page(in_portuguese, page)
    links = [button.url for button in buttons(view) if button.url]
    assert links == [
        "https://git.example/velha/blob/HEAD/docs/pt-BR/WRITE-YOUR-OWN.md",
    ]
    assert "source code" not in text_of(await tutorial.show_page(context(runtime), page))


@pytest.mark.logs_errors
async def test_it_is_about_the_example_whatever_is_played_also_while_the_database_is_away(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    guild.break_database()
    await guild.ben.slash(guild.channel, "velha learn")
    assert guild.page().board == ".o. .ox xxo"
    await guild.press(guild.ben, "A1", guild.page())
    assert guild.page().board == "xo. .ox xxo"
