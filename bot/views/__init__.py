"""From values to messages: pure functions."""
