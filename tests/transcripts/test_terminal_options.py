"""The help of the terminal, and which options it refuses."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from tests.transcripts.terminal import Terminal

REFUSED = [
    "--board 6x6x4",
    "--level godlike",
    "--seed today",
    "--tree 'xo. x'",
    "--tree 'xxx ... ...'",
    "--tree 'x.. .o. ...'",
    "--check nowhere.py",
    "--check",
    "--seconds soon",
    "--language ja",
    "--se 1",
    "3x3x3",
]


def test_terminal_options(snapshot: SnapshotAssertion) -> None:
    terminal = Terminal("Options of the terminal")
    terminal.heading("Help")
    terminal.run_wide("--help")
    terminal.heading("Refused")
    for options in REFUSED:
        terminal.run(options)
    assert str(terminal) == snapshot
