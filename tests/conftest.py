"""Settings of the whole test suite."""

from __future__ import annotations

import gc
import os
import sys

import pytest
from hypothesis import settings

settings.register_profile("no-deadline", deadline=None)  # the machine may be busy
settings.load_profile("no-deadline")

# Each worker, and each process that the tests start, would compile everything anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_xdist_auto_num_workers() -> int:
    """Start two workers per core: tests spend half of their time waiting."""
    return 2 * (os.cpu_count() or 1)


_LONGEST = {"test_solutions_minimax", "test_judge"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: item.path.stem not in _LONGEST)


def pytest_collection_finish() -> None:
    """Collect garbage less often: it takes a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
