"""`/velha learn`, as people see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord import ComponentType, InteractionResponseType

from bot.domain.analysis import ReviewPage
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from bot.features import tutorial
from engine import INFINITE, Record, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text
from tests.bot.views.examples import EN, PT, buttons, text_of

MINUS_ONE = "\N{MINUS SIGN}1"
MINUS_FIVE = "\N{MINUS SIGN}5"


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


async def open_chapter(guild: SimulatedGuild, chapter: Chapter) -> None:
    """Show a chapter's first page, about the example."""
    await guild.ben.slash(guild.channel, "velha learn")
    page = TutorialPage(EXAMPLE_GAME, chapter)
    await guild.press_forged(guild.ben, custom_id(page, 0), guild.page())


async def press_all(guild: SimulatedGuild, *labels: str) -> list[str]:
    """What the lesson said after each press."""
    said = []
    for label in labels:
        await guild.press(guild.ben, label, guild.page())
        said.append(guild.page().text)
    return said


async def test_each_step_down_the_tree_and_up_again_has_a_diagram(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    first = guild.page()
    assert first.text.startswith("## 1/7 · The game tree\n")
    assert first.board == ".o. .ox xxo"
    pictures = {shown_picture(guild, first)}
    boards = []
    for label in ("A1", "C1", "A2", "Up", "Up", "Up"):
        await guild.press(guild.ben, label, guild.page())
        pictures.add(shown_picture(guild, guild.page()))
        boards.append(guild.page().board)
    down = ["xo. .ox xxo", "xoo .ox xxo", "xoo xox xxo"]
    assert boards == [*down, *down[1::-1], first.board]
    assert len(pictures) == 7, "each edit brings its own"
    assert guild.page().id == first.id, "all in one message"
    assert "Up" not in guild.page().labels


async def test_a_leaf_says_who_has_won_and_a_mark_leads_back_to_where_it_was_made(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    *_, leaf = await press_all(guild, "A1", "C1", "A2")
    assert "❌ has won. This is a **leaf**" in leaf
    await guild.press(guild.ben, "C1", guild.page())  # its mark
    assert guild.page().board == "xo. .ox xxo"


async def test_it_asks_who_wins_and_then_for_the_numbers_along_the_path(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    assert "who wins?" in guild.page().text
    told, asked, wrong, right = await press_all(guild, "A draw", "Next", "+1", "0")
    assert "Right! If nobody makes a mistake, it's a draw." in told
    assert "Which number goes here?" in asked
    assert "Not quite. Try once more!" in wrong
    assert "Which number goes here?" in wrong, "it is asked again"
    assert "Right! ⭕ takes the **smallest**" in right
    top, told = await press_all(guild, "Up", "0")
    assert "Which number goes here?" in top
    assert "Right! ❌ takes the **largest** (max): **0**, with **A1**." in told


async def test_a_search_is_watched_step_by_step_and_what_it_skips_is_asked(
    guild: SimulatedGuild,
) -> None:
    await open_chapter(guild, Chapter.WATCH)
    assert "I skip what can't matter: that's **alpha-beta**." in guild.page().text
    assert "▶ for v in child_values:" in guild.page().text
    visit, *_, leaf, better, asked = await press_all(guild, *"▶▶▶▶▶")
    assert "❌ tries **A1**. Here ⭕ chooses, and takes the **smallest**." in visit
    assert "❌ tries **A2**: that's **+1**." in leaf
    assert "▶ if leaf: return number" in leaf
    assert "Nothing is left to search here. ❌ takes the largest: **+1**." in better
    assert "Do I search the next branch, or skip it?" in asked
    assert "beta, ⭕ allows at most: **+1**" in asked
    [wrong] = await press_all(guild, "Skip it")
    assert "Not quite. ❌ has nothing elsewhere yet, so I must search it." in wrong
    cut, before, right = await press_all(guild, "Next cut", "◀", "Skip it")
    assert "**Cut!** ❌ has **0** elsewhere, so it won't come here. 1 branch is never" in cut
    assert "▶  if alpha >= beta: break" in cut
    assert "Do I search the next branch, or skip it?" in before
    assert (
        f"Right! ❌ can get **0** elsewhere. Here it's **{MINUS_ONE}** at most, whatever" in right
    )
    [end] = await press_all(guild, "End")
    assert "Done: **0**. I looked at 4 of 6 leaves" in end


async def test_a_picture_s_alternative_text_says_what_happens(guild: SimulatedGuild) -> None:
    await open_chapter(guild, Chapter.WATCH)
    await press_all(guild, "Next cut")
    [gallery] = [
        item
        for item in guild.page().payload["components"][0]["components"]
        if item["type"] == ComponentType.media_gallery.value
    ]
    assert gallery["items"][0]["description"] == (
        "Cut! ❌ has 0 elsewhere, so it won't come here. 1 branch is never searched. "
        f"alpha, ❌ gets at least: 0 · beta, ⭕ allows at most: {MINUS_ONE}"
    )


async def test_one_s_own_numbers_are_changed_and_then_watched(guild: SimulatedGuild) -> None:
    await open_chapter(guild, Chapter.NUMBER_TREE)
    *_, own = await press_all(guild, "Next cut", "Next")
    assert "Alpha-beta looks at **7** of 9." in own
    assert guild.page().labels[:8] == ["3", "12", "8", "2", "4", "6", "14", "5"]
    *_, changed = await press_all(guild, "14", MINUS_FIVE, MINUS_FIVE, MINUS_ONE)
    assert "**5** of 9: the fewest possible." in changed
    assert "14" not in guild.page().labels
    [watched] = await press_all(guild, "Watch it")
    assert "4/7 · A tree of numbers" in watched
    [end] = await press_all(guild, "End")
    assert "I looked at 5 of 9 leaves" in end
    [back] = await press_all(guild, "Next")
    assert "**5** of 9" in back, "the numbers are kept"


async def test_the_later_chapters_can_be_stepped_through(guild: SimulatedGuild) -> None:
    await open_chapter(guild, Chapter.ORDER)
    order, memory, told = await press_all(guild, "b", "Next", "d")
    assert "Right! It looks at 9 numbers in **a**, 5 in **b**" in order
    assert "very same board as **a**" in memory
    assert "Right! **d** is **a** again." in told
    sooner, right = await press_all(guild, "Next", "C3")
    assert "Which would you take?" in sooner
    assert "Right! **C3** wins now" in right
    asked, wrong = await press_all(guild, "Next", "A draw")
    assert "❌ takes **C3**. Who wins then?" in asked
    assert "Try once more!" in wrong
    assert "Depth 3" not in guild.page().labels, "first the answer"
    horizon = TutorialPage(EXAMPLE_GAME, Chapter.HORIZON, answer=0)
    await guild.press_forged(guild.ben, custom_id(horizon, 0), guild.page())
    assert "At depth **1**, ❌ takes **C3**. Then ⭕ can force a win" in guild.page().text
    three, trap, right = await press_all(guild, "Depth 3", "Next", "B2")
    assert "finds **D1**, a sure win" in three
    assert "I'm ❌ and played **C3**. Which reply saves you?" in trap
    assert "Right! Only **B2** holds; the other 6 lose." in right
    [last] = await press_all(guild, "Next")
    assert "python3 -m engine --check tictactoe.py" in last
    assert "`docs/en/WRITE-YOUR-OWN.md`, in my source code" in last
    assert guild.page().payload["attachments"] == [], "no picture is left behind"
    assert {"Back", "Play"} == {*guild.page().labels}


async def test_a_lost_match_leads_from_its_review_into_the_lesson_at_the_turning_point(
    guild: SimulatedGuild,
) -> None:
    lost = Record(moves=(0, 4, 1, 2, 8, 6))  # ❌ let the diagonal be
    page = ReviewPage(lost)
    await guild.ben.slash(guild.channel, "velha help")
    await guild.press_forged(guild.ben, custom_id(page, 0), guild.page())
    review = guild.page()
    assert "See what the bot saw" in review.labels
    await guild.press(guild.ben, "See what the bot saw", review)
    lesson = guild.page()
    assert lesson.text.startswith("## 1/7 · The game tree\n")
    assert lesson.board == "xxo .o. ..x"
    [answer] = await press_all(guild, "A draw")
    assert "Try once more!" in answer


async def test_of_two_presses_at_once_only_the_newer_is_shown(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    lesson, before = guild.page(), len(guild.requests())
    for label in ("A1", "C1"):
        guild.send_press(guild.ben, label, lesson)
    await guild.env.settle()
    assert guild.page().board == ".ox .ox xxo"
    answers = [request.json or {} for request in guild.env.http_requests[before:]]
    assert answers[0]["type"] == InteractionResponseType.deferred_message_update.value
    assert len(answers) == 2


async def test_it_is_about_the_example_whatever_is_played_in_the_channel(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await guild.ben.slash(guild.channel, "velha learn")
    assert guild.page().board == ".o. .ox xxo"
    old = custom_id(ShortcutPage(Shortcut.MY_MATCH), 1)
    await guild.press_forged(guild.ben, old, guild.page())
    assert guild.page().board == ".o. .ox xxo"
    await guild.resign(guild.ben)
    assert "hint" not in guild.text()


async def test_an_older_release_s_buttons_lead_to_the_chapters_of_this_one(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    for chapter, title in enumerate(("The game tree", "What the numbers mean"), 1):
        old = f"velha:learn:{Record(moves=(4, 0)).code}:{chapter}:1"
        await guild.press_forged(guild.ben, old, guild.page())
        assert guild.page().text.startswith(f"## {chapter}/7 · {title}")


async def test_a_large_board_has_no_tree_but_its_moves_have_values(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    large = TutorialPage(Record(Rules(5, 5, 5), (6,)))
    await guild.press_forged(guild.ben, custom_id(large, 0), guild.page())
    assert guild.page().board == "..... .x... ..... ..... ....."
    assert guild.page().payload["attachments"] == []
    await guild.press(guild.ben, "Next", guild.page())
    assert shown_picture(guild, guild.page())
    await guild.press(guild.ben, "A1", guild.page())
    await guild.press(guild.ben, "0", guild.page())
    assert "Right!" in guild.page().text


async def test_the_last_page_links_to_the_guide_where_the_host_says_it_is(app: App) -> None:
    runtime = replace(app.backend.runtime, source_url="https://git.example/velha")
    page = TutorialPage(EXAMPLE_GAME, Chapter.WRITE)
    draw = await tutorial.show_page(context(runtime), page)
    links = [button.url for button in buttons(draw(PT)) if button.url]
    assert links == [
        "https://git.example/velha/blob/HEAD/docs/pt-BR/WRITE-YOUR-OWN.md",
    ]
    assert "source code" not in text_of(draw(EN))


async def test_a_forged_tutorial_on_an_endless_tree_is_refused(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    forged = custom_id(TutorialPage(Record(INFINITE, (0,))), 0)
    assert "no longer works" in private_text(await guild.press_forged(guild.ben, forged))


@pytest.mark.logs_errors
async def test_the_tutorial_is_about_the_example_while_the_database_is_away(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    before = guild.page().text
    guild.break_database()
    await guild.ben.slash(guild.channel, "velha learn")
    assert guild.page().text == before
    assert len(guild.messages(ephemeral=True)) == 2
