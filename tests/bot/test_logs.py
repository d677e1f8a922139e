"""Secrets are masked in whatever is logged."""

from __future__ import annotations

import logging

import pytest

from bot.logs import MaskingFormatter, PriorityFormatter


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "POST /api/v10/interactions/12/aW5.x-_/callback took",
            "POST /api/v10/interactions/12/***/callback took",
        ),
        (
            "PATCH https://discord.com/api/v10/webhooks/12/aW5/messages/@original?wait=1",
            "PATCH https://discord.com/api/v10/webhooks/12/***/messages/@original?wait=1",
        ),
        ("{'id': '12', 'token': 'aW5', 'type': 3}", "{'id': '12', 'token': '***', 'type': 3}"),
        ('{"token":"aW5","type":3}', '{"token":"***","type":3}'),
        ("bound to 12+aW50ZXJhY3Rpb246MTIzNDU2Nzg5 now", "bound to 12+*** now"),
        ("a p@s/s word, p%40s%2Fs%20word or p%40s%2Fs+word", "a ***, *** or ***"),
        (r'{"message": "{\"token\":\"aW5\"}"}', r'{"message": "{\"token\":\"***\"}"}'),
        (r"in JSON a \"quoted\" p\u00e3ssword", "in JSON a ***"),
        (
            "PUT /api/v10/applications/12/commands took",
            "PUT /api/v10/applications/12/commands took",
        ),
    ],
)
def test_only_the_secrets_are_masked(text: str, written: str) -> None:
    record = logging.LogRecord("discord", logging.WARNING, "", 0, "%s", (text,), None)
    assert (
        MaskingFormatter(logging.Formatter(), ["p@s/s word", '"quoted" pãssword', ""]).format(
            record
        )
        == written
    )


def test_a_secret_that_begins_with_another_is_masked_whole() -> None:
    record = logging.LogRecord("discord", logging.WARNING, "", 0, "s3cret-and-more", (), None)
    formatter = MaskingFormatter(logging.Formatter(), ["s3cret", "s3cret-and-more"])
    assert formatter.format(record) == "***"


def test_secrets_in_tracebacks_are_masked() -> None:
    error = ConnectionError("POST /interactions/12/aW5/callback with p@ss")
    failed = (ConnectionError, error, None)
    record = logging.LogRecord("discord", logging.ERROR, "", 0, "", (), failed)
    written = MaskingFormatter(logging.Formatter(), ["p@ss"]).format(record)
    assert written.endswith("ConnectionError: POST /interactions/12/***/callback with ***")


@pytest.mark.parametrize(
    ("level", "priority"),
    [
        (logging.CRITICAL, 2),
        (logging.ERROR, 3),
        (logging.WARNING, 4),
        (logging.INFO, 6),
        (logging.DEBUG, 7),
    ],
)
def test_each_line_for_the_journal_begins_with_its_priority(level: int, priority: int) -> None:
    record = logging.LogRecord("bot", level, "", 0, "two\nlines", (), None)
    written = PriorityFormatter(logging.Formatter()).format(record)
    assert written == f"<{priority}>two\n<{priority}>lines"
