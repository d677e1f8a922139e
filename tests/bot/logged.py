"""What the bot has logged during a test."""

from __future__ import annotations

import logging

import pytest


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = caplog.get_records("call")
    return [record.getMessage() for record in records if record.levelno >= logging.ERROR]
