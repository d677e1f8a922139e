"""Limits that no test reaches by the machine's being busy."""

from __future__ import annotations

from bot.services.executor import ExecutorLimits
from bot.services.worker_process import QueueLimits

PATIENT_QUEUE = QueueLimits(max_waiting=200, wait_seconds=300, run_seconds=300)
PATIENT_EXECUTOR = ExecutorLimits(answer_seconds=300, silent_seconds=300)
