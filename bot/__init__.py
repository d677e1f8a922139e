"""Velha, tic-tac-toe for Discord."""

__version__ = "1.0.0"
