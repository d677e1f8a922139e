"""Hints, reviews and replays, as people see them."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import discord
import pytest
from discord import ButtonStyle

from bot.domain.analysis import HintPage, RetryPage
from bot.domain.ids import custom_id
from bot.domain.match_actions import MatchAction, Press
from engine import Record, Rules
from tests.bot.house import TURN_MINUTES, Seen, SimulatedGuild, told

LOST = ("A1", "B2", "C3", "C1", "A3", "A2", "B3")
"""Ana, as X, takes a corner; Ben holds, throws it away with his second move, and loses."""


async def play_through(house: SimulatedGuild, moves: tuple[str, ...] = LOST) -> None:
    await house.challenge()
    for number, cell in enumerate(moves):
        await house.press(house.ben if number % 2 else house.ana, cell)


def code_in(review: Seen) -> str:
    """The code, alone in a block, which Discord's clients copy at a press."""
    found = re.search(r"^```\n([0-9A-Z]+)\n```$", review.text, re.MULTILINE)
    assert found is not None
    return found.group(1)


# Hints


def link_to(seen: Seen) -> str:
    guild = seen.payload.get("guild_id")
    return f"https://discord.com/channels/{guild}/{seen.channel_id}/{seen.id}"


def plays_in(hint: Seen) -> list[str]:
    return [label for label in hint.buttons if label.startswith("Play ")]


