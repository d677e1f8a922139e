"""Keys under which the solver remembers positions; symmetric positions share theirs."""

from __future__ import annotations

from functools import lru_cache

from engine.rules import Rules

_MAX_STONES_FOR_SYMMETRY = 10
_MAX_CELLS_FOR_SYMMETRY = 32
_MAX_COLUMNS_FOR_SYMMETRY = 8


class PositionKeys:
    """The keys of the positions of one game.

    A position's eight images under the symmetries stand side by side in one integer, in lanes of
    64 bits: the own cells in the lower half of a lane, the other player's in the upper half. The
    key is the smallest lane. A table has the images of each possible row, so that a position is
    the union of the images of its rows.
    """

    def __init__(self, rules: Rules) -> None:
        self._shift_without_symmetry = max(32, len(rules.cells))
        has_symmetry = (
            len(rules.cells) <= _MAX_CELLS_FOR_SYMMETRY
            and rules.columns <= _MAX_COLUMNS_FOR_SYMMETRY
        )
        self._row_mask = (1 << rules.columns) - 1
        self._row_images = _images_of_rows(rules) if has_symmetry else []

    def key(self, own: int, other: int) -> int:
        """The key of a position, from the bit sets of both players' cells.

        With many stones, or on large boards, symmetric positions have different keys.
        """
        if (own | other).bit_count() > _MAX_STONES_FOR_SYMMETRY or not self._row_images:
            return own | (other << self._shift_without_symmetry)
        mask = self._row_mask
        lanes = 0
        for start, images in self._row_images:
            lanes |= images[own >> start & mask] | (images[other >> start & mask] << 32)
        return min(memoryview(lanes.to_bytes(64, "little")).cast("Q"))


def _images_of_rows(rules: Rules) -> list[tuple[int, list[int]]]:
    """For each row: its first cell, and the images of every subset of its cells."""
    starts = rules.cells[:: rules.columns]
    return [(start, _images_of_row(start, rules)) for start in starts]


def _images_of_row(start: int, rules: Rules) -> list[int]:
    """The images of every subset of the cells of a row, as lanes; bit i is the row's cell i."""
    lanes_of_cells = []
    for cell in range(start, start + rules.columns):
        lanes = sum(1 << 64 * lane + image[cell] for lane, image in enumerate(rules.symmetries))
        lanes_of_cells.append(lanes)
    return [
        sum(lanes for i, lanes in enumerate(lanes_of_cells) if subset >> i & 1)
        for subset in range(1 << rules.columns)
    ]


@lru_cache(maxsize=32)
def position_keys_of(rules: Rules) -> PositionKeys:
    """The keys that all solvers of a game share."""
    return PositionKeys(rules)
