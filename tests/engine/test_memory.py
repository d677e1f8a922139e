"""What the engine remembers is bounded, whatever it is asked and for however long."""

from __future__ import annotations

import pickle

from engine import Board, Record, Rules


def test_boards_from_other_processes_and_from_codes_share_their_rules() -> None:
    """Each would bring lines of its own otherwise, and keep them while it is remembered."""
    rules = Rules.parse("5x5x4")
    sent = Board(Rules(5, 5, 4)).result(12)
    assert sent.rules.lines
    received = pickle.loads(pickle.dumps(sent))  # noqa: S301 - our own
    assert received == sent
    assert received.rules is rules
    assert Record.read(Record(Rules(5, 5, 4), (12,)).code).rules is rules


def test_rules_of_any_size_are_named_without_working_out_their_lines() -> None:
    rules = Rules.parse("300x300x9")
    assert rules == Rules(300, 300, 9)
    assert "lines" not in vars(rules)