async def test_a_hint_shows_what_every_cell_is_worth_to_one_person(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    house.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    before = house.board()
    await house.press(house.ben, "Hint")
    hint = house.lesson()
    assert hint.board == "xo\N{MINUS SIGN} o+= x=+"
    assert hint.cells_in(ButtonStyle.primary) == ["C3+"]
    best, *rest = hint.text.splitlines()[1:]
    assert best == (
        "🟦 **C3** makes a fork, two ways to win at once. With best play, ❌ wins on its next move."
    )
    assert rest[:3] == [
        "🟩 `+` win: B2 and C3",
        "⬜ `=` draw: C2 and B3",
        "🟥 `\N{MINUS SIGN}` loss: C1",
    ]
    assert rest[3].startswith("-# Blue is what I'd play. Press a cell to learn more.")
    assert house.board() == before


async def test_pressing_a_cell_of_a_hint_explains_it_and_is_not_a_second_hint(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    hint = house.lesson()
    before = len(house.requests())
    await house.press(house.ben, "A2=", hint)
    assert len(house.requests()) == before + 1
    assert house.lesson().id == hint.id, "it takes the place of the hint"
    assert "🔎 **A2** takes a side, where two lines meet. ⭕ can answer: **" in house.lesson().text
    await house.press(house.ben, "A1=", house.lesson())
    assert "🔎 ⭕ can answer: **" in house.lesson().text, (
        "the advice says what else there is to say"
    )
    await house.resign(house.ben)
    assert "with 1 hint" in house.text()


async def test_a_finished_match_says_how_many_hints_there_were(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "Hint")
    await house.press(house.ana, "B2")
    assert "hint" not in house.text()
    await house.press(house.ana, "Hint")
    await house.resign(house.ana)
    assert "with 2 hints" in house.text()
    await house.press(house.ana, "Rematch")
    await house.resign(house.ana)
    assert "hint" not in house.text(), "the rematch was played without"


async def test_a_hint_leaves_the_board_as_it_was_drawn(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    drawn = house.seen()
    await house.press(house.ana, "Hint")
    await house.press(house.ana, "B2", drawn)
    assert house.board().count("o") == 1


async def test_a_stranger_gets_no_hint(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    assert "isn't your match" in told(await house.press(house.ben, "Hint"))
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_a_finished_match_has_no_hints(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    going_on = house.seen()
    await house.press(house.ben, "B2")
    await house.resign(house.ben)
    assert "out of date" in told(await house.press(house.ben, "Hint", going_on))
    rematch = Press.parse(house.seen().buttons["Rematch"]["custom_id"])
    assert rematch is not None
    forged = str(replace(rematch, action=MatchAction.HINT))
    assert told(await house.press_forged(house.ben, forged)) == "This match is over."


async def test_a_match_that_has_changed_is_shown_instead(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    old = house.seen()
    await house.press(house.ben, "B2")
    assert "out of date" in told(await house.press(house.ben, "Hint", old))
    await house.resign(house.ben)
    assert "hint" not in house.text(), "it was not given, so it does not count"


async def test_there_are_no_hints_between_people(house: SimulatedGuild) -> None:
    await house.challenge()
    resign = Press.parse(house.seen().buttons["Resign"]["custom_id"])
    assert resign is not None
    forged = str(replace(resign, action=MatchAction.HINT))
    assert told(await house.press_forged(house.ben, forged)) == "Hints are for matches against me."


async def test_a_hint_is_given_after_a_restart(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="4x4x3")
    await house.restart()
    await house.press(house.ana, "Hint")
    assert house.lesson().board == "++++ ++++ ++++ ++++"
    assert len(house.lesson().cells_in(ButtonStyle.primary)) == 1
    assert "🟩 `+` vitória: todas as casas livres" in house.lesson().text


async def test_a_hint_names_the_reply_to_a_losing_cell(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    house.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    await house.press(house.ben, "Hint")
    await house.press(house.ben, "C1\N{MINUS SIGN}", house.lesson())
    assert "🔎 **C1** loses. ⭕ can answer: **B2** makes a fork" in house.lesson().text


async def test_asking_twice_on_one_board_counts_as_one_hint(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    for _ in range(2):
        await house.press(house.ana, "Hint")
    await house.resign(house.ana)
    assert "with 1 hint" in house.text()


async def test_the_advice_is_played_by_one_press_in_two_requests(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    board = house.seen()
    await house.press(house.ben, "Hint")
    hint, before = house.lesson(), len(house.requests())
    await house.press(house.ben, "Play A1", hint)
    assert len(house.requests()) == before + 2
    assert house.lesson().id == hint.id, "what has been done takes the place of the hint"
    assert house.lesson().text == f"You played **A1**: {link_to(board)}"
    assert house.lesson().buttons == {}
    assert house.seen().id == board.id
    assert house.board() == "x.. .o. ..."
    await house.press(house.ben, "C3")
    assert house.board().count("x") == 2, "the board goes on as ever"


async def test_a_cell_that_was_asked_about_can_be_played(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    await house.press(house.ben, "B2=", house.lesson())
    assert plays_in(house.lesson()) == ["Play A1", "Play B2"]
    await house.press(house.ben, "Play B2", house.lesson())
    assert house.board()[5] == "x"


async def test_a_hint_is_played_after_a_restart_on_the_board_s_current_message(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ben, board="5x5x4")
    await house.press(house.ben, "Hint")
    hint = house.lesson()
    await house.ben.slash(house.channel, "velha board")
    await house.restart()
    (play,) = plays_in(hint)
    await house.press(house.ben, play, hint)
    assert sorted(house.board().replace(" ", ""))[-2:] == ["o", "x"]
    assert house.lesson().text.endswith(link_to(house.seen()))


async def test_a_board_that_may_not_be_edited_is_reposted(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    old = house.seen()
    await house.press(house.ben, "Hint")
    house.fail("/channels/*", (403, 50001))
    await house.press(house.ben, "Play A1", house.lesson())
    assert "You played **A1**" in house.lesson().text
    assert house.seen().id > old.id
    assert house.board() == "x.. .o. ..."
    await house.press(house.ben, "C3", old)
    assert link_to(house.seen()) in house.everything_seen()[0].text, "the old one points to it"
    await house.press(house.ben, "C3")
    assert house.board().count("x") == 2


async def test_a_deleted_board_comes_back_with_the_move(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    house.env.backend.delete_message(house.channel.id, house.seen().id)
    await house.press(house.ben, "Play A1", house.lesson())
    assert house.board() == "x.. .o. ..."


@pytest.mark.parametrize("label", ["Play A1", "C1="])
async def test_an_old_hint_says_that_it_is_old(house: SimulatedGuild, label: str) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    hint = house.lesson()
    await house.press(house.ben, "B2")
    stands = house.board()
    await house.press(house.ben, label, hint)
    assert house.lesson().id == hint.id
    assert house.lesson().text == (
        f"This hint is old: the match has moved on. {link_to(house.seen())}"
    )
    assert house.lesson().buttons == {}
    assert house.board() == stands
    await house.resign(house.ben)
    assert "with 1 hint" in house.text()


def hints_of(house: SimulatedGuild) -> list[Seen]:
    return [one for one in house.everything_seen(ephemeral=True) if "Hint for" in one.text]


async def test_a_new_hint_removes_the_one_before(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    await house.press(house.ben, "B2=", house.lesson())
    await house.press(house.ben, "B2")
    await house.press(house.ben, "Hint")
    (hint,) = hints_of(house)
    assert "Hint for move 3" in hint.text
    assert told(await house.press(house.ben, "B2", hint)), "it answers"


async def test_a_hint_in_another_channel_stays(house: SimulatedGuild) -> None:
    other = house.guild.create_text_channel("outro")
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    await house.start(house.ben, channel=other)
    await house.press(house.ben, "Hint", house.seen(other))
    assert len(hints_of(house)) == 1


@pytest.mark.parametrize("minutes", [0, 16])
async def test_a_hint_that_cannot_be_removed_stays_and_says_that_it_is_old(
    house: SimulatedGuild, minutes: int
) -> None:
    """It was dismissed or Discord fails, or it is too long ago to be asked for."""
    house.stop_sweeping()
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    old = house.lesson()
    house.sql("UPDATE matches SET deadline_at = deadline_at + 9999")
    await house.env.advance_time(60 * minutes)
    await house.press(house.ben, "B2")
    if not minutes:
        house.fail("/webhooks/*", (404, 10008))
    before = len(house.requests())
    await house.press(house.ben, "Hint")
    assert len(house.requests()) == before + 1 + (not minutes)
    house.recover()
    assert len(hints_of(house)) == 2
    await house.press(house.ben, "C1=", old)
    assert "This hint is old" in house.everything_seen(ephemeral=True)[0].text


async def test_a_hint_of_an_older_release_can_be_read_and_plays_nothing(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    await house.press_forged(house.ben, custom_id(HintPage(Record(), 4), 0), house.lesson())
    assert "🔎 **B2**" in house.lesson().text
    assert plays_in(house.lesson()) == []


async def test_a_hint_without_advice_is_not_counted(house: SimulatedGuild) -> None:
    await house.start(house.ben, board="4x4x4")
    house.bots[-1].engine.close()
    assert "try again in a moment" in told(await house.press(house.ben, "Hint"))
    await house.resign(house.ben)
    assert "hint" not in house.text()


async def test_hint_messages_are_dropped_by_one_timer_once_they_cannot_be_removed(
    house: SimulatedGuild,
) -> None:
    hints, loop = house.bots[-1].handlers.analysis._hint_messages, asyncio.get_running_loop()
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    (first,) = hints._latest.values()
    timer = hints._timer
    for _ in range(3):
        await house.press(house.ben, "Hint")
    (last,) = hints._latest.values()
    assert last is not first
    assert hints._timer is timer, "not one for each hint, which would keep what it is for"
    assert timer is not None
    assert timer.when() - loop.time() <= 15 * 60
    await house.let_pass(minutes=16)  # Discord allows 15
    assert not hints._latest
    assert hints._timer is None


async def test_a_review_lists_only_the_moves_that_changed_the_result(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    review = house.lesson()
    assert review.text.splitlines() == [
        "## Review",
        f"❌ {house.ana.mention}  vs  ⭕ {house.ben.mention}",
        "-# 3x3, 3 in a row wins · ❌ won",
        "Move 4, C1: ⭕ turned a draw into a loss. 💡 B1, A2, C2, or B3 would have held the draw.",
        "",
        "**Move 4 of 7: ⭕ C1**",
        (
            "A mistake. ❌ can answer: **A3** makes a fork, two ways to win at once. "
            "With best play, ❌ wins on its next move."
        ),
        "",
        "-# Code for `/velha replay`:",
        "```",
        code_in(review),
        "```",
    ]
    assert review.board == "x💡o 💡o💡 .💡x"
    assert review.cells_in(discord.ButtonStyle.primary) == ["C1"]


async def test_a_missed_win_is_named_even_if_it_cost_nothing(
    house: SimulatedGuild,
) -> None:
    await play_through(house, ("B2", "A1", "A3", "C3", "B1", "B3", "C1"))
    await house.press(house.ben, "Review")
    missed = "Move 5, B1: ❌ took the long way. 💡 C1 would have won right away."
    assert missed in house.lesson().text.splitlines()
    for label in ("End", "B1"):
        await house.press(house.ben, label, house.lesson())
    assert house.lesson().board == "ox💡 .x. x.o"
    assert "**B1** misses a win: C1 would have won right away." in house.lesson().text


@pytest.mark.parametrize("reply", ["A3", "C3"])
async def test_the_reply_that_was_played_is_named_among_equally_good_ones(
    house: SimulatedGuild, reply: str
) -> None:
    await play_through(house, ("B2", "B1", reply))
    await house.ben.slash(house.channel, "velha stop")
    await house.press(house.ben, "Review")
    assert "**Move 2 of 3: ⭕ B1**" in house.lesson().text
    assert f"❌ can answer: **{reply}** " in house.lesson().text


async def test_a_reply_that_missed_the_chance_is_not_named(
    house: SimulatedGuild,
) -> None:
    await play_through(house, ("B2", "B1", "B3"))
    await house.ben.slash(house.channel, "velha stop")
    await house.press(house.ben, "Review")
    await house.press(house.ben, "Back", house.lesson())
    assert "**Move 2 of 3: ⭕ B1**" in house.lesson().text
    assert "❌ can answer: **B3**" not in house.lesson().text


async def test_step_buttons_walk_through_the_match(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.rui_in_english(), "Review")
    review = house.lesson()
    boards = {
        "Start": "... ... ...",
        "Next": "x.. ... ...",
        "End": "x.o oo. xxx",
        "Back": "x.o oo. x.x",
        "Turning point": "x💡o 💡o💡 .💡x",
    }
    for label, board in boards.items():
        before = len(house.requests())
        await house.press(house.rui, label, house.lesson())
        assert len(house.requests()) == before + 1
        assert (label, house.lesson().board) == (label, board)
        assert house.lesson().id == review.id
        assert not enabled(house.lesson(), "Turning point") or label != "Turning point"


def enabled(seen: Seen, label: str) -> bool:
    return not seen.buttons[label].get("disabled")


async def test_step_buttons_are_disabled_at_either_end(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    await house.press(house.ben, "Start", house.lesson())
    assert [label for label in ("Start", "Back") if enabled(house.lesson(), label)] == []
    await house.press(house.ben, "End", house.lesson())
    assert [label for label in ("Next", "End") if enabled(house.lesson(), label)] == []


async def test_a_mark_leads_to_the_move_that_made_it(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    await house.press(house.ben, "End", house.lesson())
    await house.press(house.ben, "B2", house.lesson())
    assert house.lesson().board == "x.. .o. ..."
    assert "**Move 2 of 7: ⭕ B2**" in house.lesson().text
    assert "**B2** holds the draw: every other move loses." in house.lesson().text


async def test_a_review_goes_on_after_a_restart_and_after_the_match_is_deleted(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    await house.restart()
    house.sql("DELETE FROM matches")
    await house.press(house.ben, "End", house.lesson())
    assert house.lesson().board == "x.o oo. xxx"
    await house.press(house.ben, "Review", house.seen())
    assert house.lesson().board == "x💡o 💡o💡 .💡x"


async def test_a_timed_out_match_can_be_reviewed(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B1"))
    await house.let_pass(minutes=3)
    assert "ran out of time" in house.text()
    await house.press(house.ben, "Review")
    assert (
        "Move 2, B1: ⭕ turned a draw into a loss. 💡 B2 would have held the draw."
        in house.lesson().text
    )


async def reviewed(house: SimulatedGuild, *, by_command: bool) -> Seen:
    """The review that Ben, who reads English, opens in one of two ways."""
    if by_command:
        await house.ben.slash(house.channel, "velha review")
    else:
        await house.press(house.ben, "Review")
    return house.lesson()


ways = pytest.mark.parametrize("by_command", [False, True])


@ways
async def test_a_review_says_who_resigned_at_every_step(
    house: SimulatedGuild, *, by_command: bool
) -> None:
    await play_through(house, ("B2", "A1"))
    await house.ana.slash(house.channel, "velha stop")
    await reviewed(house, by_command=by_command)
    for label in ("Start", "Next", "End"):
        await house.press(house.ben, label, house.lesson())
        assert house.lesson().text.splitlines()[:3] == [
            "## Review",
            f"❌ {house.ana.mention}  vs  ⭕ {house.ben.mention}",
            f"-# 3x3, 3 in a row wins · {house.ana.mention} resigned.",
        ]


@ways
async def test_a_review_says_whose_time_ran_out(house: SimulatedGuild, *, by_command: bool) -> None:
    await play_through(house, ("B2", "A1", "C3"))
    await house.let_pass(minutes=TURN_MINUTES)
    review = await reviewed(house, by_command=by_command)
    assert f" · {house.ben.mention} ran out of time.\n" in review.text


@ways
async def test_a_review_says_that_a_moderator_ended_the_match(
    house: SimulatedGuild, *, by_command: bool
) -> None:
    await play_through(house, ("B2", "A1"))
    await house.rui.slash(house.channel, "velha stop")
    review = await reviewed(house, by_command=by_command)
    assert " · A moderator ended the match, without a result.\n" in review.text


async def test_a_review_pings_nobody(house: SimulatedGuild) -> None:
    await play_through(house)
    await reviewed(house, by_command=False)
    await house.press(house.ben, "Start", house.lesson())
    assert house.ana.mention in house.lesson().text
    bodies = [request.json or {} for request in house.env.http_requests[-2:]]
    assert [body["data"]["allowed_mentions"] for body in bodies] == [{"parse": []}] * 2


async def test_a_replay_names_nobody(house: SimulatedGuild) -> None:
    await play_through(house, ("B2", "A1"))
    await house.ana.slash(house.channel, "velha stop")
    code = code_in(await reviewed(house, by_command=True))
    await house.ben.slash(house.channel, "velha replay", code=code)
    assert house.lesson().text.splitlines()[1] == "-# 3x3, 3 in a row wins · unfinished"
    assert "<@" not in house.lesson().text


async def test_the_review_button_of_an_older_release_shows_what_it_knows(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    old = f"velha:review:{Record(moves=(0, 4, 8, 2, 6, 3, 7)).code}::0"
    await house.press_forged(house.ben, old)
    assert house.lesson().board == "x💡o 💡o💡 .💡x"
    assert house.lesson().text.splitlines()[1] == "-# 3x3, 3 in a row wins · ❌ won"


async def test_a_match_without_moves_has_no_review(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.resign(house.ana)
    assert house.seen().labels == ["Rematch", "Down to hard"]
    said = told(await house.ben.slash(house.channel, "velha review"))
    assert said.startswith("No match has finished here yet.")


async def test_the_command_reviews_the_channel_s_last_match(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.ana.slash(house.channel, "velha review")
    assert house.lesson().board == "x💡o 💡o💡 .💡x", "the one that goes on is not over"
    assert "Jogada 4, C1: ⭕ transformou um empate em derrota." in house.lesson().text
    elsewhere = house.guild.create_text_channel("outro")
    said = told(await house.ben.slash(elsewhere, "velha review"))
    assert said.startswith("No match has finished here yet")


async def test_an_old_review_button_is_for_the_match_it_was_drawn_with(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    finished = house.seen()
    for who in (house.ana, house.ben):
        await house.press(who, "Rematch")
    await house.press(house.ben, "Review", finished)
    assert house.lesson().board == "x💡o 💡o💡 .💡x"


async def test_a_review_asked_of_a_slow_database_leaves_the_rematch_on_the_screen(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    for who in (house.ana, house.ben):
        await house.press(who, "Rematch")

    last_played = await house.bots[-1].services.matches.last_played(house.channel.id)
    await house.bots[-1].handlers.matches.show_late(last_played)
    assert house.seen().labels == ["Resign"]


# Try again


async def test_a_mistake_can_be_retried_until_it_is_right(house: SimulatedGuild) -> None:
    await play_through(house)
    review = await reviewed(house, by_command=False)
    await house.press(house.ben, "Try again", review)
    assert house.lesson().board == "x.💥 .o. ..x"
    assert house.lesson().text.splitlines() == [
        "## Try again",
        "-# 3x3, 3 in a row wins",
        "Move 4, C1: ⭕ turned a draw into a loss.",
        "⭕ to move: which move is better?",
    ]
    await house.press(house.ben, "A3", house.lesson())
    assert house.lesson().board == "x.💥 .o. 💥.x"
    assert "💥 **A3** loses. ❌ can answer: **C1** makes a fork" in house.lesson().text
    before = len(house.requests())
    await house.press(house.ben, "B1", house.lesson())
    assert len(house.requests()) == before + 1
    assert house.lesson().board == "x🎯💥 .o. ..x"
    assert "🎯 **B1** " in house.lesson().text
    assert house.lesson().id == review.id
    await house.press(house.ben, "Back to the review", house.lesson())
    assert house.lesson().text == review.text


async def test_pressing_the_light_bulb_explains_why_it_was_better(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "B1", await reviewed(house, by_command=False))
    assert "🎯 **B1** " in house.lesson().text


async def test_a_retry_goes_on_after_a_restart(house: SimulatedGuild) -> None:
    await play_through(house)
    await house.press(house.ben, "Try again", await reviewed(house, by_command=True))
    await house.restart()
    await house.press(house.ben, "B1", house.lesson())
    assert "🎯 **B1** " in house.lesson().text
    await house.press(house.ben, "Back to the review", house.lesson())
    assert house.ana.mention in house.lesson().text


async def test_moves_that_were_no_mistake_cannot_be_retried(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    forged = custom_id(RetryPage(Record(moves=(4, 0)), 2), 0)
    assert "no longer works" in told(await house.press_forged(house.ben, forged))


# Replays


async def test_a_finished_match_is_replayed_by_its_code_in_any_server(
    house: SimulatedGuild,
) -> None:
    await play_through(house)
    await house.press(house.ben, "Review")
    code = code_in(house.lesson())
    there = house.env.create_guild("Outra")
    channel = there.create_text_channel("geral")
    clara = there.add_member(house.env.create_user("clara"))
    await clara.slash(channel, "velha replay", code=f" {code.lower()} ")
    replay = house.lesson(channel)
    assert replay.board == "... ... ..."
    assert code_in(replay) == code
    await house.press(clara, "End", replay)
    assert house.lesson(channel).board == "x.o oo. xxx"


@pytest.mark.parametrize(
    ("rules", "moves", "end"),
    [
        (Rules(4, 4, 3), (5, 0, 6, 4, 7), "o... oxxx .... ...."),
        (Rules(5, 5, 4), (12, 0, 6, 1, 18, 2, 24), "ooo.. .x... ..x.. ...x. ....x"),
        (Rules(5, 4, 4), (0, 5, 1, 6, 2, 7, 3), "xxxx. ooo.. ..... ....."),
    ],
)
async def test_codes_of_every_size_are_replayed(
    house: SimulatedGuild, rules: Rules, moves: tuple[int, ...], end: str
) -> None:
    await house.ben.slash(house.channel, "velha replay", code=Record(rules, moves).code)
    await house.press(house.ben, "End", house.lesson())
    shown = house.lesson()
    rows = [row for row in shown.rows if len(row) == rules.columns and row is not shown.rows[-1]]
    assert len(rows) == rules.rows
    assert f"-# {rules.columns}x{rules.rows}, {rules.in_a_row} in a row wins" in shown.text
    if rules.columns == rules.rows:
        assert shown.board == end


@pytest.mark.parametrize("code", ["", "0", "hello", "🎯", "A" * 300, "'; DROP TABLE matches"])
async def test_an_invalid_code_is_refused(house: SimulatedGuild, code: str) -> None:
    said = told(await house.ben.slash(house.channel, "velha replay", code=code))
    assert said == "No match has that code. You'll find a match's code in its review."


async def test_mistyped_codes_cause_no_cooldown(house: SimulatedGuild) -> None:
    for _ in range(6):
        await house.ben.slash(house.channel, "velha replay", code="7")
    await house.ben.slash(house.channel, "velha replay", code=Record(moves=(4, 0)).code)
    assert house.lesson().text.startswith("## Review")
