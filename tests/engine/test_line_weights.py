"""What lines weigh."""

from __future__ import annotations

import pytest

from engine import Rules, bit_set
from engine.line_weights import LineWeights

ON_5X5 = LineWeights(Rules(5, 5, 4))


@pytest.mark.parametrize(
    "rules", [Rules(3, 3, 3), Rules(5, 5, 5), Rules(8, 8, 5), Rules(18, 1, 18)]
)
def test_an_open_line_weighs_half_as_much_for_each_missing_cell(rules: Rules) -> None:
    line_weights = LineWeights(rules)
    for weigh in (line_weights.weigh_for_attacker, line_weights.weigh_for_defender):
        for missing in (1, 2, 3):
            line = bit_set(range(missing))
            weights = weigh([line, line], [1 << rules.cells[-1]])
            weight = line_weights.full_weight >> missing
            assert weights.total == 2 * weight
            assert weights.potential == [2 * weight] * missing + [0] * (len(rules.cells) - missing)


def test_the_cell_in_which_most_lines_meet_is_tried_first() -> None:
    weights = ON_5X5.weigh_for_attacker([bit_set([0, 1]), bit_set([1, 2])], [])
    assert weights.ordered_cells(taken=0)[0] == 1
    assert 1 not in weights.ordered_cells(taken=bit_set([1]))
