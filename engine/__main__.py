"""Play jogo da velha in the terminal, watch the mind play itself, or watch it think."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable

from engine.board import Board, Mark
from engine.games import VARIANTS, rules_named
from engine.levels import Level, choose_move
from engine.review import judge
from engine.rules import Cell, Rules
from engine.solver import solver_of
from engine.terminal import SYMBOLS, announce, describe, draw, hint, introduce, patience, watch
from engine.worth import Oracle

Player = Callable[[Board], Cell]
"""Anything that answers a board with a move."""

_SIZES = range(3, 6)
_OTHERS = " or ".join(sorted(rules.name for rules in VARIANTS.values()))


class GoodbyeError(Exception):
    """The person left in the middle of a game."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        _play(options)
    except (GoodbyeError, KeyboardInterrupt):
        print("\nGoodbye!")
    except BrokenPipeError:  # whoever read along, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    levels = [level.name.lower() for level in Level]
    games = (
        "columns, rows, and how many in a row win: 3x3x3 (the default) to 5x5x5; "
        f"or by other rules: {_OTHERS}"
    )
    parser.add_argument("--board", type=_rules, default="3x3x3", metavar="CxRxK", help=games)
    parser.add_argument("--level", choices=levels, default="impossible", help="how strong I play")
    parser.add_argument(
        "--first", choices=["me", "ai", "random"], default="random", help="who is X"
    )
    parser.add_argument("--self-play", action="store_true", help="I play both sides")
    parser.add_argument("--hint", action="store_true", help="show what each move is worth")
    parser.add_argument("--watch", action="store_true", help="show what each search costs")
    parser.add_argument("--review", action="store_true", help="judge the moves after the game")
    parser.add_argument("--seed", type=int, help="make my choices repeatable")
    return parser


def _rules(text: str) -> Rules:
    try:
        rules = rules_named(text)
    except ValueError:
        rules = None
    if rules is None or rules.name != text or not _fits(rules):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no game here: type 3x3x3 to 5x5x5 (columns, rows, how many in a row "
            f"win), {_OTHERS}"
        )
    return rules


def _fits(rules: Rules) -> bool:
    return all(size in _SIZES for size in (rules.columns, rules.rows, rules.in_a_row))


def _play(options: argparse.Namespace) -> None:
    rng = random.Random(options.seed)
    level = Level[options.level.upper()]
    first = rng.choice(["me", "ai"]) if options.first == "random" else options.first
    person = None if options.self_play else Mark.X if first == "me" else Mark.O
    solver = solver_of(options.board)

    def machine(board: Board) -> Cell:
        with patience("Thinking"):
            return choose_move(board, level, rng)

    def show(board: Board) -> None:
        asked = options.hint and person in (None, board.to_move)
        print(f"\n{hint(board, solver) if asked else draw(board)}\n")
        for line in watch(board) if options.watch else ():
            print(line, flush=True)

    players: dict[Mark, Player] = dict.fromkeys(Mark, machine)
    if person:
        players[person] = ask
    for line in introduce(options.board, person):
        print(line)
    moves = play(Board(options.board), players, person, show)
    if options.review:
        review(moves, options.board, solver)


def play(
    board: Board, players: dict[Mark, Player], person: Mark | None, show: Callable[[Board], None]
) -> list[Cell]:
    """Play a game to its end and announce the result; its moves."""
    moves = []
    while not board.is_terminal:
        show(board)
        mark, cell = board.to_move, players[board.to_move](board)
        if mark is not person:
            print(f"{SYMBOLS[mark]} plays {board.rules.coordinate(cell)}.")
        moves.append(cell)
        board = board.result(cell)
    print(f"\n{draw(board)}\n\n{announce(board, person)}")
    return moves


def review(moves: list[Cell], rules: Rules, solver: Oracle) -> None:
    """Print what each move of a game was worth, as soon as it is known."""
    print("\nReview: for the player who moved, + is won, = drawn, - lost.")
    board = Board(rules)
    for number, cell in enumerate(moves, start=1):
        with patience(f"Judging move {number} of {len(moves)}"):
            verdict = judge(board, cell, solver)
        print(describe(number, verdict), flush=True)
        board = board.result(cell)


def ask(board: Board) -> Cell:
    """Ask the person for a cell until the answer is a legal move."""
    while True:
        try:
            typed = input(f"{SYMBOLS[board.to_move]}> ").strip()
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
    cell = names[name]
    if cell == board.vanishing:
        raise ValueError(f"{name} becomes free only after your move: choose another.")
    if board[cell] is not None:
        raise ValueError(f"{name} is taken: choose a free cell.")
    return cell


if __name__ == "__main__":
    raise SystemExit(main())
