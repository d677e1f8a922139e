"""Velha, tic-tac-toe for Discord."""

__version__ = "1.1.0.dev0"
