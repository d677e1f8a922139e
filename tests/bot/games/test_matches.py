"""Whole games, as members of a server play and see them."""

from __future__ import annotations

import discord
import pytest
from simcord.results import InteractionResult

from engine import TIC_TAC_TOE, Board, Level, rules_named, search
from tests.bot.simulated_guild import SimulatedGuild, private_text

BOARD_NAMES = {
    "5x5x5": "5x5, 5 in a row wins",
    "infinite": "infinite: your fourth mark makes your oldest vanish",
}
"""What stands under a board; the usual one needs no name."""


async def play_out(guild: SimulatedGuild, *moves: str) -> None:
    for move in moves:
        await guild.press(guild.ana, move)


async def test_start_without_options_plays_the_bot_and_the_person_moves_first(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."
    assert guild.text().splitlines()[0] == (
        f"**❌ {guild.ana.mention}  vs  ⭕ <@{guild.env.backend.bot_user.id}> (easy)**"
    )
    assert f"❌ {guild.ana.mention}'s turn" in guild.text()


async def test_taken_cells_are_answered_and_the_last_move_stands_out(guild: SimulatedGuild) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "B2"), (guild.ben, "A1"))
    assert guild.newest().cells_in(discord.ButtonStyle.primary) == ["A1"]
    assert (
        private_text(await guild.press(guild.ana, "A1"))
        == "Essa casa já está ocupada. Aperte uma livre."
    )
    twice = await guild.press(guild.ana, "B2")
    assert not twice.followups, "her own last mark: she is told nothing"
    assert guild.board() == "o.. .x. ..."


async def test_a_game_against_the_bot_ends_in_a_draw_when_both_play_well(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, level="IMPOSSIBLE")
    while "'s turn" in guild.text():
        best = search(Board.parse(guild.board())).best_actions[0]
        await guild.press(guild.ana, f"{'ABC'[best % 3]}{best // 3 + 1}")
    assert guild.text().splitlines()[0] == "## 🤝 It's a draw!"
    assert not guild.newest().free
    assert guild.newest().labels == ["Rematch", "▼ perfect", "Review"]


