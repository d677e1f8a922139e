"""A learner's program against levels or another program: of so many games, won, drawn and lost."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path

from engine.board import Board, Mark
from engine.check.checks import to_action
from engine.check.command import Command, command_player
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.learner import TimeLimits
from engine.check.runner import learner_player
from engine.levels import Level, choose_move
from engine.rules import Cell
from engine.terminal.check_texts import CheckTexts
from engine.terminal.command_texts import CommandTexts
from engine.terminal.drawing import SYMBOLS, columns, ljust, show_status, table_row
from engine.terminal.language import N_, Language
from engine.terminal.options import command_line

_GAMES = 100

_Choose = Callable[[Board], Cell]
"""A player: its move on an unfinished board. A FindingError loses the game."""


@dataclass
class Program:
    """A learner's program. It may be slow, so it is asked once about each board.

    With `own`, its `minimax` has to be the learner's own. It may be a `command` in place of a file.
    """

    path: Path
    limits: TimeLimits
    name: str
    own: bool = False
    command: Command | None = None
    _moves: dict[Board, Cell | Finding] = field(default_factory=dict)
    _process: ExitStack = field(default_factory=ExitStack)
    _choose: _Choose | None = None
    _unusable: Finding | None = None

    def start(self) -> _Choose:
        """Start its process, unless it runs already; its player.

        Raises:
            FindingError: The file cannot be used.
        """
        if self._unusable is not None:
            raise FindingError(self._unusable)
        if self._choose is None:
            try:
                player = (
                    learner_player(self.path, self.limits, own=self.own)
                    if self.command is None
                    else command_player(self.command)
                )
                self._choose = self._process.enter_context(player)
            except FindingError as error:
                self._unusable = error.finding
                raise
        return self._choose

    def texts(self, language: Language) -> CheckTexts:
        kind = CheckTexts if self.command is None else CommandTexts
        return kind(self.path, self.limits, language)

    def close(self) -> None:
        self._process.close()
        self._choose = None

    def choose(self, board: Board) -> Cell:
        if board not in self._moves:
            try:
                self._moves[board] = self.start()(board)
            except FindingError as error:
                self._moves[board] = error.finding
                if error.finding.kind in {FindingKind.HANGS, FindingKind.EXITS}:
                    self.close()  # a fresh process is asked about the next board
        move = self._moves[board]
        if isinstance(move, Finding):
            raise FindingError(move)
        return move


Opponent = Level | Program


@dataclass(frozen=True)
class Game:
    """A finished game of the program, which played `mark`; `failure` is why it ended early."""

    mark: Mark
    moves: Sequence[Cell]
    winner: Mark | None
    failure: Finding | None = None

    @property
    def result(self) -> int:
        """1 if the program won, 0 for a draw, -1 if it lost."""
        return 0 if self.winner is None else 1 if self.winner is self.mark else -1


def games(program: Program, opponent: Opponent, seed: int | None) -> Iterator[Game]:
    """The games of a program, as X and as O in turn.

    A program plays alike each time, so against another one each begins once at every cell.
    """
    if isinstance(opponent, Program):
        for cell in Board().actions():
            for mark in Mark:
                yield _play({mark: program.choose, mark.other: opponent.choose}, mark, [cell])
        return
    level = partial(choose_move, level=opponent, rng=random.Random(seed))
    for _ in range(_GAMES // 2):
        for mark in Mark:
            yield _play({mark: program.choose, mark.other: level}, mark, [])


def _play(players: dict[Mark, _Choose], mark: Mark, opening: Sequence[Cell]) -> Game:
    moves = list(opening)
    board = Board.after(moves)
    while not board.is_terminal:
        try:
            cell = players[board.to_move](board)
        except FindingError as error:
            return Game(mark, moves, board.to_move.other, error.finding)
        moves.append(cell)
        board = board.result(cell)
    return Game(mark, moves, board.winner)


# Translators, from here on: said in a terminal of the games of a learner's program.
def print_contest(
    program: Program, opponents: Sequence[Opponent], seed: int | None, language: Language
) -> None:
    """Play against each opponent; print a table, what went wrong, and the shortest losses."""
    say = language.say
    # Translators: the head of a table; the names of opponents stand below "against".
    results = [say(N_("won")), say(N_("drawn")), say(N_("lost"))]
    names = [say(N_("against")), *map(_name, opponents)]
    widths = [-max(map(columns, names)), *(max(7, columns(head) + 2) for head in results)]
    if all(isinstance(opponent, Level) for opponent in opponents):
        # Translators: {n} is 100, {half} is 50.
        print(say(N_("Of {n} games, {half} as X and {half} as O:"), n=_GAMES, half=_GAMES // 2))
    else:
        print(say(N_("Both begin once on each of the nine squares, so of 18 games:")))
    print("\n" + table_row([names[0], *results], widths), flush=True)
    played: list[tuple[Opponent, Game]] = []
    for opponent, name in zip(opponents, names[1:], strict=True):
        counts: Counter[int] = Counter()
        begun = "" if sys.stderr.isatty() else ljust(name, -widths[0])
        print(begun, end="", flush=True)  # a slow program takes its time
        show_status(f"{name} 0")
        for game in games(program, opponent, seed):
            played.append((opponent, game))
            counts[game.result] += 1
            show_status(f"{name} {counts.total()}")
        show_status("")
        row = [name, *(str(counts[result]) for result in (1, 0, -1))]
        print(table_row(row, widths).removeprefix(begun), flush=True)
    games_of_programs = [(program, opponent, game) for opponent, game in played]
    notes = [*failure_lines(games_of_programs, language), *_loss_lines(played, language)]
    if notes:
        print("", *notes, sep="\n")


def failure_lines(
    played: Sequence[tuple[Program, Opponent, Game]], language: Language
) -> Iterator[str]:
    """Why games were lost by a program that gave no move, each reason once."""
    failures: Counter[tuple[str, str]] = Counter()
    for program, opponent, game in played:
        loser = program if game.result < 0 else opponent
        if game.failure is not None and isinstance(loser, Program):
            function = "minimax" if game.failure.board else ""
            failures[loser.name, loser.texts(language).message(function, game.failure)] += 1
    for (file, message), count in failures.items():
        # Translators: {message} is a sentence on the program in {file}, such as "minimax(board)
        # raises ValueError".
        yield language.ngettext(
            "{file} lost {n} game so: {message}",
            "{file} lost {n} games so: {message}",
            count,
            file=file,
            message=message,
        )
    if failures:
        yield language.say(N_("{command} says more."), command=command_line("check"))


def _loss_lines(played: Sequence[tuple[Opponent, Game]], language: Language) -> Iterator[str]:
    """The shortest game that the program lost to each opponent."""
    lost: dict[str, list[Game]] = {}
    for opponent, game in played:
        if game.result < 0 and game.failure is None:
            lost.setdefault(_name(opponent), []).append(game)
    for name, all_lost in lost.items():
        game = min(all_lost, key=lambda game: len(game.moves))
        moves = [f"{SYMBOLS[m]} {to_action(cell)}" for m, cell in zip(cycle(Mark), game.moves)]
        # Translators: {name} is a level or a file, {symbol} X or O, {moves} a list.
        text = N_("Lost to {name}, as {symbol}: {moves}")
        listed = language.items(moves)
        yield language.say(text, name=name, symbol=SYMBOLS[game.mark], moves=listed)


def _name(opponent: Opponent) -> str:
    return opponent.name.lower() if isinstance(opponent, Level) else opponent.name
