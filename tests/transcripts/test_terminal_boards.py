"""Larger boards in the terminal."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from tests.transcripts.terminal import Terminal


def test_terminal_boards(snapshot: SnapshotAssertion) -> None:
    terminal = Terminal("Boards in the terminal")
    terminal.heading("Four columns, three rows")
    typed = ["C4", "B2", "C2", "A2", "no"]
    terminal.run("play child --board 4x3x3 --first me --seed 2 --review", *typed)
    terminal.heading("Three columns, five rows")
    terminal.run("play medium --board 3x5x3 --first ai --seed 4", "A5", "D1", "q")
    terminal.heading("Five columns, four rows")
    terminal.run("play easy --board 5x4x4 --first me --hint --seed 4", "B2", "E5", "Exit")
    terminal.heading("Five columns, five rows; the search sees no end")
    terminal.run("play alphabeta --board 5x5x4 --first me", "c3", "f1", "sair")
    assert str(terminal) == snapshot
