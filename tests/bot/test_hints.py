"""Hints: what each move is worth, for the one who plays the bot, and noted."""

from __future__ import annotations

from dataclasses import replace

from bot.game.press import Press, Verb
from tests.bot.house import House, told


async def test_a_hint_shows_what_every_cell_is_worth_to_one_person(house: House) -> None:
    await house.start(house.ben)
    house.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    before = house.board()
    await house.press(house.ben, "Hint")
    hint = house.lesson()
    assert hint.board == "xo💀 o🏆🤝 x🤝🏆"
    best, *rest = hint.text.splitlines()[1:]
    assert best == (
        "💡 **C3** makes a fork: two ways to win at once. "
        "With best play ❌ wins with its next move."
    )
    assert rest == [
        "🏆 win: B2 and C3",
        "🤝 draw: C2 and B3",
        "💀 loss: C1",
        "-# Press a cell to know more. The finished match shows how many hints it took.",
    ]
    assert house.board() == before


async def test_a_cell_of_the_hint_tells_more_and_is_no_second_hint(house: House) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "Hint")
    hint = house.lesson()
    before = len(house.requests())
    await house.press(house.ben, "A1", hint)
    assert len(house.requests()) == before + 1
    assert house.lesson().id == hint.id, "it takes the place of the hint"
    assert (
        "🔎 **A1** sets a trap: most replies (7 of 8) lose within three moves."
        in house.lesson().text
    )
    assert "💡" not in house.lesson().text, "which would say the same"
    await house.resign(house.ben)
    assert "with 1 hint" in house.text()


async def test_the_match_says_at_its_end_how_many_hints_there_were(house: House) -> None:
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


async def test_a_hint_leaves_the_board_as_it_was_drawn(house: House) -> None:
    await house.start(house.ana)
    drawn = house.seen()
    await house.press(house.ana, "Hint")
    await house.press(house.ana, "B2", drawn)
    assert house.board().count("o") == 1


async def test_a_stranger_gets_no_hint(house: House) -> None:
    await house.start(house.ana)
    assert "not your match" in told(await house.press(house.ben, "Hint"))
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_a_finished_match_needs_none(house: House) -> None:
    await house.start(house.ben)
    going_on = house.seen()
    await house.press(house.ben, "B2")
    await house.resign(house.ben)
    assert "out of date" in told(await house.press(house.ben, "Hint", going_on))
    rematch = Press.parse(house.seen().buttons["Rematch"]["custom_id"])
    assert rematch is not None
    forged = str(replace(rematch, verb=Verb.HINT))
    assert told(await house.press_forged(house.ben, forged)) == "This match is over."


async def test_a_match_that_has_changed_is_shown_instead(house: House) -> None:
    await house.start(house.ben)
    old = house.seen()
    await house.press(house.ben, "B2")
    assert "out of date" in told(await house.press(house.ben, "Hint", old))
    await house.resign(house.ben)
    assert "hint" not in house.text(), "it was not given, so it does not count"


async def test_between_people_there_are_none(house: House) -> None:
    await house.challenge()
    resign = Press.parse(house.seen().buttons["Resign"]["custom_id"])
    assert resign is not None
    forged = str(replace(resign, verb=Verb.HINT))
    assert told(await house.press_forged(house.ben, forged)) == "Hints are for matches against me."


async def test_a_hint_is_given_after_a_restart(house: House) -> None:
    await house.start(house.ana, board="4x4x3")
    await house.restart()
    await house.press(house.ana, "Hint")
    assert house.lesson().board == "🏆🏆🏆🏆 🏆🏆🏆🏆 🏆🏆🏆🏆 🏆🏆🏆🏆"


async def test_of_a_cell_that_loses_the_hint_names_the_answer(house: House) -> None:
    await house.start(house.ben)
    house.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    await house.press(house.ben, "Hint")
    await house.press(house.ben, "C1", house.lesson())
    assert "🔎 **C1** loses. ⭕ answers: **B2** blocks:" in house.lesson().text


async def test_asked_twice_on_one_board_it_is_one_hint(house: House) -> None:
    await house.start(house.ana)
    for _ in range(2):
        await house.press(house.ana, "Hint")
    await house.resign(house.ana)
    assert "with 1 hint" in house.text()
