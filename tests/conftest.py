"""How the whole suite is run."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

settings.register_profile("busy", deadline=None)  # a busy machine is no fault of the test
settings.load_profile("busy")


def pytest_xdist_auto_num_workers() -> int:
    """Two for each core: half of what the tests do is to wait."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Look less often for garbage, and not among the tests: it takes a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
