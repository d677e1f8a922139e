"""Ids as Discord gives them out: the later, the greater."""

LARGEST_ID = 2**63 - 1
