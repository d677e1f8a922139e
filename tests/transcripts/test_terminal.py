"""Games on 3x3 in the terminal."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from tests.transcripts.terminal import Terminal


def test_terminal(snapshot: SnapshotAssertion) -> None:
    terminal = Terminal("The terminal")
    terminal.heading("A loss, after what is no cell; then the other side, and away")
    wrong = ["Z9", "", "5", "b2 c2", "It's mine"]
    terminal.run("play --first me --seed 1 --review", *wrong, "b2", "B2", "C1", "B1", "y", "q")
    terminal.heading("A win, and no other game")
    terminal.run("play child --first me --seed 3", "A1", "B1", "C1", "n")
    terminal.heading("A draw, and away with Ctrl-D")
    terminal.run("play --first ai --seed 4", "B2", "A3", "B1", "C2")
    assert str(terminal) == snapshot
