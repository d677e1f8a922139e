"""Hints: what each move is worth, for the one who plays the bot, and noted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord import ButtonStyle

from bot.domain.analysis import HintPage
from bot.domain.ids import custom_id
from bot.domain.match_actions import MatchAction, Press
from engine import Record
from tests.bot.house import Seen, SimulatedGuild, told


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


async def test_a_cell_of_the_hint_tells_more_and_is_no_second_hint(house: SimulatedGuild) -> None:
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


async def test_the_match_says_at_its_end_how_many_hints_there_were(house: SimulatedGuild) -> None:
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


async def test_a_finished_match_needs_none(house: SimulatedGuild) -> None:
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


async def test_between_people_there_are_none(house: SimulatedGuild) -> None:
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


async def test_of_a_cell_that_loses_the_hint_names_the_answer(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    house.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    await house.press(house.ben, "Hint")
    await house.press(house.ben, "C1\N{MINUS SIGN}", house.lesson())
    assert "🔎 **C1** loses. ⭕ can answer: **B2** makes a fork" in house.lesson().text


async def test_asked_twice_on_one_board_it_is_one_hint(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    for _ in range(2):
        await house.press(house.ana, "Hint")
    await house.resign(house.ana)
    assert "with 1 hint" in house.text()


async def test_the_advice_is_played_at_a_press_in_two_requests(house: SimulatedGuild) -> None:
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


async def test_a_cell_that_was_asked_about_can_be_played_as_well(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    await house.press(house.ben, "B2=", house.lesson())
    assert plays_in(house.lesson()) == ["Play A1", "Play B2"]
    await house.press(house.ben, "Play B2", house.lesson())
    assert house.board()[5] == "x"


async def test_a_hint_is_played_after_a_restart_and_where_the_board_is_by_then(
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


async def test_where_the_bot_may_not_edit_the_board_is_posted_anew(house: SimulatedGuild) -> None:
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


async def test_a_board_that_was_deleted_comes_back_with_the_move(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    house.env.backend.delete_message(house.channel.id, house.seen().id)
    await house.press(house.ben, "Play A1", house.lesson())
    assert house.board() == "x.. .o. ..."


@pytest.mark.parametrize("label", ["Play A1", "C1="])
async def test_a_hint_of_a_match_that_has_moved_on_says_that_it_is_old(
    house: SimulatedGuild, label: str
) -> None:
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


async def test_a_newer_hint_takes_the_earlier_one_away(house: SimulatedGuild) -> None:
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
async def test_a_hint_that_cannot_be_taken_away_stays_and_says_that_it_is_old(
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


async def test_where_there_is_no_advice_there_is_no_hint_to_count(house: SimulatedGuild) -> None:
    await house.start(house.ben, board="4x4x4")
    house.bots[-1].engine.close()
    assert "try again in a moment" in told(await house.press(house.ben, "Hint"))
    await house.resign(house.ben)
    assert "hint" not in house.text()
