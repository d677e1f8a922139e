"""Generates engine/puzzles.txt, in about ten minutes.

.venv/bin/python -m tests.engine.make_puzzles
.venv/bin/python -m tests.engine.make_puzzles variants    # only the days of the variants, at once

All puzzles of 3x3 are used, and puzzles of larger boards that occur in random games, until there
are enough of each kind. They are shuffled, and each day gets one of its kind. At last, some days
get a puzzle of a variant instead, of the same kind.

The table was first generated without variants, when a puzzle of 3x3 could have as few free cells as
there are tries: the four days with such puzzles have variants now.
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
"""A little more than two years, and an even number, so that wins and draws always alternate."""

GRADES_BY_WEEKDAY = (*[Grade.EASY] * 2, *[Grade.MEDIUM] * 3, *[Grade.HARD] * 2)
"""From Monday on: the week begins with easy puzzles, as it does with crosswords."""

BOARDS = (
    (Rules(4, 4, 3), range(3, 10)),
    (Rules(5, 5, 4), range(6, 17)),
    (Rules(4, 4, 4), range(6, 13)),
    (Rules(5, 5, 4), range(6, 17)),
    (Rules(5, 5, 5), range(11, 20)),
    (Rules(5, 5, 4), range(6, 17)),
)
"""Boards to try in turn, with numbers of marks. Puzzles with a draw are rare except on 5x5x4."""

Kind = tuple[Grade, Value]
"""Puzzles to win, or to hold a draw, of a grade."""

ON_MANY_BOARDS: tuple[Kind, ...] = ((Grade.EASY, Value.WIN), (Grade.MEDIUM, Value.WIN))

VARIANT_EVERY_DAYS = 9
"""Odd and not seven, so that variants have wins and draws, and come on all days of the week."""


def kind_of_day(day: int) -> Kind:
    """The kind of puzzle on a day, counted from a Monday."""
    return GRADES_BY_WEEKDAY[day % 7], Value.DRAW if day % 2 else Value.WIN


def position(number: int) -> Board:
    """A candidate from a random game; in every other game, both sides win and block if they can."""
    rng = random.Random(number)
    rules, mark_counts = BOARDS[number % len(BOARDS)]
    board = Board(rules)
    mark_count = rng.choice(mark_counts)
    is_attentive = rng.random() < 0.5
    while (board.x | board.o).bit_count() < mark_count and not board.is_terminal:
        own, other = board.to_move, board.to_move.other
        urgent = board.winning_cells(own) or board.winning_cells(other)
        cells = urgent if is_attentive and urgent else board.actions()
        board = board.result(rng.choice(cells))
    return board


def puzzles_among(boards: Iterable[Board]) -> Iterator[Puzzle]:
    """Yield the puzzles among positions, without mirror images."""
    known = set()
    for board in boards:
        key = board.rules, board.key
        if key in known:
            continue
        known.add(key)
        if puzzle := puzzle_from(board):
            yield puzzle


def kind_of(puzzle: Puzzle) -> Kind:
    return puzzle.grade, puzzle.value


def make_table() -> list[Board]:
    """Find a puzzle for each day, without variants."""
    days = Counter(map(kind_of_day, range(DAYS)))
    boards: dict[Kind, list[Board]] = {kind: [] for kind in days}

    def is_needed(kind: Kind, rules: Rules) -> bool:
        """Whether there are too few puzzles of a kind, and not too many of them on this board."""
        same_rules = sum(board.rules == rules for board in boards[kind])
        max_same_rules = days[kind] / 2 if kind in ON_MANY_BOARDS else days[kind]
        return len(boards[kind]) < days[kind] and same_rules < max_same_rules

    def candidates() -> Iterator[Board]:
        yield from UNFINISHED
        for board in map(position, count()):
            if any(is_needed(kind, board.rules) for kind in days):
                yield board

    for puzzle in puzzles_among(candidates()):
        kind = kind_of(puzzle)
        if is_needed(kind, puzzle.board.rules):
            boards[kind].append(puzzle.board)
            missing = DAYS - sum(map(len, boards.values()))
            print(f"\r{missing:3} lacking", end="", flush=True)
            if not missing:
                break
    return [*assign_days(boards, range(DAYS)).values()]


def with_variants(shipped: Iterable[Board]) -> list[Board]:
    """Replace the puzzles of some days by those of variants."""
    boards = dict(enumerate(shipped))
    days = [day for day, board in boards.items() if is_for_variants(day, board)]
    return [*(boards | assign_days(puzzles_of_variants(), days)).values()]


def is_for_variants(day: int, board: Board) -> bool:
    """Whether a day gets a variant in place of this position.

    Every ninth does, and each with a position of 3x3 that has too few cells. All others of 3x3 are
    kept, as there are few.
    """
    if board.rules == TIC_TAC_TOE:
        return len(board.actions()) <= TRIES
    return day % VARIANT_EVERY_DAYS == 0 or board.rules in VARIANTS.values()


def puzzles_of_variants() -> dict[Kind, list[Board]]:
    """All puzzles of variants, each as one of its mirror images."""
    rng = random.Random(DAYS)
    boards: dict[Kind, list[Board]] = defaultdict(list)
    for rules in VARIANTS.values():
        for puzzle in puzzles_among(positions_of(rules)):
            image = mirror_image(puzzle.board, rng.choice(rules.symmetries))
            boards[kind_of(puzzle)].append(image)
    return boards


def positions_of(rules: Rules) -> Iterator[Board]:
    """Yield the unfinished positions with more free cells than tries, without mirror images."""
    boards = [Board(rules)]
    while boards:
        yield from boards
        after = [board.result(cell) for board in boards for cell in board.actions()]
        unfinished = [b for b in after if not b.is_terminal and len(b.free_cells) > TRIES]
        boards = [*{board.key: board for board in unfinished}.values()]


def mirror_image(board: Board, image: Sequence[Cell]) -> Board:
    """A mirror image of a position from which no mark has vanished yet."""
    pairs = zip_longest(*map(board.held_by, Mark))
    return Board.after([image[c] for pair in pairs for c in pair if c is not None], board.rules)


def assign_days(boards: dict[Kind, list[Board]], days: Iterable[int]) -> dict[int, Board]:
    """Shuffle positions, and give each day one of its kind."""
    rng = random.Random(DAYS)
    for same_kind in boards.values():
        rng.shuffle(same_kind)
    return {day: boards[kind_of_day(day)].pop() for day in days}


def main(arguments: list[str]) -> None:
    only_variants = arguments == ["variants"]
    boards = with_variants(puzzle_positions() if only_variants else make_table())
    lines = [f"{board.rules.name} {board}\n" for board in boards]
    FILE.write_text("".join(lines), encoding="ascii")
    print(f"\n{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
