"""`/velha learn`, as people see it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from discord import InteractionResponseType

from bot.domain.ids import time_snowflake
from bot.domain.matches import Match
from bot.domain.pages import custom_id
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from bot.features import tutorial
from bot.store.matches import compare_and_set
from engine import INFINITE, Record, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.custom_ids import parse_page
from tests.bot.databases import call
from tests.bot.example_matches import ANA, NOON, RUI, make_bot_match, make_match
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text
from tests.bot.views.examples import EN, buttons, text_of

MINUS_ONE = "\N{MINUS SIGN}1"


def shown_picture(guild: SimulatedGuild, seen: SeenMessage) -> str:
    """The address of the one picture that a message shows, which is attached to it."""
    [gallery] = [item for item in seen.payload["components"][0]["components"] if item["type"] == 12]
    [item] = gallery["items"]
    [attached] = seen.payload["attachments"]
    assert item["media"]["url"] == attached["url"]
    assert item["description"].startswith("Game tree. ")
    png = guild.env.backend.cdn.get(attached["url"])
    assert png is not None
    assert png.startswith(b"\x89PNG")
    return str(attached["url"])


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
    assert first.text.startswith("## 1/10 · The game tree\n")
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


async def test_wrong_and_right_answers_are_explained_along_the_whole_path(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    asked, wrong, right = await press_all(guild, "Next", "+1", "0")
    assert "Which number goes here?" in asked
    assert "Not quite. Try once more!" in wrong
    assert "Which number goes here?" in wrong, "it is asked again"
    assert "Right! ⭕ takes the **smallest**" in right
    top, told = await press_all(guild, "Up", "0")
    assert "Which number goes here?" in top
    assert "Right! ❌ takes the **largest** (max): **0**, with **A1**." in told
    alpha, right = await press_all(guild, "Next", "0")
    assert "What is ❌ sure of here?" in alpha
    assert "Right! With A1, ❌ gets **0** at least." in right
    beta, right = await press_all(guild, "Next", MINUS_ONE)
    assert "What can ❌ get here, at most?" in beta
    assert "Right!" in right
    asked, wrong, wrong_again = await press_all(guild, "Next", "b", "a + b")
    assert "What can you skip: **a**, **b**, or both?" in asked
    assert "Try once more!" in wrong
    assert "Not quite. ❌ has 0 already." in wrong_again, "now it is told"
    asked, right = await press_all(guild, "Next", "alpha >= beta")
    assert "When can you always cut?" in asked
    assert "Right! **Cut when alpha >= beta.**" in right
    asked, wrong, right = await press_all(guild, "Next", "10", "4")
    assert "How many visits does alpha-beta save?" in asked
    assert "Try once more!" in wrong
    assert "Count the grey boards: **4**. Alpha-beta makes **10** visits" in right


async def test_the_later_chapters_can_be_stepped_through(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    sooner = TutorialPage(EXAMPLE_GAME, Chapter.FASTEST_WIN)
    await guild.press_forged(guild.ben, custom_id(sooner, 0), guild.page())
    assert guild.page().payload["attachments"] != []
    wrong, right = await press_all(guild, "A2", "C3")
    assert "Not quite. Try once more!" in wrong
    assert "Right! **C3** wins now" in right
    one, three = await press_all(guild, "Next", "Depth 3")
    assert guild.page().payload["attachments"] == [], "no picture is left behind"
    assert "at depth **1**: **B2** is best" in one
    assert "at depth **3**: **B2** is best" in three
    one, three = await press_all(guild, "Next", "Depth 3")
    assert "takes **C3**" in one
    assert "can force a win" in one
    assert "finds **D1**: a sure win" in three
    [mind] = await press_all(guild, "Next")
    assert "How I think" in mind
    assert "Next" not in guild.page().labels


async def test_a_tutorial_on_a_match_against_the_bot_counts_as_a_hint(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    await guild.ana.slash(guild.channel, "velha learn")
    asked = guild.page()
    assert (
        asked.text == "Você está jogando contra mim: uma lição sobre a sua partida conta como dica."
    )
    await guild.press(guild.ana, "Minha partida (dica)", asked)
    assert guild.page().board == guild.board()
    assert "para quem joga, conta como dica" in guild.page().text
    await guild.resign(guild.ana)
    assert "with 1 hint" in guild.text()


async def test_a_lesson_that_counts_as_a_hint_is_shown_although_there_is_something_newer(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    example = guild.page()
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await guild.ben.slash(guild.channel, "velha learn")
    asked = guild.page()
    guild.send_press(guild.ben, "My match (a hint)", asked)
    guild.send_press(guild.ben, "Next", example)
    await guild.env.settle()
    assert guild.page().id == asked.id
    assert guild.page().board == guild.board()


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


async def test_a_player_who_wants_no_hint_gets_an_example(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await guild.ben.slash(guild.channel, "velha learn")
    assert guild.page().labels == ["An example", "My match (a hint)"]
    await guild.press(guild.ben, "An example", guild.page())
    assert guild.page().board == ".o. .ox xxo"
    await guild.resign(guild.ben)
    assert "hint" not in guild.text()


async def test_an_older_release_s_buttons_lead_to_the_chapters_of_this_one(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await guild.ben.slash(guild.channel, "velha learn")
    for chapter, title in enumerate(("The game tree", "What the numbers mean"), 1):
        old = f"velha:learn:{Record(moves=(4, 0)).code}:{chapter}:1"
        await guild.press_forged(guild.ben, old, guild.page())
        assert guild.page().text.startswith(f"## {chapter}/10 · {title}")


async def test_a_large_board_has_no_diagram(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben, board="5x5x4")
    await guild.press(guild.ben, "B2")
    await guild.ben.slash(guild.channel, "velha learn")
    await guild.press(guild.ben, "My match (a hint)", guild.page())
    assert guild.page().board == guild.board()
    assert guild.page().payload["attachments"] == []
    await guild.press(guild.ben, "Next", guild.page())
    assert "A1⁰" in guild.page().buttons
    await guild.press(guild.ben, "A1⁰", guild.page())
    await guild.press(guild.ben, "0", guild.page())
    assert "Right!" in guild.page().text


async def test_too_many_lessons_are_refused_without_a_hint(
    guild: SimulatedGuild,
) -> None:
    for _ in range(4):
        await guild.ana.slash(guild.channel, "velha puzzle")
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    assert "Calma!" in private_text(await guild.ana.slash(guild.channel, "velha learn"))
    await guild.resign(guild.ana)
    assert "hint" not in guild.text()


async def test_a_board_to_look_at_is_not_dimmed_and_explains_itself_when_pressed(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    limit = TutorialPage(EXAMPLE_GAME, Chapter.LIMIT)
    await guild.press_forged(guild.ben, custom_id(limit, 0), guild.page())
    lesson = guild.page()
    assert {"A1 +3", "B2 +7", "Next"} <= {*lesson.labels}
    for cell in ("A1 +3", "B2 +7"):
        pressed = await guild.press(guild.ben, cell, lesson)
        assert private_text(pressed) == "That one is just for show."


@pytest.mark.parametrize(("board", "is_taught"), [("infinite", False), ("misere", True)])
async def test_a_tutorial_is_about_a_misere_board_but_not_an_infinite_one(
    guild: SimulatedGuild,
    board: str,
    is_taught: bool,  # noqa: FBT001
) -> None:
    await guild.start(guild.ana, board=board, level="IMPOSSIBLE")
    await guild.press(guild.ana, "A1")
    await guild.ben.slash(guild.channel, "velha learn")
    shown = guild.page()
    assert (shown.board == guild.board()) is is_taught
    assert is_taught or shown.board == ".o. .ox xxo"
    await guild.press(guild.ben, "Next", shown)
    assert guild.page().text.startswith("## 2/10")


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


# Which match it is about

PLAYED = "x.. .o. ..."


async def taught(app: App, who: int, *, as_hint: bool = False) -> Record | None:
    """The game that the first page is about; None if it asks which one."""
    learn = tutorial.learn_from_own_match if as_hint else tutorial.learn
    view = (await learn(context(app.backend.runtime, user_id=who)))(EN)
    if "counts as a hint." in text_of(view).splitlines()[0]:
        return None
    page = parse_page(buttons(view)[-1].custom_id or "")
    assert isinstance(page, TutorialPage)
    return page.record


@pytest.mark.parametrize(
    ("board", "who", "hints"), [(PLAYED, ANA, 1), (PLAYED, RUI, 0), ("xox oxo ...", ANA, 1)]
)
async def test_a_lesson_about_the_match_with_the_bot_counts_as_a_hint_for_its_player(
    app: App, board: str, who: int, hints: int
) -> None:
    match = app.add(make_bot_match(board))
    for _ in range(2):
        assert await taught(app, who, as_hint=True) == match.record
        assert app.load(match).hints == hints, "once a version"


async def test_a_player_is_asked_before_a_lesson_on_their_own_match(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    assert await taught(app, ANA) is None
    assert app.load(match).hints == 0
    assert await taught(app, RUI) == match.record


@pytest.mark.parametrize(
    "match",
    [
        make_bot_match(),
        make_bot_match(".... .... .... ....", rules=Rules(4, 4, 3)),
        make_bot_match("xox oxo .x."),
        make_match("xo.. .... .... ....", rules=Rules(4, 4, 3)),
        make_bot_match(PLAYED, deadline_at=NOON - timedelta(hours=1)),
        make_bot_match(PLAYED, id=time_snowflake(NOON) + 1),
    ],
    ids=["no moves", "no moves on 4x4", "few cells left", "between people", "overdue", "newer"],
)
async def test_a_lesson_is_about_the_example_where_there_is_no_match_to_learn_from(
    app: App, match: Match
) -> None:
    assert await taught(app, ANA) == EXAMPLE_GAME
    app.add(match)
    assert await taught(app, ANA) == EXAMPLE_GAME
    assert await taught(app, ANA, as_hint=True) == EXAMPLE_GAME
    assert app.load(match) == match


async def test_a_lesson_takes_a_concurrent_move_into_account(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    moved = replace(match, moves=(0, 4, 8, 1))
    app.before_sql("UPDATE", partial(call, app.other_store, compare_and_set, moved))
    assert await taught(app, ANA, as_hint=True) == moved.record
    assert app.load(match).hints == 1
