"""Private matches: where they begin, how they go on, and how they end, as one person sees them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.domain.matches import BOARDS, PrivateMatch
from bot.domain.pages import custom_id
from bot.domain.private import PrivatePage
from bot.domain.puzzles import PracticePage
from bot.store.store import Store
from engine import Level, Mark, Record, best_moves, daily_puzzle
from tests.bot.custom_ids import parse_page
from tests.bot.databases import save_settings
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text

DAY = datetime(2026, 12, 1, 12, tzinfo=UTC)
"""A day on whose puzzle, on 4x4, somebody wins with their second move."""


@pytest.fixture
def starts_at() -> datetime:
    return DAY


class Board:
    """The private board of a person, wherever it began."""

    def __init__(self, guild: SimulatedGuild, who: MemberActor, page: SeenMessage) -> None:
        self.guild, self.who, self.id = guild, who, page.id

    @property
    def seen(self) -> SeenMessage:
        pages = self.guild.messages(ephemeral=True)
        return next(page for page in pages if page.id == self.id)

    @property
    def match(self) -> PrivateMatch:
        """The match as its buttons have it."""
        pages = [parse_page(button["custom_id"]) for button in self.seen.buttons.values()]
        return next(page.match for page in pages if isinstance(page, PrivatePage))

    async def press(self, label: str) -> None:
        await self.guild.press(self.who, label, self.seen)

    async def play(self, choose: Callable[[Record], int] | None = None) -> None:
        """Play to the end: the best moves, or those chosen."""
        while self.seen.free:
            record = self.match.record
            cell = choose(record) if choose else best_moves(record.boards[-1])[0]
            await self.press(record.rules.coordinate(cell))


def worst(record: Record) -> int:
    """A free cell that blocks nothing, in which the bot does not win by chance."""
    board = record.boards[-1]
    blocks = board.forced_cells()
    return next(cell for cell in board.actions() if cell not in blocks)


async def open_privately(guild: SimulatedGuild, who: MemberActor, **options: Any) -> Board:
    """Start a match where there is one, and play it privately."""
    await guild.start(who, **options)
    refusal = guild.page()
    label = "Só para mim" if who in (guild.ana, guild.rui) else "Play in private"
    style = refusal.buttons[label]["style"]
    assert next(iter(refusal.buttons)) == label
    assert style == discord.ButtonStyle.primary.value
    await guild.press(who, label, refusal)
    return Board(guild, who, guild.page())


# In one channel


async def test_three_people_play_in_one_channel_two_of_them_privately(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, level="IMPOSSIBLE")
    public = guild.newest()
    bens = await open_privately(guild, guild.ben, level="IMPOSSIBLE", board="4x4x3")
    ruis = await open_privately(guild, guild.rui, level="EASY", first="opponent")
    assert bens.seen.board == ".... .... .... ...."
    assert ruis.seen.board.count("x") == 1, "the bot has begun"
    before = len(guild.requests())
    await bens.press("B2")
    assert len(guild.requests()) == before + 1, "one request a press"
    assert bens.seen.board.count("x") == bens.seen.board.count("o") == 1
    assert f"code for `/velha replay`: `{bens.match.record.code}`" in bens.seen.text
    await guild.press(guild.ana, "B2")
    await ruis.press(ruis.seen.free[0])
    await guild.restart()
    await bens.play()
    await ruis.play()
    assert f"🏆 {guild.ben.mention} got me!" in bens.seen.text
    assert guild.board().count("x") == guild.board().count("o") == 1
    assert guild.newest().id == public.id
    assert guild.is_live()
    assert guild.messages() == [guild.newest()], "nobody else has seen anything"


async def test_where_a_moderator_keeps_no_boards_one_plays_privately(
    guild: SimulatedGuild,
) -> None:
    elsewhere = guild.handle.create_text_channel("jogos")
    store = Store.open(guild.settings.database_url)
    save_settings(store, guild.handle.id, channels=(elsewhere.id,))
    store.close()
    board = await open_privately(guild, guild.ben, level="EASY")
    assert board.seen.free
    await board.press("B2")
    assert board.seen.board.count("x") == 1
    assert not guild.is_live()


async def test_a_challenge_that_is_refused_offers_no_private_match(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.start(guild.ben, opponent=guild.rui)
    assert guild.page().labels == ["Go to the board"]
    assert "thread" in guild.page().text


async def test_it_is_said_where_a_match_counts_right_away(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    said = private_text(await guild.start(guild.ben))
    assert said.endswith(
        "For a match that counts, type `/velha start` in a thread or in a direct message to me."
    )
    thread = guild.create_thread()
    await guild.start(guild.ana, channel=thread)
    said = private_text(await guild.start(guild.ben, channel=thread))
    assert said.endswith("that counts, type `/velha start` in a direct message to me.")
    assert "a thread" not in said


# To its end


async def test_a_lost_match_says_why_and_is_reviewed_played_again_and_for_everybody(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    board = await open_privately(guild, guild.ben, level="IMPOSSIBLE")
    await board.play(worst)
    assert "## I win this time." in board.seen.text
    assert "**Move " in board.seen.text, "what decided"
    assert board.seen.labels[-4:] == ["Review", "Play again", "Play in public", "As text"]
    lost = board.seen
    await board.press("Play again")
    assert board.match.side is Mark.O
    assert board.seen.board.count("x") == 1
    await guild.press(guild.ben, "Review", lost)
    assert "Play on" in board.seen.labels
    await guild.press(guild.ben, "Play on", board.seen)
    assert board.match.level is Level.IMPOSSIBLE
    await guild.press(guild.ben, "Play in public", lost)
    assert "This channel already has a match." in guild.page().text
    await guild.resign(guild.ana)
    await guild.press(guild.ben, "Play in public", lost)
    assert guild.is_live()
    assert guild.board() == "... ... ..."
    assert "(impossible)" in guild.text()


@pytest.mark.parametrize("rules", BOARDS, ids=str)
async def test_every_board_is_played_to_its_end(guild: SimulatedGuild, rules: Any) -> None:
    await guild.start(guild.ana)
    board = await open_privately(guild, guild.ben, level="CHILD", board=rules.name)
    await board.play()
    assert board.seen.text.startswith("## "), "how it ended"
    assert board.match.record.rules == rules


async def test_a_hint_takes_the_place_of_the_board_and_plays_on_it(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    board = await open_privately(guild, guild.ben, level="IMPOSSIBLE")
    await board.press("Hint")
    assert board.seen.labels[-2:] == ["Why?", "Go to the board"]
    assert "just for fun" not in board.seen.text
    await board.press("Go to the board")
    await board.press("Hint")
    await board.press("Why?")
    await board.press("C2")
    await board.press("Play C2")
    assert board.seen.board.count("x") == board.seen.board.count("o") == 1
    assert board.seen.board.split()[1][2] == "x"


async def test_a_taken_cell_is_refused_and_the_board_stays(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    board = await open_privately(guild, guild.ben, level="IMPOSSIBLE")
    await board.press("B2")
    stands = board.seen
    said = private_text(await guild.press(guild.ben, "B2", stands))
    assert said == "That square is taken. Press a free one."
    said = private_text(await guild.press(guild.ben, "As text", stands))
    assert "Your turn, as X." in said
    assert board.seen == stands


async def test_forged_and_stale_buttons_get_a_sentence(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    board = await open_privately(guild, guild.ben, level="EASY")
    over = PrivateMatch(Record(moves=(0, 3, 1, 4, 2)), Level.EASY, Mark.X)
    for forged in (custom_id(PrivatePage(over, cell=8), 0), "velha:own:XYZ.EASY.x:0"):
        said = await guild.press_forged(guild.ben, forged, board.seen)
        assert private_text(said).startswith("This button no longer works.")
    assert board.seen.free


# From a position on


async def lose_the_puzzle(guild: SimulatedGuild) -> Board:
    """Try three wrong moves."""
    puzzle = daily_puzzle(DAY.date())
    await guild.ben.slash(guild.channel, "velha puzzle")
    board = Board(guild, guild.ben, guild.page())
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    for cell in wrong[:3]:
        assert "Play on" not in board.seen.labels, "it would help to solve the puzzle"
        await board.press(puzzle.board.rules.coordinate(cell))
    return board


async def test_a_puzzle_that_was_lost_is_played_on_and_won(guild: SimulatedGuild) -> None:
    board = await lose_the_puzzle(guild)
    assert "## Not this time" in board.seen.text
    assert board.seen.labels[-1] == "Play on"
    await board.press("Play on")
    puzzle = daily_puzzle(DAY.date())
    assert board.seen.board == str(puzzle.board)
    assert board.match.level is Level.IMPOSSIBLE
    await guild.restart()
    await board.play()
    assert f"🏆 {guild.ben.mention} got me!" in board.seen.text
    assert "❌ could win from the start, and made no mistakes." in board.seen.text
    await board.press("Review")
    await board.press("←")
    assert "Move" in board.seen.text
    while "←" in board.seen.labels:
        await board.press("←")
    assert "Before the first move" in board.seen.text
    assert board.seen.board == str(puzzle.board), "what came before was not played here"
    await board.press("Play on")
    assert board.seen.board == str(puzzle.board)
    assert not guild.is_live()


async def test_practice_of_today_s_puzzle_gives_no_match_before_the_attempt_is_over(
    guild: SimulatedGuild,
) -> None:
    puzzle = daily_puzzle(DAY.date())
    await guild.ben.slash(guild.channel, "velha puzzle")
    solved = custom_id(PracticePage(DAY.date(), (puzzle.solution,)), 0)
    board = Board(guild, guild.ben, guild.page())
    await guild.press_forged(guild.ben, solved, board.seen)
    assert board.seen.labels[-1] == "Play"
    board = await lose_the_puzzle(guild)
    await guild.press_forged(guild.ben, solved, board.seen)
    assert board.seen.labels[-1] == "Play on"


async def test_a_lesson_that_is_finished_is_played_on(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha learn")
    board = Board(guild, guild.ben, guild.page())
    for label in ("Next", "Next"):
        await board.press(label)
    assert "Play on" not in board.seen.labels
    while not board.seen.buttons["Next cut"].get("disabled"):
        await board.press("Next cut")
    await board.press("Play on")
    assert board.match.level is Level.IMPOSSIBLE
    assert board.match.start == 6
    assert board.seen.free


async def test_a_mistake_that_is_put_right_and_a_review_are_played_on(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben, level="EASY")
    await guild.resign(guild.ben)
    moves = ("A1", "B1", "C1", "B2", "A3", "C2", "A2")
    await guild.challenge()
    for number, cell in enumerate(moves):
        await guild.press(guild.ben if number % 2 else guild.ana, cell)
    await guild.press(guild.ben, "Review")
    board = Board(guild, guild.ben, guild.page())
    for label in ("B1", "Try again"):
        await board.press(label)
    assert "Play on" not in board.seen.labels
    await board.press("B2")
    await board.press("Play on")
    assert board.seen.board == "x.. ... ...", "from before the mistake"
    assert (board.match.side, board.match.start) == (Mark.O, 1)
    await board.press("B2")
    assert board.seen.board.count("x") == 2


async def test_a_live_match_and_its_hints_lead_to_no_private_match(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    for message in (guild.newest(), guild.page()):
        pages = [parse_page(button["custom_id"]) for button in message.buttons.values()]
        assert not [page for page in pages if isinstance(page, PrivatePage)]
