"""How the whole suite is run."""

from __future__ import annotations

import os


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: much of what the tests do is to wait."""
    return (os.cpu_count() or 1) + 1
