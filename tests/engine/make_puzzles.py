"""Makes engine/puzzles.txt anew, in about ten minutes.

.venv/bin/python -m tests.engine.make_puzzles

All puzzles of 3x3 are taken, and of larger boards those that games at random come by, until there
are enough of every kind. Then each kind is shuffled and dealt to the days of its kind.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count

from engine import Board, Grade, Puzzle, Rules, Value
from engine.openings import canonical
from engine.puzzles import FILE, puzzle_in
from tests.engine.positions import UNFINISHED

DAYS = 7 * 106
"""A little more than two years, and an even number, so that wins and holds always alternate."""

GRADES_BY_WEEKDAY = (*[Grade.EASY] * 2, *[Grade.MEDIUM] * 3, *[Grade.HARD] * 2)
"""The week begins easily, on Monday, as it does with crosswords."""

BOARDS = (
    (Rules(4, 4, 3), range(3, 10)),
    (Rules(5, 5, 4), range(6, 17)),
    (Rules(4, 4, 4), range(6, 13)),
    (Rules(5, 5, 4), range(6, 17)),
    (Rules(5, 5, 5), range(11, 20)),
    (Rules(5, 5, 4), range(6, 17)),
)
"""Which boards are tried in turn, with how many marks. Holds are found on hardly any but 5x5x4."""

Kind = tuple[Grade, Value]

ON_MANY_BOARDS: tuple[Kind, ...] = ((Grade.EASY, Value.WIN), (Grade.MEDIUM, Value.WIN))


def kind_of_day(day: int) -> Kind:
    """What a day is to have, counted from a Monday."""
    return GRADES_BY_WEEKDAY[day % 7], Value.DRAW if day % 2 else Value.WIN


def position(number: int) -> Board:
    """The position that is tried as one of so many; in half of the games, blocks are seen."""
    rng = random.Random(number)
    rules, marks = BOARDS[number % len(BOARDS)]
    board, wanted, sees = Board(rules), rng.choice(marks), rng.random() < 0.5
    while (board.x | board.o).bit_count() < wanted and not board.is_terminal:
        own, other = board.to_move, board.to_move.other
        seen = (board.winning_cells(own) or board.winning_cells(other)) if sees else ()
        board = board.result(rng.choice(seen or board.actions()))
    return board


def puzzles_among(boards: Iterable[Board]) -> Iterator[Puzzle]:
    """Those that are no mirror images of one before."""
    seen = set()
    for board in boards:
        image = canonical(board)
        if image not in seen and (puzzle := puzzle_in(board)):
            seen.add(image)
            yield puzzle


def make_table() -> list[Board]:
    days = Counter(map(kind_of_day, range(DAYS)))
    found: dict[Kind, list[Board]] = {kind: [] for kind in days}

    def lacks(kind: Kind, rules: Rules) -> bool:
        """Whether there are too few; where other boards have enough, half may be on one."""
        on_this = sum(board.rules == rules for board in found[kind])
        most = days[kind] / 2 if kind in ON_MANY_BOARDS else days[kind]
        return len(found[kind]) < days[kind] and on_this < most

    def tried() -> Iterator[Board]:
        yield from UNFINISHED
        for board in map(position, count()):
            if any(lacks(kind, board.rules) for kind in days):
                yield board

    for puzzle in puzzles_among(tried()):
        kind = puzzle.grade, puzzle.value
        if lacks(kind, puzzle.board.rules):
            found[kind].append(puzzle.board)
            lacking = DAYS - sum(map(len, found.values()))
            print(f"\r{lacking:3} lacking", end="", flush=True)
            if not lacking:
                break
    return dealt(found)


def dealt(found: dict[Kind, list[Board]]) -> list[Board]:
    rng = random.Random(DAYS)
    for boards in found.values():
        rng.shuffle(boards)
    return [found[kind_of_day(day)].pop() for day in range(DAYS)]


def line_of(board: Board) -> str:
    return f"{board.rules.name} {board}"


if __name__ == "__main__":
    FILE.write_text("".join(f"{line_of(board)}\n" for board in make_table()), encoding="ascii")
    print(f"\n{FILE}: {FILE.stat().st_size} bytes")
