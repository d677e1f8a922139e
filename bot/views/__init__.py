"""Pure functions that turn values into Discord messages."""
