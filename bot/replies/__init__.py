"""The only code that speaks to Discord."""
