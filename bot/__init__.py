"""Velha, tic-tac-toe for Discord."""

__version__ = "2.0.0.dev0"
