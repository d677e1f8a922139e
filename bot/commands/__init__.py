"""What people type and press, and what time brings about."""
