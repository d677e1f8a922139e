"""Whole games of infinite and misère."""

from __future__ import annotations

import random

import discord
import pytest

from engine import INFINITE, MISERE, Board, Cell, Level, Record, Rules
from tests.bot.house import Seen, SimulatedGuild, told

DANGER = discord.ButtonStyle.danger
RULE = "infinite: your fourth mark makes your oldest vanish"


def endless(plies: int = 60) -> tuple[Cell, ...]:
    """Moves of the infinite game that nobody wins."""
    rng, board, moves = random.Random(1), Board(INFINITE), list[Cell]()
    while len(moves) < plies:
        quiet = [cell for cell in board.actions() if board.result(cell).winner is None]
        moves.append(rng.choice(quiet))
        board = board.result(moves[-1])
    return tuple(moves)


async def play_out(house: SimulatedGuild, moves: tuple[Cell, ...], rules: Rules = INFINITE) -> None:
    await house.challenge(board=rules.name)
    for number, cell in enumerate(moves):
        await house.press((house.ana, house.ben)[number % 2], rules.coordinate(cell))


def dim(seen: Seen) -> list[str]:
    return [name for name, button in seen.buttons.items() if button.get("disabled")]


async def test_the_mark_that_vanishes_next_is_dimmed_and_named_and_gone_after_the_move(
    house: SimulatedGuild,
) -> None:
    await play_out(house, endless(5))
    assert dim(house.seen()) == []
    assert f"-# {RULE} · " in house.seen().text
    await house.press(house.ben, INFINITE.coordinate(endless()[5]))
    first = INFINITE.coordinate(endless()[0])
    assert dim(house.seen()) == [first]
    assert f"-# ❌ {first} vanishes next · " in house.seen().text
    assert RULE not in house.seen().text
    before = house.seen()
    assert "ocupada" in told(await house.press(house.ana, first, before))
    await house.press(house.ana, INFINITE.coordinate(endless()[6]))
    board = Board.after(endless(7), INFINITE)
    assert first in house.seen().free
    assert len(house.seen().free) == len(board.actions()) == 3
    assert f"⭕ {INFINITE.coordinate(endless()[1])} vanishes next" in house.seen().text


async def test_the_longest_match_ends_in_an_announced_draw(
    house: SimulatedGuild,
) -> None:
    await play_out(house, endless(56))
    assert "before a draw" not in house.seen().text
    for left, cell in zip((3, 2, 1, 0), endless()[56:], strict=True):
        await house.press((house.ana, house.ben)[left % 2 == 0], INFINITE.coordinate(cell))
        moves = "1 move" if left == 1 else f"{left} moves"
        announced = f"{moves} left before a draw" in house.seen().text
        assert announced == (left > 0)
    over = house.seen()
    assert "It's a draw!" in over.text
    assert "after 60 moves" in over.text
    assert "vanishes next" not in over.text
    assert f"-# {RULE} · " in over.text, "once it is over, what was played"
    await house.press(house.ben, "Review")
    for label in ("Start", "End", "Back"):
        await house.press(house.ben, label, house.lesson())
    assert "**Move 59 of 60: " in house.lesson().text
    code = Record(INFINITE, endless()).code
    assert f"```\n{code}\n```" in house.lesson().text
    await house.rui.slash(house.channel, "velha replay", code=code.lower())
    assert "Antes da primeira jogada" in house.lesson().text


@pytest.mark.parametrize("level", [Level.CHILD, Level.HARD, Level.IMPOSSIBLE])
@pytest.mark.parametrize("board", ["infinite", "misere"])
async def test_a_match_against_the_bot_can_be_played_to_its_end(
    house: SimulatedGuild, board: str, level: Level
) -> None:
    await house.start(house.ben, board=board, level=level.name, first="opponent")
    rng = random.Random(board)
    while not any(word in house.seen().text for word in ("wins!", "draw!")):
        await house.press(house.ben, rng.choice(house.seen().free))
    if level is Level.IMPOSSIBLE:
        assert f"🏆 {house.ben.mention}" not in house.seen().text
    if board == "infinite" and level is Level.IMPOSSIBLE:
        assert "wins!" in house.seen().text, "it begins, so it can force a win"
    await house.press(house.ben, "Review")
    assert f"-# {board}: " in house.lesson().text.replace("è", "e")
    await house.press(house.ben, "Rematch")
    assert "to move" in house.seen().text


async def test_following_the_hints_wins_the_infinite_game_in_seven_moves(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ben, board="infinite", level="IMPOSSIBLE")
    assert "whoever goes first can force a win" in house.seen().text
    await house.press(house.ben, "Hint")
    assert "With best play, ❌ wins with 6 more moves." in house.lesson().text
    assert "🟩 `+` win: B1, A2, C2, and B3" in house.lesson().text
    while "wins!" not in house.seen().text:
        await house.press(house.ben, "Hint")
        board, said = (shown.text.splitlines() for shown in (house.seen(), house.lesson()))
        vanishing = [line.split(" · ")[0] for line in board if "vanishes next" in line]
        assert all(words in said for words in vanishing)
        play = next(label for label in house.lesson().buttons if label.startswith("Play "))
        await house.press(house.ben, play, house.lesson())
    assert f"🏆 {house.ben.mention} wins!" in house.seen().text
    assert "after 13 moves" in house.seen().text
    assert "with 7 hints" in house.seen().text


async def test_completing_a_line_loses_misere(
    house: SimulatedGuild,
) -> None:
    await play_out(house, (4, 0, 2, 1, 6), MISERE)
    over = house.seen()
    assert f"🏆 {house.ben.mention} wins!" in over.text
    assert "after 5 moves" in over.text
    assert over.cells_in(DANGER) == ["C1", "B2", "A3"]
    await house.press(house.ana, "Review")
    await house.press(house.ana, "Fim", house.lesson())
    assert "**A3** completa uma linha: aqui, isso é derrota." in house.lesson().text
    assert house.lesson().cells_in(DANGER) == ["C1", "B2", "A3"]


async def test_a_rematch_is_of_the_same_game_and_resigning_loses_it(
    house: SimulatedGuild,
) -> None:
    await play_out(house, (1, 0))
    await house.resign(house.ana)
    assert f"🏆 {house.ben.mention} wins!" in house.seen().text
    for who in (house.ana, house.ben):
        await house.press(who, "Rematch")
    assert "infinite: " in house.seen().text
    assert f"❌ {house.ben.mention}" in house.seen().text
