"""Play jogo da velha in the terminal, or watch the mind play itself."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable

from engine import TIC_TAC_TOE, Board, Cell, Level, Mark, choose_move

Player = Callable[[Board], Cell]
"""Anything that answers a board with a move."""

_SYMBOLS = {Mark.X: "X", Mark.O: "O"}


class GoodbyeError(Exception):
    """The person left in the middle of a game."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    rng = random.Random(options.seed)
    level = Level[options.level.upper()]

    def machine(board: Board) -> Cell:
        return choose_move(board, level, rng)

    first = rng.choice(["me", "ai"]) if options.first == "random" else options.first
    person = None if options.self_play else Mark.X if first == "me" else Mark.O
    players: dict[Mark, Player] = dict.fromkeys(Mark, machine)
    if person:
        players[person] = ask
        print(f"You are {_SYMBOLS[person]}. Type a cell, such as A1 or 1; q quits.")
    try:
        play(Board(TIC_TAC_TOE), players, person)
    except (GoodbyeError, KeyboardInterrupt):
        print("\nGoodbye!")
    except BrokenPipeError:  # whoever read along, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    parser.add_argument("--self-play", action="store_true", help="the AI plays both sides")
    parser.add_argument(
        "--first", choices=["me", "ai", "random"], default="random", help="who is X"
    )
    parser.add_argument(
        "--level",
        choices=[level.name.lower() for level in Level],
        default="impossible",
        help="how strong the AI plays (impossible)",
    )
    parser.add_argument("--seed", type=int, help="makes the AI's choices repeatable")
    return parser


def play(board: Board, players: dict[Mark, Player], person: Mark | None) -> Board:
    """Play a game to its end, printing each position and the result."""
    while not board.is_terminal:
        mark = board.to_move
        if mark is person:
            print(f"\n{draw(board)}\n")
        cell = players[mark](board)
        board = board.result(cell)
        if mark is not person:
            print(f"\n{_SYMBOLS[mark]} plays {board.rules.coordinate(cell)}.")
        if person is None:
            print(draw(board))
    if person is not None:
        print(f"\n{draw(board)}")
    print(f"\n{announce(board, person)}")
    return board


def ask(board: Board) -> Cell:
    """Ask the person for a cell until the answer is a legal move."""
    while True:
        try:
            typed = input(f"{_SYMBOLS[board.to_move]}> ").strip()
        except EOFError:
            raise GoodbyeError from None
        if typed.lower() in {"q", "quit", "exit"}:
            raise GoodbyeError
        try:
            return read_cell(typed, board)
        except ValueError as problem:
            print(problem)


def read_cell(text: str, board: Board) -> Cell:
    """The free cell that a person means by `B2` or `5`.

    Raises:
        ValueError: It is not a cell, or it is taken; the message says so to the person.
    """
    name, rules = text.upper(), board.rules
    names = {rules.coordinate(cell): cell for cell in rules.cells}
    names |= {str(cell + 1): cell for cell in rules.cells}
    if name not in names:
        last = rules.cells[-1]
        raise ValueError(
            f"There is no cell {text!r}: type A1 to {rules.coordinate(last)}, or 1 to {last + 1}."
        )
    if board[names[name]] is not None:
        raise ValueError(f"{name} is taken: choose a free cell.")
    return names[name]


def draw(board: Board) -> str:
    """The board with its coordinates; a free cell shows its number."""
    rules = board.rules
    width = len(str(len(rules.cells)))
    header = "    " + "   ".join(rules.coordinate(c)[0].rjust(width) for c in range(rules.columns))
    bar = "\n   " + "+".join(["-" * (width + 2)] * rules.columns) + "\n"
    return header + "\n" + bar.join(_draw_row(board, row, width) for row in range(rules.rows))


def _draw_row(board: Board, row: int, width: int) -> str:
    start = row * board.rules.columns
    cells = range(start, start + board.rules.columns)
    shown = [_SYMBOLS[mark] if (mark := board[c]) else str(c + 1) for c in cells]
    return f"{row + 1:>2} " + "|".join(f" {text.rjust(width)} " for text in shown)


def announce(board: Board, person: Mark | None) -> str:
    """Who won, in words."""
    if board.winner is None:
        return "It's a draw: deu velha!"
    if person is None:
        return f"{_SYMBOLS[board.winner]} wins!"
    return "You win!" if board.winner is person else "You lose."


if __name__ == "__main__":
    raise SystemExit(main())
