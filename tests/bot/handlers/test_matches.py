"""Whole games, as members of a server play and see them."""

from __future__ import annotations

import discord
import pytest
from simcord.results import InteractionResult

from bot.client.command_choices import BOARDS, LEVELS
from engine import TIC_TAC_TOE, Board, Level, rules_named, search
from tests.bot.house import TURN_MINUTES, SimulatedGuild, told

BOARD_NAMES = {
    "4x4x3": "4x4, 3 in a row wins",
    "4x4x4": "4x4, 4 in a row wins",
    "5x5x4": "5x5, 4 in a row wins",
    "5x5x5": "5x5, 5 in a row wins",
    "infinite": "infinite: your fourth mark makes your oldest vanish",
    "misere": "misère: three in a row loses",
}
"""What stands under a board; the usual one needs no name."""


async def play_out(house: SimulatedGuild, *moves: str) -> None:
    for move in moves:
        await house.press(house.ana, move)


async def test_start_without_options_plays_the_bot_and_the_person_moves_first(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    assert house.board() == "... ... ..."
    assert house.text().splitlines()[0] == (
        f"**❌ {house.ana.mention}  vs  ⭕ <@{house.env.backend.bot_user.id}> (impossible)**"
    )
    assert f"❌ {house.ana.mention} to move" in house.text()


async def test_free_cells_show_their_coordinates_in_reading_order(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    labels = [button["label"] for row in house.seen().rows[:3] for button in row]
    assert labels == ["A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"]


async def test_the_move_and_the_reply_come_in_one_edit(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    before = len(house.requests())
    await house.press(house.ana, "B2")
    assert len(house.requests()) == before + 1, "one request to Discord a move"
    assert house.board().count("o") == 1
    assert Board.parse(house.board())[4] is not None


async def test_taken_cells_are_answered_and_the_last_move_stands_out(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "B2"), (house.ben, "A1"))
    assert house.seen().cells_in(discord.ButtonStyle.primary) == ["A1"]
    assert told(await house.press(house.ana, "A1")) == "Essa casa já está ocupada."
    twice = await house.press(house.ana, "B2")
    assert not twice.followups, "her own last mark: she is told nothing"
    assert house.board() == "o.. .x. ..."


async def test_a_game_against_the_bot_ends_in_a_draw_when_both_play_well(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    while "to move" in house.text():
        best = search(Board.parse(house.board())).best_actions[0]
        await house.press(house.ana, f"{'ABC'[best % 3]}{best // 3 + 1}")
    assert house.text().splitlines()[0] == "## 🤝 It's a draw!"
    assert not house.seen().free
    assert house.seen().labels == ["Rematch", "Down to hard", "Review"]


async def test_a_lost_match_shows_the_winning_line_in_green(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    while "to move" in house.text():
        await house.press(house.ana, house.seen().free[0])
    assert house.text().splitlines()[0] == f"## 🏆 <@{house.env.backend.bot_user.id}> wins!"
    green = house.seen().cells_in(discord.ButtonStyle.success)
    assert len(green) == 3
    assert not house.seen().free


async def test_the_easy_bot_can_be_beaten(house: SimulatedGuild) -> None:
    for _ in range(30):
        await house.start(house.ana, level="EASY")
        while "to move" in house.text():
            best = search(Board.parse(house.board())).best_actions[0]
            await house.press(house.ana, f"{'ABC'[best % 3]}{best // 3 + 1}")
        if f"🏆 {house.ana.mention} wins!" in house.text():
            return
    pytest.fail("thirty games against the easy level, and not one was won")


async def test_the_bot_begins_if_asked_to(house: SimulatedGuild) -> None:
    await house.start(house.ana, first="opponent")
    assert house.board().count("x") == 1
    assert f"⭕ {house.ana.mention} to move" in house.text()


async def test_naming_the_bot_as_opponent_plays_the_bot(house: SimulatedGuild) -> None:
    velha = house.bot_member()
    await house.start(house.ana, opponent=velha, level="MEDIUM")
    assert "(medium)" in house.text()
    assert house.board() == "... ... ..."


async def test_either_may_begin_if_chosen_at_random(house: SimulatedGuild) -> None:
    begins = set()
    for _ in range(4):
        for who in (house.ana, house.ben, house.rui):
            await house.start(who, first="random")
            begins.add(house.board().count("x"))
            await house.resign(who)
    assert begins == {0, 1}


async def test_two_people_play_each_other_once_the_challenge_is_accepted(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana, opponent=house.ben)
    assert f"{house.ben.mention}, {house.ana.mention} has challenged you" in house.text()
    assert house.seen().labels == ["Accept", "Decline", "Cancel"]
    await house.press(house.ben, "Accept")
    assert house.board() == "... ... ..."
    await house.play(
        (house.ana, "A1"),
        (house.ben, "A2"),
        (house.ana, "B1"),
        (house.ben, "B2"),
        (house.ana, "C1"),
    )
    assert house.board() == "xxx oo. ..."
    assert house.text().splitlines()[0] == f"## 🏆 {house.ana.mention} wins!"
    assert house.seen().cells_in(discord.ButtonStyle.success) == ["A1", "B1", "C1"]


async def test_the_challenged_player_may_begin(house: SimulatedGuild) -> None:
    await house.challenge(first="opponent")
    await house.press(house.ben, "C3")
    assert house.board() == "... ... ..x"


async def test_only_the_challenged_is_pinged_and_only_once(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.press(house.ben, "Accept")
    await house.press(house.ana, "A1")
    bodies = [request.json or {} for request in house.env.http_requests[-3:]]
    allowed = [body["data"]["allowed_mentions"] for body in bodies]
    assert allowed == [{"parse": [], "users": [house.ben.id]}, {"parse": []}, {"parse": []}]


async def test_reposting_a_challenge_pings_nobody(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.rui.slash(house.channel, "velha board")
    body = next(r.json for r in reversed(house.env.http_requests) if r.method == "POST")
    assert body is not None
    assert body["data"]["allowed_mentions"] == {"parse": [], "users": []}


async def test_a_declined_challenge_frees_the_channel(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.press(house.ben, "Decline")
    assert house.text() == f"{house.ben.mention} declined {house.ana.mention}'s challenge."
    assert house.seen().buttons == {}
    await house.start(house.rui)
    assert house.board() == "... ... ..."


async def test_a_challenger_can_cancel(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.press(house.ana, "Cancel")
    assert house.text() == f"{house.ana.mention} cancelled the challenge to {house.ben.mention}."


async def test_an_unanswered_challenge_lapses_after_five_minutes(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.let_pass(minutes=5)
    assert house.text() == f"{house.ben.mention} didn't answer {house.ana.mention}'s challenge."


async def test_resigning_loses(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.press(house.ana, "A1")
    await house.resign(house.ana)
    assert house.text().splitlines()[:2] == [
        f"## 🏆 {house.ben.mention} wins!",
        f"{house.ana.mention} resigned.",
    ]


async def test_one_press_does_not_resign(house: SimulatedGuild) -> None:
    await house.challenge()
    asked = await house.press(house.ana, "Resign")
    assert asked.response is not None
    assert asked.response.flags.ephemeral
    assert "to move" in house.text(), "only the one who pressed is asked, and nothing is lost yet"
    await house.press(house.ana, "A1")
    concede = house.seen().buttons["Resign"]["custom_id"].replace("resign", "concede")
    await house.ana.click(asked.response, custom_id=concede.replace(":2:", ":1:"))
    assert house.board() == "x.. ... ..."
    assert f"{house.ana.mention} resigned." in house.text()
    assert len(house.everything_seen()) == 1, "the question has become a note"


async def test_after_a_match_against_the_bot_another_level_can_be_tried(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana, level="EASY", first="opponent")
    await house.resign(house.ana)
    await house.press(house.ana, "Down to child's play")
    assert "(child's play)" in house.text()
    assert f"❌ {house.ana.mention} to move" in house.text(), "the sides are swapped"


async def test_the_board_says_if_the_first_player_can_force_a_win(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="4x4x3")
    assert "whoever goes first can force a win" in house.text()
    await house.resign(house.ana)
    await house.start(house.ana, board="4x4x4")
    assert "force a win" not in house.text()


async def test_a_rematch_with_the_bot_starts_at_once_with_sides_swapped(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.play((house.ana, "B2"), (house.ana, "Resign"), (house.ana, "Rematch"))
    assert house.text().startswith(f"**❌ <@{house.env.backend.bot_user.id}> (impossible)")
    assert house.board().count("x") == 1
    assert f"⭕ {house.ana.mention} to move" in house.text()


async def test_a_rematch_between_people_needs_both(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "Resign"), (house.ana, "Rematch"))
    assert f"{house.ana.mention} wants a rematch." in house.text()
    await house.press(house.ben, "Rematch")
    assert house.text().startswith(f"**❌ {house.ben.mention}  vs  ⭕ {house.ana.mention}**")
    await house.press(house.ben, "B2")
    assert house.board() == "... .x. ..."


async def test_a_turn_not_taken_in_time_loses(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    await house.let_pass(minutes=TURN_MINUTES)
    assert house.text().splitlines()[:2] == [
        f"## 🏆 {house.ben.mention} wins!",
        f"{house.ana.mention} ran out of time.",
    ]


async def test_the_board_can_be_reposted(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    old = house.seen()
    await house.ben.slash(house.channel, "velha board")
    new = house.seen()
    assert new.id != old.id
    assert new.board == old.board
    retired = next(seen for seen in house.everything_seen() if seen.id == old.id)
    assert retired.buttons == {}
    assert f"/{house.channel.id}/{new.id}" in retired.text
    await house.press(house.ana, new.free[0])
    assert house.seen().board.count("x") == 2


async def test_a_deleted_board_can_be_reposted(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    house.env.backend.delete_message(house.channel.id, house.seen().id)
    await house.ana.slash(house.channel, "velha board")
    await house.press(house.ana, "A1")
    assert house.board().count("x") == 1


async def test_stop_by_a_player_resigns(house: SimulatedGuild) -> None:
    await house.challenge()
    result = await house.ben.slash(house.channel, "velha stop")
    assert told(result).startswith("You resigned: https://discord.com/channels/")
    assert f"{house.ben.mention} resigned" in house.text()


async def test_stop_by_a_moderator_ends_the_match_without_result(house: SimulatedGuild) -> None:
    await house.challenge()
    said = told(await house.rui.slash(house.channel, "velha stop"))
    assert said.startswith("Você encerrou a partida em nome da moderação, sem resultado: https://")
    assert house.text().splitlines()[0] == "A moderator ended the match, without a result."
    assert house.seen().labels == [], "and the players cannot go on at once"


async def test_stop_by_a_moderator_ends_a_challenge_too(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    said = told(await house.rui.slash(house.channel, "velha stop"))
    assert said.startswith("Você encerrou o desafio em nome da moderação: https://")
    assert house.text() == "A moderator ended the challenge."


async def test_stop_cancels_or_declines_a_challenge(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    said = told(await house.ana.slash(house.channel, "velha stop"))
    assert said.startswith("Você cancelou o desafio: https://")
    assert "cancelled the challenge" in house.text()
    await house.start(house.ana, opponent=house.ben)
    said = told(await house.ben.slash(house.channel, "velha stop"))
    assert said.startswith("You declined the challenge: https://")
    assert "declined" in house.text()


async def test_channels_have_matches_of_their_own(house: SimulatedGuild) -> None:
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana)
    await house.start(house.ana, channel=other)
    await house.press(house.ana, "A1", house.seen(other))
    assert house.seen(other).board.count("x") == 1
    assert house.board() == "... ... ..."


async def test_threads_and_voice_channels_are_channels_too(house: SimulatedGuild) -> None:
    for channel in (house.create_thread(), house.guild.create_voice_channel("voz")):
        await house.start(house.ana, channel=channel)
        await house.press(house.ana, "A1", house.seen(channel))
        assert house.seen(channel).board.count("x") == 1


async def test_the_bot_can_be_played_in_direct_messages(house: SimulatedGuild) -> None:
    user = house.ana.user
    await user.slash("velha start")
    seen = house.seen(user.dm_channel)
    assert "Vez de" in seen.text, "alone with somebody, the bot speaks their language"
    await house.press(user, "B2", seen)
    assert house.seen(user.dm_channel).board.count("o") == 1


@pytest.mark.parametrize(
    ("server", "opener", "labels"),
    [
        ("pt-BR", "en-US", ["Entrar", "Dica", "Desistir"]),
        ("en-GB", "pt-BR", ["Join", "Hint", "Resign"]),
        ("en-US", "pt-BR", ["Entrar", "Dica", "Desistir"]),
        ("en-US", "ja", ["Join", "Hint", "Resign"]),
    ],
)
async def test_the_board_is_in_the_server_s_language_or_else_the_opener_s(
    house: SimulatedGuild, server: str, opener: str, labels: list[str]
) -> None:
    """American English is what Discord says of a server that has not chosen."""
    house.env.backend.get_guild(house.guild.id).preferred_locale = server
    house.world.locales[house.ana.id] = opener
    await house.start(house.ana)
    assert house.seen().labels == labels


# Boards and levels


@pytest.mark.parametrize("board", [choice.value for choice in BOARDS])
async def test_every_board_is_played_in_one_message_with_its_controls(
    house: SimulatedGuild, board: str
) -> None:
    await house.start(house.ana, board=board)
    rules = rules_named(board)
    assert house.board() == " ".join(["." * rules.columns] * rules.rows)
    assert house.seen().labels == ["Join", "Hint", "Resign"]
    assert (f"-# {BOARD_NAMES.get(board, board)}" in house.text()) is (rules != TIC_TAC_TOE)
    before = len(house.requests())
    await house.press(house.ana, "B2")
    assert len(house.requests()) == before + 1, "one request to Discord a move"
    assert sorted(house.board().replace(" ", "").replace(".", "")) == ["o", "x"]


async def test_the_bot_wins_on_a_large_board_against_bad_moves(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x4", first="opponent")
    while "to move" in house.text():
        await house.press(house.ana, house.seen().free[0])
    assert house.text().splitlines()[0] == f"## 🏆 {house.bot_member().mention} wins!"
    assert len(house.seen().cells_in(discord.ButtonStyle.success)) >= 4


async def test_people_play_each_other_on_a_large_board(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben, board="4x4x3")
    assert "-# 4x4, 3 in a row wins" in house.text()
    await house.press(house.ben, "Accept")
    assert house.seen().labels == ["Resign"], "hints are for matches against the bot"
    for who, cell in ((house.ana, "B2"), (house.ben, "A1"), (house.ana, "C3"), (house.ben, "A2")):
        await house.press(who, cell)
    await house.press(house.ana, "D4")
    assert house.board() == "o... ox.. ..x. ...x"
    assert f"## 🏆 {house.ana.mention} wins!" in house.text()


async def test_a_rematch_is_on_the_same_board(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="4x4x4")
    await house.play((house.ana, "B2"), (house.ana, "Resign"), (house.ana, "Rematch"))
    assert house.board().count("x") == 1
    assert "4x4, 4 in a row wins" in house.text()


async def test_a_large_match_goes_on_after_a_restart(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x5")
    await house.press(house.ana, "C3")
    await house.restart()
    await house.press(house.ana, "A1")
    assert house.board().count("o") == 2


async def test_a_double_click_on_a_large_board_is_one_move(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x4")
    await house.press_at_once((house.ana, "C3"), (house.ana, "C3"), (house.ana, "D4"))
    assert house.board().count("x") == 1
    assert house.board().count("o") == 1


async def test_while_the_bot_thinks_others_are_answered(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x4")
    house.sql("UPDATE matches SET moves = 'A1A3C1A5'")
    there = house.guild.create_text_channel("outro")
    await house.start(house.ben, channel=there)
    slow = house.send_press(house.ana, "D5")
    await house.press(house.ben, "B2", house.seen(there))
    assert house.seen(there).board.count("o") == 1
    await house.env.settle()
    assert house.board().replace("o", "", 1).count("o") == 2, "and so is the one who waited"
    answers = [path for _, path in house.requests() if path.endswith("/callback")]
    assert str(slow.id) in answers[-1], "but last"


@pytest.mark.parametrize("level", [choice.value for choice in LEVELS])
async def test_every_level_plays(house: SimulatedGuild, level: str) -> None:
    await house.start(house.ana, level=level, first="opponent")
    assert house.board().count("x") == 1
    name = Level[level].name.lower().replace("child", "child's play")
    assert f"({name})" in house.text()


# Join


async def test_joining_replaces_the_bot_as_the_opener_s_opponent(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    assert house.seen().labels == ["Join", "Hint", "Resign"]
    await house.press(house.ben, "Join")
    assert house.text().splitlines()[0] == f"**❌ {house.ana.mention}  vs  ⭕ {house.ben.mention}**"
    assert house.seen().labels == ["Resign"]
    request = house.env.http_requests[-1].json or {}
    assert request["data"]["allowed_mentions"] == {"parse": []}, "nobody is pinged"
    await house.play((house.ana, "B2"), (house.ben, "A1"))
    assert house.board() == "o.. .x. ..."


async def test_the_opener_may_play_on_alone_and_cannot_join_themselves(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    assert told(await house.press(house.ana, "Join")) == (
        "Esse botão é para os outros: quem apertar joga contra você."
    )
    early = house.seen()
    await house.press(house.ana, "B2")
    assert house.seen().labels == ["Hint", "Resign"]
    assert told(await house.press(house.ben, "Join", early)) == (
        "It's too late to join this match."
    )
    assert house.board().count("o") == 1, "the bot goes on"


async def test_joining_keeps_the_bot_s_first_move(house: SimulatedGuild) -> None:
    await house.start(house.ana, first="opponent")
    begun = house.board()
    await house.press(house.ben, "Join")
    assert house.text().splitlines()[0] == f"**❌ {house.ben.mention}  vs  ⭕ {house.ana.mention}**"
    assert house.board() == begun, "a board never goes back"
    assert f"⭕ {house.ana.mention} to move" in house.text()


async def test_the_first_of_two_concurrent_joins_plays_and_the_second_is_refused(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    results = await house.press_at_once((house.ben, "Join"), (house.rui_in_english(), "Join"))
    late = [result for result in results if result.followups]
    assert [told(result) for result in late] == ["It's too late to join this match."]
    names = [who.mention for who in (house.ben, house.rui) if who.mention in house.text()]
    assert len(names) == 1


async def test_there_is_no_join_with_a_chosen_level_in_direct_messages_or_in_rematches(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana, level="EASY")
    assert house.seen().labels == ["Hint", "Resign"]
    assert told(await forge_join(house)) == "It's too late to join this match."
    await house.play((house.ana, "B2"), (house.ana, "Resign"), (house.ana, "Rematch"))
    assert house.seen().labels == ["Hint", "Resign"]
    await house.ana.user.slash("velha start")
    assert house.seen(house.ana.user.dm_channel).labels == ["Dica", "Desistir"]


async def forge_join(house: SimulatedGuild) -> InteractionResult:
    match_id = house.seen().buttons["Hint"]["custom_id"].split(":")[1]
    return await house.press_forged(house.ben, f"velha:{match_id}:0:join")


async def test_a_reposted_board_can_still_be_joined(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.rui.slash(house.channel, "velha board")
    await house.press(house.ben, "Join")
    assert house.ben.mention in house.text()


async def test_a_rematch_after_joining_needs_both_and_shows_the_head_to_head(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.press(house.ben, "Join")
    await house.play((house.ana, "B2"), (house.ben, "Resign"), (house.ana, "Rematch"))
    assert f"{house.ana.mention} wants a rematch." in house.text()
    await house.press(house.ben, "Rematch")
    assert house.text().startswith(f"**❌ {house.ben.mention}  vs  ⭕ {house.ana.mention}**")
    assert f"{house.ben.mention} 0 × 1 {house.ana.mention}" in house.text()
    await house.play((house.ben, "B2"), (house.ben, "Resign"))
    await house.start(house.ben)
    await house.press(house.ana, "Join")
    assert f"{house.ben.mention} 0 × 2 {house.ana.mention}" in house.text()


# The menu on a person


async def test_the_user_menu_challenges_as_the_command_does(house: SimulatedGuild) -> None:
    await house.ana.context_menu(house.channel, "Challenge to velha", house.ben)
    assert f"{house.ben.mention}, {house.ana.mention} has challenged you" in house.text()
    request = house.env.http_requests[-1].json or {}
    assert request["data"]["allowed_mentions"] == {"parse": [], "users": [house.ben.id]}
    await house.press(house.ben, "Accept")
    assert house.board() == "... ... ..."


async def test_the_user_menu_refuses_what_the_command_refuses(house: SimulatedGuild) -> None:
    robot = house.guild.add_member(house.env.create_user("robot", bot=True))
    menu = "Challenge to velha"
    said = told(await house.ana.context_menu(house.channel, menu, house.ana))
    assert said == "Não dá para desafiar a própria conta."
    assert "Other bots" in told(await house.ben.context_menu(house.channel, menu, robot))
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = house.guild.create_text_channel("segredo", overwrites={house.ben: hidden})
    said = told(await house.ana.context_menu(secret, menu, house.ben))
    assert said == f"{house.ben.mention} não consegue ver este canal."
    await house.start(house.ana)
    assert "already" in told(await house.ben.context_menu(house.channel, menu, house.ana))


async def test_the_user_menu_on_the_bot_begins_a_match_against_it(house: SimulatedGuild) -> None:
    await house.ana.context_menu(house.channel, "Challenge to velha", house.bot_member())
    assert house.seen().labels == ["Hint", "Resign"]
