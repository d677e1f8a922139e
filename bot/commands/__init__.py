"""Slash commands, context menus, presses on buttons and selects, and background tasks."""
