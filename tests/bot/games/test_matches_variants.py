"""Whole games of infinite and misère."""

from __future__ import annotations

import random

import discord
import pytest
from discord import ButtonStyle

from engine import INFINITE, MISERE, Board, Cell, Level, Record, Rules
from tests.bot.simulated_guild import SimulatedGuild, private_text

DANGER = discord.ButtonStyle.danger
RULE = "infinite: your fourth mark makes your oldest vanish"


def drawn_out_moves(plies: int = 60) -> tuple[Cell, ...]:
    """Moves of the infinite game that nobody wins."""
    rng, board, moves = random.Random(1), Board(INFINITE), list[Cell]()
    while len(moves) < plies:
        quiet = [cell for cell in board.actions() if board.result(cell).winner is None]
        moves.append(rng.choice(quiet))
        board = board.result(moves[-1])
    return tuple(moves)


async def play_out(guild: SimulatedGuild, moves: tuple[Cell, ...], rules: Rules = INFINITE) -> None:
    await guild.challenge(board=rules.name)
    for number, cell in enumerate(moves):
        await guild.press((guild.ana, guild.ben)[number % 2], rules.coordinate(cell))


async def test_the_mark_that_vanishes_next_is_shown_and_named_and_gone_after_the_move(
    guild: SimulatedGuild,
) -> None:
    await play_out(guild, drawn_out_moves(5))
    assert guild.newest().vanishing == []
    assert f"-# {RULE} · " in guild.newest().text
    await guild.press(guild.ben, INFINITE.coordinate(drawn_out_moves()[5]))
    first = INFINITE.coordinate(drawn_out_moves()[0])
    assert guild.newest().vanishing == [first]
    assert f"-# ❌ {first} vanishes next · " in guild.newest().text
    assert RULE not in guild.newest().text
    before = guild.newest()
    assert "ocupada" in private_text(await guild.press(guild.ana, first, before))
    await guild.press(guild.ana, INFINITE.coordinate(drawn_out_moves()[6]))
    board = Board.after(drawn_out_moves(7), INFINITE)
    assert first in guild.newest().free
    assert len(guild.newest().free) == len(board.actions()) == 3
    assert f"⭕ {INFINITE.coordinate(drawn_out_moves()[1])} vanishes next" in guild.newest().text


async def test_the_longest_match_ends_in_an_announced_draw(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge(board="infinite")
    played = "".join(map(INFINITE.coordinate, drawn_out_moves(55)))
    guild.sql("UPDATE matches SET moves = :moves", moves=played)
    await guild.press(guild.ben, INFINITE.coordinate(drawn_out_moves()[55]))
    assert "before a draw" not in guild.newest().text
    for left, cell in zip((3, 2, 1, 0), drawn_out_moves()[56:], strict=True):
        await guild.press((guild.ana, guild.ben)[left % 2 == 0], INFINITE.coordinate(cell))
        moves = "1 move" if left == 1 else f"{left} moves"
        announced = f"{moves} left before a draw" in guild.newest().text
        assert announced == (left > 0)
    over = guild.newest()
    assert "It's a draw!" in over.text
    assert "after 60 moves" in over.text
    assert "vanishes next" not in over.text
    assert f"-# {RULE} · " in over.text, "once it is over, what was played"
    await guild.press(guild.ben, "Review")
    while "→" in guild.page().labels:
        await guild.press(guild.ben, "→", guild.page())
    await guild.press(guild.ben, "←", guild.page())
    assert guild.page().text.startswith("**Move 59")
    await guild.press(guild.ben, "More", guild.page())
    code = Record(INFINITE, drawn_out_moves()).code
    assert f"```\n{code}\n```" in guild.page().text
    await guild.rui.slash(guild.channel, "velha replay", code=code.lower())
    assert "Antes da primeira jogada" in guild.page().text


@pytest.mark.parametrize(
    ("board", "name", "level"),
    [
        ("infinite", "infinite", Level.CHILD),
        ("infinite", "infinite", Level.IMPOSSIBLE),
        ("misere", "reverse", Level.IMPOSSIBLE),
    ],
)
async def test_a_match_against_the_bot_can_be_played_to_its_end(
    guild: SimulatedGuild, board: str, name: str, level: Level
) -> None:
    await guild.start(guild.ben, board=board, level=level.name, first="opponent")
    rng = random.Random(board)
    while not any(word in guild.newest().text for word in ("wins!", "I win", "draw!")):
        await guild.press(guild.ben, rng.choice(guild.newest().free))
    if level is Level.IMPOSSIBLE:
        assert f"🏆 {guild.ben.mention}" not in guild.newest().text
    if board == "infinite" and level is Level.IMPOSSIBLE:
        assert "I win" in guild.newest().text, "it begins, so it can force a win"
    await guild.press(guild.ben, "Review")
    assert f"-# {name}: " in guild.page().text
    await guild.press(guild.ben, "Rematch")
    assert "'s turn" in guild.newest().text


async def test_following_the_hints_wins_the_infinite_game_in_seven_moves(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben, board="infinite", level="IMPOSSIBLE")
    assert "whoever starts can always win" in guild.newest().text
    await guild.press(guild.ben, "Hint")
    assert "With best play from here, ❌ wins in 6 moves." in guild.page().text
    await guild.press(guild.ben, "Why?", guild.page())
    assert "🟩 win: B1, A2, C2, B3" in guild.page().text
    while "wins!" not in guild.newest().text:
        await guild.press(guild.ben, "Hint")
        await guild.press(guild.ben, "Why?", guild.page())
        board, said = (shown.text.splitlines() for shown in (guild.newest(), guild.page()))
        vanishing = [line.split(" · ")[0] for line in board if "vanishes next" in line]
        assert all(words in said for words in vanishing)
        (best,) = guild.page().cells_in(ButtonStyle.primary)
        await guild.press(guild.ben, best, guild.page())
    assert f"🏆 {guild.ben.mention} wins!" in guild.newest().text
    assert "after 13 moves" in guild.newest().text
    assert "with 7 hints" in guild.newest().text


async def test_completing_a_line_loses_misere(
    guild: SimulatedGuild,
) -> None:
    await play_out(guild, (4, 0, 2, 1, 6), MISERE)
    over = guild.newest()
    assert f"🏆 {guild.ben.mention} wins!" in over.text
    assert "after 5 moves" in over.text
    assert over.cells_in(DANGER) == ["C1", "B2", "A3"]
    await guild.press(guild.ana, "Review")
    while "→" in guild.page().labels:
        await guild.press(guild.ana, "→", guild.page())
    assert "**A3** completa uma linha: aqui, isso é derrota." in guild.page().text
    assert guild.page().cells_in(DANGER) == ["C1", "B2", "A3"]


async def test_a_rematch_is_of_the_same_game_and_resigning_loses_it(
    guild: SimulatedGuild,
) -> None:
    await play_out(guild, (1, 0))
    await guild.resign(guild.ana)
    assert f"🏆 {guild.ben.mention} wins!" in guild.newest().text
    for who in (guild.ana, guild.ben):
        await guild.press(who, "Rematch")
    assert "infinite: " in guild.newest().text
    assert f"❌ {guild.ben.mention}" in guild.newest().text
