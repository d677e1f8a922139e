"""A learner's own `tictactoe.py`, judged function by function."""
