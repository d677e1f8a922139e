"""Discord's ids (snowflakes): a later one is always greater."""

LARGEST_ID = 2**63 - 1
