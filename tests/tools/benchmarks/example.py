"""The baseline: discord.py's own example of tic-tac-toe, as a bot of its own.

From https://github.com/Rapptz/discord.py/blob/master/examples/views/tic_tac_toe.py (MIT): plain
buttons, two people at one board in memory, one edit a press. It differs in that a slash command
opens a board, and that a free cell is labelled with its coordinate, by which the load finds it.
"""

from __future__ import annotations

import os
import sys

import discord
from discord import app_commands, ui
from discord.ext import commands

from tests.bot.discord_address import use_discord_at

X, O, TIE = -1, 1, 2  # noqa: E741 - the example's names


class TicTacToeButton(ui.Button["TicTacToe"]):
    def __init__(self, x: int, y: int) -> None:
        super().__init__(style=discord.ButtonStyle.secondary, label=f"{'ABC'[x]}{y + 1}", row=y)
        self.x = x
        self.y = y

    async def callback(self, interaction: discord.Interaction) -> None:
        assert self.view is not None
        view = self.view
        if view.board[self.y][self.x] in {X, O}:
            return
        is_x = view.current_player == X
        self.style = discord.ButtonStyle.danger if is_x else discord.ButtonStyle.success
        self.label = "X" if is_x else "O"
        self.disabled = True
        view.board[self.y][self.x] = view.current_player
        view.current_player = O if is_x else X
        content = "It is now O's turn" if is_x else "It is now X's turn"
        winner = view.check_board_winner()
        if winner is not None:
            content = {X: "X won!", O: "O won!", TIE: "It's a tie!"}[winner]
            for child in view.children:
                assert isinstance(child, ui.Button)
                child.disabled = True
            view.stop()
        await interaction.response.edit_message(content=content, view=view)


class TicTacToe(ui.View):
    def __init__(self) -> None:
        super().__init__()
        self.current_player = X
        self.board = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        for x in range(3):
            for y in range(3):
                self.add_item(TicTacToeButton(x, y))

    def check_board_winner(self) -> int | None:
        columns = [[row[x] for row in self.board] for x in range(3)]
        diagonals = [[self.board[i][i] for i in range(3)], [self.board[i][2 - i] for i in range(3)]]
        sums = [sum(line) for line in (*self.board, *columns, *diagonals)]
        if 3 in sums:
            return O
        if -3 in sums:
            return X
        return TIE if all(all(row) for row in self.board) else None


@app_commands.command()
async def start(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("Tic Tac Toe: X goes first", view=TicTacToe())


class ExampleBot(commands.Bot):
    def __init__(self) -> None:
        super().__init__(command_prefix="$", intents=discord.Intents.none())

    async def setup_hook(self) -> None:
        velha = app_commands.Group(name="velha", description="the example")
        velha.add_command(start)
        self.tree.add_command(velha)


if __name__ == "__main__":
    use_discord_at(sys.argv[1])
    ExampleBot().run(os.environ["DISCORD_TOKEN"])
