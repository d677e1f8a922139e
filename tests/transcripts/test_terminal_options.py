"""The help of the terminal, and what it says of a command that it cannot understand."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.transcripts.terminal import Terminal

COMMANDS = ["play", "tree", "check", "contest"]
REFUSED = [
    "chekc tictactoe.py",
    "--chekc tictactoe.py",
    "tictactoe.py",
    "--first me",
    "--language ja",
    "--language",
    "play --board 6x6x4",
    "play godlike",
    "play tictactoe.py --board 4x4x3",
    "play --self-play --first me",
    "play --first you",
    "play --seed today",
    "play --hint=all",
    "play --only winner",
    "tree 'xo. x'",
    "tree 'xoz xxo ..o'",
    "tree 'xox oxo oxo'",
    "tree 'xxx oo. o..'",
    "tree xxx/oox/xxo",
    "tree 'x.. .o. ...'",
    "tree '1 2 / x'",
    "check",
    "check --help=all",
    "check nowhere.py",
    "check tictactoe.py friend.py",
    "check tictactoe.py --onyl winner",
    "check tictactoe.py --only winnr",
    "check tictactoe.py --only",
    "check tictactoe.py --expect speed",
    "check tictactoe.py --seconds soon",
    "contest tictactoe.py alphabeta",
]


def test_terminal_options(
    snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tictactoe.py").touch()
    monkeypatch.chdir(tmp_path)
    terminal = Terminal("Options of the terminal")
    terminal.heading("Help")
    for command in ["", *COMMANDS]:
        terminal.run_wide(f"{command} --help".strip())
    terminal.heading("Refused")
    for options in REFUSED:
        terminal.run(options)
    assert str(terminal) == snapshot