async def test_two_people_play_each_other_once_the_challenge_is_accepted(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    assert f"{guild.ben.mention}, {guild.ana.mention} challenges you" in guild.text()
    assert guild.newest().labels == ["Accept", "Decline", "Cancel"]
    await guild.press(guild.ben, "Accept")
    assert guild.board() == "... ... ..."
    await guild.play(
        (guild.ana, "A1"),
        (guild.ben, "A2"),
        (guild.ana, "B1"),
        (guild.ben, "B2"),
        (guild.ana, "C1"),
    )
    assert guild.board() == "xxx oo. ..."
    assert guild.text().splitlines()[0] == f"## 🏆 {guild.ana.mention} wins!"
    assert guild.newest().cells_in(discord.ButtonStyle.success) == ["A1", "B1", "C1"]


async def test_only_the_challenged_is_pinged_and_only_once(guild: SimulatedGuild) -> None:
    before = len(guild.env.http_requests)
    await guild.start(guild.ana, opponent=guild.ben)
    await guild.rui.slash(guild.channel, "velha board")
    await guild.press(guild.ben, "Accept")
    await guild.press(guild.ana, "A1")
    answers = [r.json or {} for r in guild.env.http_requests[before:] if r.method == "POST"]
    assert [answer["data"]["allowed_mentions"] for answer in answers] == [
        {"parse": [], "users": [guild.ben.id]},
        {"parse": [], "users": []},
        {"parse": []},
        {"parse": []},
    ]


async def test_one_press_does_not_resign(guild: SimulatedGuild) -> None:
    await guild.challenge()
    asked = await guild.press(guild.ana, "Resign")
    assert asked.response is not None
    assert asked.response.flags.ephemeral
    assert "'s turn" in guild.text(), "only the one who pressed is asked, and nothing is lost yet"
    await guild.press(guild.ana, "A1")
    concede = guild.newest().buttons["Resign"]["custom_id"].replace("resign", "concede")
    await guild.ana.click(asked.response, custom_id=concede.replace(":2:", ":1:"))
    assert guild.board() == "x.. ... ..."
    assert f"{guild.ana.mention} resigned." in guild.text()
    assert len(guild.messages()) == 1, "the question has become a note"


async def test_after_a_match_against_the_bot_another_level_can_be_tried(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, level="EASY", first="opponent")
    await guild.resign(guild.ana)
    await guild.press(guild.ana, "▼ child's play")
    assert "(child's play)" in guild.text()
    assert f"❌ {guild.ana.mention}'s turn" in guild.text(), "the sides are swapped"


async def test_a_rematch_with_the_bot_starts_at_once_with_sides_swapped(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"), (guild.ana, "Rematch"))
    assert guild.text().startswith(f"**❌ <@{guild.env.backend.bot_user.id}> (easy)")
    assert guild.board().count("x") == 1
    assert f"⭕ {guild.ana.mention}'s turn" in guild.text()


async def test_the_board_can_be_reposted(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    old = guild.newest()
    await guild.ben.slash(guild.channel, "velha board")
    new = guild.newest()
    assert new.id != old.id
    assert new.board == old.board
    retired = next(seen for seen in guild.messages() if seen.id == old.id)
    assert retired.buttons == {}
    assert f"/{guild.channel.id}/{new.id}" in retired.text
    await guild.press(guild.ana, new.free[0])
    assert guild.newest().board.count("x") == 2


async def test_stop_by_a_player_resigns(guild: SimulatedGuild) -> None:
    await guild.challenge()
    await guild.ben.slash(guild.channel, "velha stop")
    assert guild.page().text == "Really resign?"
    assert guild.is_live()
    await guild.stop(guild.ben)
    assert guild.page().text.startswith(
        "You resigned. [Go to the board](https://discord.com/channels/"
    )
    assert f"{guild.ben.mention} resigned" in guild.text()


async def test_stop_by_a_moderator_ends_the_match_without_result(guild: SimulatedGuild) -> None:
    await guild.challenge()
    said = private_text(await guild.rui.slash(guild.channel, "velha stop"))
    assert said.startswith(
        "Você encerrou a partida pela moderação, sem resultado. [Ir para o tabuleiro](https://"
    )
    assert guild.text().splitlines()[0] == "A moderator ended the match, without a result."
    assert guild.newest().labels == [], "and the players cannot go on at once"


async def test_stop_by_a_moderator_ends_a_challenge_too(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    said = private_text(await guild.rui.slash(guild.channel, "velha stop"))
    assert said.startswith("Você encerrou o desafio pela moderação. [Ver o desafio](https://")
    assert guild.text() == "A moderator ended the challenge."


async def test_stop_cancels_or_declines_a_challenge(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    said = private_text(await guild.ana.slash(guild.channel, "velha stop"))
    assert said.startswith("Você cancelou o desafio. [Ver o desafio](https://")
    assert "cancelled the challenge" in guild.text()
    await guild.start(guild.ana, opponent=guild.ben)
    said = private_text(await guild.ben.slash(guild.channel, "velha stop"))
    assert said.startswith("You declined the challenge. [Go to the challenge](https://")
    assert "declined" in guild.text()


async def test_threads_and_voice_channels_are_channels_too(guild: SimulatedGuild) -> None:
    for channel in (guild.create_thread(), guild.handle.create_voice_channel("voz")):
        await guild.start(guild.ana, channel=channel)
        await guild.press(guild.ana, "A1", guild.newest(channel))
        assert guild.newest(channel).board.count("x") == 1


async def test_the_bot_can_be_played_in_direct_messages(guild: SimulatedGuild) -> None:
    user = guild.ana.user
    await user.slash("velha start")
    seen = guild.newest(user.dm_channel)
    assert "Vez de" in seen.text, "alone with somebody, the bot speaks their language"
    await guild.press(user, "B2", seen)
    assert guild.newest(user.dm_channel).board.count("o") == 1


@pytest.mark.parametrize(
    ("server", "opener", "labels"),
    [
        ("pt-BR", "en-US", ["Dica", "Entrar"]),
        ("en-GB", "pt-BR", ["Hint", "Join"]),
        ("en-US", "pt-BR", ["Dica", "Entrar"]),
        ("en-US", "hi", ["Hint", "Join"]),
    ],
)
async def test_the_board_is_in_the_server_s_language_or_else_the_opener_s(
    guild: SimulatedGuild, server: str, opener: str, labels: list[str]
) -> None:
    """American English is what Discord says of a server that has not chosen."""
    guild.env.backend.get_guild(guild.handle.id).preferred_locale = server
    guild.world.locales[guild.ana.id] = opener
    await guild.start(guild.ana)
    assert guild.newest().labels == labels


# Boards and levels


@pytest.mark.parametrize("board", ["3x3x3", "5x5x5", "infinite"])
async def test_a_board_is_played_in_one_message_with_its_controls(
    guild: SimulatedGuild, board: str
) -> None:
    await guild.start(guild.ana, board=board)
    rules = rules_named(board)
    assert guild.board() == " ".join(["." * rules.columns] * rules.rows)
    assert guild.newest().labels == ["Hint", "Join"]
    assert (f"-# {BOARD_NAMES.get(board, board)}" in guild.text()) is (rules != TIC_TAC_TOE)
    before = len(guild.requests())
    await guild.press(guild.ana, "B2")
    assert len(guild.requests()) == before + 1, "one request to Discord a move"
    assert sorted(guild.board().replace(" ", "").replace(".", "")) == ["o", "x"]


async def test_a_large_match_goes_on_after_a_restart(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board="5x5x5")
    await guild.press(guild.ana, "C3")
    await guild.restart()
    await guild.press(guild.ana, "A1")
    assert guild.board().count("o") == 2


async def test_a_double_click_on_a_large_board_is_one_move(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board="5x5x4")
    await guild.press_at_once((guild.ana, "C3"), (guild.ana, "C3"), (guild.ana, "D4"))
    assert guild.board().count("x") == 1
    assert guild.board().count("o") == 1


async def test_while_the_bot_thinks_others_are_answered(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board="5x5x4")
    guild.sql("UPDATE matches SET moves = 'A1A3C1A5'")
    there = guild.handle.create_text_channel("outro")
    await guild.start(guild.ben, channel=there)
    slow = guild.send_press(guild.ana, "D5")
    await guild.press(guild.ben, "B2", guild.newest(there))
    assert guild.newest(there).board.count("o") == 1
    await guild.env.settle()
    assert guild.board().replace("o", "", 1).count("o") == 2, "and so is the one who waited"
    answers = [path for _, path in guild.requests() if path.endswith("/callback")]
    assert str(slow.id) in answers[-1], "but last"


@pytest.mark.parametrize("level", ["CHILD", "IMPOSSIBLE"])
async def test_a_level_is_chosen_by_its_name(guild: SimulatedGuild, level: str) -> None:
    await guild.start(guild.ana, level=level, first="opponent")
    assert guild.board().count("x") == 1
    name = Level[level].name.lower().replace("child", "child's play")
    assert f"({name})" in guild.text()


# Join


async def test_joining_replaces_the_bot_as_the_opener_s_opponent(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    assert guild.newest().labels == ["Hint", "Join"]
    await guild.press(guild.ben, "Join")
    assert guild.text().splitlines()[0] == f"**❌ {guild.ana.mention}  vs  ⭕ {guild.ben.mention}**"
    assert f"{guild.ben.mention} has joined" in guild.text()
    assert guild.newest().labels == ["Resign", "Remind me"]
    request = guild.env.http_requests[-1].json or {}
    assert request["data"]["allowed_mentions"] == {"parse": []}, "nobody is pinged"
    await guild.play((guild.ana, "B2"), (guild.ben, "A1"))
    assert guild.board() == "o.. .x. ..."


async def test_the_opener_may_play_on_alone_and_cannot_join_themselves(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    assert private_text(await guild.press(guild.ana, "Join")) == (
        "Esse botão é para os outros: quem apertar joga contra você."
    )
    early = guild.newest()
    await guild.press(guild.ana, "B2")
    assert guild.newest().labels == ["Hint", "Resign"]
    assert private_text(await guild.press(guild.ben, "Join", early)) == (
        "It's too late to join. Start a match in another channel: `/velha start`"
    )
    assert guild.board().count("o") == 1, "the bot goes on"


async def test_there_is_no_join_with_a_chosen_level_in_direct_messages_or_in_rematches(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, level="EASY")
    assert guild.newest().labels == ["Hint", "Resign"]
    assert (
        private_text(await forge_join(guild))
        == "It's too late to join. Start a match in another channel: `/velha start`"
    )
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"), (guild.ana, "Rematch"))
    assert guild.newest().labels == ["Hint", "Resign"]
    await guild.ana.user.slash("velha start")
    assert guild.newest(guild.ana.user.dm_channel).labels == ["Dica", "Desistir"]


async def forge_join(guild: SimulatedGuild) -> InteractionResult:
    match_id = guild.newest().buttons["Hint"]["custom_id"].split(":")[1]
    return await guild.press_forged(guild.ben, f"velha:{match_id}:0:join")


async def test_a_rematch_after_joining_needs_both_and_shows_the_head_to_head(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    await guild.press(guild.ben, "Join")
    await guild.play((guild.ana, "B2"), (guild.ben, "Resign"), (guild.ana, "Rematch"))
    assert f"{guild.ana.mention} wants a rematch." in guild.text()
    await guild.press(guild.ben, "Rematch")
    assert guild.text().startswith(f"**❌ {guild.ben.mention}  vs  ⭕ {guild.ana.mention}**")
    assert f"{guild.ben.mention} 0–1 {guild.ana.mention}" in guild.text()
    await guild.play((guild.ben, "B2"), (guild.ben, "Resign"))
    await guild.start(guild.ben)
    await guild.press(guild.ana, "Join")
    assert f"{guild.ben.mention} 0–2 {guild.ana.mention}" in guild.text()


# The other name of the command


async def test_tictactoe_starts_a_match_as_velha_start_does(guild: SimulatedGuild) -> None:
    await guild.ana.slash(guild.channel, "tictactoe")
    assert "(easy)" in guild.text(), "the level that she has to beat"
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1
    await guild.resign(guild.ana)
    await guild.ana.slash(guild.channel, "tictactoe", board="4x4x3", level="HARD", first="opponent")
    assert "(hard)" in guild.text()
    assert "4x4, 3 in a row wins" in guild.text()
    assert guild.board().count("x") == 1, "the bot has begun"
    await guild.resign(guild.ana)
    await guild.ana.slash(guild.channel, "tictactoe", opponent=guild.ben)
    assert f"{guild.ben.mention}, {guild.ana.mention} challenges you" in guild.text()


# A channel that is busy


async def test_one_s_own_match_makes_way_for_the_one_that_was_asked_for(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    before = guild.newest()
    await guild.start(guild.ben, board="4x4x3", level="HARD", first="opponent")
    assert list(guild.page().buttons) == ["Go to the board", "End my match, start here"]
    await guild.press(guild.ben, "End my match, start here", guild.page())
    ended = next(seen for seen in guild.messages() if seen.id == before.id)
    assert f"{guild.ben.mention} resigned." in ended.text
    assert "(hard)" in guild.text()
    assert "4x4, 3 in a row wins" in guild.text()
    assert guild.board().count("x") == 1, "the bot has begun"
    await guild.press(guild.ben, guild.newest().free[0])
    assert guild.board().count("o") == 1


async def test_one_s_own_open_challenge_makes_way_for_a_rematch_with_the_bot(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, level="HARD")
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"))
    over = guild.newest()
    await guild.start(guild.ana, opponent=guild.ben)
    challenge = guild.newest()
    await guild.press(guild.ana, "Rematch", over)
    assert list(guild.page().buttons) == ["Ir para o tabuleiro", "Encerrar a minha e jogar"]
    await guild.press(guild.ana, "Encerrar a minha e jogar", guild.page())
    cancelled = next(seen for seen in guild.messages() if seen.id == challenge.id)
    assert cancelled.text == (
        f"{guild.ana.mention} cancelled the challenge to {guild.ben.mention}."
    )
    assert "(hard)" in guild.text()
    assert guild.board().count("x") == 1, "the sides are swapped, and the bot has begun"


async def test_a_challenge_of_somebody_else_makes_way_for_nobody(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben, level="HARD")
    await guild.play((guild.ben, "B2"), (guild.ben, "Resign"))
    over = guild.newest()
    await guild.start(guild.ana, opponent=guild.rui)
    await guild.press(guild.ben, "Rematch", over)
    assert list(guild.page().buttons) == ["Go to the board"]


# The menu on a person


async def test_the_user_menu_challenges_as_the_command_does(guild: SimulatedGuild) -> None:
    await guild.ana.context_menu(guild.channel, "Challenge to tic-tac-toe", guild.ben)
    assert f"{guild.ben.mention}, {guild.ana.mention} challenges you" in guild.text()
    request = guild.env.http_requests[-1].json or {}
    assert request["data"]["allowed_mentions"] == {"parse": [], "users": [guild.ben.id]}
    await guild.press(guild.ben, "Accept")
    assert guild.board() == "... ... ..."


async def test_the_user_menu_refuses_what_the_command_refuses(guild: SimulatedGuild) -> None:
    robot = guild.handle.add_member(guild.env.create_user("robot", bot=True))
    menu = "Challenge to tic-tac-toe"
    said = private_text(await guild.ana.context_menu(guild.channel, menu, guild.ana))
    assert said == "Você não pode se desafiar."
    assert "Other bots" in private_text(await guild.ben.context_menu(guild.channel, menu, robot))
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = guild.handle.create_text_channel("segredo", overwrites={guild.ben: hidden})
    said = private_text(await guild.ana.context_menu(secret, menu, guild.ben))
    assert said == f"{guild.ben.mention} não consegue ver este canal. Faça o desafio em outro."
    await guild.start(guild.ana)
    assert "already" in private_text(await guild.ben.context_menu(guild.channel, menu, guild.ana))


async def test_the_user_menu_on_the_bot_begins_a_match_against_it(guild: SimulatedGuild) -> None:
    await guild.ana.context_menu(guild.channel, "Challenge to tic-tac-toe", guild.bot_member())
    assert guild.newest().labels == ["Hint", "Resign"]
