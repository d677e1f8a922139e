"""Limits of queues that no test reaches, however busy the machine is."""

from __future__ import annotations

from bot.runtime.bounded_lock import QueueLimits

PATIENT_QUEUE = QueueLimits(max_waiting=200, wait_seconds=300, run_seconds=300)
