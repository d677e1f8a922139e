"""Makes engine/puzzles.txt anew, in about ten minutes.

.venv/bin/python -m tests.engine.make_puzzles
.venv/bin/python -m tests.engine.make_puzzles variants    # the days of other games alone, at once

All puzzles of 3x3 are taken, and of larger boards those that games at random come by, until there
are enough of every kind. Then each kind is shuffled and dealt to the days of its kind. Last, some
days get a puzzle of another game in place of theirs, of the same kind.

The days as shipped were dealt before there were other games. Puzzles of 3x3 could have as few free
cells as tries then; the four that had now are other games'.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, zip_longest

from engine import (
    TIC_TAC_TOE,
    TRIES,
    VARIANTS,
    Board,
    Cell,
    Grade,
    Mark,
    Puzzle,
    Rules,
    Value,
)
from engine.puzzles import FILE, puzzle_from, puzzle_positions
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

VARIANT_EVERY_DAYS = 9
"""Neither even nor seven, so that variants come with wins and holds and on all days of the week."""


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
        image = board.rules, board.key
        if image not in seen:
            seen.add(image)
            if puzzle := puzzle_from(board):
                yield puzzle


def kind_of(puzzle: Puzzle) -> Kind:
    return puzzle.grade, puzzle.value


def make_table() -> list[Board]:
    """A table of m,n,k-games alone."""
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
        kind = kind_of(puzzle)
        if lacks(kind, puzzle.board.rules):
            found[kind].append(puzzle.board)
            lacking = DAYS - sum(map(len, found.values()))
            print(f"\r{lacking:3} lacking", end="", flush=True)
            if not lacking:
                break
    return [*dealt(found, range(DAYS)).values()]


def with_variants(shipped: Iterable[Board]) -> list[Board]:
    """The same table, but for the days of the variants."""
    positions = dict(enumerate(shipped))
    days = [day for day, board in positions.items() if is_for_variants(day, board)]
    return [*(positions | dealt(puzzles_of_variants(), days)).values()]


def is_for_variants(day: int, board: Board) -> bool:
    """Whether a day is theirs: every ninth, but for the few of 3x3, unless one is too small."""
    if board.rules == TIC_TAC_TOE:
        return len(board.actions()) <= TRIES
    return day % VARIANT_EVERY_DAYS == 0 or board.rules in VARIANTS.values()


def puzzles_of_variants() -> dict[Kind, list[Board]]:
    """All there are, one for all its mirror images."""
    rng = random.Random(DAYS)
    found: dict[Kind, list[Board]] = defaultdict(list)
    for rules in VARIANTS.values():
        for puzzle in puzzles_among(positions_of(rules)):
            image = reversed_sides(puzzle.board, rng.choice(rules.symmetries))
            found[kind_of(puzzle)].append(image)
    return found


def positions_of(rules: Rules) -> Iterator[Board]:
    """All in which more cells are free than there are tries, but for mirror images."""
    boards = [Board(rules)]
    while boards:
        yield from boards
        after = [board.result(cell) for board in boards for cell in board.actions()]
        going_on = [b for b in after if not b.is_terminal and len(b.free_cells) > TRIES]
        boards = [*{board.key: board for board in going_on}.values()]


def reversed_sides(board: Board, image: Sequence[Cell]) -> Board:
    """A mirror image of a position from which no mark has vanished yet."""
    pairs = zip_longest(*map(board.held_by, Mark))
    return Board.after([image[c] for pair in pairs for c in pair if c is not None], board.rules)


def dealt(found: dict[Kind, list[Board]], days: Iterable[int]) -> dict[int, Board]:
    """Some of the positions that were found, dealt to days of their kind."""
    rng = random.Random(DAYS)
    for boards in found.values():
        rng.shuffle(boards)
    return {day: found[kind_of_day(day)].pop() for day in days}


def line_of(board: Board) -> str:
    return f"{board.rules.name} {board}"


if __name__ == "__main__":
    positions = with_variants(puzzle_positions() if sys.argv[1:] == ["variants"] else make_table())
    FILE.write_text("".join(f"{line_of(board)}\n" for board in positions), encoding="ascii")
    print(f"\n{FILE}: {FILE.stat().st_size} bytes")
